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
#   tandem_add_tests(NAME LABEL label [EVERY_DEVICE] SOURCES a_test.cpp ...
#     [LIBRARIES ...])
# With EVERY_DEVICE the tests of the real GPU are labelled gpu, and take turns.
# The target tandem_LABEL_tests builds the programs of one label.
function(tandem_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "EVERY_DEVICE" "LABEL" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE tandem::tandem GTest::gtest_main
    Threads::Threads ${arg_LIBRARIES})
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
endfunction()
