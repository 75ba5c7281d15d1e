#!/usr/bin/env bash
# What a specification names is a file, or is refused by name: a named pipe, a folder, a device, a
# socket, what is not there. Initial tokens from a file reach the consumer, read-only and aligned,
# whether they are few, which makes C of them, or many; by gcc and clang, the same bytes anywhere.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

golden=$source/test/synth/golden
cp "$golden"/*.xml "$golden"/*.c "$golden"/*.h "$golden"/*.cl .

# ---- not a file ----------------------------------------------------------------------------------

echo '{"Source": 1}' >times.json
cat >sdf3.xml <<'END_XML'
<sdf3 type="sdf" version="1.0"><applicationGraph name="g"><sdf name="g" type="G">
<actor name="a" type="A"><port name="p" type="out" rate="1"/><port name="q" type="in" rate="1"/></actor>
<channel name="c" srcActor="a" srcPort="p" dstActor="a" dstPort="q" initialTokens="1"/>
</sdf></applicationGraph></sdf3>
END_XML
sed '/<sw_channel.* name="memory"/,/>/ { s| value="[0-9a-fA-F ]*"||; s| initialtokens| data="tokens"&| }' shop.xml >data.xml
tokens=$(grep -n 'data="tokens"' data.xml | cut -d: -f1)
[ -n "$tokens" ] || fail "shop.xml has no initial tokens"

# refuses WHY FILE EXPECTED COMMAND...: exit status 1, and said where and why
cases=0
refuses() {
    local why=$1 file=$2 place=$3
    shift 3
    run 1 timeout 120 "$@"
    grep -qE "$place.*$why" messages || fail "$file: not said: $why" messages
    [ ! -e out ] || fail "$file, $why: something was written"
    cases=$((cases + 1))
}

# With all that can stand in its place.
replace() { # FILE PLACE COMMAND...
    local file=$1 place=$2
    shift 2
    [ ! -e "$file" ] || mv "$file" "$file.kept"
    refuses "No such file or directory" "$file" "$place" "$@"
    mkfifo "$file"
    refuses "it is a named pipe, not a regular file" "$file" "$place" "$@"
    rm "$file"
    mkdir "$file"
    refuses "it is a folder" "$file" "$place" "$@"
    rmdir "$file"
    ln -s /dev/zero "$file"
    refuses "it is a device, not a regular file" "$file" "$place" "$@"
    rm "$file"
    ln -s "$file" "$file"
    refuses "Too many levels of symbolic links" "$file" "$place" "$@"
    rm "$file"
    if [ "$(id -u)" != 0 ]; then
        : >"$file"
        chmod 0 "$file"
        refuses "Permission denied" "$file" "$place" "$@"
        rm -f "$file"
    fi
    [ ! -e "$file.kept" ] || mv "$file.kept" "$file"
}

emit() {
    synthesise --emit-only -o here "$@"
    rm -rf here
    command=("$dalsynth" --emit-only -o out "$@")
}
emit shop.xml machine.xml cores.xml
replace shop.xml '^shop.xml:' "${command[@]}"
replace machine.xml '^machine.xml:' "${command[@]}"
replace cores.xml '^cores.xml:' "${command[@]}"
replace forward.c "^shop.xml:[0-9]+: error: .*'forward.c'" "${command[@]}"
replace data.xml '^data.xml:' "$dalsynth" --emit-only -o out data.xml machine.xml cores.xml
replace tokens "^data.xml:$tokens: error: .*'tokens'" "$dalsynth" --emit-only -o out data.xml machine.xml cores.xml
emit shop.xml machine.xml devices.xml
replace lane.cl "^shop.xml:[0-9]+: error: .*'lane.cl'" "${command[@]}"
emit --fsm duet.xml rack.xml
replace duet.xml '^duet.xml:' "${command[@]}"
replace chain.xml "^duet.xml:4: error: .*'left': its network 'chain.xml'" "${command[@]}"
replace solo.xml "^duet.xml:5: error: .*'right': its mapping 'solo.xml'" "${command[@]}"
sed 's/<processnetwork/& mapping="cores.xml"/' shop.xml >own.xml
replace cores.xml "^own.xml:[0-9]+: error: .*its mapping 'cores.xml'" "$dalsynth" --emit-only -o out own.xml machine.xml
replace times.json '^times.json:' "$dalsynth" --analyze --times=times.json shop.xml
replace sdf3.xml '^sdf3.xml:' "$dalsynth" --import-sdf3 sdf3.xml

# What an #include names may be in a branch that is not taken: what is not there is passed over.
for header in source.h lane.h; do
    mv "$header" "$header.kept"
    mkfifo "$header"
    refuses "named pipe, not a regular file" "$header" "^shop.xml:[0-9]+: .*$header" \
        "$dalsynth" --emit-only -o out shop.xml machine.xml devices.xml
    rm "$header"
    mv "$header.kept" "$header"
done

# A file that grows, or has no end, is not read to it.
truncate -s 1T tokens
refuses "must have [0-9]+ bytes, has more" tokens "^data.xml:$tokens:" "$dalsynth" --emit-only -o out data.xml machine.xml cores.xml
truncate -s 1 tokens
refuses "must have [0-9]+ bytes, has fewer" tokens "^data.xml:$tokens:" "$dalsynth" --emit-only -o out data.xml machine.xml cores.xml
truncate -s 65M huge.xml
refuses "the file is larger than" huge.xml "^huge.xml:" "$dalsynth" --emit-only -o out huge.xml machine.xml cores.xml

# ---- initial tokens ------------------------------------------------------------------------------

cat >source.c <<'END_C'
#include "dal.h"
int Source_fire(DALProcess *p)
{
    int last = -1;
    DAL_write(PORT_out, &last, sizeof(last), p);
    return 1;
}
END_C
cat >sum.c <<'END_C'
#include "dal.h"
#include <stdint.h>
struct _local_states { uint64_t count, sum; };
int Sum_fire(DALProcess *p)
{
    int word;
    DAL_read(PORT_in, &word, sizeof(word), p);
    if (word == -1)
        DAL_printf("%llu %llu\n", (unsigned long long)p->local->count, (unsigned long long)p->local->sum);
    p->local->count++;
    p->local->sum = 31 * p->local->sum + (uint64_t)word;
    return word == -1;
}
END_C
"$dalinfo" --architecture -o architecture.xml
mapping "* - core_0" >mapping.xml

tokens_network() { # WORDS
    # Digits, none of which make -1.
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%04d", 1000 + i % 8999 }' >tokens.bin
    cat <<END_XML
<processnetwork name="initial">
  <process name="Source" type="local"><port type="output" name="out"/><source type="c" location="source.c"/></process>
  <process name="Sum" type="io"><port type="input" name="in"/><source type="c" location="sum.c"/></process>
  $(channel data Source out Sum in "size=\"$(($1 + 16))\" initialtokens=\"$1\" data=\"tokens.bin\"")
</processnetwork>
END_XML
}

expected() { # of tokens.bin
    cat >expected.c <<'END_C'
#include <stdint.h>
#include <stdio.h>
int main(void)
{
    int32_t word;
    uint64_t count = 0, sum = 0;
    for (; fread(&word, 4, 1, stdin) == 1; count++)
        sum = 31 * sum + (uint64_t)word;
    printf("%llu %llu\n", (unsigned long long)count, (unsigned long long)sum);
    return 0;
}
END_C
    "${CC:-cc}" -o expected.bin expected.c
    ./expected.bin <tokens.bin
}

# 4096 bytes are C still; one token more is not.
for words in 1 1024 1025 500000; do
    tokens_network $words >initial.xml
    synthesise -o initial initial.xml architecture.xml mapping.xml
    run 0 initial/initial
    expected | diff - output || fail "$words: other tokens"
    [ $words -gt 1024 ] && [ ! -e initial/net.data.bin ] && fail "$words: no file of initial tokens"
    [ $words -le 1024 ] && [ -e initial/net.data.bin ] && fail "$words: a file for few initial tokens"
    [ "$(wc -c <initial/net.c)" -lt 40000 ] || fail "$words: net.c has $(wc -c <initial/net.c) bytes"
done
cmp initial/net.data.bin tokens.bin || fail "not the same file"
if [ -n "$(command -v nm)" ]; then
    nm initial/initial | grep -E '^[0-9a-f]*[048c]0 [rR] dal\.net\.data$' >/dev/null ||
        fail "not read-only at a multiple of 64 bytes: $(nm initial/initial | grep dal.net)"
fi
! grep -rF "$work" initial/net.c initial/net.data.s initial/net.data.o || fail "a path"

remake() { # ARGUMENT...: make as a user calls it
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s "$@" >messages 2>&1 || fail "make $*" messages
}

# Another compiler, from another folder: the object has the same bytes.
cp -r initial moved
for compiler in gcc clang clang-18 clang-16 clang-14; do
    command -v "$compiler" >/dev/null || continue
    remake -B -C moved CC="$compiler" CFLAGS="-O1 -g" net.data.o
    [ ! -s messages ] || fail "$compiler warns" messages
    [ "$compiler" != "${CC:-gcc}" ] || cmp moved/net.data.o initial/net.data.o || fail "$compiler: other bytes elsewhere"
done
# A new file of tokens is taken in by make.
printf '0000' | dd of=initial/net.data.bin conv=notrunc status=none
touch -d '+2 seconds' initial/net.data.bin
remake -C initial
run 0 initial/initial
cp initial/net.data.bin tokens.bin
expected | diff - output || fail "make does not see that the tokens have changed"
# Two applications, whose channels have one name, in one program; and with all of it known to the linker.
cat >machine.xml <<'END_XML'
<fsm name="twice">
  <application name="a" network="initial.xml" mapping="mapping.xml"/>
  <application name="a_net" network="initial.xml" mapping="mapping.xml"/>
  <state name="first" initial="true"><running application="a"/></state>
  <state name="second"><running application="a_net"/></state>
  <endstate name="off"/>
  <transition from="first" to="second" event="a.finished"/>
  <transition from="second" to="off" event="a_net.finished"/>
</fsm>
END_XML
synthesise --fsm -o twice machine.xml architecture.xml
for flags in "" "-O2 -flto"; do
    [ -z "$flags" ] || remake -B -C twice CFLAGS="$flags"
    run 0 twice/twice
    [ "$(sort -u output)" = "$(expected)" ] && [ "$(wc -l <output)" = 2 ] || fail "twice: other tokens" output
done
echo "$cases cases are refused"
