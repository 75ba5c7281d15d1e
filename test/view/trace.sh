#!/usr/bin/env bash
# Pages of runs without a browser: DAL_REPORT is refused at the start where it cannot be kept, and leaves a whole page or
# none; dalview --trace has the events and fills of the file, and says what is wrong with one.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalview=$build/view/dalview

cp "$source"/apps/hello/*.{xml,c,cl} .
synthesise -o hello hello.xml

# What is known at the start is said there: nothing has run.
for wrong in 1 report report.htm; do
    DAL_REPORT=$wrong run 2 hello/hello
    expect "DAL_REPORT=$wrong: a name that ends in .html is wanted" messages
    [ ! -s output ] && [ ! -e $wrong ] || fail "DAL_REPORT=$wrong, and it runs" output
done
DAL_REPORT=nowhere/r.html run 1 hello/hello
expect "DAL_REPORT=nowhere/r.html cannot be written" messages
[ ! -s output ] || fail "a folder that is not there, and it runs" output
mkdir alone
cp "$build"/rt/.libs/libdal.so.0 alone
echo before >r.html
LD_LIBRARY_PATH=$work/alone DAL_REPORT=r.html run 1 hello/hello
expect "DAL_REPORT wants libdal-page.so.0" messages
[ ! -s output ] && [ "$(cat r.html)" = before ] || fail "the page's library is missing, and it runs" output
ln -s /dev/full full.html
DAL_REPORT=full.html run 1 hello/hello
expect "DAL_REPORT=full.html cannot be written" messages

# The same bytes are printed with and without; the page is whole, and what was there before has gone.
run 0 hello/hello
mv output plain
DAL_REPORT=r.html run 0 hello/hello
cmp plain output || fail "DAL_REPORT changes what is printed"
[ "$(head -n 1 r.html)" = '<!DOCTYPE html>' ] && [ "$(tail -n 1 r.html)" = '</html>' ] || fail "no whole page" r.html
! compgen -G 'r.html?*' >/dev/null || fail "something is left beside the page"
expect '"timeline":{"span_ns":' r.html
expect '"process": "Square"' r.html
DAL_REPORT=0 run 0 hello/hello
[ ! -e 0 ] || fail "DAL_REPORT=0 writes"

# All events and counters of a trace are in the picture.
DAL_TRACE=t.json run 0 hello/hello
expect '{"ph":"C","name":"numbers"' t.json
run 0 "$dalview" --trace=t.json -o picture.json hello.xml
events=$(grep -c '"ph":"X"' t.json)
found=$(sed -n 's/^{"name":"[^"]*","node":"","lost":0,"moves":"","events":\[\(.*\)\]}.*/\1/p' picture.json | tr , '\n' | grep -c . || true)
[ "$found" = $((4 * events)) ] || fail "$events events, and $found numbers" picture.json
expect '{"channel":"numbers","node":"","points":[' picture.json

# refused FILE LINE TEXT
refused() {
    run 1 "$dalview" --trace="$1" -o x.json hello.xml
    grep -qE "^$1:$2 ?error: \[bad-trace\] .*$3" messages || fail "$1 is refused in another way" messages
    [ ! -e x.json ] || fail "$1 is drawn"
}
refused missing.json '' 'No such file'
for ending in pftrace prv; do
    DAL_TRACE=t.$ending run 0 hello/hello
    refused t.$ending '' "DAL_TRACE=FILE.json writes one"
done
cp t.pftrace binary.json
refused binary.json '[0-9]+:' 'the file must be an object'
truncate -s 300M large.json
refused large.json '' 'more than 2\^28 bytes'
bytes=$(wc -c <t.json)
for ((length = 0; length < bytes - 2; length += bytes / 25)); do
    head -c $length t.json >cut.json
    refused cut.json '[0-9]+:' .
done
echo '{"other":[]}' >none.json
refused none.json 1: 'traceEvents is missing'
printf '{"traceEvents":[\n{"ph":"X","name":"a","ts":-1}]}' >negative.json
refused negative.json 2: 'ts is -1'
printf '{"traceEvents":[\n{"ph":"X"}]}' >nameless.json
refused nameless.json 2: 'name is missing'
printf '{"traceEvents":[]}\n x' >more.json
refused more.json 2: 'nothing may follow'
{
    echo '{"traceEvents":[{"ph":"M","name":"thread_name","pid":1,"tid":0,"args":{"name":"a"}}'
    for ((i = 1; i <= 10000; i++)); do echo ",{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":$i}"; done
    echo ']}'
} >rows.json
refused rows.json 10001: 'more than 10000 rows'
run 2 "$dalview" --trace=a --trace=b --trace=c -o x.json hello.xml
expect "--trace is of one run, or of two" messages

# A page keeps 400,000 events. With 4000 rows each may have 100, and a longer row loses its first ones.
{
    echo '{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":0,"ts":0}'
    for ((i = 1; i < 103; i++)); do echo ",{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":0,\"ts\":$i}"; done
    for ((i = 1; i < 4000; i++)); do echo ",{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":$i,\"ts\":0}"; done
    echo ']}'
} >long.json
run 0 "$dalview" --trace=long.json -o x.json hello.xml
grep -q '"lost":3,"moves":"","events":\[0,3000,0,0,0,4000,0,0,.*,0,102000,0,0\]' x.json || fail "the last 100 events of 103" x.json

# An empty one is a trace, and so is a run of nothing.
echo '{"traceEvents":[]}' >empty.json
run 0 "$dalview" --trace=empty.json -o x.json hello.xml

# So is one of rows in which nothing happened.
echo '{"traceEvents":[{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"core_0"}},
{"ph":"C","name":"c","pid":1,"ts":4,"args":{"tokens":3}}]}' >rows.json
run 0 "$dalview" --trace=rows.json -o x.json hello.xml
expect '"name":"core_0","node":"","lost":0,"moves":"","events":[]' x.json
echo "pages and traces of runs"
