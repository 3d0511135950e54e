# Everything the library links, in this one place. A shared library keeps it to
# itself; a static one hands it on to whoever links it, through the package
# configuration and the pkg-config file, which are made from these lists.

# Found for all folders, so that a project that adds this one can link it.
set(THREADS_PREFER_PTHREAD_FLAG ON)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED GLOBAL)
find_package(PCRE2 10.30 REQUIRED GLOBAL)

target_link_libraries(tandem PRIVATE
  Threads::Threads PCRE2::8BIT ${CMAKE_DL_LIBS}
  # Headers alone: compiled in, so a consumer needs nothing of them.
  $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)

# What a consumer of the static library has to find, and the modules that it
# needs for that; then the same for pkg-config: modules, and flags.
set(tandem_static_packages Threads "PCRE2 10.30")
set(tandem_static_find_modules ${CMAKE_CURRENT_LIST_DIR}/FindPCRE2.cmake)
set(tandem_static_pc_modules libpcre2-8)
set(tandem_static_pc_libraries "-pthread -ldl")
