// Kernels in the four-lane vectors of AVX2.
#include "cpu/kernels/rows.h"
#include "cpu/kernels/tile.h"

namespace tandem::cpu {
namespace {

constexpr auto pair = tile_family<double, 2, 1, 12>();
constexpr auto two_pairs = tile_family<double, 2, 2, 6>();
constexpr auto one = tile_family<double, 4, 1, 12>();
constexpr auto two = tile_family<double, 4, 2, 6>();

constexpr TileFamily<double> by_columns[] = {{},  {},  pair, two_pairs, one,
                                             two, two, two,  two};

}  // namespace

extern const KernelSet<double> avx2_kernels = {"AVX2",
                                               4,
                                               6,
                                               8,
                                               32,
                                               1,
                                               by_columns,
                                               tile_family<double, 4, 8, 1>(),
                                               sum_rows<double, 4>,
                                               pack_transposed<double, 4>};

}  // namespace tandem::cpu
