#!/usr/bin/env bash
# dal:screen.xml shows frames: SDL's driver "dummy" saves what would be seen, and ffmpeg reads that. A window that is closed stops the
# program.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:sdl2 ffmpeg
export SDL_VIDEODRIVER=dummy

size='width="64" height="48"'
# program FORMAT BITS BYTES: with ten frames in FORMAT.npy and FORMAT.raw
program() {
    ports="in=uint8_t[$3]"
    part screen "bits='$2' $size"
    mv screen "$1"
    mv "$1/screen" "$1/$1"
    ffmpeg -loglevel error -y -f lavfi -i testsrc=size=64x48:rate=25:duration=2 -frames:v 10 -f rawvideo -pix_fmt "$1" "$1.raw" </dev/null
    "$python" -c "
import numpy
numpy.save('$1.npy', numpy.fromfile('$1.raw', 'u1').reshape(-1, $3))"
}
# is_shown FORMAT MOST: ten frames are seen, with bytes that differ by so much
is_shown() {
    rm -f SDL_window*
    SDL_VIDEO_DUMMY_SAVE_FRAMES=1 run 0 "$1/$1" --in="$1.npy"
    [ ! -s messages ] || fail "it talks" messages
    [ "$(echo SDL_window*.bmp | wc -w)" -eq 10 ] || fail "there are not ten frames" <(ls)
    ffmpeg -loglevel error -y -start_number 1 -i SDL_window1-%08d.bmp -f rawvideo -pix_fmt rgb24 got </dev/null || fail "no pictures"
    ffmpeg -loglevel error -y -f rawvideo -pix_fmt "$1" -s 64x48 -i "$1.raw" -f rawvideo -pix_fmt rgb24 wanted </dev/null
    "$python" -c "
import numpy
x, y = (numpy.fromfile(name, 'u1').astype(int) for name in ('wanted', 'got'))
assert x.size == 92160 and x.shape == y.shape and abs(x - y).max() <= $2, (x.shape, y.shape, abs(x - y).max())" || fail "$1: other pixels"
}
program gray 8 3072
program rgb24 24 9216
program yuv420p 12 4608
is_shown gray 0
is_shown rgb24 0
is_shown yuv420p 40

# ---- how it ends ---------------------------------------------------------------------------------

# The user closes the window after a while; what comes has no end.
cat >close.c <<'END_OF_C'
#include <SDL.h>

int SDL_PollEvent(SDL_Event *event)
{
    static int calls;
    event->type = SDL_QUIT;
    return ++calls == 100;
}
END_OF_C
read -ra flags < <(pkg-config --cflags sdl2)
${CC:-cc} -shared -fPIC "${flags[@]}" -o close.so close.c >log 2>&1 || fail "no library" log
LD_PRELOAD=$PWD/close.so run 0 gray/gray --in=/dev/zero
start gray/gray --in=/dev/zero
until_so is_at_work
kill -TERM $running
ended
[ $status -eq 0 ] || fail "exit status $status after SIGTERM" messages
: >nothing
run 0 gray/gray --in=nothing # and no window
SDL_VIDEODRIVER=nowhere run 1 gray/gray --in=gray.npy
expect "no window can be shown: nowhere not available" messages

# Without a display, SDL of itself takes a driver that shows nothing.
cat >nothing.c <<'END_OF_C'
#define _GNU_SOURCE
#include <SDL.h>
#include <dlfcn.h>

int SDL_InitSubSystem(Uint32 flags)
{
    int (*real)(Uint32) = (int (*)(Uint32))dlsym(RTLD_NEXT, "SDL_InitSubSystem");
    SDL_SetHint("SDL_VIDEODRIVER", "offscreen");
    return real(flags);
}
END_OF_C
${CC:-cc} -shared -fPIC "${flags[@]}" -o nothing.so nothing.c -ldl >log 2>&1 || fail "no library" log
run 1 env -u SDL_VIDEODRIVER LD_PRELOAD="$PWD/nothing.so" gray/gray --in=gray.npy
expect "no window can be shown: " messages

# ---- what is refused -----------------------------------------------------------------------------

ports='in=uint8_t[3840]'
network screen "bits='10' $size"
run 1 "$dalsynth" -o refused screen.xml
expect "bits of a pixel are 8 (grey), 24 (rgb24) or 12 (yuv420p)" messages
ports='in=uint8_t[18]'
network screen "bits='12' width='3' height='4'"
run 1 "$dalsynth" -o refused screen.xml
expect "with 12 bits (yuv420p), width and height are even" messages
refuse_part "variable 'width'" screen "height='48'"
