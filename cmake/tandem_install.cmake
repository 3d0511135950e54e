# Installation: the library, its headers, and what lets CMake and pkg-config
# find them under whatever prefix they are moved to.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_target_property(tandem_type tandem TYPE)
set(tandem_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tandem)

install(TARGETS tandem EXPORT tandem_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tandem_targets FILE tandem_targets.cmake NAMESPACE tandem::
  DESTINATION ${tandem_package_dir})

set(tandem_find_dependencies "")
if(tandem_type STREQUAL "STATIC_LIBRARY")
  foreach(package IN LISTS tandem_static_packages)
    string(APPEND tandem_find_dependencies "find_dependency(${package})\n")
  endforeach()
  install(FILES ${tandem_static_find_modules}
    DESTINATION ${tandem_package_dir})
endif()
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/tandem_config.cmake.in
  ${PROJECT_BINARY_DIR}/tandem-config.cmake
  INSTALL_DESTINATION ${tandem_package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tandem-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/tandem-config.cmake
  ${PROJECT_BINARY_DIR}/tandem-config-version.cmake
  DESTINATION ${tandem_package_dir})

# pkg-config finds the prefix from where its own file lies, unless the folders
# were given as absolute paths.
set(tandem_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(tandem_pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH tandem_pc_up "/${tandem_pc_dir}" "/")
  set(tandem_pc_prefix "\${pcfiledir}/${tandem_pc_up}")
  string(REGEX REPLACE "/$" "" tandem_pc_prefix "${tandem_pc_prefix}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
  set(tandem_pc_${dir} "${CMAKE_INSTALL_${dir}}")
  if(NOT IS_ABSOLUTE "${tandem_pc_${dir}}")
    set(tandem_pc_${dir} "\${prefix}/${tandem_pc_${dir}}")
  endif()
endforeach()
set(tandem_pc_requires "")
set(tandem_pc_libraries "")
if(tandem_type STREQUAL "STATIC_LIBRARY")
  list(JOIN tandem_static_pc_modules " " tandem_pc_requires)
  set(tandem_pc_libraries "${tandem_static_pc_libraries}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/tandem.pc.in
  ${PROJECT_BINARY_DIR}/tandem.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tandem.pc DESTINATION ${tandem_pc_dir})
