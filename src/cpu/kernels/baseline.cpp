// Kernels in two-lane vectors, which every CPU we know of has.
#include "cpu/kernels/rows.h"
#include "cpu/kernels/tile.h"

namespace tandem::cpu {
namespace {

constexpr TileFamily<double> by_columns[] = {{},
                                             {},
                                             tile_family<double, 2, 1, 12>(),
                                             tile_family<double, 2, 2, 6>(),
                                             tile_family<double, 2, 2, 6>()};

}  // namespace

extern const KernelSet<double> baseline_kernels = {
    "baseline",
    2,
    6,
    4,
    16,
    1,
    by_columns,
    tile_family<double, 2, 8, 1>(),
    sum_rows<double, 2>,
    pack_transposed<double, 2>};

}  // namespace tandem::cpu
