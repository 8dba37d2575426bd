int main(void)
{
  for (int i = 0; i < 3; i++) {
    __builtin_puts("dos");
  }
  return __LINE__;
}
