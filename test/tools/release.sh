#!/usr/bin/env bash
# tools/release: figures of older code are no figures of a release.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

release=$source/tools/release

says() { # STATUS TEXT WHAT
    echo "$3"
    GIT_CEILING_DIRECTORIES=$work run "$1" "$release" "$work/tree"
    cat output >>messages
    expect "$2" messages
}

mkdir -p tree/rt tree/channels tree/doc/bench/here
echo 'commit      0123456789' >tree/doc/bench/here/machine.txt
mkdir empty
# dirname is not there either, but is not needed with a folder
PATH=$work/empty run 0 /bin/bash "$release" tree
expect "no git" output
command -v git >/dev/null || skip "git is missing"
says 0 "no repository here" "a tarball"

commit() { # MESSAGE
    git -C tree add -A
    git -C tree -c user.name=t -c user.email=t@t -c commit.gpgsign=false commit -qm "$1"
}
measured() { echo "commit      $(git -C tree rev-parse HEAD)" >tree/doc/bench/here/machine.txt; }

git init -q tree
echo 1 >tree/rt/a.c
commit first
says 1 "does not have" "a commit that nobody has"
measured
commit figures
says 0 "are of this code" "figures of this code"
echo text >tree/README.md
commit text
says 0 "are of this code" "a text makes no other code"
echo 2 >tree/rt/a.c
says 1 "not committed" "a change that is not committed"
commit second
says 1 "last in $(git -C tree rev-parse HEAD): measure anew" "rt has changed"
measured
commit figures
says 0 "are of this code" "measured anew"
echo 2 >tree/channels/b.c
commit third
says 1 "measure anew" "channels have changed"
measured
mkdir tree/doc/bench/there
echo 'cpu' >tree/doc/bench/there/machine.txt
says 1 "doc/bench/there names no commit" "a machine without a commit"
echo "all passed"
