#!/usr/bin/env bash
# DAL_PROGRESS: lines of how far a network is, as it runs, and what they say of one whose numbers are known.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cat >source.c <<'END_OF_SOURCE'
#include <dal.h>
#include <stdlib.h>

struct _local_states { long fired; };

void source_init(DALProcess *p)
{
    long count;
    if (DAL_getParameterInt("length", &count, p) == 0)
        DAL_setLength((uint64_t)count, p);
}

int source_fire(DALProcess *p)
{
    int number = (int)p->local->fired;
    if (p->local->fired++ == atol(DAL_getParameter("count", p)))
        return 1;
    DAL_write(PORT_out, &number, sizeof(number), p);
    return 0;
}
END_OF_SOURCE
cat >slow.c <<'END_OF_SOURCE'
#include <dal.h>
#include <stdlib.h>
#include <time.h>

void slow_init(DALProcess *p)
{
    long count;
    if (DAL_getParameterInt("length", &count, p) == 0)
        DAL_setLength((uint64_t)count, p);
}

int slow_fire(DALProcess *p)
{
    int numbers[2];
    struct timespec nap = {.tv_nsec = 4000000};
    DAL_read(PORT_in, numbers, sizeof(numbers), p);
    nanosleep(&nap, NULL);
    return 0;
}
END_OF_SOURCE
cat >net.xml <<'END_OF_XML'
<processnetwork name="net">
  <process name="Source" source="source.c"><parameter name="count" value="400"/><parameter name="length" value="400"/></process>
  <process name="Slow" source="slow.c"><parameter name="length" value="0"/></process>
  <channel name="full" from="Source.out" to="Slow.in" type="int" tokenratein="1" tokenrateout="2" size="4"/>
</processnetwork>
END_OF_XML
synthesise -o net net.xml

# 200 iterations of 4 ms: lines as it goes on, and none of them ahead of it.
DAL_PROGRESS=0.05 run 0 net/net
python3 - <<'END_OF_TEST' || fail "what is told" messages
import re
lines = open("messages").read().splitlines()
told = [re.fullmatch(r"net: ([\d.]+) s, (\d+) iterations, ([\d.e+]+)/s, (\w+) fires (\d+) %(?:, (\w+) holds (\d+) %)?(?:, ([\d.]+) s left)?", l)
        for l in lines[:-1]]
assert len(told) >= 3 and all(told), lines
counts = [int(t[2]) for t in told]
assert counts == sorted(counts) and any(0 < count < 200 for count in counts) and counts[-1] <= 200, counts
assert all(float(t[3]) <= 400 for t in told), "faster than it sleeps" # 250, and one more in a line
# Other programs take the core away for longer than a line is apart: most lines say what is so.
usual = sorted(int(t[5]) for t in told)[len(told) // 2]
assert all(t[4] == "Slow" for t in told[1:]) and usual >= 50, lines
assert any(t[6] == "full" and int(t[7]) >= 50 for t in told), lines
left = [float(t[8]) for t in told if t[8]]
assert max(left) > 0 and left[0] >= left[-1], lines
assert re.fullmatch(r"net: [\d.]+ s, 200 iterations, [\d.]+/s in all", lines[-1]), lines[-1]
END_OF_TEST
grep -q $'[\r\033]' messages && fail "a file gets what is for terminals" messages

# Nobody told a length; nothing is told; nothing that is a time.
DAL_PROGRESS=0.05 run 0 net/net -p Source.length=0
grep -q ' left' messages && fail "time is left of an unknown length" messages

# Of two that told a length, the one that needs longer counts: at its pace so far, 99 times as long again.
DAL_PROGRESS=0.05 run 0 net/net -p Slow.length=20000
python3 - <<'END_OF_TEST' || fail "the longest of two" messages
import re
def seconds(text):
    return sum(float(part) * 60**i for i, part in enumerate(reversed(text.removesuffix(" s").split(":"))))
told = re.findall(r"^net: ([\d.]+ s|[\d:]+), .* ([\d.]+ s|[\d:]+) left$", open("messages").read(), re.M)
assert seconds(told[-1][1]) > 50 * seconds(told[-1][0]), told
END_OF_TEST
DAL_PROGRESS=0 run 0 net/net -p Source.count=10
[ ! -s messages ] || fail "progress that was not asked for" messages
for bad in x -1 0.001 1e9 nan 1s; do
    DAL_PROGRESS=$bad run 2 net/net
    expect "DAL_PROGRESS=$bad: seconds between lines are wanted" messages
    ! grep -q "ended early" messages || fail "DAL_PROGRESS=$bad: it begins" messages
done

# On a terminal a line takes the place of the one before.
if command -v script >/dev/null; then
    DAL_PROGRESS=0.05 script -qec net/net typescript >/dev/null || fail "on a terminal" typescript
    [ "$(grep -c $'\r\033\\[Knet: ' typescript)" -eq 1 ] || fail "lines on a terminal" typescript
fi
echo "progress is told"
