// Bodies that are try blocks.
#include <cstdio>
static int risky(int n) { if (n) throw 1; return n; }
static int guarded(int n) try { return risky(n); } catch (int) { return 7; }
struct Member { int n; explicit Member(int k) try : n(risky(k)) {} catch (int) { std::puts("member"); } };
int main()
{
  try { Member m(1); } catch (int) { std::puts("caught"); }
  return guarded(0) + guarded(1);
}
