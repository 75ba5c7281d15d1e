#!/usr/bin/env bash
# The package dal of Python: its documentation's examples, and networks that it builds, opens, feeds and interrupts.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

find_numpy || skip "there is no python3 with numpy"
[ -z "${DAL_SANITIZER:-}" ] || skip "an interpreter is not built with sanitizers, and libdal.so is"

export PATH=$build/tools:$build/synth:$build/view:$PATH
export PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$work/cache
cp "$input"/* .
"$python" -X dev "$source/test/python/test_dal.py" "$@" 2>log || { cat log; fail "test_dal.py"; }
tail -n 3 log
