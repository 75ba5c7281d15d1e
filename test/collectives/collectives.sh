#!/usr/bin/env bash
# Collectives beyond the usual device and path: the tree in local memory, and the warps with shuffles by hand, in a
# simulator that finds races; the example on cores, as kernels, in a group and on other paths, byte by byte; and what a
# portable source may not do with them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

suite=$build/test/collectives/test_collectives

# passes SIZES PAIRS OPTIONS: the suite, which asks for no kernel twice
passes() {
    DAL_KERNEL_CACHE=off DAL_TEST_SIZES=$1 DAL_TEST_PAIRS=$2 DAL_TEST_FIRST=$first DAL_TEST_OPTIONS=$3 "$suite" >log 2>&1 || fail "$1 work-items, $3" log
    echo "passed: $1 work-items $3"
}

# With DAL_TEST_PART each size has one pair, of another day another one: PoCL takes a minute for most of them.
device_pairs=37 first=1
if [ "$test_parts" -gt 1 ]; then
    device_pairs=77 first=$((1 + 26 * test_part))
fi
passes "7 64" $device_pairs -DDAL_COLLECTIVES_PORTABLE

# Where the device's compiler has them, its own work-group and sub-group functions.
for path in GROUPS SUBS; do
    if DAL_KERNEL_CACHE=off DAL_TEST_SIZES=1 DAL_TEST_PAIRS=99 DAL_TEST_OPTIONS=-DDAL__PATH=DAL__$path "$suite" >log 2>&1; then
        passes "7 64" $device_pairs -DDAL__PATH=DAL__$path
    else
        grep -q 'does not build' log || fail "functions of the device: $path" log
        echo "the device has none: $path"
    fi
done

# in_simulator COMMAND...: it finds nothing
in_simulator() {
    rm -f findings
    OCL_ICD_VENDORS=$work/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG=$work/findings "$@"
    [ ! -s findings ] || fail "the simulator has found something: $*" findings
}
first=1
simulated=
if simulator vendors; then
    simulated=1
    # To build a program for each pair is what takes the time. With DAL_TEST_STRIDE they are fewer.
    usual=37 by_hand=41
    [ "${DAL_TEST_STRIDE:-1}" -le 1 ] || usual=97 by_hand=101
    in_simulator passes "1 2 3 7 32 33 64 100 256" $usual ''
    in_simulator passes "7 32 64 96 256" $by_hand "-DBY_HAND -DDAL__PATH=DAL__WARPS"
    in_simulator passes "1 7 64" 41 "-DBY_HAND -DDAL__PATH=DAL__GROUPS"
    in_simulator passes "1 7 64 100" $by_hand "-DBY_HAND -DDAL__PATH=DAL__SUBS"
fi

# ---- a network -----------------------------------------------------------------------------------

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device: there is nothing to compare with"
cp -r "$source/apps/normalise" . && chmod -R u+w normalise

