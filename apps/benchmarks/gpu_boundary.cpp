// Times products and reductions from host to host on the GPU beside the CPU,
// and the bus they have to pass. Prints one table of medians.
#include <dlfcn.h>
#include <tandem/execution/context.h>
#include <tandem/execution/devices.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

using tandem::ExecutionContext;
using tandem::Shape;
using tandem::Tensor;

// Repeats until the median settles: at least 5 runs, then up to half a second.
double median_seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  work();
  work();
  std::vector<double> seconds;
  double total = 0.0;
  while (seconds.size() < 5 || (total < 0.5 && seconds.size() < 1001)) {
    const auto start = Clock::now();
    work();
    seconds.push_back(
        std::chrono::duration<double>(Clock::now() - start).count());
    total += seconds.back();
  }
  const auto middle =
      seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

Tensor random_tensor(const Shape& shape) {
  std::mt19937_64 bits(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(element_count(shape, "benchmark"));
  for (double& value : values) value = uniform(bits);
  return Tensor(shape, values);
}

// The runtime that the library itself took, asked for plain copies.
class Bus {
 public:
  explicit Bus(const tandem::DeviceReport& report) {
    for (const auto& library : report.libraries) {
      if (library.name != "libcudart") continue;
      void* runtime = dlopen(library.file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (runtime == nullptr) continue;
      find(runtime, "cudaMalloc", allocate_);
      find(runtime, "cudaHostRegister", register_);
      find(runtime, "cudaHostUnregister", unregister_);
      find(runtime, "cudaMemcpy", copy_);
      find(runtime, "cudaFree", free_);
    }
  }

  /// Bytes a second from pinned memory to the device (kind 1) or back (2).
  double bandwidth(int kind) const {
    if (copy_ == nullptr) return 0.0;
    constexpr std::size_t bytes = std::size_t{256} << 20;
    void* host = std::aligned_alloc(std::size_t{1} << 21, bytes);
    void* device = nullptr;
    if (register_(host, bytes, 0) != 0 || allocate_(&device, bytes) != 0)
      return 0.0;
    void* to = kind == 1 ? device : host;
    void* from = kind == 1 ? host : device;
    const double seconds =
        median_seconds([&] { copy_(to, from, bytes, kind); });
    free_(device);
    unregister_(host);
    std::free(host);
    return static_cast<double>(bytes) / seconds;
  }

 private:
  template <typename Function>
  static void find(void* library, const char* symbol, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, symbol));
  }

  int (*allocate_)(void**, std::size_t) = nullptr;
  int (*register_)(void*, std::size_t, unsigned int) = nullptr;
  int (*unregister_)(void*) = nullptr;
  int (*copy_)(void*, const void*, std::size_t, int) = nullptr;
  int (*free_)(void*) = nullptr;
};

struct Bandwidth {
  double in;
  double out;
};

void print_heading(const Bandwidth& bus) {
  std::printf("pinned bandwidth: %.1f GB/s in, %.1f GB/s out\n\n",
              bus.in * 1e-9, bus.out * 1e-9);
  std::printf(
      "| what | bus ms | GPU ms, ordinary | over bus | GPU ms, own results | "
      "over bus | CPU ms |\n|---|---|---|---|---|---|---|\n");
}

// One row. `own` is the same work on results of the executor; the CPU is left
// out where it would take too long.
void print_row(const std::string& what, double bytes_in, double bytes_out,
               const Bandwidth& bus, double ordinary, double own, double cpu) {
  const double least = bytes_in / bus.in + bytes_out / bus.out;
  std::printf("| %s | %.4f | %.4f | %.2f | %.4f | %.2f | ", what.c_str(),
              least * 1e3, ordinary * 1e3, ordinary / least, own * 1e3,
              own / least);
  if (cpu > 0.0)
    std::printf("%.4f |\n", cpu * 1e3);
  else
    std::printf("|\n");
  std::fflush(stdout);
}

constexpr double largest_cpu_flops = 2e10;

void product_row(const ExecutionContext& gpu, const Bandwidth& bus,
                 const Shape& shape, const std::string& what) {
  const Tensor left = random_tensor(shape);
  const Tensor right = random_tensor(shape);
  const Tensor own_left = gpu.matmul(left, right);
  const Tensor own_right = gpu.matmul(left, right);
  const double bytes = static_cast<double>(left.size()) * 8.0;
  const double ordinary = median_seconds([&] { gpu.matmul(left, right); });
  const double own = median_seconds([&] { gpu.matmul(own_left, own_right); });
  const double flops =
      2.0 * static_cast<double>(left.size() * shape[shape.rank() - 1]);
  const double cpu = flops > largest_cpu_flops ? 0.0 : median_seconds([&] {
    ExecutionContext::cpu().matmul(left, right);
  });
  print_row(what, 2.0 * bytes, bytes, bus, ordinary, own, cpu);
}

void sum_row(const ExecutionContext& gpu, const Bandwidth& bus,
             const Shape& shape, std::size_t axis, const std::string& what) {
  const Tensor ordinary = random_tensor(shape);
  const Tensor column = Tensor::ones({1, 1});
  const Tensor own =
      gpu.matmul(ordinary.reshape({ordinary.size(), 1}), column).reshape(shape);
  const double bytes_in = static_cast<double>(ordinary.size()) * 8.0;
  const double bytes_out = bytes_in / static_cast<double>(shape[axis]);
  print_row(what, bytes_in, bytes_out, bus,
            median_seconds([&] { gpu.sum_axis(ordinary, axis); }),
            median_seconds([&] { gpu.sum_axis(own, axis); }),
            median_seconds(
                [&] { ExecutionContext::cpu().sum_axis(ordinary, axis); }));
}

void print_table(const ExecutionContext& gpu, const Bandwidth& bus) {
  print_heading(bus);
  for (std::size_t n = 8; n <= 8192; n *= 2)
    product_row(gpu, bus, {n, n}, "product n = " + std::to_string(n));
  product_row(gpu, bus, {1000, 16, 16}, "1000 products n = 16");
  product_row(gpu, bus, {256, 64, 64}, "256 products n = 64");
  product_row(gpu, bus, {64, 256, 256}, "64 products n = 256");
  product_row(gpu, bus, {8, 1024, 1024}, "8 products n = 1024");
  for (const std::size_t n : {64U, 512U, 4096U}) {
    const std::string size = std::to_string(n) + " x " + std::to_string(n);
    sum_row(gpu, bus, {n, n}, 1, "sum of rows, " + size);
    sum_row(gpu, bus, {n, n}, 0, "sum of columns, " + size);
  }
}

}  // namespace

int main() try {
  const ExecutionContext gpu = ExecutionContext::cuda();
  const tandem::DeviceReport report = tandem::probe_cuda();
  for (const auto& device : report.devices)
    std::printf("device %zu: %s\n", device.ordinal, device.name.c_str());
  for (const auto& library : report.libraries)
    std::printf("%s %s\n", library.name.c_str(), library.version.c_str());
  const Bus bus(report);
  print_table(gpu, {bus.bandwidth(1), bus.bandwidth(2)});
  return 0;
} catch (const tandem::ExecutionError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
