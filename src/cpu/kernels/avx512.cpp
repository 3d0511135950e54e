// Kernels in the eight-lane vectors of AVX-512.
#include "cpu/kernels/rows.h"
#include "cpu/kernels/tile.h"

namespace tandem::cpu {
namespace {

constexpr auto pair = tile_family<double, 2, 1, 12>();
constexpr auto two_pairs = tile_family<double, 2, 2, 12>();
constexpr auto half = tile_family<double, 4, 1, 12>();
constexpr auto two_halves = tile_family<double, 4, 2, 12>();
constexpr auto one = tile_family<double, 8, 1, 12>();
constexpr auto two = tile_family<double, 8, 2, 12>();
constexpr auto three = tile_family<double, 8, 3, 8>();
constexpr auto four = tile_family<double, 8, 4, 6>();

constexpr TileFamily<double> by_columns[] = {
    {},         {},    pair,  two_pairs, half,  two_halves, two_halves,
    two_halves, one,   two,   two,       two,   two,        two,
    two,        two,   two,   three,     three, three,      three,
    three,      three, three, three,     four,  four,       four,
    four,       four,  four,  four,      four};

}  // namespace

extern const KernelSet<double> avx512_kernels = {"AVX-512",
                                                 8,
                                                 6,
                                                 32,
                                                 64,
                                                 3,
                                                 by_columns,
                                                 tile_family<double, 8, 8, 3>(),
                                                 sum_rows<double, 8>,
                                                 pack_transposed<double, 8>};

}  // namespace tandem::cpu
