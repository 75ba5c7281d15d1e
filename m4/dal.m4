# DAL_PACKAGE(VARIABLE, PKG-CONFIG MODULE, DEBIAN PACKAGE, [IF-PKG-CONFIG-HAS-NONE])
# Finds a library that is needed; sets VARIABLE_CFLAGS and VARIABLE_LIBS. One that is missing is
# remembered for DAL_PACKAGES_DONE.
AC_DEFUN([DAL_PACKAGE],[
    PKG_CHECK_MODULES([$1],[$2],[],[
        dal_found=no
        m4_default([$4],[:])
        AS_IF([test "$dal_found" = no],[
            AC_MSG_WARN([$2 is missing (Debian package: $3)])
            dal_missing="$dal_missing $3"])])])

# An OpenCL loader without a pkg-config file.
AC_DEFUN([DAL_PLAIN_OPENCL],[
    AC_CHECK_HEADER([CL/cl.h],[
        AC_CHECK_LIB([OpenCL],[clGetPlatformIDs],[
            dal_found=yes
            OPENCL_CFLAGS=
            OPENCL_LIBS=-lOpenCL])])])

AC_DEFUN([DAL_PACKAGES_DONE],[
    AS_IF([test -n "$dal_missing"],[
        AC_MSG_ERROR([libraries are missing. On Debian or Ubuntu: apt-get install$dal_missing])])])

# --enable-werror; WARN_CFLAGS.
AC_DEFUN([DAL_WARNINGS],[
    AC_ARG_ENABLE([werror],
        [AS_HELP_STRING([--enable-werror],[make every compiler warning an error])],
        [],[enable_werror=no])
    WARN_CFLAGS="-Wall -Wextra -Wpedantic -Wstrict-prototypes -Wmissing-prototypes"
    dal_warnings=shown
    AS_IF([test "$enable_werror" = yes],[
        WARN_CFLAGS="$WARN_CFLAGS -Werror"
        dal_warnings="errors"])
    AC_SUBST([WARN_CFLAGS])])

# --enable-checking; CHECKING_FLAGS.
AC_DEFUN([DAL_CHECKING],[
    AC_ARG_ENABLE([checking],
        [AS_HELP_STRING([--enable-checking],[verify channels and firings while networks run])],
        [],[enable_checking=no])
    CHECKING_FLAGS=
    AS_IF([test "$enable_checking" = yes],[CHECKING_FLAGS=-DDAL_CHECKING])
    AC_SUBST([CHECKING_FLAGS])])

# --enable-sanitizer=LIST; SANITIZER_FLAGS, for compiling and for linking.
AC_DEFUN([DAL_SANITIZER],[
    AC_ARG_ENABLE([sanitizer],
        [AS_HELP_STRING([--enable-sanitizer=LIST],
            [build with sanitizers, as in address,undefined or thread])],
        [],[enable_sanitizer=no])
    SANITIZER_FLAGS=
    dal_sanitizer=none
    AS_CASE([$enable_sanitizer],
        [no],[],
        [yes],[AC_MSG_ERROR([--enable-sanitizer wants a list, as in address,undefined])],
        [SANITIZER_FLAGS="-fsanitize=$enable_sanitizer -fno-omit-frame-pointer"
         AS_CASE([$enable_sanitizer],
            [*undefined*],[SANITIZER_FLAGS="$SANITIZER_FLAGS -fno-sanitize-recover=undefined"])
         dal_sanitizer=$enable_sanitizer
         dal_cflags=$CFLAGS
         CFLAGS="$CFLAGS $SANITIZER_FLAGS"
         AC_MSG_CHECKING([whether $CC knows $SANITIZER_FLAGS])
         AC_LINK_IFELSE([AC_LANG_PROGRAM([],[])],[AC_MSG_RESULT([yes])],
            [AC_MSG_RESULT([no])
             AC_MSG_ERROR([the compiler cannot build with -fsanitize=$enable_sanitizer])])
         CFLAGS=$dal_cflags])
    AC_SUBST([SANITIZER_FLAGS])])

# DAL_CLANG_FORMAT(VERSION): CLANG_FORMAT, "no" without one of that version; others lay out
# differently.
AC_DEFUN([DAL_CLANG_FORMAT],[
    AC_PATH_PROGS([CLANG_FORMAT],[clang-format-$1 clang-format],[no])
    AS_IF([test "$CLANG_FORMAT" != no],[
        AS_CASE([`"$CLANG_FORMAT" --version`],
            [*version\ $1.*],[],
            [CLANG_FORMAT=no])])])
