#!/usr/bin/env bash
# Trees of kernels drawn by chance, as groups, on one device and on two, and by themselves: the same bytes.
#
#   GROUPS_NETWORKS=N   how many (4)
#   GROUPS_SEED=S       the first one's seed (1)
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"
architecture core device >architecture.xml
mapping '* - device group="yes"' 'Source - core' 'Sink - core' >mapping.xml
two=$(two_devices)
if [ "$two" ]; then # blocks of a few rounds
    POCL_DEVICES=$two "$dalinfo" --architecture -o two.xml
    mapping '* - device_* group="yes" shadowcopies="7"' 'Source - core_0' 'Sink - core_0' >dealt.xml
fi
cat >source.c <<'END_C'
#include <dal.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, 4, p);
    return ++p->local->next == 500;
}
END_C

# below N: a number below it, in `drawn`; a subshell would draw the same again
below() {
    drawn=$((RANDOM % $1))
}

# once N: does that come, one time of N?
once() {
    below "$1"
    [ $drawn = 0 ]
}

# words_kernel NUMBER OUT INPUTS GAIN: a kernel that goes over its words, or only looks so: a pointer that moves on, blocks
# with the number of the work-item or with what their loop has counted, reads in front of the loop
words_kernel() {
    local number=$1 out=$2 inputs=$3 gain=$4 front='' more='' behind='' i rows at='out[g + j]'
    local head="for (j = get_local_id(0); j < $out; j += get_local_size(0)) {" tail='}'
    echo "/* word by word */ static int mine(void) { return (int)get_local_id(0); } __kernel void P$number(__global int *out"
    for ((i = 0; i < inputs; i++)); do echo ", __global const int *i$i"; done
    if once 3; then
        for rows in 2 3 5 1; do [ $((out % rows)) != 0 ] || break; done
        head="for (b = get_local_id(0); b < $rows; b += get_local_size(0)) {"
        if once 4; then head+=' int before = c;' more+=' + before'; fi
        head+=" for (c = 0; c < $((out / rows)); c++) { port j = b * $((out / rows)) + c;" tail='} }'
        if once 3; then more+=' + mine() * 100'; elif once 3; then more+=' + (int)get_local_id(0) * 100'; fi
    elif once 4; then
        front+=' __global int *to = out + g + get_local_id(0);' behind+=' to += get_local_size(0);' at='*to'
    elif once 3; then
        front+=' __global const int *from = i0 + g + get_local_id(0);' more+=' + *from' behind+=' from += get_local_size(0);'
    fi
    if once 3; then front+=" int first = i0[g + $((out - 1))];" more+=' + first'; fi
    below 9
    echo "$gain) { size_t g = get_group_id(0) * $out; port j = 0, b, c = 0; $front
    $head int x = $number + GAIN + j$more;"
    for ((i = 0; i < inputs; i++)); do echo "if (x % 3) x = 7 * x + (i${i}[g + j]) * ${drawn}1;"; done
    echo "($at) = x;$behind $tail }"
}

