# What the tests of parts share that read and write files, after test/parts/lib.sh.
# shellcheck shell=bash disable=SC2154 # lib.sh sets what is not set here

# says_errors: are all messages errors of dal? A library may have others, at the end of the program too.
says_errors() {
    ! grep -v '^[^ ]*: error: ' messages >others || fail "there are other messages" others
}

# read_refused TEXT PROGRAM FILE [PARAMETER]: a reader refuses a file, which it names, and nothing is written
read_refused() {
    rm -f y.npy
    run 1 "$2/$2" --out=y.npy -p "Part.Read.${4:-file}=$3"
    expect "$1" messages
    says_errors
    [ ! -e y.npy ] || fail "$1: there is an output"
}

# read_hostile PROGRAM FILE...: as above, whatever the text is. Cuts each file, changes bytes at its beginning, and joins it with
# what is no such file.
read_hostile() {
    local program=$1 file
    shift
    echo "no such file, but a text" >text
    : >empty
    mkdir -p folder
    mkfifo pipe 2>/dev/null || true
    read_refused "it_is_nowhere: No such file or directory" "$program" it_is_nowhere
    read_refused "folder is no ordinary file" "$program" folder
    read_refused "pipe is no ordinary file" "$program" pipe
    read_refused "empty" "$program" empty
    read_refused "text" "$program" text
    for file; do
        read_refused "$file" "$program" "$file"
    done
}

# stops PROGRAM FILE [PARAMETER]: a reader of a file that does not end for long ends at a signal
stops() {
    start "$1/$1" --out=/dev/null -p "Part.Read.${3:-file}=$2"
    until_so is_at_work
    kill -TERM $running
    ended
    [ $status -eq 0 ] || fail "exit status $status after SIGTERM" messages
}

# is_at_work: does what was started listen to signals, and has it read much already? No other work takes so long, but for
# the linker's before main().
is_at_work() {
    local fields
    grep -qE '^SigCgt:.*[4-7c-f][0-9a-f]{3}$' "/proc/$running/status" || return 1
    read -ra fields <"/proc/$running/stat" || return 1
    [ $((fields[13] + fields[14])) -ge 20 ]
}

# write_refused TEXT PROGRAM FILE [PARAMETER]: a writer refuses a file, and leaves nothing new
write_refused() {
    local before after
    before=$(ls -A)
    run 1 "$2/$2" --in=x.npy -p "Part.Write.${4:-file}=$3"
    expect "$1" messages
    says_errors
    rm others
    after=$(ls -A)
    [ "$before" = "$after" ] || fail "$1: something is left" <(echo "$after")
}

# stays_old PROGRAM FILE NUMPY-TYPE: where the input fails, an older file stays, and nothing else is left
stays_old() {
    local before
    echo old >"$2"
    before=$(ls -A)
    "$python" -c "import numpy; numpy.save('x.npy', numpy.zeros(100000, '$3'))"
    truncate -s -1 x.npy
    before=$(ls -A)
    run 1 "$1/$1" --in=x.npy -p "Part.Write.file=$2"
    [ "$(cat "$2")" = old ] && [ "$(ls -A)" = "$before" ] || fail "a run that failed has changed $2" <(ls -A)
}

# stays_when_full PROGRAM FILE [OPTION...]: where a file can have 8 KiB and no more, an older one stays, and nothing else is left
stays_when_full() {
    local before
    echo old >"$2"
    before=$(ls -A)
    run 1 bash -c 'trap "" XFSZ; ulimit -f 8; exec "$@"' - "$1/$1" --in=x.npy -p "Part.Write.file=$2" "${@:3}"
    expect "$2 cannot be written: " messages
    says_errors
    rm others
    [ "$(cat "$2")" = old ] && [ "$(ls -A)" = "$before" ] || fail "a run without room has changed $2" <(ls -A)
}

# keeps_mode PROGRAM FILE [PARAMETER]: a file that is written anew keeps its mode
keeps_mode() {
    : >"$2"
    chmod 604 "$2"
    run 0 "$1/$1" --in=x.npy -p "Part.Write.${3:-file}=$2"
    [ -s "$2" ] && [ "$(stat -c %a "$2")" = 604 ] || fail "$2 has another mode" <(ls -l "$2")
}

# alsa_devices: devices of ALSA that are files or nothing. "played" hears played.raw, and "kept" plays into kept.raw; "silent" takes
# and gives zeros, "pair" as well, of two channels alone.
alsa_devices() {
    cat >asound.conf <<'END_OF_CONF'
pcm.silent { type null }
pcm.played {
    type file
    slave.pcm silent
    file "/dev/null"
    infile "played.raw"
    format "raw"
}
pcm.kept {
    type file
    slave.pcm silent
    file "kept.raw"
    format "raw"
}
pcm.pair {
    type multi
    slaves.a { pcm silent channels 2 }
    bindings { 0 { slave a channel 0 } 1 { slave a channel 1 } }
}
pcm.card { type hw card 31 }
END_OF_CONF
    export ALSA_CONFIG_PATH=$PWD/asound.conf
}

# alsa_faults: makes faults.so, with which ALSA's call number FAULT_AT fails: samples came too fast or too late; or from it on the
# device does nothing (FAULT_FOR_EVER)
alsa_faults() {
    cat >faults.c <<'END_OF_C'
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>

static int calls;

static int is_fault(void)
{
    const char *at = getenv("FAULT_AT");
    return at && (++calls == atoi(at) || (calls > atoi(at) && getenv("FAULT_FOR_EVER")));
}

static int fault(void)
{
    return getenv("FAULT_FOR_EVER") ? -EAGAIN : -EPIPE;
}

snd_pcm_sframes_t snd_pcm_readi(snd_pcm_t *pcm, void *buffer, snd_pcm_uframes_t size)
{
    snd_pcm_sframes_t (*real)(snd_pcm_t *, void *, snd_pcm_uframes_t) = dlsym(RTLD_NEXT, "snd_pcm_readi");
    return is_fault() ? fault() : real(pcm, buffer, size);
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size)
{
    snd_pcm_sframes_t (*real)(snd_pcm_t *, const void *, snd_pcm_uframes_t) = dlsym(RTLD_NEXT, "snd_pcm_writei");
    return is_fault() ? fault() : real(pcm, buffer, size);
}

int snd_pcm_wait(snd_pcm_t *pcm, int timeout)
{
    int (*real)(snd_pcm_t *, int) = dlsym(RTLD_NEXT, "snd_pcm_wait");
    return getenv("FAULT_FOR_EVER") ? 0 : real(pcm, timeout);
}
END_OF_C
    ${CC:-cc} -shared -fPIC -o faults.so faults.c -ldl >log 2>&1 || fail "no library of faults" log
}