# same WHAT SOURCE TARGET: the filters on the device print what all of it on a core does
same() {
    mapping "* 0 core_0" "Normalise $2 device_0 $3" "Cumulate $2 device_0 $3" >mapping.xml
    synthesise --strict -o program normalise/normalise.xml machine.xml mapping.xml
    run 0 program/normalise --strict
    cmp output expected || fail "$1: other bytes" output expected
    [ ! -s made ] || fail "$1: dalsynth has something to say" made
    echo "same: $1"
}
mapping "* 0 core_0" >mapping.xml
synthesise --strict -o program normalise/normalise.xml machine.xml mapping.xml
run 0 program/normalise --strict
cp output expected
same "portable, alone" 0 'workitems="1"'
same "portable, a group" 0 'workitems="33" group="yes"'
ls program/*_to_*.cl >/dev/null || fail "there is no group"
same "kernels" 1 'workitems="16x4"'
[ "$(grep -c 'void Normalise(' program/Normalise.cl)" = 1 ] || fail "the header asks for devices, each with a text of its own"
same "kernels, a group" 1 'workitems="64" group="yes"'
grep -q 'define DAL_GROUP_ITEMS 64' program/*_to_*.cl || fail "the group does not know its work-items"
sed -i.plain 's/dataparallelism=/cflags.opencl="-Werror" &/' normalise/normalise.xml
POCL_CACHE_DIR=$work/nothing-compiled same "kernels, alone, without warnings" 1 'workitems="1"'
[ ! -s messages ] || fail "collectives warn of the user's lines" messages
mv normalise/normalise.xml.plain normalise/normalise.xml
if [ "$simulated" ]; then
    in_simulator "$dalinfo" --architecture -o simulated.xml
    in_simulator synthesise -o program normalise/normalise.xml simulated.xml mapping.xml
    in_simulator run 0 program/normalise --strict
    cmp output expected || fail "in the simulator: other bytes" output expected
fi
sed -i 's/dataparallelism=/cflags.opencl="-DDAL_COLLECTIVES_PORTABLE" cflags.portable="-DDAL_COLLECTIVES_PORTABLE" &/' \
    normalise/normalise.xml
same "kernels by the tree" 1 'workitems="32"'
grep -q 'DAL__TREE == DAL__LEADER' program/Normalise.cl || fail "the option does not choose the path"

architecture core_0 device cuda >two.xml

# ---- what may not be -----------------------------------------------------------------------------

# refused TEXT SED-SCRIPT: of normalise_portable.c, changed
mapping "* 0 core_0" >mapping.xml
refused() {
    sed "$2" "$source/apps/normalise/normalise_portable.c" >normalise/normalise_portable.c
    refuse "$1" normalise/normalise.xml machine.xml mapping.xml
    echo "refused: $1"
}
refused "'dal_joint_reduce_add_float' is in DAL_foreach, and all work-items have to reach it" \
    's/out\[i\] = .*/out[i] = dal_joint_reduce_add_float(in, (size_t)i, mean, s);/'
refused "'helper' is in DAL_foreach, and all work-items have to reach it" \
    's/out\[i\] = .*/out[i] = helper(in, p);/
     /^int/i static float helper(DAL_WINDOW const float *in, DALProcess *p)\n{\n    DAL_SCRATCH(s);\n    return dal_joint_reduce_add_float(in, 3, 0, s);\n}\n'
refused "memory behind 'out' is read outside of DAL_foreach" 's/in\[0\], s/out[0], s/'

# What DAL_COLLECTIVE does not know is told by name; so are vectors on CUDA, and a scratch that is too small for them.
cp "$source/apps/normalise/normalise_portable.c" normalise
while IFS='|' read -r line device text; do
    printf '#include <dal_collectives.h>\n%s\n__kernel void Normalise(__global const float *in, __global float *out)\n{\n}\n' \
        "$line" >normalise/normalise.cl
    mapping "* 0 core_0" "Normalise 1 $device workitems=\"16\"" >mapping.xml
    refuse "$text" normalise/normalise.xml two.xml mapping.xml
    expect normalise.cl:2 messages
    echo "refused: $line"
done <<'END_TABLE'
DAL_COLLECTIVE(half, add);|device|DAL_COLLECTIVE_has_no_type_half
DAL_COLLECTIVE(int, gcd);|device|DAL_COLLECTIVE_has_no_operation_gcd
DAL_COLLECTIVE_OF(int, gcd);|device|too few arguments
DAL_COLLECTIVE_OF(best, better, 0);|device|unknown type name 'dal_best'
DAL_COLLECTIVE(float2, add);|cuda|'float2' is a vector type, which CUDA has not
DAL_COLLECTIVE(float4, add);|device|dal__define_DAL_SCRATCH_TYPE_as_the_largest_type_add_float4
END_TABLE

# What is wrong with a kernel is told with its line, although the header has paths for several devices.
cp "$source"/apps/normalise/normalise{.xml,.cl,_portable.c} normalise
sed -i 's/DAL_SCRATCH(\(.*\));/(void)0;/' normalise/normalise.cl
line=$(grep -n 'dal_joint_reduce_add_float' normalise/normalise.cl | head -n 1 | cut -d: -f1)
mapping "* 0 core_0" 'Normalise 1 device_0 workitems="16"' >mapping.xml
refuse "normalise.cl:$line" normalise/normalise.xml machine.xml mapping.xml
expect "use of undeclared identifier" messages
echo "refused: a kernel without DAL_SCRATCH"
