// Constructors with initializers, destructors, operators, conversions, statics, virtual functions.
#include <cstdio>
namespace shapes {
static int made;
int count(int x) { return ++made, x; }
class Base {
public:
  Base() : size_(count(1)) { count(2); }
  explicit Base(int n) : size_{count(n)} {}
  virtual ~Base() { made--; }
  virtual int area() const { return size_; }
  int operator()(int x) const { return area() * x; }
  Base &operator+=(int x) { size_ += x; return *this; }
  operator bool() const { return size_ > 0; }
  static int total() { return made; }
protected:
  int size_;
};
class Square final : public Base {
public:
  using Base::Base;
  int area() const override { return Base::area() * size_; }
};
int Base_free(const Base &b) { return b.area(); }
}
int main()
{
  shapes::Square s(3);
  shapes::Base *b = new shapes::Square;
  s += 2;
  if (s) std::printf("%d %d %d\n", shapes::Base_free(s), s(2), b->area());
  delete b;
  return shapes::Base::total();
}
