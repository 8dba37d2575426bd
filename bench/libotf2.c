/* The C library on the archive of otf2's example codec_rate: reads every event with a callback
 * that looks at all fields, and writes as many of the same kinds.
 *
 *   libotf2 read DIRECTORY      million events/s read from DIRECTORY/traces.otf2, location 0
 *   libotf2 write DIRECTORY N   million events/s written to a new archive in DIRECTORY
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void check(OTF2_ErrorCode code, const char *what)
{
    if (code != OTF2_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, OTF2_Error_GetDescription(code));
        exit(1);
    }
}

static uint64_t events, sum;

#define HEAD OTF2_LocationRef l, OTF2_TimeStamp t, uint64_t n_, void *u, OTF2_AttributeList *a
#define TAKE(x) do { events++; sum += t + (x); return OTF2_CALLBACK_SUCCESS; } while (0)

static OTF2_CallbackCode enter(HEAD, OTF2_RegionRef r) { TAKE(r); }
static OTF2_CallbackCode leave(HEAD, OTF2_RegionRef r) { TAKE(r); }
static OTF2_CallbackCode send(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n)
{ TAKE(p + c + tag + n); }
static OTF2_CallbackCode posted(HEAD, uint64_t q) { TAKE(q); }
static OTF2_CallbackCode tested(HEAD, uint64_t q) { TAKE(q); }
static OTF2_CallbackCode irecv(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n, uint64_t q)
{ TAKE(p + c + tag + n + q); }
static OTF2_CallbackCode begin(HEAD) { TAKE(0); }
static OTF2_CallbackCode end(HEAD, OTF2_CollectiveOp op, OTF2_CommRef c, uint32_t root,
                             uint64_t sent, uint64_t received)
{ TAKE(op + c + root + sent + received); }

static void read_all(const char *dir)
{
    char anchor[4096];
    snprintf(anchor, sizeof anchor, "%s/traces.otf2", dir);
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    if (!reader) exit(1);
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader), "collectives");
    check(OTF2_Reader_SelectLocation(reader, 0), "select");
    check(OTF2_Reader_OpenEvtFiles(reader), "open");
    double began = now();
    OTF2_EvtReader *local = OTF2_Reader_GetEvtReader(reader, 0);
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(calls, enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(calls, send);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, posted);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(calls, tested);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, irecv);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(calls, begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, end);
    check(OTF2_Reader_RegisterEvtCallbacks(reader, local, calls, NULL), "callbacks");
    OTF2_EvtReaderCallbacks_Delete(calls);
    uint64_t read = 0;
    check(OTF2_Reader_ReadAllLocalEvents(reader, local, &read), "read");
    double seconds = now() - began;
    if (read != events) {
        fprintf(stderr, "%lu events read, %lu seen\n", (unsigned long)read, (unsigned long)events);
        exit(1);
    }
    fprintf(stderr, "sum %lx\n", (unsigned long)sum);
    printf("libotf2-read %.1f million events/s\n", events / seconds / 1e6);
    OTF2_Reader_CloseEvtReader(reader, local);
    OTF2_Reader_Close(reader);
}

static OTF2_FlushType no_flush(void *u, OTF2_FileType f, OTF2_LocationRef l, void *c, bool final)
{ return OTF2_FLUSH; }
static OTF2_FlushCallbacks flushes = { no_flush, NULL };

static void write_all(const char *dir, uint64_t n)
{
    OTF2_Archive *archive = OTF2_Archive_Open(dir, "traces", OTF2_FILEMODE_WRITE, 256 * 1024,
                                              4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX,
                                              OTF2_COMPRESSION_NONE);
    if (!archive) exit(1);
    check(OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL), "flush");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive), "collectives");
    check(OTF2_Archive_OpenEvtFiles(archive), "open");
    double began = now();
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(archive, 0);
    uint64_t t = 1700000000000000000ull, i;
#define AT (t += 500)
    for (i = 0; i < n / 16; i++) {
        uint32_t tag = i % 100, peer = i % 1000;
        uint64_t length = i % 100000;
        OTF2_EvtWriter_Enter(w, NULL, AT, 12);
        OTF2_EvtWriter_MpiSend(w, NULL, AT, peer, 0, tag, length);
        OTF2_EvtWriter_Leave(w, NULL, AT, 12);
        OTF2_EvtWriter_Enter(w, NULL, AT, 13);
        OTF2_EvtWriter_MpiIrecvRequest(w, NULL, AT, i);
        OTF2_EvtWriter_Leave(w, NULL, AT, 13);
        OTF2_EvtWriter_Enter(w, NULL, AT, 14);
        OTF2_EvtWriter_MpiIrecv(w, NULL, AT, peer, 0, tag, length, i);
        OTF2_EvtWriter_Leave(w, NULL, AT, 14);
        OTF2_EvtWriter_Enter(w, NULL, AT, 300);
        OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, AT);
        OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, AT, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                        OTF2_COLLECTIVE_ROOT_NONE, 8, 8);
        OTF2_EvtWriter_Leave(w, NULL, AT, 300);
        OTF2_EvtWriter_Enter(w, NULL, AT, 1);
        OTF2_EvtWriter_MpiRequestTest(w, NULL, AT, i);
        OTF2_EvtWriter_Leave(w, NULL, AT, 1);
    }
    check(OTF2_Archive_CloseEvtWriter(archive, w), "close writer");
    double seconds = now() - began;
    check(OTF2_Archive_CloseEvtFiles(archive), "close");
    printf("libotf2-write %.1f million events/s\n", n / seconds / 1e6);
    check(OTF2_Archive_Close(archive), "archive");
}

int main(int argc, char **argv)
{
    if (argc >= 3 && !strcmp(argv[1], "read"))
        read_all(argv[2]);
    else if (argc >= 4 && !strcmp(argv[1], "write"))
        write_all(argv[2], strtoull(argv[3], NULL, 10));
    else
        return 2;
    return 0;
}
