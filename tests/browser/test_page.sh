#!/usr/bin/env bash
# Has the command write a document and its page, and checks the page.
#   test_page.sh NODE SCRIPT FOLDER NAME COMMAND arguments...
set -euo pipefail
node=$1 script=$2 folder=$3 name=$4
shift 4
command -v "$node" >/dev/null 2>&1 || { echo "skipped: no node"; exit 77; }
code=0
"$@" --output "$folder/$name.json" --html "$folder/$name.html" || code=$?
# A failed comparison has its page too.
((code <= 1)) || exit "$code"
exec "$node" "$script" "$folder" "$folder/screenshots" "$folder/$name.html" \
  "$folder/$name.json" "$name"
