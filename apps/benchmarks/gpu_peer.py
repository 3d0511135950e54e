"""Times PyTorch's product from host to host: the peer of gpu_boundary."""

import statistics
import time

import torch


def median_milliseconds(n):
    a = torch.rand(n, n, dtype=torch.float64)
    b = torch.rand(n, n, dtype=torch.float64)

    def product():
        return (a.cuda() @ b.cuda()).cpu()

    for _ in range(3):
        product()
    seconds = []
    end = time.time() + 0.6
    while time.time() < end or len(seconds) < 5:
        start = time.perf_counter()
        product()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds) * 1e3


for n in (64, 256, 1024, 2048, 4096):
    print(f"pytorch {torch.__version__} n={n} {median_milliseconds(n):.4f} ms")
