#!/usr/bin/env bash
# Programs on CUDA devices have the bytes that they have on cores: kernels in OpenCL C, portable ones with collectives,
# by themselves and as a group, and in CUDA C++. On the stand-in's devices; the stand-in's compiler is that of the host.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

use_standin || fail "the stand-in for CUDA cannot be used"
architecture core_0 core_1 cuda_0 >machine.xml

# dalinfo names them beside OpenCL's, which stay what they are called.
run 0 "$dalinfo"
expect 'CUDA device 1: ' output
run 0 "$dalinfo" --architecture
expect '<processor name="cuda_1" type="GPU"' output
expect '<capability name="CUDA" identifier="GPU_4318_' output
expect '<end_point_1 name="cuda_0">' output
grep -B2 'name="OPENCL"' output | grep '<processor' >processors || true
! grep -v 'name="device_' processors || fail 'an OpenCL device of another name' output

# A driver that the user names, and that is not there, is told of.
DAL_CUDA_DRIVER=/nowhere/libcuda.so.1 run 0 "$dalinfo"
expect 'devices of CUDA are not used: DAL_CUDA_DRIVER: /nowhere/libcuda.so.1: ' messages
DAL_CUDA_DRIVER=off run 0 "$dalinfo"
! grep CUDA messages || fail 'CUDA is off, and is spoken of' messages

# same NAME PROGRAM TEXT ARGUMENT...: of two programs NAME-cores and NAME-cuda; the statistics of the latter have the text
same() {
    local name=$1 program=$2 text=$3
    shift 3
    run 0 "./$name-cores/$program" "$@"
    mv output expected
    [ -s expected ] || fail "$name: nothing comes out"
    DAL_STATS=1 run 0 "./$name-cuda/$program" "$@"
    cmp output expected || fail "$name: other bytes on a CUDA device" messages
    expect "$text" messages
}

# driver NAME TEXT: the stand-in with some functions of its own; sets `made_driver`
driver() {
    echo "$2" >"$1.c"
    made_driver=$work/lib$1.so
    ${CC:-cc} -D_GNU_SOURCE -shared -fPIC -Wl,--no-as-needed -o "$made_driver" "$1.c" "$DAL_CUDA_DRIVER" -Wl,-rpath,"$(dirname "$DAL_CUDA_DRIVER")" -ldl
}

# A driver that does not start, and a device that does not answer, are passed over: what else there is, is listed.
driver broken 'int cuInit(unsigned flags) { (void)flags; return 999; }'
DAL_CUDA_DRIVER=$made_driver run 0 "$dalinfo" --architecture
expect 'name="core_0"' output
expect 'dalinfo: warning: CUDA: cuInit: CUDA_ERROR_UNKNOWN (999)' messages
driver lost '#include <dlfcn.h>
#include <stddef.h>
int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    int (*next)(size_t *, int) = (int (*)(size_t *, int))dlsym(RTLD_NEXT, "cuDeviceTotalMem_v2");
    return device == 1 ? 46 : next(bytes, device);
}'
DAL_CUDA_DRIVER=$made_driver run 0 "$dalinfo" --architecture
expect 'name="cuda_0"' output
! grep -q 'name="cuda_1"' output || fail 'a device that does not answer is listed' output
expect 'warning: a device of CUDA that does not answer is passed over' messages

for mapping in cores cuda; do
    synthesise -o hello-$mapping "$source/apps/hello/hello.xml" machine.xml "$source/apps/hello/map-$mapping.xml"
    synthesise -o normalise-$mapping "$source/apps/normalise/normalise.xml" machine.xml \
        "$source/apps/normalise/map-$mapping.xml"
done
# dalsynth has compiled what the program loads. What includes a file, as the filters do, is compiled at each start.
same hello hello 'cuda_0: 0 sources of kernels compiled, 1 from the disk cache'
DAL_CUDA_DRIVER=$made_driver run 0 hello-cuda/hello # on the device that does
cmp output expected || fail "other bytes beside a device that does not answer" messages
same normalise normalise 'cuda_0: 2 sources of kernels compiled'

