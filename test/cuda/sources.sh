#!/usr/bin/env bash
# Processes on CUDA devices, as far as the specifications and dalsynth go; no CUDA is needed. What an architecture may
# say of such a device; which capability runs a source; what a kernel must not have there, and only there; how its text
# says which memory a variable is in; sources of type cuda.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cat >source.c <<'END_C'
#include <dal.h>
int Source_fire(DALProcess *p) { int x[4] = {1}; DAL_write(PORT_out, x, 16, p); return 0; }
END_C
cat >sink.c <<'END_C'
#include <dal.h>
int Sink_fire(DALProcess *p) { int x[4]; DAL_read(PORT_in, x, 16, p); return 0; }
END_C

# network SOURCE [ATTRIBUTES]: between a source and a sink, Work of this
network() {
    cat <<END_XML
<processnetwork name="n">
  <process name="Source" source="source.c"><port type="output" name="out"/></process>
  <process name="Work" source="$1" ${2-}>
    <port type="input" name="in"/><port type="output" name="out" blocks="4"/><parameter name="add" value="3"/>
  </process>
  <process name="Sink" source="sink.c"><port type="input" name="in"/></process>
  <channel name="a" from="Source.out" to="Work.in" tokensize="16"/>
  <channel name="b" from="Work.out" to="Sink.in" tokensize="16"/>
</processnetwork>
END_XML
}

# machine CAPABILITIES: core_0, and a processor with these
machine() {
    echo '<architecture name="m"><processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>'
    echo "<processor name=\"it\" type=\"GPU\">$1</processor></architecture>"
}

# shellcheck disable=SC2034 # by their names
posix='<capability name="POSIX" identifier="1"/>'
# shellcheck disable=SC2034
opencl='<capability name="OPENCL" identifier="GPU_4318_Fast_DEV1"/>'
# shellcheck disable=SC2034
cuda='<capability name="CUDA" identifier="GPU_4318_NVIDIAH100_DEV1"/>'
mapping "Source - core_0" "Sink - core_0" "Work - it" >it.xml
architecture core device cuda >two.xml
mapping "Source - core" "Sink - core" "Work - device" >device.xml
mapping "Source - core" "Sink - core" "Work - cuda" >cuda.xml

