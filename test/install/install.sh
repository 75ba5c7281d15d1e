#!/usr/bin/env bash
# What make install brings, in a folder of its own: programs, pages, schemas; every program that is installed, and every example,
# once, with the folders of the sources and of the build out of reach; completion in bash and zsh, as it is installed.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

unset MAKEFLAGS MAKELEVEL MFLAGS # of the make that runs the tests
make -s -C "$build" install DESTDIR="$work/root" prefix=/usr libdir=/usr/lib pkgconfigdir=/usr/lib/pkgconfig >log 2>&1 || fail "make install" log
installed=$work/root/usr
share=$installed/share

for file in bin/{dal,dalsynth,dalmap,dalview,dalinfo,dalbench} include/dal/{dal,dal_collectives,dal_collectives_device,dal_run,dol,dal_unit,net}.h lib/libdal.so lib/pkgconfig/dal.pc lib/cmake/dal/dalConfig{,Version}.cmake \
    share/dal/{processnetwork,architecture,mapping,fsm,types}.xsd share/dal/{catalog.xml,complete.sh,dal-new.sh} \
    share/man/man1/{dal,dalsynth,dalmap,dalview,dalinfo,dalbench}.1 share/man/man3/dal.h.3 share/man/man3/dal_{collectives,run}.h.3 \
    share/man/man5/dal-{network,mapping,architecture,fsm}.5 share/man/man7/dal-{parts,program}.7 \
    share/dal/examples/{embed,hello,mjpeg,notebook,photon,pipe,radio,scenario,stencil,synthetic}/README.md; do
    [ -s "$installed/$file" ] || fail "make install does not bring $file"
done

(cd "$source" && find parts -type f ! -name '*.mk') >files
while read -r file; do
    [ -f "$share/dal/$file" ] || fail "make install does not bring $file"
done <files

