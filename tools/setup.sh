# Shared by tools/check and tools/demo (and sourced by them): what to install, how to build.
# shellcheck shell=bash disable=SC2034

# Debian's names. The first list is what building and running takes; the others are for more tests.
build_packages=(build-essential autoconf automake libtool pkg-config libxml2-dev
    ocl-icd-opencl-dev libhwloc-dev libjpeg-dev libcunit1-dev libclang-dev libmicrohttpd-dev pocl-opencl-icd)
check_packages=(libopenmpi-dev openmpi-bin ccache clang-format shellcheck valgrind xz-utils libxml2-utils oclgrind
    mandoc cmake ninja-build meson groff zsh python3-dev python3-numpy chromium fonts-dejavu-core graphviz spin
    libsndfile1-dev sox flac libpng-dev ffmpeg locales
    libavdevice-dev libavformat-dev libavcodec-dev libswscale-dev libhdf5-dev hdf5-tools python3-h5py libjansson-dev
    libasound2-dev libsdl2-dev libfftw3-dev libsamplerate0-dev libzmq3-dev python3-zmq libonnxruntime-dev neovim emacs-nox elpa-eglot)
# Not every release of Debian has these; a test without one is skipped.
rare_packages=(oclgrind elpa-eglot libonnxruntime-dev)
# Debian's own stand in the way of a node that has come from elsewhere.
command -v npm >/dev/null || check_packages+=(nodejs npm)

say()
{
    printf '\n== %s\n' "$*"
}

die()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

is_installed()
{
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root()
{
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "this needs root or sudo: $*"
    fi
}

# leave_out_rare: takes those from `missing` that apt does not know and that are not always there.
leave_out_rare()
{
    local name found=()
    for name in "${missing[@]}"; do
        if [[ " ${rare_packages[*]} " == *" $name "* ]] && ! apt-cache show "$name" >/dev/null 2>&1; then
            echo "This system has no package $name: what needs it is skipped."
        else
            found+=("$name")
        fi
    done
    missing=("${found[@]}")
}

# install_packages NAME...: installs those that are missing; asks the network for nothing when none is.
install_packages()
{
    local missing=() name
    command -v dpkg-query >/dev/null || {
        echo "This is not a Debian system. If the next steps fail, install what stands for: $*"
        return 0
    }
    for name in "$@"; do
        is_installed "$name" || missing+=("$name")
    done
    [ ${#missing[@]} = 0 ] && return 0
    say "Installing packages: ${missing[*]}"
    as_root apt-get update -q || die "apt-get update failed; is there a network?"
    leave_out_rare
    [ ${#missing[@]} = 0 ] && return 0
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}" ||
        die "these packages could not be installed: ${missing[*]}"
}

# quietly FILE COMMAND...: what the command says goes to a file, and is shown only if it fails.
quietly()
{
    local file=$1
    shift
    mkdir -p "$(dirname "$file")"
    "$@" >"$file" 2>&1 || {
        tail -n 40 "$file"
        die "$1 failed; all that it said is in $file"
    }
}

# make_configure: runs autoreconf when the tree has no configure, or an old one.
make_configure()
{
    if [ ! -x configure ] || [ configure.ac -nt configure ] || [ m4/dal.m4 -nt configure ] ||
        [ ! -f Makefile.in ]; then
        say "Generating configure"
        quietly build/autoreconf.txt autoreconf --install
    fi
}

# configure_in FOLDER OPTION...: an out-of-tree build folder with these options. It knows the sources by a relative path, as
# the build of 'make distcheck' does, which then has its objects from ccache.
configure_in()
{
    local folder=$1 source
    shift
    if [ -f "$folder/Makefile" ] && [ "$(cat "$folder/options" 2>/dev/null)" = "$*" ] &&
        [ ! configure -nt "$folder/config.status" ]; then
        return 0
    fi
    say "Configuring $folder ${*:+($*)}"
    rm -rf "$folder"
    mkdir -p "$folder"
    source=$(realpath --relative-to="$folder" .)
    (cd "$folder" && quietly "$PWD/configure.txt" "$source/configure" -q "$@") || exit 1
    echo "$*" >"$folder/options"
}

jobs()
{
    nproc
}
