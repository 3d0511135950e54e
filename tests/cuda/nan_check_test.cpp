// NaNs in large results over the fake libraries: found by the device, made the
// canonical one by the host.
#include <tandem/tensor/error.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cuda/backend_test_base.h"

namespace tandem {
namespace {

using Bits = std::map<std::size_t, std::uint64_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t canonical = 0x7ff8000000000000;
constexpr std::uint64_t planted = 0xfff8000000001234;

// The product of a tensor of ones, some replaced, and one: itself.
Tensor with(const Shape& shape, const std::vector<std::size_t>& positions,
            double value = std::bit_cast<double>(planted)) {
  std::vector<double> values(element_count(shape, "test"), 1.0);
  for (const std::size_t position : positions) values[position] = value;
  return Tensor(shape, values);
}

// What is not one, by its place.
Bits others(const Tensor& product) {
  Bits found;
  for (std::size_t i = 0; i < product.size(); ++i) {
    if (product.values()[i] != 1.0)
      found[i] = std::bit_cast<std::uint64_t>(product.values()[i]);
  }
  return found;
}

constexpr std::size_t large = 100000;  // elements, and one chunk
constexpr std::size_t cut = 2200000;   // five of them
constexpr std::size_t rows_of_a_chunk = 524288;

class CudaNanCheck : public CudaBackend {
 protected:
  void TearDown() override {
    fake_cuda::force_sums(std::nullopt);
    CudaBackend::TearDown();
  }

  Tensor times_one(const Tensor& left) const {
    return cuda_.matmul(left, Tensor::ones({1, 1}));
  }
  void expect_canonical_alone_at(const Shape& shape, std::size_t position) {
    EXPECT_EQ(others(times_one(with(shape, {position}))),
              (Bits{{position, canonical}}));
  }

  // The error of the large product of two results of the same executor.
  void expect_failure(const fake_cuda::Fault& fault, ExecutionStage stage,
                      const std::string& message) {
    const Tensor own = times_one(with({large, 1}, {}));
    const Tensor one = Tensor::ones({1, 1});
    cuda_.matmul(own, one);  // now the pools have what it takes
    const ExecutionStats before = cuda_.stats();
    const auto live = fake_cuda::live();
    fake_cuda::plant({fault});
    try {
      cuda_.matmul(own, one);
      ADD_FAILURE() << "no error";
    } catch (const ExecutionError& error) {
      EXPECT_EQ(error.what(), message);
      EXPECT_EQ(error.stage(), stage);
    }
    EXPECT_EQ(cuda_.stats(), before);
    EXPECT_EQ(fake_cuda::live(), live);
    fake_cuda::plant({});
    EXPECT_EQ(cuda_.matmul(one, one).item(), 1.0);
    expect_canonical_alone_at({large, 1}, large - 1);
  }
};

TEST_F(CudaNanCheck, FindsANanWhereverItIs) {
  for (const std::size_t position : {0U, 1U, 65535U, 65536U, 99999U})
    expect_canonical_alone_at({large, 1}, position);
}

TEST_F(CudaNanCheck, FindsANanInEveryChunk) {
  for (const std::size_t position :
       {std::size_t{0}, rows_of_a_chunk - 1, rows_of_a_chunk,
        2 * rows_of_a_chunk, cut - 1})
    expect_canonical_alone_at({cut, 1}, position);
  EXPECT_EQ(cuda_.stats().gemm_requests, 5U * 5U);
}

TEST_F(CudaNanCheck, FindsANanInEveryMatrixOfABatch) {
  for (const std::size_t position : {0U, 3U, 4U, 159999U})
    expect_canonical_alone_at({40000, 4, 1}, position);
}

TEST_F(CudaNanCheck, FindsANanInEveryChunkOfABatch) {
  constexpr std::size_t batches_of_a_chunk = 116508;
  for (const std::size_t position :
       {std::size_t{0}, 4 * batches_of_a_chunk - 1, 4 * batches_of_a_chunk,
        std::size_t{2399999}})
    expect_canonical_alone_at({600000, 4, 1}, position);
  EXPECT_EQ(cuda_.stats().gemm_requests, 4U * 6U);
}

TEST_F(CudaNanCheck, MakesEveryNanTheCanonicalOne) {
  EXPECT_EQ(others(times_one(with({large, 1}, {7, 8, large - 1}))),
            (Bits{{7, canonical}, {8, canonical}, {large - 1, canonical}}));
}

TEST_F(CudaNanCheck, FindsOneNanAmongInfinities) {
  const Tensor left = with({300, 1}, {5}, infinity);
  const Tensor right = with({1, 300}, {9}, 0.0);
  const Tensor product = cuda_.matmul(left, right);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(product.at({5, 9})), canonical);
  EXPECT_EQ(product.at({5, 8}), infinity);
  EXPECT_EQ(product.at({4, 9}), 0.0);
  EXPECT_EQ(product.at({299, 299}), 1.0);
}

TEST_F(CudaNanCheck, TakesNoAnswerForThatOfALaterResult) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(others(times_one(with({large, 1}, {}))), Bits{});
    expect_canonical_alone_at({large, 1}, 17);
  }
}

