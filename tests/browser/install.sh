#!/usr/bin/env bash
# Fetches what the browser tests drive pages with. Silent where it is there.
#   install.sh FOLDER   (for node_modules; a build folder)
# Ends with 0 in any case: without it the tests skip and say why.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
mkdir -p "$folder"
if cmp -s "$here/package.json" "$folder/package.json" &&
  [[ -d $folder/node_modules/playwright-core && -d $folder/node_modules/axe-core ]]; then
  exit 0
fi
command -v npm >/dev/null 2>&1 || exit 0
cp "$here/package.json" "$folder/package.json"
# Without a network this must end soon.
npm install --prefix "$folder" --no-audit --no-fund --no-package-lock \
  --fetch-timeout=30000 --fetch-retries=1 --silent >&2 || echo "npm could not fetch the browser tests' packages" >&2
