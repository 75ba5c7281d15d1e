#!/usr/bin/env bash
# Constants: the same bytes on cores, in copies, in kernels of OpenCL and CUDA, in groups and cyclo-static ones, in C++ and in a
# part; a large one is in memory once; what is refused, and that the program is of the file's bytes.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
cp -r "$input"/* .
chmod -R u+w .
large=4000000
for n in 1000 $large; do
    python3 "$source/test/constants/tables.py" $n
done

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || skip "there is no OpenCL device"

# same N WHAT BINDING...: the program of the mapping prints what is expected, of tables with so many numbers
same() {
    mapping '* 0 core_0' "${@:3}" >map.xml
    synthesise --explain -D n="$1" -o program net.xml machine.xml map.xml
    run 0 program/net --strict
    cmp -s output expected_"$1" || fail "$2: other bytes" output messages
    kb=$(sed -n 's/ KB$//p' messages)
    [ "$(find program -name '*.bin' | wc -l)" = $(($1 == large ? 2 : 0)) ] || fail "$2: how often a file is there"
    rm -r program
    echo "same: $2, $kb KB"
}

# once SMALL WHAT: a run with small tables took so many KB, and the last one has two of `large` numbers, each once in memory
once() {
    [ -n "${DAL_SANITIZER:-}" ] || [ $((kb - $1)) -lt $((large * 8 / 1024 * 5 / 4)) ] || fail "$2: two tables of 16 MB take $((kb - $1)) KB"
}

same 1000 "a core"
expect 'constant Table_0.table is int[1000], 4000 bytes of table_0_1000.npy, once in each memory' made
expect 'constant Phases.table is int[1000], the bytes of Table_0.table' made
small=$kb
if grep -q 'name="core_1"' machine.xml; then
    same $large "copies" 'Table_* 0 core_0 <processor name="core_1"/>'
    grep -q '^Table_0 .*table_fire *4  *2 ' made || fail "there are no copies" made
    once "$small" "copies"
fi
kernels=('Table_0 1 device_0 workitems="4" group="no"' 'Table_1 2 device_0 group="no"' 'Phases 1 device_0 group="no"')
same 1000 "kernels" "${kernels[@]}"
small=$kb
same $large "kernels" "${kernels[@]}"
once "$small" kernels
same $large "a group" 'Table_* 1 device_0 group="yes"' 'Phases 1 device_0 group="yes"'
grep -q 'launched as one on device_0: Table_0, Table_1, Phases' made || fail "there is no group" made
if use_cuda; then
    "$dalinfo" --architecture -o machine.xml
    same $large "CUDA" 'Table_0 2 cuda_0' 'Table_1 1 cuda_0 group="no"'
fi

# What a program is made of has the file's bytes.
mapping '* 0 core_0' >map.xml
synthesise -o program net.xml machine.xml map.xml
run 0 "$dalsynth" --verify=program/net net.xml machine.xml map.xml
printf '\5' | dd of=table_1_1000.npy bs=1 seek=400 conv=notrunc 2>/dev/null
run 1 "$dalsynth" --verify=program/net net.xml machine.xml map.xml

# wrong TEXT SCRIPT: the network with this edit is refused at line 9 with this text
wrong() {
    sed "9$2" net.xml >wrong.xml
    refuse "wrong.xml:9: error: [constant] constant 'table': $1" wrong.xml machine.xml map.xml
}
wrong "'table_0_1000.npy': its elements are '<i4', not float" 's/int\[n\]/float[n]/'
wrong "'table_0_1000.npy': its shape is (1000), and int[1001] is wanted" 's/\[n\]/[n+1]/'
wrong "'none.npy': No such file" 's/table_[^"]*/none.npy/'
wrong "'part/more.raw' has 8 bytes, and int[1000] has 4000" 's|table_[^"]*|part/more.raw|'
wrong "'net.xml' has" 's|table_[^"]*|net.xml|'
cp source.c source.npy
wrong "'source.npy': it is no array of NumPy" 's|table_[^"]*|source.npy|'
wrong "it needs a file, or a value" 's/ file="[^"]*"//'
wrong "file and value exclude each other" 's/ file=/ value="int: 1"&/'
wrong "its file needs a type" 's/ type="[^"]*"//'
wrong "'word' is no type of numbers" 's/int\[n\]/word[n]/'
wrong "its value has 8 bytes, and int[1000] has 4000" 's/file="[^"]*"/value="int: 1 2"/'
wrong "its type is int, that of its value float" 's/file="[^"]*"/value="float: 1 2"/'

# signature TEXT SCRIPT: the kernel with this edit is refused
mapping '* 0 core_0' 'Table_* 1 device_0' >map.xml
signature() {
    sed -i.old "$2" table.cl
    refuse "argument 'table' $1" net.xml machine.xml map.xml
    mv table.cl.old table.cl
}
signature "is a constant of another type" 's/const int \*table/const float *table/'
signature "is a constant of another type" 's/const int \*table/const short *table/'
signature "is a constant of the process, and points to what is not const" 's/const int \*table/int *table/'
signature "is a constant of the process; write" 's/__global const int \*table/int table/'
sed -i 's/__global const int \*table/__constant int *table/' table.cl
refuse "has more than 65536 bytes" -D n=$large net.xml machine.xml map.xml
