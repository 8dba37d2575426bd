/* Programs that mark ranges by NVTX, traced by mpiscope: ranges that are pushed and popped become
 * regions, marks marks. Include it in place of NVIDIA's header. Colours, categories, domains, and
 * ranges that are started in one place and ended in another are left out.
 */
#ifndef MPISCOPE_NVTX_H
#define MPISCOPE_NVTX_H

#include <stddef.h>
#include <stdint.h>

#include "../mpiscope.h"

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_COLOR_UNKNOWN 0
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_UNKNOWN 0
#define NVTX_MESSAGE_TYPE_ASCII 1

typedef uint64_t nvtxRangeId_t;

typedef struct {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
    } message;
} nvtxEventAttributes_t;

__attribute__((no_instrument_function, unused)) static inline const char *mpiscope_nvtx_name(const nvtxEventAttributes_t *of)
{
    return of->messageType == NVTX_MESSAGE_TYPE_ASCII ? of->message.ascii : "(no name)";
}

#define nvtxRangePushA(name) (mpiscope_region_begin(name), mpiscope_zero())
#define nvtxRangePush(name) nvtxRangePushA(name)
#define nvtxRangePushEx(attributes) (mpiscope_region_begin(mpiscope_nvtx_name(attributes)), mpiscope_zero())
#define nvtxRangePop() (mpiscope_region_end(0), mpiscope_zero())
#define nvtxMarkA(name) mpiscope_mark(name)
#define nvtxMark(name) nvtxMarkA(name)
#define nvtxMarkEx(attributes) mpiscope_mark(mpiscope_nvtx_name(attributes))
#define nvtxRangeStartA(name) ((nvtxRangeId_t)0)
#define nvtxRangeStart(name) nvtxRangeStartA(name)
#define nvtxRangeEnd(range) ((void)(range))
#define nvtxNameOsThreadA(thread, name) ((void)(thread))
#define nvtxInitialize(reserved) ((void)(reserved))

#endif