# kernel NUMBER OUT IN...: a process that makes OUT tokens of as many as given of each input
kernel() {
    local number=$1 out=$2 port=0 rate gain='' file=p$1.cl
    shift 2
    below 2
    [ $drawn = 0 ] || gain=', long gain'
    below 3
    if [[ " $* " =~ ^(\ $out)+\ $ ]] && [ -z "$shape" ] && [ "$words" = 1 ]; then # word by word
        words_kernel "$number" "$out" $# "$gain"
    elif [ $drawn = 0 ]; then # every work-item reads, one writes
        echo "static int mix(int a, int b) { return 31 * a + b; }
        __kernel void P$number(__global int *out"
        for rate; do echo ", __global const int *i$port" && port=$((port + 1)); done
        echo "$gain) { size_t g = get_group_id(0); int sum = $number + GAIN; port j; if (ME) return;"
        port=0
        for rate; do
            echo "for (j = 0; j < $rate; j++) sum = mix(sum, i${port}[g * $rate + j]);"
            port=$((port + 1))
        done
        echo "for (j = 0; j < $out; j++) out[g * $out + j] = mix(sum, j); }"
    elif [ $drawn = 1 ]; then # all add up, half as many in each step
        echo "static int mix(int a, int b) { return 13 * a + b; }
        static void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }
        static int of(__local const int *x, size_t at) { return x[at]; }
        __kernel void P$number(__global int *out"
        for rate; do echo ", __global const int *i$port" && port=$((port + 1)); done
        echo "$gain) { size_t g = get_group_id(0), me = ME, n = N; int sum = $number + GAIN; port j, d;
        __local int part[8];"
        port=0
        for rate; do
            echo "for (j = me; j < $rate; j += n) sum = mix(sum, i${port}[g * $rate + j]);"
            port=$((port + 1))
        done
        echo "part[me] = sum * (me + 1);
        for (d = n / 2; d > 0; d /= 2) { wait(); if (me < d) part[me] = mix(of(part, me), of(part + d, me)); }
        wait();
        for (j = me; j < $out; j += n) out[get_global_id(0) / get_local_size(0) * $out + j] = mix(part[0], j); }"
    else # through local memory
        echo "static int mix(int a, int b) { return 17 * a - b; }
        __kernel void P$number(__global int *out"
        for rate; do echo ", __global const int *i$port" && port=$((port + 1)); done
        echo "$gain) { size_t g = get_global_id(0) / get_local_size(0); int sum = $number + GAIN; port j; __local int box[$out + 3], last;"
        port=0
        for rate; do
            echo "for (j = 0; j < $rate; j++) sum = mix(sum, i${port}[g * $rate + j]);"
            port=$((port + 1))
        done
        echo "for (j = ME; j < $out; j += N) box[j] = mix(sum, j);
        if (ME == 0) last = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (j = ME; j < $out; j += N) out[g * $out + j] = box[$out - 1 - j] + last; }"
    fi >"$file"
    sed -i "1i typedef int port;\n#define GAIN ${gain:+(int)gain + }0\n#define ME (get_local_id(1) * get_local_size(0) + get_local_id(0))\n#define N (get_local_size(0) * get_local_size(1))" "$file"
}

# tokens N: attributes of a channel with initial tokens: N, N - 1 to 1, since readers of a port have the same at their end
tokens() {
    local token
    [ "$1" != BACK_TOKENS ] || { echo "$1" && return; }
    printf 'initialtokens="%d" value="' "$1"
    for ((token = $1; token > 0; token--)); do printf '%02x000000' "$token"; done
    printf '"'
}

gcd() {
    local a=$1 b=$2 rest
    while [ "$b" != 0 ]; do rest=$((a % b)) a=$b b=$rest; done
    echo "$a"
}

