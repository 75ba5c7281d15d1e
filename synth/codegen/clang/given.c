#include "synth/codegen/clang/given.h"

#include <stdlib.h>

const char *dal_given_options(int which, int is_cxx)
{
    static const char *const names[DAL_GIVEN][2] = {{"CC", "CXX"},
                                                    {"DAL_CFLAGS", "DAL_CFLAGS"},
                                                    {"CPPFLAGS", "CPPFLAGS"},
                                                    {"CFLAGS", "CXXFLAGS"}};
    const char *given = getenv(names[which][is_cxx != 0]);
    return given || which != DAL_GIVEN_C ? given : getenv(names[which][0]);
}
