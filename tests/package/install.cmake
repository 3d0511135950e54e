# Builds the library and its command alone, KIND static or shared, and installs
# them under PREFIX.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)

string(COMPARE EQUAL "${KIND}" "shared" is_shared)
run_step("configure" ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${BUILD_DIR}
  -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_BUILD_TYPE=Debug
  -DBUILD_SHARED_LIBS=${is_shared} -DTANDEM_BUILD_TESTS=OFF)
run_step("build" ${CMAKE_COMMAND} --build ${BUILD_DIR} --parallel 2)
file(REMOVE_RECURSE ${PREFIX})
run_step("install" ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${PREFIX})

run_step("installed command" ${PREFIX}/bin/tandem --version)
if(NOT step_output MATCHES "${VERSION}")
  message(FATAL_ERROR "tandem --version says: ${step_output}")
endif()
