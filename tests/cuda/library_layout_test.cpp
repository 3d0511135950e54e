// Every way in which CUDA's libraries may lie on a machine gives the right
// libraries or the right error.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <tandem/execution/context.h>
#include <tandem/execution/devices.h>
#include <tandem/tensor/error.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cuda/child_process.h"
#include "fake_cuda/control.h"
#include "support/temporary_folder.h"

namespace tandem {
namespace {

namespace fs = std::filesystem;

// A folder that a test fills; every name of it in a message reads DIR.
class LibraryLayout : public testing::Test {
 protected:
  LibraryLayout() { put("13/libcuda.so.1"); }

  // Links a fake library into `folder` of the layout.
  void put(const std::string& fake, const std::string& folder = "") {
    const fs::path from = fs::path(FAKE_CUDA_ROOT) / fake;
    fs::create_directories(root_ / folder);
    fs::create_symlink(from, root_ / folder / from.filename());
  }
  void put_toolkit(int major, const std::string& folder = "") {
    const std::string number = std::to_string(major);
    put(number + "/libcudart.so." + number, folder);
    put(number + "/libcublasLt.so." + number, folder);
    put(number + "/libcublas.so." + number, folder);
  }
  void put_text(const std::string& name) {
    std::ofstream(root_ / name) << "this is not a library, but long enough to "
                                   "hold the header of one\n";
  }
  void put_beginning_of(const std::string& fake) {
    const fs::path from = fs::path(FAKE_CUDA_ROOT) / fake;
    fs::copy_file(from, root_ / from.filename());
    fs::resize_file(root_ / from.filename(), 40);
  }

  std::string dir() const { return root_.string(); }

  std::string shortened(std::string text) const {
    for (std::size_t at = 0; (at = text.find(dir(), at)) != std::string::npos;)
      text.replace(at, dir().size(), "DIR");
    return text;
  }

  // What opening CUDA there comes to: the product library taken, or the stage
  // and message of the error.
  std::string outcome(const std::string& directories, int driver = 13000) {
    return shortened(in_child([&] {
      fake_cuda::set_driver_version(driver);
      return open(directories);
    }));
  }
  std::string outcome() { return outcome(dir()); }

  static std::string open(const std::string& directories) {
    CudaOptions options;
    options.library_directories = directories;
    try {
      const auto context = ExecutionContext::cuda(0, options);
      if (context.matmul(Tensor::ones({1, 2}), Tensor::ones({2, 1})).item() !=
          2.0)
        return "wrong result";
      return "took " + probe_cuda(options).libraries.back().version;
    } catch (const ExecutionError& error) {
      return std::string(to_string(error.stage())) + ": " + error.what();
    }
  }

