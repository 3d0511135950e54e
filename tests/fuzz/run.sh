#!/bin/sh
# Fuzzes each target for SECONDS (600 unless given) under ASan and UBSan. What
# is found new grows a copy of the corpus in build-fuzz/corpus; a finding stops
# the script and is left in build-fuzz.
set -eu
seconds=${1:-600}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build-fuzz
sanitizers=-fsanitize=fuzzer-no-link,address,undefined

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTANDEM_BUILD_FUZZERS=ON \
  -DTANDEM_BUILD_APPS=OFF -DTANDEM_CUDA=OFF \
  -DCMAKE_CXX_FLAGS="$sanitizers -fno-sanitize-recover=all"
for name in safetensors config tokenizer_json encoder; do
  cmake --build "$build" --target "fuzz_$name"
  mkdir -p "$build/corpus/$name"
  "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" \
    -artifact_prefix="$build/" "$build/corpus/$name" \
    "$root/tests/fuzz/corpus/$name"
done
