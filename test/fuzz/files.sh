#!/usr/bin/env bash
# Runs the fuzz target of files that programs read, from real ones on: FUZZ_SECONDS=10 (fuzzer.sh).
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/fuzz/fuzzer.sh"

pkg-config --exists jansson || skip "jansson is missing"
read -ra libraries <<<"$(pkg-config --cflags --libs jansson)"
make_target "$source/test/fuzz/fuzz_files.c" "$source"/rt/streams/{format,npy,stream,tap,wav}.c "$source/parts/sigmf_in/meta.c" \
    "$source"/rt/base/{alloc,child,clock,error,json,npy,output,overlay,shape,token,value}.c "$source"/spec/base/*.c \
    "$source"/spec/read/{json,members,recording}.c "${libraries[@]}" -lm
mkdir seeds
array() { # SEED LENGTH-FORMAT WIDTH: an array of NumPy, with that much in its header
    printf "%b%-$3s\n0123456789ab" "$2" "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }" >"seeds/npy-$1"
}
for type in 0 1 2 3; do
    array $type-1 "n$type\x93NUMPY\x01\0v\0" 117
    array $type-2 "n$type\x93NUMPY\x02\0t\0\0\0" 115
    array $type-3 "n$type\x93NUMPY\x03\0t\0\0\0" 115
    printf 'w%sRIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\xbb\0\0\0\x77\1\0\2\0\x10\0data\x8\0\0\0abcdefgh' $type >seeds/wav-$type
done
printf 's0{"global": {"core:datatype": "cf32_le", "core:sample_rate": 1e6, "core:version": "1.0.0", "core:num_channels": 1},
"captures": [{"core:sample_start": 0}], "annotations": [{"core:sample_start": 3, "core:sample_count": 5}]}' >seeds/sigmf
printf 'j0{"recording": "Gauss.out", "network": "taps", "file": "Gauss.out.npy", "type": "float", "kind": "f", "order": 1,
"offset": 0, "count": 2, "token_bytes": 8, "most": 0, "header_bytes": 0, "rate": 2, "tokens": 12, "end": "whole",
"inputs": [["Source.out", 1, 0]]}' >seeds/recording
run_target "${FUZZ_SECONDS:-10}" 4000