  testing_support::TemporaryFolder folder_;
  const fs::path& root_ = folder_.path();
};

const std::string took_13 = "took 13.1.0";
const std::string took_12 = "took 12.1.0";
const std::string no_toolkit =
    "library: cuda: no usable toolkit libraries: the driver supports CUDA "
    "13.0; tried ";

TEST_F(LibraryLayout, TakesMajor13) {
  put_toolkit(13);
  EXPECT_EQ(outcome(), took_13);
}

TEST_F(LibraryLayout, TakesMajor12) {
  put_toolkit(12);
  EXPECT_EQ(outcome(), took_12);
}

TEST_F(LibraryLayout, PrefersTheNewerMajor) {
  put_toolkit(12);
  put_toolkit(13);
  EXPECT_EQ(outcome(), took_13);
}

TEST_F(LibraryLayout, TakesTheOlderMajorBesideAnOlderDriver) {
  put_toolkit(12);
  put_toolkit(13);
  EXPECT_EQ(outcome(dir(), 12080), took_12);
}

TEST_F(LibraryLayout, RefusesLibrariesNewerThanTheDriver) {
  put_toolkit(13);
  EXPECT_EQ(outcome(dir(), 12080),
            "library: cuda: no usable toolkit libraries: the driver supports "
            "CUDA 12.8; tried DIR/libcublas.so.13 (needs a driver of CUDA 13)");
}

TEST_F(LibraryLayout, RefusesADriverOfMajor11) {
  put_toolkit(12);
  EXPECT_EQ(outcome(dir(), 11080),
            "driver: cuda: unusable driver: DIR/libcuda.so.1: it supports CUDA "
            "11.8, 12 or 13 is needed");
}

TEST_F(LibraryLayout, SaysWhatAnEmptyFolderLacks) {
  EXPECT_EQ(outcome(), no_toolkit +
                           "DIR/libcudart.so.13 (no such file), "
                           "DIR/libcublasLt.so.13 (no such file), "
                           "DIR/libcublas.so.13 (no such file)");
}

TEST_F(LibraryLayout, SaysThatTheProductLibraryIsMissing) {
  put("13/libcudart.so.13");
  put("13/libcublasLt.so.13");
  EXPECT_EQ(outcome(), no_toolkit + "DIR/libcublas.so.13 (no such file)");
}

TEST_F(LibraryLayout, SaysThatTheHelperLibraryIsMissing) {
  put("13/libcudart.so.13");
  put("13/libcublas.so.13");
  EXPECT_EQ(outcome(), no_toolkit + "DIR/libcublasLt.so.13 (no such file)");
}

TEST_F(LibraryLayout, SaysThatTheRuntimeIsMissing) {
  put("13/libcublasLt.so.13");
  put("13/libcublas.so.13");
  EXPECT_EQ(outcome(), no_toolkit + "DIR/libcudart.so.13 (no such file)");
}

TEST_F(LibraryLayout, SaysThatALibraryIsTruncated) {
  put("13/libcudart.so.13");
  put("13/libcublasLt.so.13");
  put_beginning_of("13/libcublas.so.13");
  EXPECT_EQ(outcome(), no_toolkit +
                           "DIR/libcudart.so.13 (loaded), "
                           "DIR/libcublasLt.so.13 (loaded), "
                           "DIR/libcublas.so.13 (DIR/libcublas.so.13: file too "
                           "short)");
}

TEST_F(LibraryLayout, SaysThatATextIsNoLibrary) {
  put("13/libcudart.so.13");
  put("13/libcublasLt.so.13");
  put_text("libcublas.so.13");
  EXPECT_EQ(outcome(),
            no_toolkit +
                "DIR/libcudart.so.13 (loaded), "
                "DIR/libcublasLt.so.13 (loaded), "
                "DIR/libcublas.so.13 (DIR/libcublas.so.13: invalid ELF "
                "header)");
}

TEST_F(LibraryLayout, NeverTakesTheUnversionedName) {
  put("13/libcudart.so.13");
  put("13/libcublasLt.so.13");
  fs::create_symlink(fs::path(FAKE_CUDA_ROOT) / "13/libcublas.so.13",
                     root_ / "libcublas.so");
  EXPECT_EQ(outcome(), no_toolkit + "DIR/libcublas.so.13 (no such file)");
}

TEST_F(LibraryLayout, NamesAMissingSymbol) {
  put("13/libcudart.so.13");
  put("13/libcublasLt.so.13");
  put("missing_symbol/libcublas.so.13");
  EXPECT_EQ(outcome(),
            no_toolkit +
                "DIR/libcudart.so.13 (loaded), DIR/libcublasLt.so.13 (loaded), "
                "DIR/libcublas.so.13 (no symbol cublasDgemmStridedBatched_64)");
}

TEST_F(LibraryLayout, NamesASumThatIsMissing) {
  put("13/libcudart.so.13");
  put("13/libcublasLt.so.13");
  put("missing_sum/libcublas.so.13");
  EXPECT_EQ(outcome(),
            no_toolkit +
                "DIR/libcudart.so.13 (loaded), DIR/libcublasLt.so.13 (loaded), "
                "DIR/libcublas.so.13 (no symbol cublasDasum_v2_64)");
}

TEST_F(LibraryLayout, RefusesARuntimeThatIsNotOfItsMajor) {
  put("wrong_major/libcudart.so.13");
  put("13/libcublasLt.so.13");
  put("13/libcublas.so.13");
  EXPECT_EQ(outcome(),
            no_toolkit +
                "DIR/libcudart.so.13 (loaded), DIR/libcublasLt.so.13 (loaded), "
                "DIR/libcublas.so.13 (loaded), DIR/libcublas.so.13 (the "
                "runtime is of CUDA 12.0)");
}

TEST_F(LibraryLayout, RefusesAHelperOfAnotherVersion) {
  put("13/libcudart.so.13");
  put("other_version/libcublasLt.so.13");
  put("13/libcublas.so.13");
  EXPECT_EQ(outcome(),
            no_toolkit +
                "DIR/libcudart.so.13 (loaded), DIR/libcublasLt.so.13 (loaded), "
                "DIR/libcublas.so.13 (loaded), DIR/libcublas.so.13 (cublas is "
                "version 13.1.0 but cublasLt is version 13.0.0)");
}

TEST_F(LibraryLayout, NeverMixesMajors) {
  put("12/libcudart.so.12");
  put("13/libcublasLt.so.13");
  put("13/libcublas.so.13");
  EXPECT_EQ(outcome(), no_toolkit +
                           "DIR/libcudart.so.13 (no such file), "
                           "DIR/libcublasLt.so.12 (no such file), "
                           "DIR/libcublas.so.12 (no such file)");
}

TEST_F(LibraryLayout, RefusesMajor11ByName) {
  put_text("libcudart.so.11.0");
  put_text("libcublas.so.11");
  const std::string refusal = " (CUDA 11 is not supported, 12 or 13 is needed)";
  EXPECT_EQ(outcome(), no_toolkit +
                           "DIR/libcudart.so.13 (no such file), "
                           "DIR/libcublasLt.so.13 (no such file), "
                           "DIR/libcublas.so.13 (no such file), "
                           "DIR/libcudart.so.11.0" +
                           refusal + ", DIR/libcublas.so.11" + refusal);
}

TEST_F(LibraryLayout, FindsThePackagesOfMajor13) {
  put_toolkit(13, "nvidia/cu13/lib");
  EXPECT_EQ(outcome(), took_13);
  EXPECT_EQ(outcome(dir() + ":" + dir() + "/nvidia"), took_13);
  EXPECT_EQ(outcome(dir() + ":" + dir() + "/nvidia/cu13/lib"), took_13);
}

TEST_F(LibraryLayout, FindsThePackagesOfMajor12InAFolderEach) {
  put("12/libcudart.so.12", "nvidia/cuda_runtime/lib");
  put("12/libcublasLt.so.12", "nvidia/cublas/lib");
  put("12/libcublas.so.12", "nvidia/cublas/lib");
  EXPECT_EQ(outcome(), took_12);
  EXPECT_EQ(outcome(dir() + "/nvidia:" + dir()), took_12);
  EXPECT_EQ(outcome(dir() + "/nvidia/cuda_runtime/lib:" + dir() +
                    "/nvidia/cublas/lib:" + dir()),
            took_12);
}

TEST_F(LibraryLayout, GoesOnToTheNextFolder) {
  put_toolkit(13, "good");
  fs::create_directories(root_ / "broken");
  put_text("broken/libcublas.so.13");
  EXPECT_EQ(outcome(dir() + "/broken:" + dir() + "/nowhere:" + dir() +
                    "/good:" + dir()),
            took_13);
}

TEST_F(LibraryLayout, TakesAFolderWithASlashAtItsEnd) {
  put_toolkit(13);
  EXPECT_EQ(outcome(dir() + "/"), took_13);
}

TEST_F(LibraryLayout, NeverSearchesTheWorkingDirectory) {
  put_toolkit(13);
  fs::create_directories(root_ / "driver");
  put("13/libcuda.so.1", "driver");
  const std::string text = shortened(in_child([&] {
    fs::current_path(root_);
    return open("::" + dir() + "/driver::");
  }));
  EXPECT_EQ(text.find("took"), std::string::npos) << text;
}

TEST_F(LibraryLayout, TakesTheFolderOfTheEnvironment) {
  put_toolkit(12);
  EXPECT_EQ(in_child([&] {
              setenv("TANDEM_CUDA_LIBRARY_DIR", dir().c_str(), 1);
              return open("");
            }),
            took_12);
}

TEST_F(LibraryLayout, PrefersTheOptionToTheEnvironment) {
  put_toolkit(13);
  EXPECT_EQ(in_child([&] {
              setenv("TANDEM_CUDA_LIBRARY_DIR", "/nowhere", 1);
              return open(dir());
            }),
            took_13);
}

// Opened as a program around the library might have done it.
std::string preload(const std::string& fake) {
  const std::string path = std::string(FAKE_CUDA_ROOT) + "/" + fake;
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr ? "" : path;
}

TEST_F(LibraryLayout, TakesAWholeSetThatTheProcessHolds) {
  EXPECT_EQ(
      in_child([] {
        unsetenv("TANDEM_CUDA_LIBRARY_DIR");
        std::string failed;
        for (const char* fake : {"13/libcuda.so.1", "12/libcudart.so.12",
                                 "12/libcublasLt.so.12", "12/libcublas.so.12"})
          failed += preload(fake);
        return failed.empty() ? open("") : failed;
      }),
      took_12);
}

TEST_F(LibraryLayout, RefusesASetWhoseHelperIsHeldFromElsewhere) {
  put_toolkit(13);
  const std::string text = shortened(in_child([&] {
    const std::string failed = preload("other_version/libcublasLt.so.13");
    return failed.empty() ? open(dir()) : failed;
  }));
  EXPECT_EQ(text, no_toolkit +
                      "DIR/libcudart.so.13 (loaded), DIR/libcublasLt.so.13 "
                      "(loaded), DIR/libcublas.so.13 (loaded), "
                      "DIR/libcublas.so.13 (another cublasLt is already "
                      "loaded)");
}

TEST_F(LibraryLayout, TellsNoDriverFromNoToolkit) {
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) != nullptr)
    GTEST_SKIP() << "this machine has a driver";
  put_toolkit(13, "toolkit");
  EXPECT_EQ(outcome(dir() + "/toolkit"),
            "driver: cuda: no driver: tried DIR/toolkit/libcuda.so.1 (no such "
            "file), libcuda.so.1 (libcuda.so.1: cannot open shared object "
            "file: No such file or directory)");
}

TEST_F(LibraryLayout, SaysThatTheDriverIsNoLibrary) {
  put_toolkit(13, "toolkit");
  fs::remove(root_ / "libcuda.so.1");
  put_text("libcuda.so.1");
  const std::string text = outcome(dir() + ":" + dir() + "/toolkit");
  if (text.rfind("driver: cuda: no driver: ", 0) != 0)
    GTEST_SKIP() << "this machine has a driver";
  EXPECT_NE(
      text.find("DIR/libcuda.so.1 (DIR/libcuda.so.1: invalid ELF header)"),
      std::string::npos)
      << text;
}

}  // namespace
}  // namespace tandem
