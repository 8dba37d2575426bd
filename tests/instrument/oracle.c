/* Stands in for the agent: counts what instrumented programs tell, checks that frames
   nest, and says at the end what it saw, to the file in MPISCOPE_ORACLE.
     healed: frames that only the end of a procedure or loop around them closed
     wrong:  ends of what was not open
     open:   frames that the end of the process found open */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct mpiscope_unit {
  uint32_t version, statements;
  const char *structure;
  uint64_t structure_bytes;
  struct mpiscope_unit *next;
  uint32_t base, reserved;
};
struct frame { const struct mpiscope_unit *unit; uint32_t statement; int loop; };

static struct frame stack[100000];
static int depth;
static unsigned long procedures, loops, turns, calls, healed, wrong, units;

static void check(const struct mpiscope_unit *unit, uint32_t statement)
{
  if (unit->version != 1 || statement >= unit->statements) wrong++;
}

static void enter(const struct mpiscope_unit *unit, uint32_t statement, int loop)
{
  check(unit, statement);
  if (depth == sizeof stack / sizeof *stack) abort();
  stack[depth++] = (struct frame){unit, statement, loop};
}

/* Closes a frame and those above it; a loop's end never closes a procedure. */
static void leave(const struct mpiscope_unit *unit, uint32_t statement, int loop)
{
  int at = depth - 1;
  check(unit, statement);
  while (at >= 0 && (stack[at].unit != unit || stack[at].statement != statement)) {
    if (loop && !stack[at].loop) at = 0;
    at--;
  }
  if (at < 0) {
    wrong++;
    return;
  }
  healed += depth - 1 - at;
  depth = at;
}

static void procedure_enter(const struct mpiscope_unit *u, uint32_t s) { procedures++; enter(u, s, 0); }
static void procedure_leave(const struct mpiscope_unit *u, uint32_t s) { leave(u, s, 0); }
static void loop_enter(const struct mpiscope_unit *u, uint32_t s) { loops++; enter(u, s, 1); }
static void loop_leave(const struct mpiscope_unit *u, uint32_t s, uint64_t n)
{
  if (n != UINT64_MAX) turns += n;
  leave(u, s, 1);
}
static void at(const struct mpiscope_unit *u, uint32_t s) { calls++; check(u, s); }

static const struct {
  void (*enter)(const struct mpiscope_unit *, uint32_t);
  void (*leave)(const struct mpiscope_unit *, uint32_t);
  void (*loop_enter)(const struct mpiscope_unit *, uint32_t);
  void (*loop_leave)(const struct mpiscope_unit *, uint32_t, uint64_t);
  void (*at)(const struct mpiscope_unit *, uint32_t);
} hooks = {procedure_enter, procedure_leave, loop_enter, loop_leave, at};

const void *mpiscope_probe_register(struct mpiscope_unit *unit)
{
  units++;
  return unit->structure[unit->structure_bytes - 1] == '}' ? &hooks : 0;
}

__attribute__((destructor)) static void report(void)
{
  const char *name = getenv("MPISCOPE_ORACLE");
  FILE *file = name ? fopen(name, "a") : 0;
  if (!file) return;
  fprintf(file, "units %lu procedures %lu loops %lu turns %lu calls %lu healed %lu wrong %lu open %d\n",
          units, procedures, loops, turns, calls, healed, wrong, depth);
  fclose(file);
}
