#!/usr/bin/env bash
# Tracked files hold no reminder to ourselves, no path of one machine and no
# reference that only makes sense elsewhere.
#   words.sh ROOT
set -euo pipefail
cd "$1"

if [[ -e .git ]] && command -v git >/dev/null; then
  mapfile -t files < <(git ls-files)
else
  mapfile -t files < <(find . -type f -not -path '*/build*/*')
fi

status=0
# reject WHAT PATTERN: brackets in a pattern keep it from finding itself.
reject() {
  if grep -nIE -e "$2" -- "${files[@]}" 2>/dev/null; then
    echo "  ^ $1"
    status=1
  fi
}
reject 'a reminder' '\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b'
reject 'a path of one machine' '(^|[^A-Za-z0-9_.])/(hom[e]|wor[k]|roo[t]|User[s])/'
reject 'a path of one machine' '(^|[^A-Za-z0-9_.])/tm[p]/[a-z]'
reject 'a number of a tracker' '\b[Ii]ssu[e] #?[0-9]+'
reject 'a merge left open' '^(<<<<<<<|>>>>>>>) '
exit $status
