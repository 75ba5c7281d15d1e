/* Options that the environment gives to the compiler of a generated program. */
#pragma once

/* Variables of the environment with options that the Makefile takes, in its order: CC, DAL_CFLAGS,
 * CPPFLAGS and CFLAGS, or those of C++. In DAL_CFLAGS are the folders of our own headers. */
enum { DAL_GIVEN_CC, DAL_GIVEN_OWN, DAL_GIVEN_CPP, DAL_GIVEN_C, DAL_GIVEN };
/* Returns the value of one of them, or NULL. */
const char *dal_given_options(int which, int is_cxx);
