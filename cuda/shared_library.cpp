#include "cuda/shared_library.h"

#include <dlfcn.h>
#include <link.h>

namespace tandem::cuda {

SharedLibrary::SharedLibrary(const std::string& name, int flags)
    : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | flags)),
      name_(name) {
  if (handle_ != nullptr) return;
  const char* said = dlerror();
  error_ = said != nullptr ? said : "not loaded";
}

SharedLibrary SharedLibrary::open(const std::string& name) {
  return SharedLibrary(name, 0);
}

SharedLibrary SharedLibrary::already_loaded(const std::string& soname) {
  return SharedLibrary(soname, RTLD_NOLOAD);
}

std::string SharedLibrary::file() const {
  link_map* map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return name_;
  return map->l_name;
}

void* SharedLibrary::find(const char* symbol) const {
  return dlsym(handle_, symbol);
}

}  // namespace tandem::cuda