# draw: network.xml and its sources; made[k] are the tokens of process k in a round
draw() {
    local made=(1) read=() words count items shape many k f g from first second total fires out keeps initial back=''
    below 6
    count=$((3 + drawn))
    below 2 # some keep tokens from one firing to the next, or from one round to the next
    keeps=$drawn
    below 2 # some make as many as they read, word by word
    words=$drawn
    below 4
    items=$((1 << (keeps ? drawn / 2 : drawn))) shape=''
    below 2
    [ $drawn = 0 ] || shape=$((items > 2 ? 2 : 1))x$((items > 2 ? items / 2 : items))
    echo '<processnetwork name="random"><process name="Source"><port type="output" name="out"/>
        <source type="c" location="source.c"/></process>'
    for ((k = 1; k <= count; k++)); do
        first=0
        if [ "$k" -gt 1 ]; then
            below $((k - 1))
            first=$((1 + drawn))
            below $((k - 1))
            second=$((1 + drawn))
        else
            second=0
        fi
        total=$(gcd "${made[first]}" "${made[second]}")
        below 3
        fires=$(gcd "$total" $((1 << drawn)))
        below 4
        out=$((1 + drawn))
        if [ "$words" = 1 ] && [ $((made[first] / fires)) -le 8 ]; then out=$((made[first] / fires)); fi
        made[k]=$((fires * out))
        read[first]=1 read[second]=1
        from=("$first") needs=($((made[first] / fires)))
        if [ $second != $first ]; then
            from+=("$second") needs+=($((made[second] / fires)))
        fi
        initial=()
        if [ "$keeps" = 1 ]; then
            below 8
            [ ${#from[@]} = 1 ] || [ $drawn = 0 ] || initial[1]=$drawn
            below 3
            if [ $drawn = 0 ]; then # what it has made before
                initial[${#from[@]}]=$out from+=("$k") needs+=("$out")
            fi
            below 2
            if [ "$k" = 1 ] && [ $drawn = 0 ]; then # what another one makes of that
                below $((count - 1))
                back=$((2 + drawn))
                initial[${#from[@]}]=BACK_TOKENS from+=("$back") needs+=(BACK)
            fi
        fi
        kernel "$k" $out "${needs[@]}"
        echo "<process name=\"P$k\"><port type=\"output\" name=\"out\"/>"
        for ((f = 0; f < ${#from[@]}; f++)); do echo "<port type=\"input\" name=\"i$f\"/>"; done
        below "$items"
        many=$((1 + drawn))
        if grep -q 'barrier\|word by word' "p$k.cl"; then many=$items; fi
        many=${shape:-$many}
        echo "<source type=\"opencl\" location=\"p$k.cl\" dataparallelism=\"$many\"/>"
        below 100
        if grep -q 'long gain' "p$k.cl"; then echo "<parameter name=\"gain\" value=\"$drawn\"/>"; fi
        echo '</process>'
        for ((f = 0; f < ${#from[@]}; f++)); do
            g=${from[f]}
            channel "c${k}_$f" "$([ "$g" = 0 ] && echo Source || echo "P$g")" out "P$k" "i$f" \
                "tokenratein=\"${rates[g]:-$([ "$g" = "$k" ] && echo "$out" || echo BACK_IN)}\" tokenrateout=\"${needs[f]}\" ${initial[f]:+$(tokens "${initial[f]}")}" >>channels
        done
        rates[k]=$out
    done
    if [ "$back" ]; then
        below 3
        sed -i "s/BACK_TOKENS/$(tokens $((made[back] + drawn)))/; s/BACK_IN/${rates[back]}/; s/\"BACK\"/\"${made[back]}\"/" channels
        sed -i "s/BACK/${made[back]}/g" p1.cl
    fi
    echo '<process name="Sink">'
    printf '#include <dal.h>\nint Sink_fire(DALProcess *p) {\n' >sink.c
    for ((k = 1; k <= count; k++)); do
        below 4
        [ -z "${read[k]:-}" ] || [ $drawn = 0 ] || continue
        echo "<port type=\"input\" name=\"s$k\"/>"
        channel "s$k" "P$k" out Sink "s$k" "tokenratein=\"${rates[k]}\" tokenrateout=\"${made[k]}\"" >>channels
        echo "{ int i, t[${made[k]}]; DAL_read(PORT_s$k, t, sizeof(t), p); for (i = 0; i < ${made[k]}; i++) DAL_printf(\" %d\", t[i]); }"
    done >>sinkparts
    grep '^<' sinkparts
    grep -v '^<' sinkparts >>sink.c
    printf 'DAL_printf("\\n"); return 0; }\n' >>sink.c
    echo '<source type="c" location="sink.c"/></process>'
    cat channels
    echo '</processnetwork>'
}

first=${GROUPS_SEED:-1} grouped=0 dealt=0 passed=0
for ((seed = first; seed < first + ${GROUPS_NETWORKS:-4}; seed++)); do
    RANDOM=$seed rates=(1)
    rm -f channels sinkparts network.xml
    draw >drawn.xml
    mv drawn.xml network.xml
    run 0 "$dalsynth" --check --explain network.xml architecture.xml mapping.xml
    grep -h '^launched as one' output | sed "s/^/$seed: /" || true
    passed=$((passed + $(grep -c 'passes words in registers' output || true)))
    grouped=$((grouped + $(grep -c '^launched as one' output || true)))
    synthesise -o made.d network.xml architecture.xml mapping.xml
    run 0 env DAL_GROUPS=0 made.d/random
    mv output expected
    [ "$(wc -l <expected)" = 500 ] || fail "seed $seed: $(wc -l <expected) lines" messages
    run 0 made.d/random
    cmp output expected || fail "seed $seed: other bytes as groups" messages
    if grep -q 'launched by themselves' messages; then fail "seed $seed: a device refuses a group" messages; fi
    [ "$two" ] || continue
    synthesise --explain -o dealt.d network.xml two.xml dealt.xml
    dealt=$((dealt + $(grep -c '^launched as one on device_0,device_1' made || true)))
    run 0 env POCL_DEVICES="$two" dealt.d/random
    cmp output expected || fail "seed $seed: other bytes as groups on two devices" messages
    if grep -q 'launched by themselves' messages; then fail "seed $seed: one of two devices refuses a group" messages; fi
done
[ "$grouped" -gt 0 ] || fail "no group at all"
[ "$passed" -gt 0 ] || fail "no words in registers at all"
echo "$passed channels pass words in registers, $grouped groups, $dealt of them on two devices, the same bytes"
