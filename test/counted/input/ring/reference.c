#include <stdio.h>

int main(void)
{
    for (int fired = 0; fired < 20; fired++) {
        int first = fired - 8 > fired % 2 ? fired - 8 : fired % 2;
        for (int i = first; i <= fired; i += 2)
            printf("%d ", i);
        printf("\n");
    }
    return 0;
}
