#!/usr/bin/env bash
# The bottleneck by name in random networks that have one: a slow process, a slow kernel on a device, a channel that is too
# small, a slow link between two nodes. One of each kind, which must be found in one of five runs, since other programs on the
# machine are bottlenecks, too. Or PLANTED of each, run once, of which one in twenty may be missed. PLANTED_KINDS names
# fewer kinds, PLANTED_SEED the first one of the networks.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalview=$build/view/dalview
slow=$build/test/nodes/slow_link
[ "$(nproc)" -gt 1 ] || skip "two cores are wanted"
each=${PLANTED:-1}
first=${PLANTED_SEED:-1}
runs=5
[ -z "${PLANTED:-}" ] || runs=1
without_leaks
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # as in a user namespace

# has KIND: can it be tried here?
has() {
    case $1 in
    link) find_mpi && "$slow" 1000 12500000 true ;;
    *) true ;;
    esac
}

launch_net() { # KIND
    case $1 in
    link)
        DAL_STATS=./run.json run 0 "$slow" 1000 12500000 mpirun --mca plm_rsh_agent "$slow --far" \
            --host 10.77.0.1,10.77.0.2 -n 2 net/net
        ;;
    *) DAL_STATS=./run.json run 0 net/net ;;
    esac
}

tried=0 right=0
for kind in ${PLANTED_KINDS:-process channel device link}; do
    has "$kind" >why 2>&1 || { echo "no $kind: $(tail -n 1 why)" && continue; }
    for ((seed = first; seed < first + each; seed++)); do
        mkdir one && cd one
        planted=$(python3 "$source/test/view/plant.py" "$seed" "$kind")
        synthesise -o net net.xml arch.xml map.xml
        found=
        for ((i = 0; i < runs; i++)); do
            launch_net "$kind"
            run 0 "$dalview" --measured=run.json -o view.json net.xml arch.xml map.xml
            found=$(sed -n 's/.*"limit":{"sort":"\([a-z]*\)","index":\([0-9]*\).*/\1 \2/p' view.json)
            [ "$found" != "$planted" ] || break
        done
        tried=$((tried + 1))
        if [ "$found" = "$planted" ]; then
            right=$((right + 1))
        else
            echo "$kind, seed $seed: $found instead of $planted"
            grep -o '"limit":{[^}]*}' view.json
            [ -z "${PLANTED_KEEP:-}" ] || cp -r . "$PLANTED_KEEP/$kind-$seed"
        fi
        cd ..
        rm -rf one
    done
done
echo "$right of $tried bottlenecks by name"
[ $((20 * right)) -ge $((19 * tried)) ] || fail "too many are missed"
