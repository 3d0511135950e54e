# Before 1.0 a minor version may change anything, so find_package must take the
# installed one for its own minor version and for no other.
cmake_minimum_required(VERSION 3.25)
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" unused ${VERSION})
math(EXPR next "${CMAKE_MATCH_2} + 1")
foreach(wanted IN ITEMS ${CMAKE_MATCH_1}.${next} 99.0)
  file(REMOVE_RECURSE ${BUILD_DIR})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${STRANGER_DIR} -B ${BUILD_DIR}
    -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DSTRANGER_FROM=find_package -DCMAKE_PREFIX_PATH=${PREFIX}
    -DSTRANGER_WANTS=${wanted}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(FATAL_ERROR "tandem ${VERSION} was taken for ${wanted}")
  endif()
  if(NOT output MATCHES "requested version")
    message(FATAL_ERROR "refused for another reason:\n${output}")
  endif()
endforeach()
