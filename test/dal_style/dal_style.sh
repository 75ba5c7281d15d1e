#!/usr/bin/env bash
# Sources and specifications as public DAL applications have them, unchanged: namespaces, sizes in
# bytes, headers of the processes' own, constants that a generator made, windows and DAL_foreach.
# What DAL has and this does not is refused where it stands.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp -r "$input/." .
chmod -R u+w .

# refused FILE SED-SCRIPT TEXT: the change to a source is refused with this text
refused() {
    cp "$1" kept
    sed -i "$2" "$1"
    cmp -s "$1" kept && fail "the change to $1 changes nothing"
    refuse "$3" network.xml architecture.xml mapping.xml
    mv kept "$1"
}

# What is computed here: pairs of numbers, every third one to each of three processes that multiply
# by 1, 2, 3; the pairs come out side by side.
awk 'BEGIN {
    for (round = 0; round < 5; round++)
        for (lane = 0; lane < 3; lane++) {
            a = (6 * round + lane) * (lane + 1); b = a + 3 * (lane + 1); sum += a + b
            printf "consumer: %d %d\n", a, b
        }
    printf "consumer: 30 numbers, sum %d, index -1\n", sum
}' >expected

sed 's/"core_1"/"core_0"/' mapping.xml >one.xml
for mapping in mapping one; do
    synthesise -o "$mapping" network.xml architecture.xml "$mapping.xml"
    [ ! -s made ] || fail "$mapping: warnings" made
    run 0 "$mapping/APP1"
    grep -qx 'scatter: 10 rounds' output || fail "$mapping: no rounds" output
    grep -v '^scatter' output | diff - expected || fail "$mapping: other numbers"
done

refused src/scatter.c 's/p->local->round++;/& DAL_create_checkpoint(p->local, 4, "c", p);/' \
    "src/scatter.c:22:24: error: [source-build] call to 'DAL_create_checkpoint' declared with attribute error: checkpoints of DAL are not supported"
refused src/scale.h 's/typedef float TOKEN_in_t/typedef double TOKEN_in_t/' \
    "src/scale.c:1:1: error: [source-build] static assertion failed: \"port in: the constants of the source are not"
refused src/scale.h 's/TOKEN_out_RATE *(2)/TOKEN_out_RATE (3)/' \
    "src/scale.c:2:1: error: [source-build] static assertion failed: \"port out: the constants of the source are not"
echo "2 mappings of one application, 3 changes refused"
