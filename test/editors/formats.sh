#!/usr/bin/env bash
# dalsynth --check --format=json and sarif: in each form all messages, with file, line, code and way, as the text has them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
command -v python3 >/dev/null || skip "python3 is missing"

# forms STATUS FILE...: the same in three forms
forms() {
    local wanted=$1
    shift
    run "$wanted" "$dalsynth" --check "$@"
    [ ! -s output ] || fail "text is on standard output" output
    mv messages text
    for form in json sarif; do
        run "$wanted" "$dalsynth" --check --format=$form "$@"
        [ ! -s messages ] || fail "--format=$form says something else" messages
        mv output $form
    done
    python3 "$source/test/editors/formats.py" text json sarif >log 2>&1 || fail "$*" log text json sarif
    passed=$((passed + 1))
}

# A message with notes, one of several files, one within a part, one of a column, one without a line, none at all.
for name in deadlock-tokens inconsistent-rates part-inside part-rate unknown-element not-xml; do
    forms 1 "$source/test/spec/bad/$name/network.xml"
    cat text >>texts
done
for part in '^[^ ]*: error: ' '^[^ ]*:[0-9]*: note: ' ', in Eq of [^ ]*:4$'; do
    grep -q -e "$part" texts || fail "no message has '$part'" texts
done
forms 1 nothing.xml
cp "$source/test/spec/bad/not-xml/network.xml" "a name: with % and 'ä'.xml"
forms 1 "$work/a name: with % and 'ä'.xml"
expect 'a%20name%3A%20with%20%25%20and%20%27%C3%A4%27.xml' sarif
cp -r "$source"/apps/hello .
forms 0 hello/hello.xml
[ ! -s text ] || fail "a network without messages" text

run 0 "$dalsynth" --check --format=text hello/hello.xml
run 2 "$dalsynth" --check --format=xml hello/hello.xml
expect "--format is text, json or sarif, not 'xml'" messages
run 2 "$dalsynth" --format=json hello/hello.xml
expect "--format=FORM wants --check" messages
run 2 "$build/tools/dal" check --format=json --explain hello/hello.xml
expect "exclude each other" messages
echo "$passed checks in three forms"