// The fake is made to lie, so that what the host does not read shows.
TEST_F(CudaNanCheck, LeavesAResultUnreadWhereTheDeviceFoundNone) {
  for (const double sum : {0.0, 1.0, infinity}) {
    fake_cuda::force_sums(sum);
    EXPECT_EQ(others(times_one(with({large, 1}, {3}))), (Bits{{3, planted}}));
    EXPECT_EQ(others(times_one(with({cut, 1}, {3}))), (Bits{{3, planted}}));
  }
}

TEST_F(CudaNanCheck, DoesNotTakeInfinitiesForNan) {
  std::vector<double> values(large, 1.0);
  values[0] = infinity;
  values[1] = -infinity;
  // Together they overflow.
  values[2] = values[3] = -std::numeric_limits<double>::max();
  EXPECT_EQ(list(times_one(Tensor({large, 1}, values))), values);
}

TEST_F(CudaNanCheck, DoesNotAskAboutASmallResult) {
  fake_cuda::force_sums(1.0);
  fake_cuda::plant({});
  // The short way, a long contraction, and the largest that is read.
  expect_canonical_alone_at({100, 1}, 99);
  const Tensor sum = cuda_.sum_axis(with({1, large}, {5}), 1);
  EXPECT_EQ(others(sum), (Bits{{0, canonical}}));
  const Tensor row = with({4, 1}, {1, 2, 3}, 0.0);
  const Tensor largest = cuda_.matmul(with({16384, 4}, {4 * 16383}), row);
  EXPECT_EQ(others(largest), (Bits{{16383, canonical}}));
  EXPECT_EQ(fake_cuda::calls().count("cublasDasum_v2_64"), 0U);
  cuda_.matmul(with({16385, 4}, {}), row);
  EXPECT_EQ(fake_cuda::calls()["cublasDasum_v2_64"], 1U);
}

TEST_F(CudaNanCheck, AsksOnceAndWaitsOnceHoweverManyChunksThereAre) {
  const Tensor left = with({cut, 1}, {});
  fake_cuda::plant({});
  times_one(left);
  EXPECT_EQ(fake_cuda::calls()["cublasDgemmStridedBatched_64"], 5U);
  EXPECT_EQ(fake_cuda::calls()["cublasDasum_v2_64"], 1U);
  EXPECT_EQ(fake_cuda::calls()["cudaStreamSynchronize"], 1U);
}

TEST_F(CudaNanCheck, IsNotCounted) {
  times_one(with({large, 1}, {}));
  EXPECT_EQ(cuda_.stats(), (ExecutionStats{1, (large + 1) * 8, large * 8}));
}

TEST_F(CudaNanCheck, ReportsASumThatFails) {
  expect_failure({"cublasDasum_v2_64", 0, 14}, ExecutionStage::gemm,
                 "cuda: cublasDasum_v2_64 failed: cublas status 14 "
                 "(CUBLAS_STATUS_INTERNAL_ERROR)");
}

// After two copies in, the second staged, and the result.
TEST_F(CudaNanCheck, ReportsAnAnswerThatCannotBeCopied) {
  expect_failure({"cudaMemcpyAsync", 3, 700}, ExecutionStage::copy,
                 "cuda: cudaMemcpyAsync failed: runtime status 700 "
                 "(cudaErrorIllegalAddress)");
}

TEST_F(CudaNanCheck, ReportsAHandleThatCannotBePrepared) {
  expect_failure({"cublasSetPointerMode_v2", 1, 1}, ExecutionStage::handle,
                 "cuda: cublasSetPointerMode_v2 failed: cublas status 1 "
                 "(CUBLAS_STATUS_NOT_INITIALIZED)");
}

}  // namespace
}  // namespace tandem
