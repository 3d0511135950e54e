#!/usr/bin/env bash
# Every test has exactly one label of the list: the counts of the labels add up
# to the count of all, and no test is without one.
#   labels.sh CTEST BUILD_DIRECTORY
set -euo pipefail
ctest=$1
cd "$2"

known=(unit conformance golden fault gpu cli package lint fuzz browser kernel)

count() { "$ctest" -N "$@" | sed -n 's/^Total Tests: //p'; }

status=0
all=$(count)
any=$(IFS='|' && echo "^(${known[*]})\$")
without=$(count -LE "$any" || true)
if [[ ${without:-0} != 0 ]]; then
  "$ctest" -N -LE "$any"
  echo "$without tests have no label of the list"
  status=1
fi
sum=0
for label in "${known[@]}"; do
  some=$(count -L "^$label\$")
  sum=$((sum + some))
done
if ((sum != all - without)); then
  echo "$all tests have $sum labels"
  status=1
fi
unknown=$("$ctest" --print-labels | sed -n 's/^  //p' | grep -vxE "$any" || true)
if [[ -n $unknown ]]; then
  printf 'not in the list: %s\n' "$unknown"
  status=1
fi
exit $status
