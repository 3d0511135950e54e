#!/usr/bin/env bash
# Writes a page whose data is markup, and checks that it stayed text.
#   test_hostile_page.sh NODE SCRIPT FOLDER WRITER KIND
set -euo pipefail
node=$1 script=$2 folder=$3 writer=$4 kind=$5
command -v "$node" >/dev/null 2>&1 || { echo "skipped: no node"; exit 77; }
"$writer" "$kind" "$folder/hostile_$kind.html" "$folder/hostile_$kind.txt"
exec "$node" "$script" "$folder" "$folder/screenshots" \
  "$folder/hostile_$kind.html" "$folder/hostile_$kind.txt"
