#!/usr/bin/env bash
# The notebook of apps/notebook: its cells run in a plain python3, and print and draw what it has stored. The chapter of the
# manual is made of it. REGENERATE=1 stores what they print, and makes the chapter.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

find_numpy || skip "there is no python3 with numpy"
command -v dot >/dev/null || skip "dot is missing"
[ -z "${DAL_SANITIZER:-}" ] || skip "an interpreter is not built with sanitizers, and libdal.so is"

export PATH=$build/tools:$build/synth:$build/view:$PATH
export PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$work/cache
mkdir pages
cp "$source"/apps/notebook/*.* .
chmod u+w -- *.*

run 0 "$python" cells.py --store tone.ipynb
[ "${REGENERATE:-0}" = 0 ] || cp tone.ipynb "$source/apps/notebook/"
cp "$source/apps/notebook/tone.ipynb" .
chmod u+w tone.ipynb
run 0 "$python" cells.py tone.ipynb
expect "[1] dal.Network('tone.xml')" output
[ "$(grep -c '"image/svg+xml"' tone.ipynb)" = 4 ] || fail "four pictures are stored"

# Something else that is stored is found, in texts and in pictures.
for change in 's/(3072,)/(3073,)/' 's/>Split</>Splits</'; do
    sed "$change" "$source/apps/notebook/tone.ipynb" >changed.ipynb
    run 1 "$python" cells.py changed.ipynb
    expect 'has stored something else' output
done

"$python" "$source/doc/site/notebook.py" tone.ipynb pages/notebook.md 'Next: [mapping](mapping.md).' 2>log || fail "the chapter" log
[ "${REGENERATE:-0}" = 0 ] || cp pages/* "$source/doc/manual/"
for file in pages/*; do
    cmp "$file" "$source/doc/manual/${file##*/}" || fail "${file##*/} is not of the notebook: REGENERATE=1 makes it"
done
