# shellcheck shell=bash disable=SC2154
# What runs of fuzz targets share, after test/lib.sh: a compiler with libFuzzer, how a target is made, and a run of it.
# FUZZ_SECONDS says how long. For longer runs, keep what is found with FUZZ_CORPUS=FOLDER.

clang=$(compgen -c clang | grep -E '^clang(-[0-9]+)?$' | sort | head -n 1 || true)
[ -n "$clang" ] || skip "clang is not installed, and without it there is no libFuzzer"
echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' >probe.c
"$clang" -fsanitize=fuzzer,address,undefined -o probe probe.c 2>/dev/null ||
    skip "$clang has no libFuzzer with sanitizers (its runtime library is not installed)"

# make_target OPTION...: makes ./fuzz of sources, with the sanitizers
make_target() {
    "$clang" -std=gnu11 -D_GNU_SOURCE -g -O1 -w -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
        -I"$source" -DPACKAGE_VERSION='"0"' -o fuzz "$@"
}

# run_target SECONDS BYTES: from the inputs in seeds/ on, with so many bytes at most
run_target() {
    local corpus=${FUZZ_CORPUS:-corpus}
    mkdir -p "$corpus"
    ./fuzz -max_total_time="$1" -close_fd_mask=2 -timeout=300 -rss_limit_mb=3000 -max_len="$2" -print_final_stats=1 \
        "$corpus" seeds >log 2>&1 || {
        tail -n 60 log
        mkdir -p "$build/test/fuzz-found"
        cp ./{crash,timeout,oom,leak}-* "$build/test/fuzz-found/" 2>/dev/null || true
        echo "what was found is in test/fuzz-found"
        exit 1
    }
    grep -E 'stat::(number_of_executed_units|average_exec_per_sec)|DONE|cov:' log | tail -n 4
}
