/* The C library on the archive of otf2's example codec_rate: reads every event with a callback
 * that looks at all fields, and writes as many of the same kinds; and on any archive.
 *
 *   libotf2 read DIRECTORY      million events/s read from DIRECTORY/traces.otf2, location 0
 *   libotf2 write DIRECTORY N   million events/s written to a new archive in DIRECTORY
 *   libotf2 all ANCHOR          million events/s, by the processor second, of all locations
 *   libotf2 arrays ANCHOR       the same, with all fields put into arrays: the least that a tool
 *                               does which has a trace in memory
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double of_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double now(void)
{
    return of_clock(CLOCK_MONOTONIC);
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

static OTF2_EvtReaderCallbacks *looking(void)
{
    OTF2_EvtReaderCallbacks *calls = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(calls, enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(calls, send);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, posted);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(calls, tested);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, irecv);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(calls, begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, end);
    return calls;
}

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
    OTF2_EvtReaderCallbacks *calls = looking();
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

/* What one location did, by columns; a column grows when it is full. */
static struct {
    size_t count, room;
    uint64_t *times, *lengths;
    uint32_t *first, *second;
    uint8_t *kinds;
} array;

static void grow(void)
{
    array.room = array.room ? 2 * array.room : 1 << 12;
#define GROW(column) array.column = realloc(array.column, array.room * sizeof *array.column)
    GROW(times), GROW(lengths), GROW(first), GROW(second), GROW(kinds);
}

#define KEEP(kind, a1, b1, c1) do { \
    if (array.count == array.room) grow(); \
    array.times[array.count] = t; \
    array.kinds[array.count] = kind; \
    array.first[array.count] = a1; \
    array.second[array.count] = b1; \
    array.lengths[array.count] = c1; \
    array.count++, events++; \
    return OTF2_CALLBACK_SUCCESS; \
} while (0)

static OTF2_CallbackCode keep_enter(HEAD, OTF2_RegionRef r) { KEEP(0, r, 0, 0); }
static OTF2_CallbackCode keep_leave(HEAD, OTF2_RegionRef r) { KEEP(1, r, 0, 0); }
static OTF2_CallbackCode keep_send(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n)
{ KEEP(2, p, tag, n); }
static OTF2_CallbackCode keep_isend(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n, uint64_t q)
{ KEEP(3, p, tag, n); }
static OTF2_CallbackCode keep_request(HEAD, uint64_t q) { KEEP(4, 0, 0, q); }
static OTF2_CallbackCode keep_receive(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n)
{ KEEP(5, p, tag, n); }
static OTF2_CallbackCode keep_irecv(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n, uint64_t q)
{ KEEP(6, p, tag, n); }
static OTF2_CallbackCode keep_begin(HEAD) { KEEP(7, 0, 0, 0); }
static OTF2_CallbackCode keep_end(HEAD, OTF2_CollectiveOp op, OTF2_CommRef c, uint32_t root,
                                  uint64_t sent, uint64_t received)
{ KEEP(8, op, root, sent + received); }

static OTF2_CallbackCode isend(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n, uint64_t q)
{ TAKE(p + c + tag + n + q); }
static OTF2_CallbackCode received(HEAD, uint32_t p, OTF2_CommRef c, uint32_t tag, uint64_t n)
{ TAKE(p + c + tag + n); }

static OTF2_EvtReaderCallbacks *all_callbacks(int keeps)
{
    OTF2_EvtReaderCallbacks *calls = looking();
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(calls, keeps ? keep_isend : isend);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(calls, keeps ? keep_receive : received);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(calls, keeps ? keep_request : tested);
    if (!keeps) return calls;
    OTF2_EvtReaderCallbacks_SetEnterCallback(calls, keep_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(calls, keep_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(calls, keep_send);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls, keep_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(calls, keep_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls, keep_irecv);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(calls, keep_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls, keep_end);
    return calls;
}

static OTF2_LocationRef *locations;
static size_t location_count;

static OTF2_CallbackCode found(void *u, OTF2_LocationRef location, OTF2_StringRef name,
                               OTF2_LocationType type, uint64_t n, OTF2_LocationGroupRef group)
{
    locations = realloc(locations, (location_count + 1) * sizeof *locations);
    locations[location_count++] = location;
    return OTF2_CALLBACK_SUCCESS;
}

static void find_locations(OTF2_Reader *reader)
{
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, found);
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, calls, NULL), "definitions");
    OTF2_GlobalDefReaderCallbacks_Delete(calls);
    uint64_t read = 0;
    check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read), "definitions");
    OTF2_Reader_CloseGlobalDefReader(reader, definitions);
}

static void read_every_location(const char *anchor, int keeps)
{
    double began = of_clock(CLOCK_PROCESS_CPUTIME_ID);
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    if (!reader) exit(1);
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader), "collectives");
    find_locations(reader);
    for (size_t i = 0; i < location_count; i++)
        check(OTF2_Reader_SelectLocation(reader, locations[i]), "select");
    check(OTF2_Reader_OpenEvtFiles(reader), "open");
    OTF2_EvtReaderCallbacks *calls = all_callbacks(keeps);
    uint64_t all = 0;
    for (size_t i = 0; i < location_count; i++) {
        uint64_t read = 0;
        OTF2_EvtReader *local = OTF2_Reader_GetEvtReader(reader, locations[i]);
        check(OTF2_Reader_RegisterEvtCallbacks(reader, local, calls, NULL), "callbacks");
        check(OTF2_Reader_ReadAllLocalEvents(reader, local, &read), "read");
        OTF2_Reader_CloseEvtReader(reader, local);
        all += read;
        /* What was kept stays, as it does in a tool. */
        memset(&array, 0, sizeof array);
    }
    double seconds = of_clock(CLOCK_PROCESS_CPUTIME_ID) - began;
    if (all != events) {
        fprintf(stderr, "%lu events read, %lu seen\n", (unsigned long)all, (unsigned long)events);
        exit(1);
    }
    fprintf(stderr, "sum %lx\n", (unsigned long)sum);
    printf("libotf2-%s %.1f million events/s\n", keeps ? "arrays" : "all", events / seconds / 1e6);
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
    else if (argc >= 3 && (!strcmp(argv[1], "all") || !strcmp(argv[1], "arrays")))
        read_every_location(argv[2], !strcmp(argv[1], "arrays"));
    else if (argc >= 4 && !strcmp(argv[1], "write"))
        write_all(argv[2], strtoull(argv[3], NULL, 10));
    else
        return 2;
    return 0;
}