# The packages are of this version.
version=$(sed -n 's/^Version: //p' "$build/dal.pc")
[ "$(sed -n '1s/^dal (\(.*\)) .*/\1/p' "$source/debian/changelog")" = "$version" ] || fail "debian/changelog is not of $version"
for file in "$source"/debian/{changelog,control,copyright,rules,source/format,*.install,*.docs,tests/*}; do
    grep -qF "${file#"$source/"}" "$source/tools/local.mk" || fail "a release lacks ${file#"$source/"}"
done

# ---- all that is installed, once ------------------------------------------------------------------------------------------

# As dal.pc has it when it is installed where it was configured for.
mkdir pkgconfig
sed "s|^prefix=.*|prefix=$installed|; s|^libdir=.*|libdir=$installed/lib|; s|^includedir=.*|includedir=$installed/include|" \
    "$build/dal.pc" >pkgconfig/dal.pc
export PKG_CONFIG_PATH=$work/pkgconfig LD_LIBRARY_PATH=$installed/lib PATH=$installed/bin:$PATH
export CFLAGS=-O1 # nothing is measured
export DAL_PARTS=$share/dal/parts
without_leaks # of the libraries that programs find here

# A program, | and a command in which it runs.
programs() {
    cat <<'END'
bin/dalinfo|dalinfo --architecture -o arch.xml
share/dal/dal-new.sh|dal new first
bin/dal|dal check first/first.xml
bin/dal-lsp|dal lsp --version
bin/dalsynth|dalsynth --check first/first.xml arch.xml first/map-cores.xml
bin/dalmap|dalmap --times=times.json -o found.xml first/first.xml arch.xml
bin/dalview|dalview -o page.html first/first.xml
bin/dalbench|dalbench --tiny "$experiment"
libexec/dal/dalbench_mpi|ranks 2 "$installed/libexec/dal/dalbench_mpi" ping 4 100
share/dal/complete.sh|"$share/dal/complete.sh" dalsynth ''
share/dal/examples/photon/crossover|"$share/dal/examples/photon/crossover" 0 1
share/dal/examples/photon/device|no_device || "$share/dal/examples/photon/device" 1 1
share/dal/examples/photon/measure|"$share/dal/examples/photon/measure" 1 1
share/dal/examples/radio/measure|"$share/dal/examples/radio/measure" 1 1
END
}
no_device() { ! grep -qE 'name="(device|cuda)_0" type' arch.xml; }

# An example, | what it says when it runs, and | the program that it wants, if that is not of dal.
examples() {
    cat <<'END'
detector|DATASET "/run/photons"|h5dump
digits|of 1600 digits are right|python3
edges|width=1280|ffmpeg
embed|1000 peaks, the last 2999.95
equaliser|Length (seconds):      2.99|sox
events|7035 events in 1000 blocks
fm|Samples read:             96000|sox
hello|11 squares
mjpeg|61 frames in
normalise|checksum
photon|100 frames in
pipe|80
radio|left SNR
rds|113 groups, 0 lost
scenario|edges  100 samples
stencil|checksum
synthetic|tokens 1000000
END
}

run_programs() {
    local program command
    echo '{"Source": 10, "Work": 20, "Sink": 10}' >times.json
    while IFS='|' read -r program command; do
        [ -e "$installed/$program" ] || continue # dalbench_mpi is there with MPI
        run 0 eval "$command" </dev/null
        echo "$program"
    done < <(programs)
}

# A copy builds and runs, says what it should, and is as it was after make clean. clang builds it without a word: gcc has most
# of them in other tests.
run_examples() {
    local folder name text wanted compiler=clang
    command -v clang >/dev/null || compiler=${CC:-cc}
    for folder in "$share"/dal/examples/*/; do
        name=$(basename "$folder")
        [ -e "$folder/Makefile" ] || continue # the notebook: test/python/notebook.sh
        IFS='|' read -r _ text wanted < <(examples | grep "^$name|") || true
        [ -n "$text" ] || fail "nobody knows what example $name says: it wants a line in this test"
        cp -r "$folder" "$name"
        if [ -n "$wanted" ] && { ! command -v "$wanted" >/dev/null || dalsynth=dalsynth lacks_packages "$name/$name.xml"; }; then
            echo "example $name: $wanted or a library is missing"
            continue
        fi
        LC_ALL=C ls "$name" >before
        run 0 make -s -C "$name" CC="$compiler" RECORDING='-n 100 -k 20 -c 0.15 -b 100' run
        ! grep -E 'source-build|\[-W' messages || fail "example $name: $compiler warns" messages
        cat output >>messages
        expect "$text" messages
        ! grep -q '^tools:' "$name/Makefile" || run 0 make -s -C "$name" CC="$compiler" tools
        run 0 make -s -C "$name" clean
        LC_ALL=C ls "$name" | cmp - before || fail "example $name: make clean leaves something"
        echo "example $name"
    done
}