# As a group, the two filters are one kernel.
sed 's/<target workitems="64"/& group="yes"/' "$source/apps/normalise/map-cuda.xml" >group.xml
mv normalise-cores group-cores
synthesise --explain -o group-cuda "$source/apps/normalise/normalise.xml" machine.xml group.xml
! grep -q not-grouped made || fail 'the filters are no group' made
same group normalise 'cuda_0: '

# A source for OpenCL C and one for CUDA C++, which have local and constant memory.
cat >source.c <<'END_C'
#include <dal.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    for (int i = 0; i < 8; i++)
        out[i] = 8 * p->local->next + i;
    DAL_write_end(PORT_out, out, p);
    return ++p->local->next == 50;
}
END_C
cat >sink.c <<'END_C'
#include <dal.h>
int Sink_fire(DALProcess *p)
{
    int x[8];
    DAL_read(PORT_in, x, sizeof(x), p);
    for (int i = 0; i < 8; i++)
        DAL_printf("%d%c", x[i], i < 7 ? ' ' : '\n');
    return 0;
}
END_C
cat >turn.c <<'END_C'
#include <dal.h>
int Turn_fire(DALProcess *p)
{
    int x[8], y[8], add = 3;
    DAL_read(PORT_in, x, sizeof(x), p);
    for (int i = 0; i < 8; i++)
        y[i] = x[7 - i] * (i % 2 ? 10 : 1) + add;
    DAL_write(PORT_out, y, sizeof(y), p);
    return 0;
}
END_C
cat >turn.cl <<'END_CL'
__constant int more[2] = {1, 10};
__kernel void Turn(__global const int *in, __global int *out, int add)
{
    __local int box[8];
    __constant int again[2] = {1, 1};
    int i = get_local_id(0), at = 8 * get_group_id(0) + i;
    box[i] = in[at] * again[i % 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = box[7 - i] * more[i % 2] + add;
}
END_CL
cat >turn.cu <<'END_CU'
static __constant__ int more[2] = {1, 10};
template <int n> struct box {
    int of[n];
    __device__ int &operator[](int i) { return of[n - 1 - i]; }
};
extern "C" __global__ void Turn(const int *in, int *out, int add)
{
    __shared__ box<8> all;
    int i = threadIdx.x, at = 8 * blockIdx.x + i;
    all.of[i] = in[at];
    __syncthreads();
    out[at] = all[i] * more[i % 2] + add;
}
END_CU
cat >turn.xml <<'END_XML'
<processnetwork name="turn">
  <process name="Source" source="source.c"><port type="output" name="out"/></process>
  <process name="Turn" source="turn.c turn.cl turn.cu" dataparallelism="8">
    <port type="input" name="in"/><port type="output" name="out"/><parameter name="add" value="3"/>
  </process>
  <process name="Sink" source="sink.c"><port type="input" name="in"/></process>
  <channel name="a" from="Source.out" to="Turn.in" tokensize="32"/>
  <channel name="b" from="Turn.out" to="Sink.in" tokensize="32"/>
</processnetwork>
END_XML
for id in 1 2; do
    mapping "Source - core_0" "Sink - core_0" "Turn 0 core_1" >cores.xml
    mapping "Source - core_0" "Sink - core_0" "Turn $id cuda_0 shadowcopies=\"7\"" >cuda.xml
    for mapping in cores cuda; do
        synthesise -o turn$id-$mapping turn.xml machine.xml $mapping.xml
    done
    same turn$id turn 'cuda_0: 0 sources of kernels compiled, 1 from the disk cache'
done
# Names that are words of C++, or that the text in front of a kernel has as macros.
for name in class abs; do
    mkdir $name
    for file in turn.xml turn.c turn.cl turn.cu source.c sink.c; do
        sed "s/Turn/$name/g" $file >$name/$file
    done
    sed -i 's/ turn.cu//' $name/turn.xml
    mapping "Source - core_0" "Sink - core_0" "$name 0 core_1" >$name/cores.xml
    mapping "Source - core_0" "Sink - core_0" "$name 1 cuda_0" >$name/cuda.xml
    for mapping in cores cuda; do
        synthesise -o $name-$mapping $name/turn.xml machine.xml $name/$mapping.xml
    done
    same $name turn 'cuda_0: '
done
DAL_TIMES=times.json run 0 ./turn2-cuda/turn
expect '"type": "cuda"' times.json
synthesise --check --times=times.json turn.xml machine.xml cuda.xml
! grep -q warning made || fail 'times of a CUDA device are not taken' made

# Counts of a kernel in CUDA C++: those of a plain loop; and one that a firing does not set.
cp "$source"/test/counted/input/*.* .
cat >keep.cu <<'END_CU'
extern "C" __global__ void Keep(unsigned in_count, unsigned *out_count, const unsigned *in, unsigned *out)
{
    unsigned kept = 0;
    if (threadIdx.x + 1 < blockDim.x)
        return;
    for (unsigned i = 0; i < in_count; i++) {
        if (in[i] % 3 != 0)
            out[kept++] = in[i];
        if (in[i] == (unsigned)VAR_wrong)
            return;
    }
    *out_count = kept;
}
END_CU
sed -i 's/ keep.cl"/ keep.cu"/' stress.xml
mapping "* 0 core_0" 'Keep 2 cuda_0 workitems="4"' >mapping.xml
${CC:-cc} -O2 -o plain reference.c
./plain >expected
synthesise -o stress stress.xml machine.xml mapping.xml
run 0 stress/stress --strict
cmp output expected || fail 'other counts on a CUDA device' output expected
synthesise -D wrong=100 -o stress stress.xml machine.xml mapping.xml
run 1 stress/stress --strict
expect 'process Keep: a firing has not set the count of port out; process Twice has found it' messages

# A process on a core that crashes while a kernel runs: it is named, and not the kernel. Sanitizers have a handler of their own.
[ -z "${DAL_SANITIZER:-}" ] || exit 0
ulimit -S -c 0
cat >spin.cl <<'END_CL'
__kernel void Spin(__global const uint *in, __global uint *out)
{
    uint x = in[get_group_id(0)];
    for (uint i = 0; i < 2000000000u && x != 7; i++)
        x = (x ^ x >> 3) * 5 + 1;
    out[get_group_id(0)] = x;
}
END_CL
fires() { # PROCESS STATEMENTS
    printf '#include "dal.h"\n#include <time.h>\nint %s_fire(DALProcess *p) { unsigned n = 1; %s }\n' "$1" "$2" >"${1,}.c"
}
fires Give 'DAL_WRITE_TOKEN(out, &n, p); return 0;'
fires Take 'DAL_READ_TOKEN(in, &n, p); return 0;'
fires Crash 'DAL_READ_TOKEN(in, &n, p); nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL); return *(volatile int *)NULL;'
cat >spin.xml <<'END_XML'
<processnetwork name="spin">
  <process name="Give" source="give.c"/><process name="Spin" source="spin.cl"/><process name="Take" source="take.c"/>
  <process name="Crash" source="crash.c"/>
  <channel from="Give.out" to="Spin.in" type="uint32_t"/><channel from="Spin.out" to="Take.in" type="uint32_t"/>
  <channel from="Give.out" to="Crash.in" type="uint32_t"/>
</processnetwork>
END_XML
mapping "* 0 core_0" 'Crash 0 core_1' 'Spin 0 cuda_0' >mapping.xml
synthesise -o spin spin.xml machine.xml mapping.xml
run 139 spin/spin
expect 'process Crash: SIGSEGV in fire' messages
