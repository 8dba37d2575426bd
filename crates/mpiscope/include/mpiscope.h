/* Regions and values of your own in the traces of mpiscope: C and C++.
 *
 *     mpiscope_region_begin("assemble");
 *     ...
 *     mpiscope_region_end("assemble");
 *     mpiscope_metric("residual", residual);
 *
 * A program that runs without mpiscope calls functions that do nothing. Nothing has to be linked
 * (before glibc 2.34: -ldl). A name is text that ends with NUL, as UTF-8; the same name is the same
 * region, or tells values of the same. Regions nest, in each thread by itself; what begins before MPI_Init is not told.
 *
 * This file may be copied into any program, under the terms of mpiscope: MIT or Apache 2.0.
 */
#ifndef MPISCOPE_H
#define MPISCOPE_H

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What mpiscope does when it is told something; do not use it yourself. */
struct mpiscope_calls {
    void (*region_begin)(const char *name);
    void (*region_end)(const char *name);
    void (*mark)(const char *name);
    void (*metric)(const char *name, double value);
    void (*metric_int)(const char *name, long long value);
};

__attribute__((no_instrument_function, unused)) static inline void mpiscope_nothing(const char *name)
{
    (void)name;
}

__attribute__((no_instrument_function, unused)) static inline void mpiscope_no_metric(const char *name, double value)
{
    (void)name;
    (void)value;
}

__attribute__((no_instrument_function, unused)) static inline void mpiscope_no_metric_int(const char *name, long long value)
{
    (void)name;
    (void)value;
}

/* What a macro returns whose value nobody needs to look at. */
__attribute__((no_instrument_function, unused)) static inline int mpiscope_zero(void)
{
    return 0;
}

__attribute__((no_instrument_function, unused)) static inline void mpiscope_find(void (**call)(const char *), const char *name)
{
    void *found = dlsym((void *)0 /* wherever it is */, name);
    void (*nothing)(const char *) = mpiscope_nothing;
    __builtin_memcpy((void *)call, found ? (void *)&found : (void *)&nothing, sizeof *call);
}

__attribute__((no_instrument_function, unused)) static inline const struct mpiscope_calls *mpiscope_calls(void)
{
    static struct mpiscope_calls calls;
    static int known;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        /* Threads that come here at once find the same. */
        mpiscope_find(&calls.region_begin, "mpiscope_region_begin");
        mpiscope_find(&calls.region_end, "mpiscope_region_end");
        mpiscope_find(&calls.mark, "mpiscope_mark");
        void (*metric)(const char *, double) = mpiscope_no_metric;
        void (*metric_int)(const char *, long long) = mpiscope_no_metric_int;
        void *found = dlsym((void *)0, "mpiscope_metric");
        if (found)
            __builtin_memcpy((void *)&metric, (void *)&found, sizeof found);
        found = dlsym((void *)0, "mpiscope_metric_int");
        if (found)
            __builtin_memcpy((void *)&metric_int, (void *)&found, sizeof found);
        calls.metric = metric;
        calls.metric_int = metric_int;
        __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    }
    return &calls;
}

/* A region begins here. These are macros so that the call is made, and seen, in your own line. */
#define mpiscope_region_begin(name) (mpiscope_calls()->region_begin(name))

/* A region ends, and what was begun in it and never ended; the innermost one if the name is null. */
#define mpiscope_region_end(name) (mpiscope_calls()->region_end(name))

/* Something happened, and took no time. */
#define mpiscope_mark(name) (mpiscope_calls()->mark(name))

/* Something has this value now; the same name tells values of the same. */
#define mpiscope_metric(name, value) (mpiscope_calls()->metric(name, value))
#define mpiscope_metric_int(name, value) (mpiscope_calls()->metric_int(name, value))

#ifdef __cplusplus
}

namespace mpiscope {
/* A region that ends with the scope:  mpiscope::region here("assemble"); */
class region {
  public:
    explicit __attribute__((always_inline)) region(const char *name) : name_(name)
    {
        mpiscope_region_begin(name_);
    }
    ~region() { mpiscope_region_end(name_); }

  private:
    region(const region &);
    region &operator=(const region &);
    const char *name_;
};
} /* namespace mpiscope */
#endif

#endif
