// Kernels in the 512-bit vectors of AVX-512.
#include "cpu/kernels/make_kernel_set.h"

namespace tandem::cpu {

extern const KernelSet<double> avx512_kernels =
    make_kernel_set<double, 8, 4, 32>("AVX-512");
extern const KernelSet<float> avx512_float_kernels =
    make_kernel_set<float, 16, 4, 32>("AVX-512");

}  // namespace tandem::cpu
