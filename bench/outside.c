/* What bench/probes.c calls beyond its probes. */
void outside(void) { __asm__ volatile(""); }
