// Kernels in vectors of 128 bits, which every CPU we know of has.
#include "cpu/kernels/make_kernel_set.h"

namespace tandem::cpu {

extern const KernelSet<double> baseline_kernels =
    make_kernel_set<double, 2, 2, 16>("baseline");
extern const KernelSet<float> baseline_float_kernels =
    make_kernel_set<float, 4, 2, 16>("baseline");

}  // namespace tandem::cpu
