#!/usr/bin/env bash
# Networks as libraries: apps/embed by make, CMake and meson, from the build folder. Nothing is built where nothing has changed, and
# a source, a header or a part that changes is built again. Names of libraries, and their headers in C and C++.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

export CFLAGS=-O1 PATH=$build/tools:$build/synth:$PATH
export PKG_CONFIG_PATH=$build${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
unset MAKEFLAGS MAKELEVEL MFLAGS # of the make that runs the tests
[ -z "${DAL_SANITIZER:-}" ] || export LDFLAGS=$DAL_SANITIZER CXXFLAGS=$DAL_SANITIZER

# ---- the example, with a part and a header more, which dalsynth alone knows ---------------------------------------------------

example=example
mkdir "$example"
cp "$source"/apps/embed/*.* "$source"/apps/embed/Makefile "$example"
cd "$example"
mkdir inc # the compiler alone knows what is there
echo '#define MORE 0' >inc/more.h
sed -i 's/#include "dal.h"/&\n#include "more.h"/; s/ *DAL_WRITE_TOKEN/    peak += MORE;\n&/' peak.c
sed 's|name="filter"|name="inner"|; s|source="peak.c"|& include="inc"|' filter.xml >inner.xml
cat >filter.xml <<'END'
<processnetwork name="filter">
  <port type="input" name="samples" tokentype="float"/>
  <port type="output" name="louder" tokentype="float"/>
  <port type="output" name="peaks" tokentype="float"/>
  <network name="Inner" source="inner.xml"/>
  <channel from="samples" to="Inner.samples"/>
  <channel from="Inner.louder" to="louder"/>
  <channel from="Inner.peaks" to="peaks"/>
</processnetwork>
END
sed -i 's/Gain.factor/Inner.Gain.factor/; s/Gian.factor/Inner.Gian.factor/' main.cpp
cd ..

# says PROGRAM LAST
says() {
    run 0 "$1"
    expect 'refused: ' output
    expect '0 samples in 10 ms' output
    expect "1000 peaks, the last $2; the sum of all samples is 95998500" output
}

# later FILE EDIT
later() {
    sleep 0.1 # clocks of file systems are coarse
    sed -i "$2" "$example/$1"
}

# builds HOW FOLDER COMMAND...: the program in the folder is of what the example is, each time; `nothing` follows a change of nothing.
builds() {
    local how=$1 folder=$2
    shift 2
    run 0 "$@"
    says "$folder/embed" 2999.95
    find "$folder" -name 'lib*' -newer "$example/main.cpp" -printf '%p %T@\n' >before
    [ -s before ] || fail "$how: no library"
    run 0 "$@"
    find "$folder" -name 'lib*' -newer "$example/main.cpp" -printf '%p %T@\n' | cmp - before || fail "$how builds what has not changed" output
    later inc/more.h 's/MORE 0/MORE 1/'
    run 0 "$@"
    says "$folder/embed" 3000.95
    later inc/more.h 's/MORE 1/MORE 0/'
    run 0 "$@"
    says "$folder/embed" 2999.95
    later inner.xml 's/ to="Peak.in"/ to="Peak.wrong"/'
    status=0
    "$@" >output 2>messages || status=$?
    [ $status != 0 ] || fail "$how does not see that a part changes" output
    cat output >>messages
    expect "'PORT_in' undeclared" messages
    later inner.xml 's/ to="Peak.wrong"/ to="Peak.in"/'
    run 0 "$@"
    says "$folder/embed" 2999.95
    passed=$((passed + 1))
}

mkdir by-make
cp -r "$example"/* by-make
(
    example=by-make
    builds make by-make make -C by-make
)
make -s -C by-make clean
passed=$((passed + 1))

# A compiler that names files as seen from where it runs, as ccache does below its base folder.
cat >relative <<'END'
#!/usr/bin/env bash
${compiler:-cc} "$@" || exit 1
made='' before='' # the others' files are being written by others
for word; do
    [ "$before" != -o ] || made=${word%.o}.d
    before=$word
done
[ -z "${here:-}" ] || [ ! -f "$made" ] || sed -i "s|$here|$(realpath --relative-to=. "$here")|g" "$made"
END
chmod +x relative
export compiler=${CC:-cc}
CC=$work/relative run 0 dalsynth --library --depends=seen.d -o seen "$example/filter.xml"
expect "$work/example/inc/more.h" seen.d
! grep making seen.d >messages || fail "files that are gone are files to depend on" messages
passed=$((passed + 1))

if command -v cmake >/dev/null; then
    cmake_in() { # FOLDER GENERATOR
        cmake -S "$example" -B "$1" -G "$2" -Ddal_DIR="$build" -DCMAKE_CXX_FLAGS="${DAL_SANITIZER:-}" >log 2>&1 || fail "cmake" log
    }
    cmake_in by-cmake "Unix Makefiles"
    builds CMake by-cmake cmake --build by-cmake
    ! command -v ninja >/dev/null || { cmake_in by-ninja Ninja && builds ninja by-ninja cmake --build by-ninja; }
    # A blank in a path: made each time, as make has no such names; but made.
    cp -r "$example" "an example"
    cmake -S "an example" -B "by blank" -Ddal_DIR="$build" -DCMAKE_CXX_FLAGS="${DAL_SANITIZER:-}" >log 2>&1 || fail "cmake" log
    run 0 cmake --build "by blank"
    says "by blank/embed" 2999.95
    # What is wrong in the call is told when the project is configured.
    sed -i 's/NETWORK/NETWROK/' "$example/CMakeLists.txt"
    ! cmake -S "$example" -B by-cmake >log 2>&1 || fail "a wrong call of dal_add_network" log
    expect 'NETWROK' log
    sed -i 's/NETWROK/NETWORK/' "$example/CMakeLists.txt"
    # An architecture, a mapping, or both; LIBRARY is no news. What dalsynth would not take is told at once, too.
    "$dalinfo" --architecture >"$example/machine.xml"
    cat >"$example/map.xml" <<'END'
<mapping name="m"><binding name="b"><process name="*"/><processor name="core_0"/></binding></mapping>
END
    echo '{"Inner.Gain": 1, "Inner.Peak": 1}' >"$example/times.json"
    call=$(grep dal_add_network "$example/CMakeLists.txt")
    calls_with() { # ARGUMENTS: what the example has them for in its call
        sed -i "s|^dal_add_network.*|${call%)} $1)|" "$example/CMakeLists.txt"
    }
    for arguments in "LIBRARY" "MAPPING map.xml" "ARCHITECTURE machine.xml MAPPING map.xml LIBRARY" \
        'ARCHITECTURE machine.xml OPTIONS --times=${CMAKE_SOURCE_DIR}/times.json'; do
        calls_with "$arguments"
        cmake_in by-cmake "Unix Makefiles"
        run 0 cmake --build by-cmake
        says by-cmake/embed 2999.95
        passed=$((passed + 1))
    done
    calls_with "ARCHITECTURE machine.xml"
    ! cmake -S "$example" -B by-cmake >log 2>&1 || fail "an architecture alone" log
    expect 'ARCHITECTURE wants a MAPPING' log
    sed -i "s|^dal_add_network.*|$call|" "$example/CMakeLists.txt"
else
    echo "cmake is missing: its part is skipped"
fi
if command -v meson >/dev/null && command -v ninja >/dev/null; then
    meson setup -Dcpp_args="${DAL_SANITIZER:-}" -Dcpp_link_args="${DAL_SANITIZER:-}" by-meson "$example" >log 2>&1 || fail "meson" log
    builds meson by-meson ninja -C by-meson
else
    echo "meson is missing: its part is skipped"
fi

# ---- names ------------------------------------------------------------------------------------------------------------------

cp "$source"/apps/embed/*.{c,xml} .
sed 's/name="filter"/name="filter.v2"/' filter.xml >dots.xml
run 0 dalsynth --library --emit-only -o dots dots.xml
[ -s dots/network_filter_v2.h ] || fail "a dot in a network's name" messages
grep -q 'int network_filter_v2_open' dots/network_filter_v2.h || fail "the names of a library" dots/network_filter_v2.h
refuse "--library=all: a target or a file" --library=all filter.xml
refuse "'dal_run' is a name of dal's own" --library=dal_run filter.xml
refuse "process 'Gain' has the name of the library" --library=Gain filter.xml
mkdir closed
cp "$source"/apps/hello/*.{c,cl,h,xml} closed 2>/dev/null || true
refuse "[open-port] --library: network 'hello' has no open port" --library closed/hello.xml
run 2 dalsynth --library=3d filter.xml
run 2 dalsynth --library --depends=x.d --check filter.xml

# Two libraries of one network are in one program. One name has a - in it; the lines of headers are not too long.
run 0 dalsynth --library=one-filter -o one filter.xml
run 0 dalsynth --library=other -o other filter.xml
[ "$(nm -D --defined-only one/libone-filter.so | sed 's/.* //')" = one_filter_net ] || fail "what a library shows" <(nm -D one/libone-filter.so)
awk 'length > 100 { print FILENAME ": " $0 }' one/one-filter.h other/other.h >long
[ ! -s long ] || fail "long lines" long
cat >both.c <<'END'
#include <one-filter.h>
#include <other.h>
#include <stdio.h>

int main(void)
{
    struct dal_run *one, *other;
    float samples[64] = {1}, peak = 0;
    if (one_filter_open(&one, NULL) || other_open(&other, NULL))
        return 1;
    if (one_filter_fd_samples(one) < 0 || one_filter_fd_peaks(one) == one_filter_fd_samples(one))
        return 1;
    one_filter_write_samples(one, samples, 64, DAL_FOREVER);
    other_write_samples(other, samples, 64, DAL_FOREVER);
    if (one_filter_read_peaks(one, &peak, 1, DAL_FOREVER) != 1 || other_read_peaks(other, &peak, 1, DAL_FOREVER) != 1)
        return 1;
    printf("%g\n", (double)peak);
    return dal_run_close(one) || dal_run_close(other);
}
END
flags=$(PKG_CONFIG_PATH=$PWD/one:$PWD/other:$PKG_CONFIG_PATH pkg-config --cflags --libs one-filter other)
run 0 ${CC:-cc} -std=c11 -Wall -Wextra -Werror -Wpedantic -Wconversion ${LDFLAGS:-} -o both both.c $flags
run 0 ./both
[ "$(cat output)" = 2 ] || fail "two libraries" output
flags_of_dal=$(pkg-config --cflags --libs dal)
run 0 ${CC:-cc} -std=c11 ${LDFLAGS:-} -o static both.c -Ione -Iother one/libone-filter.a other/libother.a $flags_of_dal
run 0 ./static
[ "$(cat output)" = 2 ] || fail "two static libraries" output
echo "$passed builds"
