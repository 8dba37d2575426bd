// A coroutine outlives its call: left alone. The rest is not.
// flags: -std=c++20 -fcoroutines
#include <coroutine>
#include <cstdio>
struct Numbers {
  struct promise_type {
    int value;
    Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { value = v; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  int next() { handle.resume(); return handle.promise().value; }
};
static int twice(int x) { return 2 * x; }
static Numbers count(int n) { for (int i = 0; i < n; i++) co_yield twice(i); }
int main()
{
  Numbers numbers = count(5);
  int s = 0;
  for (int i = 0; i < 5; i++) s += numbers.next();
  numbers.handle.destroy();
  std::printf("%d\n", s);
  return 0;
}
