// Kernels in the 256-bit vectors of AVX2.
#include "cpu/kernels/make_kernel_set.h"

namespace tandem::cpu {

extern const KernelSet<double> avx2_kernels =
    make_kernel_set<double, 4, 2, 16>("AVX2");
extern const KernelSet<float> avx2_float_kernels =
    make_kernel_set<float, 8, 2, 16>("AVX2");

}  // namespace tandem::cpu
