# The options of every target of ours: warnings, and the rule that keeps bits.
function(tandem_compile_options target)
  # A fused multiply-add rounds once where the specification rounds twice.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-ffp-contract=off -Wall -Wextra
      -Wpedantic -Wshadow -Wconversion -Wsign-conversion>)
  set_target_properties(${target} PROPERTIES
    COMPILE_WARNING_AS_ERROR ${TANDEM_WARNINGS_AS_ERRORS})
endfunction()

# A command that is installed, and finds a shared library of ours beside itself
# wherever the prefix is moved.
function(tandem_install_program target)
  if(NOT TANDEM_INSTALL)
    return()
  endif()
  include(GNUInstallDirs)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH to_libraries
      /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(${target} PROPERTIES
      INSTALL_RPATH "$ORIGIN/${to_libraries}")
  endif()
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# One test program for one folder: tests/FOLDER/*.cpp, all under one label.
#   tandem_add_tests(NAME LABEL label [EVERY_DEVICE] [EVERY_KERNEL]
#     SOURCES a_test.cpp ... [LIBRARIES ...])
# With EVERY_DEVICE the tests of the real GPU are labelled gpu, and take turns.
# With EVERY_KERNEL the program is also run on kernels that are not the best.
# The target tandem_LABEL_tests builds the programs of one label.
function(tandem_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg
    "EVERY_DEVICE;EVERY_KERNEL" "LABEL" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE tandem::tandem GTest::gtest_main
    Threads::Threads tandem_test_kernel ${arg_LIBRARIES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  tandem_compile_options(${name})
  set(filter "")
  if(arg_LABEL STREQUAL gpu)
    set(lock RESOURCE_LOCK gpu)
  endif()
  if(arg_EVERY_DEVICE)
    set(filter TEST_FILTER "-*/Cuda")
    gtest_discover_tests(${name} TEST_FILTER "*/Cuda" TEST_LIST ${name}_gpu
      PROPERTIES LABELS gpu RESOURCE_LOCK gpu
      DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  endif()
  gtest_discover_tests(${name} ${filter} PROPERTIES LABELS ${arg_LABEL} ${lock}
    DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  if(NOT TARGET tandem_${arg_LABEL}_tests)
    add_custom_target(tandem_${arg_LABEL}_tests)
  endif()
  add_dependencies(tandem_${arg_LABEL}_tests ${name})
  if(arg_EVERY_KERNEL)
    tandem_run_on_each_kernel(${name})
  endif()
endfunction()

# The whole program once more on each set of kernels that another CPU would
# choose, as kernel.KERNELS.NAME; a CPU without them skips. A shared library
# keeps its kernels to itself.
function(tandem_run_on_each_kernel name)
  if(BUILD_SHARED_LIBS)
    return()
  endif()
  set(all baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(APPEND all AVX2)
  endif()
  foreach(kernels IN LISTS all)
    set(test kernel.${kernels}.${name})
    add_test(NAME ${test} COMMAND ${name} --gtest_filter=-*/FakeCuda:*/Cuda)
    set_tests_properties(${test} PROPERTIES LABELS kernel SKIP_RETURN_CODE 77
      ENVIRONMENT TANDEM_TEST_KERNEL=${kernels})
  endforeach()
endfunction()
