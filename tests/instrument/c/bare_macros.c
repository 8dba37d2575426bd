/* Macros that are statements, or parts of blocks, without a semicolon. */
#include <stdio.h>
#define ENTER(error) { int failed = error, value = 0;
#define LEAVE(value) return value; }
#define FAIL(code) do { value = code; goto done; } while (0);
#define TRY do
#define END_TRY while (0)
#define TRACE printf("traced\n");

static int half(int x)
{
    ENTER(-1)

    /* Comments (and parentheses. */
    if (x % 2)
        FAIL(failed)
    value = x / 2;
done:
    LEAVE(value)
}

static int twice(int x)
{
    int sum = 0;
    TRACE
    TRY {
        for (int i = 0; i < 2; i++)
            sum += half(4 * x);
    } END_TRY;
    TRACE
    return sum / 2;
}

int main(void)
{
    int sum = half(3) + half(8) + twice(5);
    TRACE
    printf("%d\n", sum);
    return 0;
}
