#include "cuda/search.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>

namespace tandem::cuda {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Place place(int major, const fs::path& runtime, const fs::path& blas) {
  const Place names = sonames(major);
  return {major, (runtime / names.runtime).string(),
          (blas / names.blas_lt).string(), (blas / names.blas).string()};
}

// Something of this major is there, so the place deserves a try, and a line in
// the error if the try fails.
bool is_promising(const Place& candidate) {
  return is_there(candidate.runtime) || is_there(candidate.blas_lt) ||
         is_there(candidate.blas);
}

// The layouts of Python's packages, seen from `root`: one folder for all of
// major 13, one folder for each library before.
void add_package_layouts(std::vector<Place>& places, const fs::path& root) {
  const Place shared = place(13, root / "cu13/lib", root / "cu13/lib");
  if (is_promising(shared)) places.push_back(shared);
  for (const int major : supported_majors) {
    const Place split =
        place(major, root / "cuda_runtime/lib", root / "cublas/lib");
    if (is_promising(split)) places.push_back(split);
  }
}

// `directory` is .../cuda_runtime/lib: the product library is its neighbour.
void add_neighbour(std::vector<Place>& places, const fs::path& directory) {
  const fs::path package = directory.parent_path();
  if (package.filename() != "cuda_runtime") return;
  for (const int major : supported_majors) {
    const Place split =
        place(major, directory, package.parent_path() / "cublas/lib");
    if (is_promising(split)) places.push_back(split);
  }
}

fs::path without_trailing_slash(const std::string& directory) {
  const fs::path path = fs::path(directory).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

std::vector<std::string> split_directories(const std::string& list) {
  std::vector<std::string> directories;
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    if (end > start) directories.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return directories;
}

Place sonames(int major) {
  const std::string suffix = ".so." + std::to_string(major);
  return {major, "libcudart" + suffix, "libcublasLt" + suffix,
          "libcublas" + suffix};
}

std::vector<Place> places_in(const std::vector<std::string>& directories) {
  std::vector<Place> places;
  for (const std::string& directory : directories) {
    const fs::path path = without_trailing_slash(directory);
    const std::size_t before = places.size();
    const bool split = path.parent_path().filename() == "cuda_runtime";
    if (split) add_neighbour(places, path);
    for (const int major : supported_majors) {
      const Place flat = place(major, directory, directory);
      if (!split && is_promising(flat)) places.push_back(flat);
    }
    add_package_layouts(places, path);
    add_package_layouts(places, path / "nvidia");
    // Nothing at all: say which file was expected.
    if (places.size() == before)
      places.push_back(place(supported_majors[0], directory, directory));
  }
  return places;
}

std::vector<std::string> toolkit_directories() {
  std::vector<std::string> roots;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("cuda", 0) == 0) roots.push_back(entry.path().string());
  }
  // The plain name is the machine's own choice; then the newest first.
  std::sort(roots.begin(), roots.end(), std::greater<>());
  std::stable_partition(roots.begin(), roots.end(), [](const auto& root) {
    return root == "/usr/local/cuda";
  });
  std::vector<std::string> directories;
  for (const std::string& root : roots) {
    for (const char* below : {"/lib64", "/lib"}) {
      if (is_there(root + below)) directories.push_back(root + below);
    }
  }
  return directories;
}

std::vector<std::string> outdated_libraries(const std::string& directory) {
  std::vector<std::string> found;
  for (const char* name :
       {"libcudart.so.11.0", "libcublasLt.so.11", "libcublas.so.11"}) {
    const fs::path path = fs::path(directory) / name;
    if (is_there(path)) found.push_back(path.string());
  }
  return found;
}

}  // namespace tandem::cuda
