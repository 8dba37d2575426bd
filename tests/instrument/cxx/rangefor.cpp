// Loops over ranges, declarations in conditions, structured bindings.
#include <cstdio>
#include <map>
#include <vector>
static std::vector<int> make(int n) { std::vector<int> v; for (int i = 0; i < n; i++) v.push_back(i); return v; }
static int next(int x) { return x - 1; }
int main()
{
  int s = 0;
  for (int x : make(4)) s += next(x);
  for (auto &[key, value] : std::map<int, int>{{1, 2}, {3, 4}}) { s += next(key * value); }
  while (int x = next(s)) { s = x; if (s < 3) break; }
  if (int y = next(5); y > 2) s += y;
  if (auto z = next(2)) s += next(z); else s = 0;
  switch (int k = next(3); k) { case 2: s += next(k); }
  std::printf("%d\n", s);
  return 0;
}
