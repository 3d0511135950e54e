// Parameters whose value is read when it is first used.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/tensor/error.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem::autograd {
namespace {

using test::same_values;
using test::thrown_by;

class UnreadParameter : public testing::Test {
 protected:
  Parameter make(const Tensor& value) {
    return {value.shape(), [this, value] {
              ++reads_;
              return value;
            }};
  }

  std::atomic<int> reads_ = 0;
};

TEST_F(UnreadParameter, IsReadOnceWhenItsValueIsFirstUsed) {
  const Parameter p = make(Tensor({2}, {3, 5}));
  const Parameter tied = p;
  EXPECT_EQ(p.shape(), Shape{2});
  EXPECT_EQ(reads_, 0);
  EXPECT_TRUE(same_values(tied.value(), {2}, {3, 5}));
  EXPECT_TRUE(same_values((p * p).value(), {2}, {9, 25}));
  EXPECT_EQ(reads_, 1);
}

TEST_F(UnreadParameter, HasAGradientOfZerosAndAVersionUnread) {
  Parameter p = make(Tensor({2}, {3, 5}));
  EXPECT_TRUE(same_values(p.gradient(), {2}, {0, 0}));
  p.zero_grad();
  EXPECT_EQ(p.version(), 0u);
  EXPECT_TRUE(p.is_tracked());
  EXPECT_EQ(reads_, 0);
}

TEST_F(UnreadParameter, CollectsGradients) {
  Parameter p = make(Tensor({2}, {3, 5}));
  sum(p * p).backward();
  EXPECT_TRUE(same_values(p.gradient(), {2}, {6, 10}));
}

TEST_F(UnreadParameter, IsUpdatedUnread) {
  Parameter p = make(Tensor({2}, {3, 5}));
  EXPECT_EQ(thrown_by<ShapeError>([&] { p.update(Tensor::ones({3})); }),
            "update: shape differs: parameter is [2], value is [3]");
  p.update(Tensor({2}, {7, 8}));
  EXPECT_EQ(p.version(), 1u);
  EXPECT_TRUE(same_values(p.value(), {2}, {7, 8}));
  EXPECT_EQ(reads_, 0);
}

TEST_F(UnreadParameter, MakesGraphsStaleOnceItIsUpdated) {
  Parameter p = make(Tensor::scalar(3));
  const Variable loss = p * p;
  p.update(Tensor::scalar(3));
  EXPECT_EQ(thrown_by<GraphError>([&] { loss.backward(); }),
            "backward: parameter was updated since its value was used: mul "
            "used version 0, now it is 1");
}

TEST_F(UnreadParameter, IsReadOnceByManyThreads) {
  const Parameter p = make(Tensor({2}, {3, 5}));
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { right += p.value().at({1}) == 5 ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(reads_, 1);
}

TEST_F(UnreadParameter, AsksAgainAfterAFault) {
  const Parameter p({}, [this] {
    if (++reads_ == 1) throw FileError("not yet");
    return Tensor::scalar(4);
  });
  EXPECT_EQ(thrown_by<FileError>([&] { p.value(); }), "not yet");
  EXPECT_EQ(p.value().item(), 4);
}

TEST_F(UnreadParameter, RefusesAValueOfAnotherShape) {
  const Parameter p({2}, [] { return Tensor::ones({2, 1}); });
  EXPECT_EQ(thrown_by<ShapeError>([&] { p.value(); }),
            "parameter: shape differs: parameter is [2], value that was read "
            "is [2, 1]");
}

TEST_F(UnreadParameter, RefusesAValueThatIsNotFinite) {
  const Parameter p = make(Tensor({2}, {1, std::nan("")}));
  for (int use = 0; use < 2; ++use) {
    EXPECT_EQ(thrown_by<NonfiniteError>([&] { exp(p); }),
              "parameter: result is not finite: element 1 is nan");
  }
}

TEST_F(UnreadParameter, TellsItsVersionWhileItIsRead) {
  std::uint64_t seen = 9;
  std::optional<Parameter> p;
  p.emplace(Shape{}, [&] {
    seen = p->version();
    return Tensor::scalar(1);
  });
  p->value();
  EXPECT_EQ(seen, 0u);
}

// Whatever the reader held may use the parameter when it goes.
TEST_F(UnreadParameter, MayBeUsedByWhatItsReaderHeld) {
  for (const bool by_update : {false, true}) {
    double seen = 0;
    std::optional<Parameter> p;
    std::shared_ptr<void> held(nullptr,
                               [&](void*) { seen = p->value().item(); });
    p.emplace(Shape{}, [held] { return Tensor::scalar(1); });
    held.reset();
    if (by_update) {
      p->update(Tensor::scalar(1));
    } else {
      p->value();
    }
    EXPECT_EQ(seen, 1);
  }
}

TEST_F(UnreadParameter, NeedsAReader) {
  EXPECT_EQ(thrown_by<GraphError>([] { Parameter({}, ValueReader()); }),
            "parameter: reader is missing");
}

TEST_F(UnreadParameter, LetsGoOfItsReaderOnceThereIsAValue) {
  const auto file = std::make_shared<int>();
  const auto read = [file] { return Tensor::scalar(1); };
  Parameter used({}, read);
  Parameter updated({}, read);
  EXPECT_EQ(file.use_count(), 4);
  used.value();
  updated.update(Tensor::scalar(2));
  EXPECT_EQ(file.use_count(), 2);
}

}  // namespace
}  // namespace tandem::autograd
