#!/usr/bin/env bash
# Runs the tests that need a GPU, which then fail where there is none.
#   tests/gpu.sh BUILD [LIBRARY_DIRS]              every test of the label gpu
#   tests/gpu.sh BUILD --sanitize [LIBRARY_DIRS]   the same under compute-sanitizer
# BUILD is a configured and built folder. LIBRARY_DIRS, separated by colons, is
# where CUDA's libraries are, if not where the README says they are looked for.
set -euo pipefail
build=$(cd "$1" && pwd)
shift
sanitize=false
if [[ ${1-} == --sanitize ]]; then
  sanitize=true
  shift
fi
export TANDEM_REQUIRE_GPU=1
if [[ $# -gt 0 ]]; then export TANDEM_CUDA_LIBRARY_DIR=$1; fi

if ! $sanitize; then
  exec ctest --test-dir "$build" -L gpu --no-tests=error --output-on-failure
fi

# One process a program. A static executor lives to the end on purpose in one
# test, and a forked child in others: neither can be checked for leaks.
check() {
  local program=$1 filter=$2
  for tool in 'memcheck --leak-check full' initcheck synccheck; do
    echo "compute-sanitizer $tool: $(basename "$program")"
    # shellcheck disable=SC2086
    compute-sanitizer --tool $tool --error-exitcode 9 --target-processes \
      application-only "$program" --gtest_brief=1 --gtest_filter="$filter" |
      tail -n 4
  done
}
export TANDEM_GPU_PRODUCTS=${TANDEM_GPU_PRODUCTS-50}
export TANDEM_GPU_REQUESTS=${TANDEM_GPU_REQUESTS-200}
export TANDEM_GPU_EXECUTORS=${TANDEM_GPU_EXECUTORS-3}
check "$build/tests/cuda/tandem_cuda_gpu_tests" '-*Child*:*Exit*:*KeepsMemory*'
check "$build/tests/conformance/conformance_test" '*/Cuda'
