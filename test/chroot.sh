#!/usr/bin/env bash
# The README's two commands on a machine that has nothing: an empty Debian in a chroot. Or the packages, from one to another.
# Not a part of make check: it needs root, debootstrap, a network, 4 GB of disk and a while.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage()
{
    cat <<'END'
Usage: test/chroot.sh [OPTION]... [RELEASE]
Makes a chroot of a Debian release (bookworm), copies the working tree into it, and runs
tools/demo and tools/check there. The mirror is the one of this machine's apt.

  --all        tools/check --all instead of tools/check
  --packages   instead, the packages: built there, looked at by lintian, installed in a
               second empty chroot, and used there by a user who is not root
  --committed  the last commit instead of the working tree
  --keep       leave the chroots there in the end
  -h, --help   print this text and exit
END
}

release=bookworm
check_options=
packages=no
committed=no
keep=no
while [ $# -gt 0 ]; do
    case $1 in
    --all) check_options=--all ;;
    --packages) packages=yes ;;
    --committed) committed=yes ;;
    --keep) keep=yes ;;
    -h | --help) usage && exit 0 ;;
    -*) usage >&2 && exit 2 ;;
    *) release=$1 ;;
    esac
    shift
done

[ "$(id -u)" = 0 ] || { echo "test/chroot.sh: only root can do this" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "test/chroot.sh: debootstrap is missing" >&2; exit 1; }

roots=()

# Deepest first; nothing is removed while something is still mounted below.
clean_up()
{
    for root in "${roots[@]}"; do
        remove_root
    done
}

remove_root()
{
    local mounted
    for mounted in dev/shm sys proc; do
        if mountpoint -q "$root/$mounted"; then
            umount "$root/$mounted" || umount -l "$root/$mounted"
        fi
    done
    if [ "$keep" = yes ]; then
        echo "The chroot is still there: $root"
    elif ! grep -qF " $root/" /proc/mounts; then
        rm -rf --one-file-system "$root"
    fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# The first Debian mirror that apt knows, without its security archive.
mirror()
{
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(SITE) $(CREATED_BY)' |
        awk '$2 == "Packages" && $1 !~ /security/ { print $1; exit }'
}

make_root()
{
    local from
    from=$(mirror)
    root=$(mktemp -d "${TMPDIR:-/var/tmp}/dal-chroot.XXXXXX")
    roots+=("$root")
    chmod 755 "$root" # it is the / of whoever is not root, too
    [ -n "$from" ] || { echo "apt knows no mirror" >&2; exit 1; }
    echo "== Debian $release from $from in $root"
    debootstrap --variant=minbase "$release" "$root" "$from" >"$root.log" 2>&1 || {
        tail -n 20 "$root.log" >&2
        exit 1
    }
    rm -f "$root.log"
    apt-config dump | grep -iE '^Acquire::(http|https)::proxy' >"$root/etc/apt/apt.conf.d/80proxy" || true
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mkdir -p "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/dev/shm"
}

copy_source()
{
    mkdir "$root/dal"
    if [ "$committed" = yes ]; then
        git archive HEAD
    else
        git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read
    fi | tar -x -C "$root/dal"
}

inside()
{
    echo "== In the chroot: $*"
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive /bin/bash -c "cd /dal && $*" </dev/null
}

try_commands()
{
    inside tools/demo
    [ -s "$root/dal/build/demo/mjpeg/contact-sheet.png" ] || { echo "no contact sheet" >&2; exit 1; }
    inside "tools/check $check_options"
    echo "== tools/demo and tools/check pass on an empty Debian $release"
}

# The tests of the source are tools/check's. A user has the packages, and what debian/tests wants beside them.
try_packages()
{
    local built=$root wanted
    inside "apt-get update -q && apt-get install -y -q --no-install-recommends build-essential lintian"
    inside "apt-get build-dep -y -q --no-install-recommends -P nocheck ./"
    inside "DEB_BUILD_OPTIONS='nocheck parallel=$(nproc)' dpkg-buildpackage -us -uc -Pnocheck >/build.txt 2>&1" || {
        tail -n 40 "$built/build.txt" >&2
        exit 1
    }
    inside "lintian --allow-root --fail-on error ../*.changes"
    wanted=$(sed -n '1,/^$/s/^Depends: //p' debian/tests/control | tr -d , | tr ' ' '\n' | grep -vE '^(lib|python3-)?dal')
    make_root
    mkdir "$root/dal"
    cp "$built"/*.deb debian/tests/embed debian/tests/hello debian/tests/jobs debian/tests/tune "$root/dal/"
    rm "$root"/dal/*-dbgsym_*.deb
    inside "apt-get update -q && apt-get install -y -q --no-install-recommends ./*.deb man-db ${wanted//$'\n'/ }"
    inside "useradd -m user && su - user -c 'sh -e /dal/hello && man -w dalsynth dalview dal-network dal.h'"
    # what this release has: Debian 12 has no ONNX Runtime
    inside "sed -n 's/^    sudo apt install //p' /usr/share/dal/examples/*/README.md | xargs apt-cache show 2>/dev/null |
        sed -n 's/^Package: //p' | sort -u | xargs apt-get install -y -q --no-install-recommends"
    inside "su - user -c 'sh -e /dal/jobs'"
    inside "su - user -c 'sh -e /dal/tune'"
    inside "apt-get install -y -q --no-install-recommends cmake g++ make meson"
    inside "su - user -c 'sh -e /dal/embed'"
    echo "== the packages are built, installed and used on an empty Debian $release"
}

make_root
copy_source
if [ "$packages" = yes ]; then
    try_packages
else
    try_commands
fi
