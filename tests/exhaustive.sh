#!/usr/bin/env bash
# The tests that ctest only samples, in full: every 16-bit conversion, the whole
# sweep of mixed products, 100,000 random products, a million random strings.
# Some minutes.
#   tests/exhaustive.sh BUILD
set -euo pipefail
build=$1
export TANDEM_EXHAUSTIVE=1 TANDEM_RANDOM_STRINGS=1000000
export TANDEM_PRODUCT_PROBLEMS=${TANDEM_PRODUCT_PROBLEMS-100000}
for program in tensor/float16_test cpu/mixed_product_test \
  cpu/tandem_cpu_tests text/text_test; do
  echo "== $program"
  "$build/tests/$program" --gtest_brief=1
done
