# Configures, builds and runs the stranger's project, which takes tandem FROM
# find_package or pkg_config under PREFIX, or fetch_content of SOURCE_DIR.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)

file(REMOVE_RECURSE ${BUILD_DIR})
run_step("configure" ${CMAKE_COMMAND} -E env --unset=LD_LIBRARY_PATH
  ${CMAKE_COMMAND} -S ${STRANGER_DIR} -B ${BUILD_DIR} -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  -DSTRANGER_FROM=${FROM} -DSTRANGER_SOURCE=${SOURCE_DIR}
  -DCMAKE_PREFIX_PATH=${PREFIX} -DSTRANGER_WANTS=${VERSION})
run_step("build" ${CMAKE_COMMAND} --build ${BUILD_DIR} --parallel 2)
run_step("run" ${BUILD_DIR}/stranger ${VERSION})
if(NOT step_output MATCHES "58 64 139 154")
  message(FATAL_ERROR "the stranger's program says: ${step_output}")
endif()
