#!/usr/bin/env bash
# Pages of runs in Chromium: what DAL_REPORT leaves, two runs with time lines, a run that ended in a deadlock, no trace,
# hostile names, a hundred thousand events. Screenshots stay in test/view/screenshots of the build folder.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalview=$build/view/dalview

find_browser

cp "$source"/apps/hello/*.{xml,c,cl} .
# Two promises; the second cannot be kept, since the producer takes longer than that.
sed -i 's|</processnetwork>|  <latency from="Square" to="Consumer" max="60s" percentile="99.5"/>\
  <latency from="Producer" to="Consumer" max="1us"/>\n&|' hello.xml
sed -i 's|^int Producer_fire.*|#include <time.h>\n&|; s|^ *DAL_write|    nanosleep(\&(struct timespec){0, 1000}, NULL);\n&|' producer.c
architecture core_0 core_1 >arch.xml
echo '<mapping name="both"><binding name="all"><process name="*"/><processor name="core_*"/></binding></mapping>' >both.xml
synthesise -o hello hello.xml arch.xml both.xml
DAL_REPORT=report.html run 0 hello/hello
for number in 1 2; do
    DAL_STATS=./run-$number.json DAL_TRACE=trace-$number.json run 0 hello/hello
done
run 0 "$dalview" --measured=run-1.json --measured=run-2.json --trace=trace-1.json --trace=trace-2.json -o two.html \
    hello.xml arch.xml both.xml
# With a clock, and as an earlier program: nothing is known of percentiles.
sed '0,/"spread"/s//"tokens_per_s": 408, "nominal_per_s": 400, "drift_ppm": -20000, "spread"/
    s/"percentile": [0-9.]*, "percentile_ns": [0-9]*, //; s/"max_ns": [0-9]*, "allowed_ns"/"max_ns": 2500000, "allowed_ns"/' run-1.json >clock.json
! grep -q percentile clock.json || fail "a percentile is left" clock.json
run 0 "$dalview" --measured=clock.json -o plain.html hello.xml arch.xml both.xml

cp "$source"/test/kpn/input/{dead.xml,machine.xml,dead-two.xml,wait.c} .
synthesise -o dead dead.xml machine.xml dead-two.xml
DAL_REPORT=dead.html run 1 dead/dead

# One event a row, of names that could be markup.
long=$(printf 'x%.0s' {1..10000})
{
    echo '{"traceEvents":['
    thread=0
    for name in '<script>window.hit=1</script>' "\\\"'&amp;" '‮right-to-left אב' "$long" '</script><img src=x onerror=window.hit=1>'; do
        echo '{"ph":"M","name":"thread_name","pid":1,"tid":'$thread',"args":{"name":"'"$name"'"}},'
        echo '{"ph":"X","name":"'"$name"'","pid":1,"tid":'$thread',"ts":1,"dur":9,"args":{"firings":2}},'
        thread=$((thread + 1))
    done
    echo '{"ph":"C","name":"</script><b>c0</b>","pid":1,"ts":1,"args":{"tokens":1}},'
    echo '{"ph":"C","name":"</script><b>c0</b>","pid":1,"ts":5,"args":{"tokens":3}}]}'
} >hostile.json
run 0 "$dalview" --trace=hostile.json -o hostile.html "$input/hostile.xml"

{
    echo '{"traceEvents":[{"ph":"M","name":"thread_name","pid":1,"tid":0,"args":{"name":"core_0"},"lost":7},'
    echo '{"ph":"M","name":"thread_name","pid":1,"tid":0,"args":{"name":"core_0","lost":7}}'
    awk 'BEGIN { for (i = 0; i < 100000; i++)
        printf ",\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":1,\"tid\":0,\"ts\":%d,\"dur\":0.7,\"args\":{\"firings\":1}}",
               i % 3 ? "Square" : "Producer", i }'
    echo ']}'
} >many.json
run 0 "$dalview" --trace=many.json -o many.html hello.xml

{
    echo '{"traceEvents":[{"ph":"M","name":"thread_name","pid":1,"tid":0,"args":{"name":"device_0"}},'
    echo '{"ph":"X","name":"Square","pid":1,"tid":0,"ts":1000,"dur":1000,"args":{"firings":2}},'
    echo '{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"device_0 uploads","moves":"upload"}},'
    echo '{"ph":"X","name":"numbers","pid":1,"tid":1,"ts":0,"dur":1000,"args":{"direction":"upload","bytes":2000000}}]}'
} >moved.json
run 0 "$dalview" --trace=moved.json -o moved.html hello.xml

status=0
NODE_PATH=$driver/node_modules node "$source/test/view/report.js" "$(command -v chromium)" "$work" >log 2>&1 || status=$?
mkdir -p "$build/test/view/screenshots"
cp -- *.png "$build/test/view/screenshots" 2>/dev/null || true
[ $status = 0 ] || fail "the pages" log
tail -n 1 log
