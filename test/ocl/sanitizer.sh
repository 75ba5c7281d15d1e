#!/usr/bin/env bash
# What LeakSanitizer says at the end of a program that loaded a driver, with the options that all
# tests have: a leak is found; memory that only a thread-local variable of the driver points to is
# none; and no address at which such a variable may lie ends the program (ASAN_OPTIONS in Makefile.am).
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cat >driver.c <<'END_C'
#include <stdlib.h>
static __thread void *own[3];
void *hold(void)
{
    own[1] = malloc(100);
    return own;
}
void lose(void) { own[1] = NULL; }
END_C
# `lies`: thread-local variables of 24 bytes come to lie behind a header of 16 bytes at the start of a page,
# where a glibc of long ago put the size of the block and AddressSanitizer puts something else.
cat >program.c <<'END_C'
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *kept[1000];
int main(int argc, char **argv)
{
    void *driver = dlopen("./driver.so", RTLD_NOW), *block;
    void *(*hold)(void) = (void *(*)(void))dlsym(driver, "hold");
    void (*lose)(void) = (void (*)(void))dlsym(driver, "lose");
    cl_uint platforms;
    int k;
    clGetPlatformIDs(0, NULL, &platforms);
    for (k = 0; argc > 1 && !strcmp(argv[1], "lies") && k < 1000; k++) {
        kept[k] = malloc(24);
        if ((uintptr_t)kept[k] % 4096 == 4096 - 48 + 16)
            break;
    }
    block = hold();
    if (argc > 1 && !strcmp(argv[1], "loses"))
        lose();
    printf("%d\n", (int)((uintptr_t)block % 4096));
    return 0;
}
END_C
"${CC:-cc}" -fPIC -shared -o driver.so driver.c
"${CC:-cc}" -fsanitize=address -DCL_TARGET_OPENCL_VERSION=120 -g -o program program.c -lOpenCL -ldl 2>messages || {
    cat messages
    skip "${CC:-cc} builds nothing with AddressSanitizer"
}

run 0 ./program holds # memory of the driver's is no leak
run 0 ./program lies # no address of the driver's ends LeakSanitizer
[ "$(cat output)" = 16 ] || echo "another allocator: the address is $(cat output), not 16"
if ./program loses >output 2>messages; then
    fail "a leak is not found" messages
fi
grep -q '100 byte(s) leaked in 1 allocation(s)' messages || fail "another leak" messages
echo "one leak of three is one"
