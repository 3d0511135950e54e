// The two decoders that are measured: one of 5 M parameters, and the fixture.
#pragma once

#include <cstdint>

namespace benchmark {

struct DecoderSizes {
  std::int64_t vocabulary = 258;
  std::int64_t width = 256;
  std::int64_t heads = 4;
  std::int64_t feed_forward_width = 688;
  std::int64_t blocks = 6;
  std::int64_t batch = 4;
  std::int64_t tokens = 256;
};

inline DecoderSizes fixture_sizes() { return {258, 4, 1, 8, 2, 1, 3}; }

}  // namespace benchmark
