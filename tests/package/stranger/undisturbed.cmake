# What a subproject must leave alone: our global settings, our list of tests,
# our install rules.
foreach(name IN ITEMS CMAKE_BUILD_TYPE CMAKE_CXX_STANDARD CMAKE_CXX_FLAGS
        CMAKE_POSITION_INDEPENDENT_CODE CMAKE_CXX_VISIBILITY_PRESET
        CMAKE_RUNTIME_OUTPUT_DIRECTORY BUILD_SHARED_LIBS BUILD_TESTING)
  if(NOT "${${name}}" STREQUAL "")
    message(FATAL_ERROR "tandem set ${name} to ${${name}}")
  endif()
endforeach()

foreach(option IN ITEMS TANDEM_BUILD_APPS TANDEM_BUILD_TESTS
        TANDEM_BUILD_BENCHMARKS TANDEM_INSTALL)
  if(${option})
    message(FATAL_ERROR "${option} is on in a subproject")
  endif()
endforeach()

get_property(subdirectories DIRECTORY ${STRANGER_SOURCE}
  PROPERTY SUBDIRECTORIES)
foreach(subdirectory IN LISTS subdirectories)
  get_property(tests DIRECTORY ${subdirectory} PROPERTY TESTS)
  if(tests OR subdirectory MATCHES "/(tests|apps)$")
    message(FATAL_ERROR "a subproject built ${subdirectory}")
  endif()
endforeach()
