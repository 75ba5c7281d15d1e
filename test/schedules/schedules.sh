#!/usr/bin/env bash
# Threads under the scheduler, in a build with --enable-schedules: protocols, faults that it has to find, random networks.
# A seed gives the same interleaving each time, and a failure comes again with the options that it names.
#
#   DAL_TEST_NETWORKS=N   random networks (400), four schedules each, and twenty on the cores
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

program=$build/test/schedules/test_schedules
[ -x "$program" ] || skip "no test_schedules: configure --enable-schedules builds it"

# Options with one number instead of random addresses: the second run is another process.
run 0 "$program" --networks 3 --schedules 4 --seed 7 --hash
grep schedule output >once
run 0 "$program" --networks 3 --schedules 4 --seed 7 --hash
grep schedule output | cmp - once || fail "one seed, two interleavings"
passed=$((passed + 1))

# The line of a failure fails again, and the points have lines of sources.
run 1 "$program" --protocol publish --schedules 4
expect "schedule: race: nothing orders this read" output
expect "test/schedules/broken.c:" output
again=$(sed -n 's/^FAIL: test_schedules//p' output)
grep '^  ' output >once
# shellcheck disable=SC2086 # they are several
run 1 "$program" $again
grep '^  ' output | sed 's/ [0-9a-f]\{6,\} / /' >twice
sed 's/ [0-9a-f]\{6,\} / /' once | cmp - twice || fail "a failure that does not come again: $again"
run 0 "$program" --protocol wake --schedules 1 --print
expect "rt/base/wake.c:" output
passed=$((passed + 2))

# Small steps are too few for any network.
run 1 "$program" --first 1 --networks 1 --schedules 1 --steps 100
expect "no end: too many steps" output

for schedule in 1 2 3 4 5 6; do
    in_part $schedule || continue
    DAL_TEST_SCHEDULE=$schedule DAL_TEST_TOKENS=1000 run 0 "$build/test/network/test_network"
    DAL_TEST_SCHEDULE=$schedule DAL_TEST_TOKENS=500 DAL_TEST_OPENS=6 DAL_TEST_STRIDE=7 run 0 "$build/test/run/test_run"
done
for schedule in 1 2; do
    DAL_TEST_SCHEDULE=$schedule DAL_TEST_NETWORKS=2 DAL_TEST_TOKENS=100 DAL_TEST_STRIDE=100 \
        run 0 "$build/test/nodes/test_nodes"
done
run 0 "$program" --protocol all --schedules 200
# In two halves side by side: a program under the scheduler has one core.
half=$((${DAL_TEST_NETWORKS:-400} / test_parts / 2)) first=$((1 + test_part * ${DAL_TEST_NETWORKS:-400} / test_parts))
"$program" --first $first --networks $half --schedules 4 >first-half 2>&1 &
running=$!
run 0 "$program" --first $((first + half)) --networks $half --schedules 4
DAL_TEST_PARK=1 run 0 "$program" --first $((400 + first)) --networks $((half / 2)) --schedules 4
ended
[ "$status" -eq 0 ] || fail "exit status $status of the first half" first-half
run 0 "$program" --policy cores --networks 20 --schedules 1
tail -n 1 output
echo "$passed passed"