cat >work.cl <<'END_CL'
__kernel void Work(__global const int *in, __global int *out, int add)
{
    out[get_global_id(0)] = in[get_global_id(0)] + add;
}
END_CL
cat >work_portable.c <<'END_C'
#include <dal.h>
#include <math.h>
static const int one = 1;
int Work_fire(DALProcess *p)
{
    const DAL_WINDOW int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    DAL_foreach (i : PORT_out) {
        int quotient;
        out[i] = in[i] + one + (int)remquof(8, 4, &quotient);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
END_C
cat >work.cu <<'END_CU'
template <class T> static __device__ T sum(T a, T b) { return a + b; }
extern "C" __global__ void Work(const int *__restrict__ in,
                                int *out, int add)
{
    __shared__ int all[4];
    all[threadIdx.x] = in[blockIdx.x * 4 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 4 + threadIdx.x] = sum(all[3 - threadIdx.x], add);
}
END_CU

# What an architecture may say.
while IFS='|' read -r attributes text; do
    network work.cl >network.xml
    machine "<capability name=\"CUDA\" $attributes/>" >machine.xml
    if [ -z "$text" ]; then
        synthesise --check network.xml machine.xml it.xml
    else
        refuse "$text" network.xml machine.xml it.xml
    fi
done <<'END_TABLE'
identifier="GPU_4318_NVIDIAH100_DEV1"|
identifier="GPU_4318_NVIDIA H100_DEV2" memory="own" computeunits="132" workgroup="1024" buffer="1000000000"|
identifier="GPU_DEV2" platform="NVIDIA"|
identifier="GPU_4318_NVIDIAH100_DEV1_SUB2"|[bad-identifier] processor 'it': 'GPU_4318_NVIDIAH100_DEV1_SUB2' is a sub-device, which CUDA has not; leave out _SUB<m>
identifier="GPU_DEV1_SUB1"|[bad-identifier] processor 'it': 'GPU_DEV1_SUB1' is a sub-device
identifier="CPU_DEV1"|[bad-identifier] processor 'it': 'CPU_DEV1' is no CUDA identifier, GPU_<vendor id>_<name>_DEV<n> or GPU_DEV1
identifier="0"|[bad-identifier] processor 'it': '0' is no CUDA identifier
identifier="GPU_DEV1" memory="unified"|[device-memory] processor 'it': a device of CUDA has memory of its own
identifier="GPU_DEV1" memory="mapped"|[device-memory]
END_TABLE

# Which capability runs a source: what a process is then, or why it is refused.
while IFS='|' read -r source capabilities text; do
    network "$source" >network.xml
    machine "$(for c in $capabilities; do echo "${!c}"; done)" >machine.xml
    if [[ $text == *" "* ]]; then
        refuse "$text" network.xml machine.xml it.xml
    else
        synthesise --check --explain network.xml machine.xml it.xml
        grep -qE "^Work +it +$text " made || fail "$source on $capabilities is not $text" made
    fi
done <<'END_TABLE'
work.cl|opencl|opencl
work.cl|cuda|cuda
work.cl|opencl cuda|opencl
work.cl|cuda opencl|cuda
work.cl|posix cuda|cuda
portable:work_portable.c|cuda|cuda
portable:work_portable.c|cuda posix|c
portable:work_portable.c|opencl cuda|opencl
work.cu|cuda|cuda
work.cu|opencl cuda posix|cuda
cuda:work.cu|cuda|cuda
work_portable.c work.cu|posix cuda|c
work.cu|opencl|has no source that its processor can run
work.cu|posix opencl|has no source that its processor can run
work.cl|posix|has no source that its processor can run
END_TABLE
network work.cu >network.xml
mapping "Source - core" "Sink - core" "Work 0 device" >named.xml
refuse "is of type cuda, for which processor 'device' lacks the capability CUDA" network.xml two.xml named.xml
expect "processor 'device' has capability OPENCL only" messages
network work.cl >network.xml
mapping "Source - core" "Sink - core" '<binding name="w"><process name="Work" sourceid="0"/><processor name="device"/><processor name="cuda"/></binding>' >both.xml
refuse "[one-device] binding 'w': process 'Work' is bound to devices that have no capability in common" \
    network.xml two.xml both.xml

# What a kernel uses that CUDA has not: bound to a device of OpenCL it is right, bound to one of CUDA it is refused, with
# its line. The first field stands in front of the kernel, the second in it, on lines 1 and 3; the last is for the compiler.
while IFS='|' read -r front body line text cflags; do
    printf '%s\n__kernel void Work(__global const int *in, __global int *out)\n{ %s\n    out[0] = in[0];\n}\n' "$front" \
        "$body" >bad.cl
    network bad.cl "${cflags:+cflags=\"$cflags\"}" >network.xml
    synthesise --check network.xml two.xml device.xml
    refuse "bad.cl:$line: error: [cuda-source] process 'Work': " network.xml two.xml cuda.xml
    expect "$text" messages
done <<'END_TABLE'
|float4 x; x.x = 1;|3|'float4' is a vector type, which CUDA has not; write it per component, or give a source of type cuda
|int2 x = (int2)(1, 2); out[1] = x.s1;|3|'int2' is a vector type
static uchar16 f(void) { return 0; }||1|'uchar16' is a vector type
|out[1] = as_char4(in[0]).x;|3|'char4' is a vector type
|out[1] = convert_int2(as_char2((short)in[0])).x;|3|is a vector type
|vstore2(vload2(0, in), 0, out);|3|'vstore2' is a function of vectors
static int f(__read_only image2d_t i) { return get_image_width(i); }||1|is an image, which CUDA has not; read the tokens themselves
static const sampler_t s = CLK_FILTER_NEAREST;||1|is a sampler
|__local int box[4]; event_t e = async_work_group_copy(box, in, 4, 0); wait_group_events(1, &e);|3|is an event, which CUDA has not; copy in a loop
|out[1] = work_group_reduce_add(in[0]);|3|'work_group_reduce_add' is a work-group function, which CUDA has not; dal_collectives.h|-cl-std=CL2.0
|out[1] = sub_group_broadcast(in[0], 0);|3|'sub_group_broadcast' is a sub-group function|-cl-std=CL2.0
|out[1] = ((struct { int a; }){in[0]}).a;|3|
|int a[2] = {[1] = 3}; out[1] = a[1];|3|give all values, in their order
|__global void *v = out; __global int *w = v; w[1] = 2;|3|write the cast, which OpenCL C takes too
|if (in[0]) goto end; int x = in[1]; out[1] = x; end: out[2] = 1;|3|declare the variable before the jump
|out[1] = __builtin_popcount(in[0]);|3|'__builtin_popcount', which is of other compilers
|__typeof__(1) x = in[0]; out[1] = x;|3|typeof_is_not_in_CUDA
|__local int box[4], *at = box; at[0] = 1;|3|stands in one declaration with a variable in local memory, which CUDA says of all
typedef __local int shared_int;|shared_int x; x = 1;|3|'x' is in local memory by its type's name
__kernel void other(__global int *out) { out[0] = 1; }|other(out);|3|kernel 'other' is called, which CUDA has not
END_TABLE

# What is only for other devices is no fault.
cat >chosen.cl <<'END_CL'
#ifdef __CUDACC__
#define TWICE(x) (2 * (x))
#else
#define TWICE(x) ((int2)(x, x).x + (x))
#endif
__kernel void Work(__global const int *in, __global int *out) { out[0] = TWICE(in[0]); }
END_CL
network chosen.cl >network.xml
synthesise --check network.xml two.xml device.xml
synthesise --check network.xml two.xml cuda.xml

# Words for the memory of variables, and nothing else of the text.
cat >memory.cl <<'END_CL'
constant int table[2] = {1, 2}, more = 5; static __constant float f = 1.0f;
typedef struct { __local int *at; } link;
static int peek(__local const int *p, __constant int *q) { return *p + *q; }
__kernel void Work(__global const int *in, __global int *out)
{
    __local int box[4], room; local link shared; __local int *__local where;
    __constant int own[2] = {3, 4};
    __local int *plain = box;
    const __local int /* a comment */ *last = plain;
    where = plain; shared.at = box; room = 1; box[0] = in[0];
    out[0] = peek(last, table) + own[1] + (int)f + *where + more + *shared.at + table[0];
}
END_CL
network memory.cl >network.xml
synthesise --emit-only -o memory network.xml two.xml cuda.xml
sed -e 's/^constant/DAL_CONSTANT_VARIABLE/' -e 's/static __constant/static DAL_CONSTANT_VARIABLE/' \
    -e 's/__local int box/DAL_LOCAL_VARIABLE int box/' -e 's/local link shared/DAL_LOCAL_VARIABLE link shared/' \
    -e 's/\*__local where/*DAL_LOCAL_VARIABLE where/' -e 's/__constant int own/DAL_CONSTANT_IN_KERNEL int own/' \
    -e 's,/\* a comment \*/ ,,' memory.cl | sed -n '1,3p;6,11p' >wanted
sed -n '/^#line 1 /,$p' memory/Work.cl | sed 's/DAL_LOCAL(.*) //' | grep -vE '^#line|^[{}]|^$|__kernel' >got
diff wanted got || fail 'the text of a kernel in several memories'
synthesise --emit-only -o memory_opencl network.xml two.xml device.xml
cmp memory/Work.cl memory_opencl/Work.cl || fail 'the text depends on the capability'
network portable:work_portable.c >network.xml
synthesise --emit-only -o portable network.xml two.xml cuda.xml
expect 'static DAL_CONSTANT_VARIABLE const int one = 1;' portable/Work.cl

# Sources of type cuda.
network work.cu 'dataparallelism="4"' >network.xml
synthesise --emit-only -o native network.xml two.xml cuda.xml
expect '__launch_bounds__(4) void Work(const unsigned char *dal__base_in, unsigned long dal__offset_in, ' native/Work.cu
expect 'const int *__restrict__ in = (const int *__restrict__ )(dal__base_in + dal__offset_in);' native/Work.cu
expect '.options = "-DDAL_CUDA_SOURCE"' native/Work_cl.c
expect '.kind = DAL_PROCESSOR_CUDA,' native/net.c
! grep -q 'OPENCL' native/Work.cu || fail 'a pragma of OpenCL in CUDA C++'
mapping "Source - core" "Sink - core" "Work - cuda group=\"yes\"" >group.xml
synthesise --check network.xml two.xml group.xml
cat >asks.cu <<'END_CU'
#if __CUDA_ARCH__ >= 900
#define MORE 2
#else
#define MORE 1
#endif
extern "C" __global__ void Work(const int *in, int *out) { out[0] = in[0] + MORE; }
END_CU
network asks.cu >network.xml
synthesise --emit-only -o asks network.xml two.xml cuda.xml
grep -q '^#if .*__CUDA_ARCH__ < 900' asks/Work.cu || fail 'a condition of the processor is lost' asks/Work.cu
while IFS='|' read -r kernel text; do
    echo "$kernel" >bad.cu
    network bad.cu >network.xml
    refuse "$text" network.xml two.xml cuda.xml
done <<'END_TABLE'
__global__ void Work(const int *in, int *out) { out[0] = in[0]; }|bad.cu:1: error: [cuda-source] process 'Work': kernel 'Work' has no name of C; write extern "C" in front
extern "C" __global__ void Work(const int *in) { }|no argument for port 'out'; add 'TYPE *out'
extern "C" __global__ void Work(const int *in, int **out) { }|argument 'out' is no plain pointer; a port is one 'TYPE *'
extern "C" __global__ void Work(const int *in, int *out, short add) { }|is to be int, uint, long, ulong, float or double
extern "C" __global__ int Work(const int *in, int *out) { return 0; }|kernel 'Work' must return void
extern "C" void Work(const int *in, int *out) { }|this source has 0 kernels; expected 'extern "C" __global__ void Work(...)'
extern "C" __global__ void Work(const int *in, int *out) { extern __shared__ int s[]; out[0] = s[0]; }|'s' is shared memory of a launch's size
extern "C" __global__ void Work(const int *in, int *out) { out[0] = in[0] }|bad.cu:1:74: error: [kernel-build] expected ';'
#include <nowhere.h>|nowhere.h
END_TABLE

# Times of a CUDA device are of that capability.
network work.cl >network.xml
for type in opencl cuda; do
    machine "${!type}" >machine.xml
    on=GPU_4318_NVIDIAH100_DEV1
    [ $type = cuda ] || on=GPU_4318_Fast_DEV1
    cat >times.json <<END_JSON
{"dal-times": 2, "machine": {"cores": "x"}, "times": [
 {"process": "Work", "source": "work.cl", "type": "$type", "on": "$on", "key": "", "copies": 1, "items": 1,
  "firings": 10, "ns": {"mean": 777.0, "p10": 777.0, "median": 777.0, "p99": 777.0}}]}
END_JSON
    synthesise --check --explain --times=times.json network.xml machine.xml it.xml
    cp made "made_$type"
    sed -i 's/"type": "[a-z]*"/"type": "cuda"/' times.json
    [ $type = cuda ] && continue
    synthesise --check --explain --times=times.json network.xml machine.xml it.xml
    cp made made_other
done
grep -q 'Work.*777' made_cuda || fail 'a time of a CUDA device is not used' made_cuda
grep -q 'Work.*777' made_opencl || fail 'a time of an OpenCL device is not used' made_opencl
! grep -q 'Work.*777' made_other || fail "a time of a CUDA device is taken for OpenCL's" made_other
run 1 "$dalsynth" --check --times=<(sed 's/"cuda"/"metal"/' times.json) network.xml machine.xml it.xml
