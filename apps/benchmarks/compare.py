#!/usr/bin/env python3
"""Runs the peers in turn and prints how tandem compares, as Markdown.

  compare.py BUILD/apps/benchmarks [--rounds 5] [--threads 1] [--narrow-peers]

Every peer is a process of its own, started anew each round, as its users would
get it. A figure is the median over the rounds, a ratio the median of the ratios
within a round, by processor time for one thread and by real time for more. A
peer that picked a kernel below the CPU's widest instruction set is an error;
--narrow-peers prints it all the same.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

WIDE_KERNELS = {  # what each peer calls a kernel of the widest set
    "avx512": ["AVX-512", "SkylakeX", "Cooperlake", "SapphireRapids", "skx",
               "zen4", "AVX512"],
    "avx2": ["AVX2", "Haswell", "Zen", "haswell", "zen", "AVX512"],
}


def cpu():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    field = lambda name: next(line.split(":")[1].strip() for line in
                              text.splitlines() if line.startswith(name))
    widest = "avx512" if "avx512f" in field("flags").split() else "avx2"
    return f"{field('model name')}, family {field('cpu family')} model " \
           f"{field('model')}", widest


def run(program, environment, *arguments):
    done = subprocess.run([program, "--benchmark_format=json", *arguments],
                          env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program}: exit status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def rates(report, counter, by_processor_time):
    result = {}
    for entry in report["benchmarks"]:
        rate = entry[counter] if counter in entry else None
        if rate and by_processor_time and "/real_time" in entry["name"]:
            rate *= entry["real_time"] / entry["cpu_time"]
        result[entry["name"].replace("/real_time", "")] = rate
    return result


def is_wide(kernel, widest):
    return any(name in kernel for name in WIDE_KERNELS[widest])


def environment_for(threads):
    environment = dict(os.environ)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "BLIS_ARCH_TYPE"):
        environment.pop(name, None)
    for name in ("OPENBLAS", "BLIS", "OMP"):
        environment[name + "_NUM_THREADS"] = str(threads)
    environment["TANDEM_BENCHMARK_THREADS"] = str(threads)
    return environment


def print_products(measured, peers, share_of):
    print(f"| case | tandem GFLOP/s | {'of peak | ' if share_of else ''}" +
          " | ".join(f"/ {peer}" for peer in peers) + " |")
    columns = 2 + bool(share_of) + len(peers)
    print("|---" * columns + "|")
    for case, ours in measured["tandem"].items():
        cells = [case, f"{statistics.median(ours):.1f}"]
        if share_of:
            cells.append(f"{statistics.median(ours) / share_of:.2f}")
        for peer in peers:
            ratios = [a / b for a, b in zip(ours, measured[peer][case])]
            cells.append(f"{statistics.median(ratios):.2f}")
        print("| " + " | ".join(cells) + " |")
    print()


def compare_products(folder, options, widest, peak):
    environment = environment_for(options.threads)
    peers = [name for name in ("openblas", "blis", "eigen")
             if (folder / f"product_{name}").exists()]
    measured, narrow = {}, []
    for turn in range(options.rounds):
        for name in ["tandem", *peers]:
            report = run(folder / f"product_{name}", environment,
                         f"--benchmark_min_time={options.min_time}",
                         f"--benchmark_filter={options.filter}")
            kernel = report["context"]["kernel"]
            if turn == 0:
                print(f"- {name}: kernel {kernel}, "
                      f"{report['context']['threads']} threads")
                if not is_wide(kernel, widest):
                    narrow.append(name)
            found = rates(report, "GFLOP/s", options.threads == 1)
            for case, rate in found.items():
                measured.setdefault(name, {}).setdefault(case, []).append(rate)
    print()
    shown = [p for p in peers if p not in narrow or options.narrow_peers]
    print_products(measured, shown, peak if options.threads == 1 else None)
    return narrow


def print_limits(folder, rounds):
    seen = {}
    for _ in range(rounds):
        report = run(folder / "limits_benchmark", dict(os.environ),
                     "--benchmark_min_time=0.1")
        for entry in report["benchmarks"]:
            rate = entry.get("GFLOP/s") or entry["GB/s"]
            seen.setdefault(entry["name"], []).append(rate)
    print("| limit or sum | rate | of read bandwidth |\n|---|---|---|")
    for name, values in seen.items():
        read = seen.get("read/" + name.split("/")[-1])
        share = read and statistics.median(a / b for a, b in zip(values, read))
        unit = "GFLOP/s" if name == "multiply_add_peak" else "GB/s"
        print(f"| {name} | {statistics.median(values):.1f} {unit} | "
              f"{f'{share:.2f}' if share else ''} |")
    print()
    return max(seen["multiply_add_peak"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--min-time", type=float, default=0.03)
    parser.add_argument("--filter", default=".")
    parser.add_argument("--narrow-peers", action="store_true")
    options = parser.parse_args()
    model, widest = cpu()
    print(f"{model}, {os.cpu_count()} CPUs, {platform.system()} "
          f"{platform.release()}, load {os.getloadavg()[0]:.1f}\n")
    controls = subprocess.run([options.folder / "controls"],
                              capture_output=True, text=True)
    print(f"Cells that differ from the plain loop: {controls.stdout}")
    peak = print_limits(options.folder, options.rounds)
    narrow = compare_products(options.folder, options, widest, peak)
    for name in narrow:
        print(f"error: {name} picked a kernel below {widest}", file=sys.stderr)
    sys.exit(controls.returncode != 0 or bool(narrow))


if __name__ == "__main__":
    main()
