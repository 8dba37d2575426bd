/* What every instrumented file begins with: C and C++, and beside objects from Fortran.
   MPISCOPE_STRUCTURE_ and MPISCOPE_STATEMENTS_ stand for the file's own. No header is
   included, as the user's feature macros are still to come; names end in _ as headers
   given by -include came before. */
#ifndef MPISCOPE_PROBES_
#define MPISCOPE_PROBES_
#define MPISCOPE_PROBE_ __attribute__((__always_inline__, __artificial__, __unused__, __no_instrument_function__)) static __inline__
#ifdef __cplusplus
extern "C" {
#endif
struct mpiscope_unit {
  __UINT32_TYPE__ version_, statements_;
  const char *structure_;
  __UINT64_TYPE__ structure_bytes_;
  struct mpiscope_unit *next_;
  __UINT32_TYPE__ base_, reserved_;
};
struct mpiscope_hooks {
  void (*enter_)(const struct mpiscope_unit *, __UINT32_TYPE__);
  void (*leave_)(const struct mpiscope_unit *, __UINT32_TYPE__);
  void (*loop_enter_)(const struct mpiscope_unit *, __UINT32_TYPE__);
  void (*loop_leave_)(const struct mpiscope_unit *, __UINT32_TYPE__, __UINT64_TYPE__);
  void (*at_)(const struct mpiscope_unit *, __UINT32_TYPE__);
};
struct mpiscope_loop_ { __UINT64_TYPE__ turns_; __UINT32_TYPE__ loop_; };

static const char mpiscope_structure_[] __attribute__((__section__(".mpiscope.structure"), __used__)) = MPISCOPE_STRUCTURE_;
static struct mpiscope_unit mpiscope_unit_ = {1, MPISCOPE_STATEMENTS_, mpiscope_structure_, sizeof mpiscope_structure_ - 1, 0, 0, 0};
static const struct mpiscope_hooks *mpiscope_hooks_;

/* Before the program's own constructors, which link-time optimization would
   put first. The address comes from the global offset table: in code that is not position
   independent, linkers resolve weak references to 0. */
__attribute__((__constructor__(101), __unused__, __no_instrument_function__)) static void mpiscope_begin_(void)
{
  const struct mpiscope_hooks *(*register_)(struct mpiscope_unit *) = 0;
#if defined __x86_64__ && !defined __ILP32__
  __asm__(".weak mpiscope_probe_register\n\tmovq mpiscope_probe_register@GOTPCREL(%%rip), %0" : "=r"(register_));
#elif defined __aarch64__
  __asm__(".weak mpiscope_probe_register\n\tadrp %0, :got:mpiscope_probe_register\n\tldr %0, [%0, :got_lo12:mpiscope_probe_register]" : "=r"(register_));
#endif
  if (register_) mpiscope_hooks_ = register_(&mpiscope_unit_);
}
MPISCOPE_PROBE_ void mpiscope_at_(__UINT32_TYPE__ call_)
{
  if (__builtin_expect(mpiscope_hooks_ != 0, 0)) mpiscope_hooks_->at_(&mpiscope_unit_, call_);
}
MPISCOPE_PROBE_ __UINT32_TYPE__ mpiscope_enter_(__UINT32_TYPE__ procedure_)
{
  if (__builtin_expect(mpiscope_hooks_ != 0, 0)) mpiscope_hooks_->enter_(&mpiscope_unit_, procedure_);
  return procedure_;
}
MPISCOPE_PROBE_ void mpiscope_leave_(const __UINT32_TYPE__ *procedure_)
{
  if (__builtin_expect(mpiscope_hooks_ != 0, 0)) mpiscope_hooks_->leave_(&mpiscope_unit_, *procedure_);
}
MPISCOPE_PROBE_ struct mpiscope_loop_ mpiscope_loop_enter_(__UINT32_TYPE__ loop_, __UINT64_TYPE__ turns_)
{
  struct mpiscope_loop_ entered_;
  entered_.turns_ = turns_;
  entered_.loop_ = loop_;
  if (__builtin_expect(mpiscope_hooks_ != 0, 0)) mpiscope_hooks_->loop_enter_(&mpiscope_unit_, loop_);
  return entered_;
}
MPISCOPE_PROBE_ void mpiscope_loop_leave_(const struct mpiscope_loop_ *left_)
{
  if (__builtin_expect(mpiscope_hooks_ != 0, 0)) mpiscope_hooks_->loop_leave_(&mpiscope_unit_, left_->loop_, left_->turns_);
}
#ifdef __cplusplus
}
#endif

/* The attribute runs its function on every way out of the scope: return, goto, break, exceptions. */
#define MPISCOPE_AT_(n) mpiscope_at_(n)
#define MPISCOPE_PROCEDURE_(n) __attribute__((__cleanup__(mpiscope_leave_), __unused__)) __UINT32_TYPE__ mpiscope_procedure_##n##_ = mpiscope_enter_(n)
#define MPISCOPE_LOOP_(n) __attribute__((__cleanup__(mpiscope_loop_leave_), __unused__)) struct mpiscope_loop_ mpiscope_loop_##n##_ = mpiscope_loop_enter_(n, 0)
#define MPISCOPE_UNCOUNTED_(n) __attribute__((__cleanup__(mpiscope_loop_leave_), __unused__)) struct mpiscope_loop_ mpiscope_loop_##n##_ = mpiscope_loop_enter_(n, ~(__UINT64_TYPE__)0)
#define MPISCOPE_TURN_(n) (++mpiscope_loop_##n##_.turns_)
#endif
