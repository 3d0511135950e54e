#!/usr/bin/env python3
"""Reads object files and fails where they hold what they must not.

  check_objects.py fused OBJDUMP PLANTED OBJECT...  no fused multiply-add
  check_objects.py weak NM PLANTED OBJECT...        no weak definition

PLANTED is an object that does hold it: a check that does not see it there is
itself at fault.
"""

import re
import subprocess
import sys

CHECKS = {
    # x86 and AArch64 spellings, scalar and vector.
    "fused": (["-d", "--no-show-raw-insn"],
              re.compile(r"\t(vfn?m(add|sub)\w*|fn?m(add|sub)|fml[as])\b")),
    # Definitions only: W and V are weak, u is unique across the process.
    "weak": (["-C"], re.compile(r"^[0-9a-f]+ [WVu] ")),
}


def findings(tool, arguments, pattern, path):
    run = subprocess.run([tool, *arguments, path], check=True, text=True,
                         capture_output=True)
    return [line.strip() for line in run.stdout.splitlines()
            if pattern.search(line)]


def main():
    check, tool, planted, *paths = sys.argv[1:]
    arguments, pattern = CHECKS[check]
    seen = findings(tool, arguments, pattern, planted)
    if not seen:
        sys.exit(f"{check}: did not see what is planted in {planted}")
    if not paths:
        sys.exit(f"{check}: no objects to read")
    print(f"{check}: saw the planted one: {seen[0]}")
    wrong = 0
    for path in paths:
        for line in findings(tool, arguments, pattern, path):
            print(f"{path}: {line}")
            wrong += 1
    print(f"{check}: read {len(paths)} objects, found {wrong}")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
