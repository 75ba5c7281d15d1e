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

# --enable-schedules; SCHEDULE_FLAGS, for compiling what is scheduled. The compiler makes calls of what
# ThreadSanitizer would see, and test/schedules/scheduler/schedule_memory.c has them.
AC_DEFUN([DAL_SCHEDULES],[
    AC_ARG_ENABLE([schedules],
        [AS_HELP_STRING([--enable-schedules],
            [for tests: a seed decides which thread is next (doc/develop/testing.md)])],
        [],[enable_schedules=no])
    SCHEDULE_FLAGS=
    AS_IF([test "$enable_schedules" = yes],[
        AS_IF([test "$enable_sanitizer" != no],
            [AC_MSG_ERROR([--enable-schedules takes the place of a sanitizer])])
        SCHEDULE_FLAGS="-DDAL_SCHEDULES -fsanitize=thread"
        for dal_name in memcpy memmove memset mmap munmap malloc calloc realloc posix_memalign free; do
            SCHEDULE_FLAGS="$SCHEDULE_FLAGS -D$dal_name=dal_schedule_$dal_name"
        done])
    AC_SUBST([SCHEDULE_FLAGS])
    AM_CONDITIONAL([SCHEDULES],[test "$enable_schedules" = yes])])

# VERSION_SCRIPTS: the linker gives the names of a library versions (rt/libdal.map).
AC_DEFUN([DAL_VERSION_SCRIPTS],[
    AC_CACHE_CHECK([whether the linker knows version scripts],[dal_cv_version_scripts],[
        dal_ldflags=$LDFLAGS
        AS_ECHO(["DAL_0.1 { global: shown; local: *; };"]) >conftest.map
        LDFLAGS="$LDFLAGS -shared -fPIC -Wl,--version-script=conftest.map"
        AC_LINK_IFELSE([AC_LANG_SOURCE([[int shown(void); int shown(void) { return 0; }]])],
            [dal_cv_version_scripts=yes],[dal_cv_version_scripts=no])
        rm -f conftest.map
        LDFLAGS=$dal_ldflags])
    AM_CONDITIONAL([VERSION_SCRIPTS],[test "$dal_cv_version_scripts" = yes])])

# DAL_CLANG_FORMAT(VERSION): CLANG_FORMAT, "no" without one of that version; others lay out
# differently.
AC_DEFUN([DAL_CLANG_FORMAT],[
    AC_PATH_PROGS([CLANG_FORMAT],[clang-format-$1 clang-format],[no])
    AS_IF([test "$CLANG_FORMAT" != no],[
        AS_CASE([`"$CLANG_FORMAT" --version`],
            [*version\ $1.*],[],
            [CLANG_FORMAT=no])])])

# libclang, which has no pkg-config file: beside the header that llvm-config or the folders of LLVM's
# packages have, the newest first. LIBCLANG_CFLAGS, LIBCLANG_LIBS; LIBCLANG_PREFIX says where.
# LIBCLANG_RESOURCES is the folder of its own headers, such as stddef.h, which a library that lies
# elsewhere does not find by itself.
AC_DEFUN([DAL_LIBCLANG],[
    AC_ARG_VAR([LIBCLANG_PREFIX],[folder of LLVM that has include/clang-c/Index.h and lib/libclang.so])
    AC_MSG_CHECKING([for libclang])
    dal_found=no
    for dal_folder in $LIBCLANG_PREFIX "`llvm-config --prefix 2>/dev/null`" \
        `ls -d /usr/lib/llvm-*/ 2>/dev/null | sort -t- -k2 -rn` /usr /usr/local; do
        for dal_lib in lib lib64; do
            AS_IF([test "$dal_found" = no && test -f "$dal_folder/include/clang-c/Index.h" &&
                   test -e "$dal_folder/$dal_lib/libclang.so"],[dal_found=$dal_folder
                LIBCLANG_CFLAGS="-isystem $dal_folder/include"
                AS_CASE([$dal_folder],[/usr|/usr/],[LIBCLANG_CFLAGS=])
                LIBCLANG_LIBS="-L$dal_folder/$dal_lib -lclang"])
        done
    done
    AC_MSG_RESULT([$dal_found])
    AS_IF([test "$dal_found" = no],[
        AC_MSG_WARN([libclang is missing (Debian package: libclang-dev)])
        dal_missing="$dal_missing libclang-dev"])
    LIBCLANG_RESOURCES=`ls -d "$dal_found"/lib*/clang/*/include/stddef.h 2>/dev/null | tail -n 1 |
        sed 's|/include/stddef.h$||'`
    AC_SUBST([LIBCLANG_CFLAGS])
    AC_SUBST([LIBCLANG_RESOURCES])
    AC_SUBST([LIBCLANG_LIBS])])

# MPI, for networks on several nodes; optional. HAVE_MPI, MPI_CFLAGS, MPI_LIBS; dal_mpi tells. Found by
# pkg-config (Open MPI, then MPICH), else by what mpicc shows.
AC_DEFUN([DAL_MPI],[
    AC_ARG_WITH([mpi],[AS_HELP_STRING([--without-mpi],[programs run on one node])],
        [],[with_mpi=auto])
    dal_mpi="none (Debian package: libopenmpi-dev); programs run on one node"
    dal_found=no
    AS_IF([test "$with_mpi" = no],[dal_mpi="none, as wanted; programs run on one node"],[
        PKG_CHECK_MODULES([MPI],[ompi-c >= 2],[dal_found="Open MPI"],[
            PKG_CHECK_MODULES([MPI],[mpich >= 3],[dal_found=MPICH],[
                MPI_CFLAGS=`mpicc --showme:compile 2>/dev/null`
                MPI_LIBS=`mpicc --showme:link 2>/dev/null`
                AS_IF([test -n "$MPI_LIBS"],[dal_found=mpicc])])])])
    AS_IF([test "$dal_found" != no],[
        dal_flags=$CPPFLAGS dal_libs=$LIBS
        CPPFLAGS="$CPPFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
        AC_MSG_CHECKING([whether programs link with $dal_found])
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],[[return MPI_Finalize();]])],
            [AC_MSG_RESULT([yes])
             dal_mpi=$dal_found],
            [AC_MSG_RESULT([no])
             dal_mpi="none that programs link with; programs run on one node"
             dal_found=no])
        CPPFLAGS=$dal_flags LIBS=$dal_libs])
    AS_IF([test "$dal_found" = no && test "$with_mpi" = yes],[
        AC_MSG_ERROR([MPI is missing. On Debian or Ubuntu: apt-get install libopenmpi-dev])])
    AM_CONDITIONAL([HAVE_MPI],[test "$dal_found" != no])
    AS_IF([test "$dal_found" = no],[DAL_HAS_MPI=0],[DAL_HAS_MPI=1])
    AC_SUBST([DAL_HAS_MPI])
    AC_SUBST([MPI_CFLAGS])
    AC_SUBST([MPI_LIBS])])
