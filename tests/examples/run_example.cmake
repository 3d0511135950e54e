# Runs PROGRAM, which must succeed and print what the file EXPECTED holds.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE result
  OUTPUT_VARIABLE printed ERROR_VARIABLE said)
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "status ${result}\nprinted:\n${printed}${said}\n"
    "expected:\n${expected}")
endif()