# What a program reads is found from where it is, and not in the folders of the sources and of the build, which have gone
# away here: an empty file system lies over each. Kernels that are compiled already stay in reach.
run_all() {
    local folder
    mkdir kernels
    [ ! -d "${POCL_CACHE_DIR:-}" ] || mount --bind "$POCL_CACHE_DIR" kernels
    for folder in "$source" "$build"; do
        [ ! -d "$folder" ] || mount -t tmpfs none "$folder"
    done
    [ ! -e "$source/configure.ac" ] && [ ! -e "$build/config.status" ] || fail "the build is still in reach"
    export POCL_CACHE_DIR=$work/kernels
    run_programs
    run_examples
}
find "$installed" -type f -perm -u+x ! -path "$installed/lib/*" -printf '%P\n' | sort >there
programs | cut -d '|' -f 1 | sort | comm -13 - there >missing
[ ! -s missing ] || fail "programs that are installed and that this test does not run" missing
experiment=firing launch=
! find_mpi >/dev/null || experiment=nodes
apart="unshare --map-root-user --mount"
if [[ $work/ != "$source"/* && $work/ != "$build"/* ]] && $apart mount -t tmpfs none "$build" 2>/dev/null; then
    $apart bash -c "$(declare -f && declare -p source build work installed share experiment launch)
set -euo pipefail
run_all" || exit 1
else
    echo "no name spaces: the folders of the sources and of the build stay in reach"
    run_programs
    run_examples
fi

run 0 dalsynth --check --fsm photon/detector.xml arch.xml

# CMake finds what is installed.
if command -v cmake >/dev/null; then
    run 0 cmake -S embed -B cmake -DCMAKE_PREFIX_PATH="$installed"
    run 0 cmake --build cmake
    run 0 cmake/embed
    expect '1000 peaks' output
    grep -q "DAL_LIBRARY.*=$installed/" cmake/CMakeCache.txt || fail "CMake finds another dal" cmake/CMakeCache.txt
fi

# What dalbench measures with is there.
for file in $(grep -ohE '"(synthetic|mjpeg)/[a-z_]+\.(xml|cl|c|cpp)"' "$source"/bench/dalbench*.c | tr -d '"' | sort -u); do
    [ -s "$share/dal/examples/$file" ] || fail "dalbench has no $file where it is installed"
done

# What an example's source includes stands beside it.
for file in "$share"/dal/examples/*/*.{c,cpp,h,cl}; do
    { grep -oE '^# *include "[^"]*"' "$file" || true; } | sed 's/.*"\(.*\)"/\1/' | while read -r header; do
        case $header in dal.h | */*) continue ;; esac
        [ -e "${file%/*}/$header" ] || echo "$file: $header"
    done
done >missing
[ ! -s missing ] || fail "headers of examples are not installed" missing

# ---- the catalogue ------------------------------------------------------------------------------------------------------

if command -v xmlcatalog >/dev/null; then
    for name in processnetwork architecture mapping fsm; do
        for catalog in "$share/dal/catalog.xml" "$source/spec/schemas/catalog.xml"; do
            found=$(xmlcatalog "$catalog" urn:dal:$name)
            [ -s "${found#file://}" ] && [[ $found == *$name.xsd ]] || fail "the catalogue does not lead to $name.xsd: $found"
        done
    done
fi

# A part, from where it is installed.
cat >louder.xml <<'END'
<processnetwork name="louder">
  <port type="input" name="in" tokentype="float"/>
  <port type="output" name="out" tokentype="float"/>
  <network name="Louder" source="dal:gain.xml" factor="2"/>
  <channel from="in" to="Louder.in"/>
  <channel from="Louder.out" to="out"/>
</processnetwork>
END
dal build -o louder louder.xml >log 2>&1 && louder/louder --in=/dev/null --out=/dev/null 2>log || fail "an installed part" log

# ---- completion ---------------------------------------------------------------------------------------------------------

mkdir complete
cd complete
cp "$share"/dal/examples/mjpeg/{mjpeg,map-cores}.xml .
cp "$share"/dal/examples/mjpeg/*.{c,cl} . # sources are not needed, but are there
cat >arch.xml <<'END'
<architecture name="two">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_1" type="RISC"><capability name="POSIX" identifier="1"/></processor>
</architecture>
END

# What stands in a line of this table is typed, and what stands behind | is what completion offers, sorted. A ~ is a space
# behind the last word: the next one is asked for.
cases() {
    cat <<'END'
dalsynth --emi|--emit-only
dalsynth --ex|--expand --explain --export-sdf3
dalsynth --list=|channels outputs parameters ports processes processors variables
dalsynth --list=po|ports
dalsynth --sizes=f|fastest
dalsynth m|map-cores.xml mjpeg.xml
dalsynth mjpeg.xml -p Scr|Screen.checksum= Screen.dump= Screen.output= Screen.progress=
dalsynth mjpeg.xml --parameter=Screen.d|Screen.dump=
dalsynth mjpeg.xml -D ~|compressed= decoders= height= image= packet= width=
dalmap mjpeg.xml arch.xml --pin=D|Dec_0= Dec_1= Dec_2=
dalmap mjpeg.xml arch.xml --pin=Dec_1=|core_0 core_1
dalmap mjpeg.xml arch.xml --pin Dec_1=core_1|core_1
dalmap --objective=l|latency
dalmap --keep=ma|map-cores.xml
dalview --o|--output=
dalview mjpeg.xml -D ~|compressed= decoders= height= image= packet= width=
dalview m|map-cores.xml mjpeg.xml
dalinfo --arch|--architecture
dalbench ~|activation all channel cores firing group mjpeg nodes overhead parts scale thesis
dal ~|add analyze bench build check diff expand explain export get help import info list lsp map new parts run set shorten tune view
dal e|expand explain export
dal help sh|shorten
dal build --em|--emit-only
dal build m|map-cores.xml mjpeg.xml
dal check mjpeg.xml -D ~|compressed= decoders= height= image= packet= width=
dal build --dump=pl|place plan
dal map mjpeg.xml arch.xml --pin=Dec_1=|core_0 core_1
dal analyze --sizes=f|fastest
dal info --arch|--architecture
dal bench ~|activation all channel cores firing group mjpeg nodes overhead parts scale thesis
dal parts gai|gain
dal add ~|process
dal add process More ~|Source.out Work.out
END
}
# For the last line, the folder of a network.
dal new first >log || fail "dal new" log
cp first/Makefile first/first.xml .

# An open variable, a network that cannot run, and one that is damaged.
cat >open.xml <<'END'
<processnetwork name="open">
  <variable name="n" value="auto" most="4"/>
  <process name="A"/><iterator variable="i" range="n"><process name="B[i]"/></iterator>
  <channel from="A.out" to="B[0].in" type="int" tokenratein="3" tokenrateout="2" size="1"/>
  <channel from="B[0].out" to="A.in" type="int"/>
</processnetwork>
END
run 0 dalsynth --list=processes open.xml
[ "$(tr '\n' ' ' <output)" = 'A B_0 ' ] || fail "other processes" output
run 1 dalsynth --list=processes /dev/null
run 1 dalsynth --list=processes arch.xml
run 2 dalsynth --list=colours open.xml
run 2 dalsynth --list=ports
[ ! -s output ] || fail "names of nothing" output

cat >complete.bash <<'END'
. "$1/bash-completion/completions/dalsynth"
# The words as readline parts them: at white space, = is a word.
line=$2
[[ $line != *' ~' ]] || line=${line%\~}
read -ra parts <<<"${line//=/ = }"
[[ $line != *' ' ]] || parts+=('')
COMP_WORDS=("${parts[@]}")
COMP_CWORD=$((${#parts[@]} - 1))
COMP_LINE=$line COMP_POINT=${#line}
_dal
printf '%s\n' "${COMPREPLY[@]}"
END
cat >complete.zsh <<'END'
# compadd tells what it is given; what zsh does with files is its own.
compadd() { shift $@[(i)--]; print -l -- "$@" }
compset() { PREFIX=${PREFIX#*=} }
_files() { local -a found; if [[ $1 == -g ]]; then found=(${PREFIX}*.xml(N)); else found=(${PREFIX}*(N)); fi; print -l -- $found }
line=$2
words=(${(s: :)${line%\~}})
[[ $line != *' ~' ]] || words+=('')
CURRENT=$#words
PREFIX=$words[CURRENT]
. "$1/zsh/site-functions/_dal"
END

# offers SHELL LINE WANTED
offers() {
    "$1" complete."$1" "$share" "$2" 2>log | sed 's/.*=\(..*\)/\1/' | { grep -v '^$' || true; } | LC_ALL=C sort >offered
    tr ' ' '\n' <<<"$3" | LC_ALL=C sort | cmp - offered || fail "$1: '$2' is not completed by: $3" offered log
}
shells=bash
! command -v zsh >/dev/null || shells+=' zsh'
for shell in $shells; do
    while IFS='|' read -r line wanted; do
        offers "$shell" "$line" "$wanted"
    done < <(cases)
done

# ---- and away again -----------------------------------------------------------------------------------------------------

make -s -C "$build" uninstall DESTDIR="$work/root" prefix=/usr libdir=/usr/lib pkgconfigdir=/usr/lib/pkgconfig >log 2>&1 || fail "make uninstall" log
left=$(find "$work/root" ! -type d)
[ -z "$left" ] || fail "make uninstall leaves files" <(echo "$left")
