// Our declarations against NVIDIA's own headers, where those are installed.
// Most of it happens when this file is compiled.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <type_traits>

#include "cuda/api.h"
#include "cuda/status_names.h"

namespace {

template <typename T>
concept Complete = requires {
  sizeof(T);
};

// What a type is to the calling convention: enums are int, pointers to opaque
// structs are pointers to nothing in particular.
template <typename T>
struct Plain {
  using Type = T;
};
template <typename T>
requires std::is_enum_v<T>
struct Plain<T> {
  static_assert(sizeof(T) == sizeof(int));
  using Type = int;
};
template <typename T>
requires(std::is_class_v<T> && !Complete<T>) struct Plain<T> {
  using Type = void;
};
template <typename T>
struct Plain<const T> {
  using Type = const typename Plain<T>::Type;
};
template <typename T>
struct Plain<T*> {
  using Type = typename Plain<T>::Type*;
};
template <typename Result, typename... Parameters>
struct Plain<Result(Parameters...)> {
  using Type =
      typename Plain<Result>::Type(typename Plain<Parameters>::Type...);
};

template <typename Ours, typename Theirs>
constexpr bool same_convention =
    std::is_same_v<typename Plain<Ours>::Type, typename Plain<Theirs>::Type>;

static_assert(same_convention<CUcontext(cudaError_t), void*(int)>);
static_assert(!same_convention<int(int), int(long)>);

using namespace tandem::cuda::abi;  // NOLINT: the tables speak in these names

#define EXPECT_SAME_SIGNATURE(member, symbol, ...)                \
  static_assert(same_convention<__VA_ARGS__, decltype(::symbol)>, \
                #symbol " is declared otherwise");

namespace driver {
TANDEM_CUDA_DRIVER_SYMBOLS(EXPECT_SAME_SIGNATURE)
}
namespace runtime {
TANDEM_CUDA_RUNTIME_SYMBOLS(EXPECT_SAME_SIGNATURE)
}
namespace blas {
using BlasHandle = tandem::cuda::abi::BlasHandle;
TANDEM_CUDA_CUBLAS_LT_SYMBOLS(EXPECT_SAME_SIGNATURE)
TANDEM_CUDA_CUBLAS_SYMBOLS(EXPECT_SAME_SIGNATURE)
}  // namespace blas

template <typename Ours, typename Theirs>
constexpr bool same_value(Ours ours, Theirs theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}

static_assert(same_value(DriverAttribute::compute_capability_major,
                         CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
static_assert(same_value(DriverAttribute::compute_capability_minor,
                         CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
static_assert(
    same_value(DriverAttribute::can_use_host_pointer_for_registered_memory,
               CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM));
static_assert(same_value(RuntimeStatus::memory_allocation,
                         cudaErrorMemoryAllocation));
static_assert(same_value(CopyKind::host_to_device, cudaMemcpyHostToDevice));
static_assert(same_value(CopyKind::device_to_host, cudaMemcpyDeviceToHost));
static_assert(same_value(host_register_default, cudaHostRegisterDefault));
static_assert(same_value(stream_non_blocking, cudaStreamNonBlocking));
static_assert(same_value(event_disable_timing, cudaEventDisableTiming));
static_assert(same_value(BlasOperation::none, CUBLAS_OP_N));
static_assert(same_value(BlasOperation::transpose, CUBLAS_OP_T));
static_assert(same_value(BlasMath::standard, CUBLAS_DEFAULT_MATH));
static_assert(same_value(BlasMath::pedantic, CUBLAS_PEDANTIC_MATH));
static_assert(same_value(BlasPointerMode::host, CUBLAS_POINTER_MODE_HOST));
static_assert(same_value(BlasPointerMode::device, CUBLAS_POINTER_MODE_DEVICE));
static_assert(same_value(BlasAtomics::not_allowed, CUBLAS_ATOMICS_NOT_ALLOWED));
static_assert(same_value(BlasAtomics::allowed, CUBLAS_ATOMICS_ALLOWED));
static_assert(same_value(LibraryProperty::major, MAJOR_VERSION));
static_assert(same_value(LibraryProperty::minor, MINOR_VERSION));
static_assert(same_value(LibraryProperty::patch, PATCH_LEVEL));

std::map<int, std::string> names_in_header(const std::string& header,
                                           const std::string& pattern) {
  std::ifstream file(std::string(CUDA_HEADERS) + "/" + header);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::regex assignment("\\b(" + pattern + ")\\s*=\\s*([0-9]+)");
  std::map<int, std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), assignment), end;
       match != end; ++match)
    names.emplace(std::stoi((*match)[2]), (*match)[1]);
  return names;
}

template <typename Status>
void expect_all_known(const std::map<int, std::string>& names) {
  EXPECT_GT(names.size(), 5U);
  for (const auto& [code, name] : names)
    EXPECT_EQ(tandem::cuda::name_of(static_cast<Status>(code)), name);
}

TEST(StatusNames, KnowEveryDriverStatusOfTheHeader) {
  expect_all_known<DriverStatus>(
      names_in_header("cuda.h", "CUDA_(?:SUCCESS|ERROR_[A-Z0-9_]+)"));
}

TEST(StatusNames, KnowEveryRuntimeStatusOfTheHeader) {
  expect_all_known<RuntimeStatus>(names_in_header(
      "driver_types.h", "cuda(?:Success|Error[A-Z][A-Za-z0-9]*)"));
}

TEST(StatusNames, KnowEveryCublasStatusOfTheHeader) {
  expect_all_known<BlasStatus>(
      names_in_header("cublas_api.h", "CUBLAS_STATUS_[A-Z_]+"));
}

}  // namespace
