# Installs under FIRST_PREFIX, moves that to PREFIX, and builds the stranger's
# project there: nothing installed may remember where it was.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)

file(REMOVE_RECURSE ${FIRST_PREFIX} ${PREFIX})
run_step("install" ${CMAKE_COMMAND} --install ${INSTALLED_BUILD}
  --prefix ${FIRST_PREFIX})
file(RENAME ${FIRST_PREFIX} ${PREFIX})

file(GLOB_RECURSE texts ${PREFIX}/*.cmake ${PREFIX}/*.pc ${PREFIX}/*.h)
foreach(text IN LISTS texts)
  file(READ ${text} content)
  foreach(place IN ITEMS ${FIRST_PREFIX} ${SOURCE_DIR} ${INSTALLED_BUILD})
    string(FIND "${content}" "${place}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${text} names ${place}")
    endif()
  endforeach()
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/build_stranger.cmake)
run_step("moved command" ${PREFIX}/bin/tandem --version)
