# Finds the 8-bit library of PCRE2: the target PCRE2::8BIT.
find_path(PCRE2_INCLUDE_DIR pcre2.h)
find_library(PCRE2_8BIT_LIBRARY pcre2-8)
if(PCRE2_INCLUDE_DIR)
  file(STRINGS ${PCRE2_INCLUDE_DIR}/pcre2.h pcre2_version_lines
       REGEX "^#define PCRE2_(MAJOR|MINOR) ")
  string(REGEX REPLACE ".*PCRE2_MAJOR +([0-9]+).*PCRE2_MINOR +([0-9]+).*"
         "\\1.\\2" PCRE2_VERSION "${pcre2_version_lines}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PCRE2
  REQUIRED_VARS PCRE2_8BIT_LIBRARY PCRE2_INCLUDE_DIR
  VERSION_VAR PCRE2_VERSION
  REASON_FAILURE_MESSAGE
    "The tokenizers split text by PCRE2 patterns: install libpcre2-dev, pcre2-devel or pcre2")

if(PCRE2_FOUND AND NOT TARGET PCRE2::8BIT)
  add_library(PCRE2::8BIT UNKNOWN IMPORTED)
  set_target_properties(PCRE2::8BIT PROPERTIES
    IMPORTED_LOCATION ${PCRE2_8BIT_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${PCRE2_INCLUDE_DIR})
endif()
mark_as_advanced(PCRE2_INCLUDE_DIR PCRE2_8BIT_LIBRARY)
