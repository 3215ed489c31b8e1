# `make package`: Debian packages of each component, and the program in a tarball with every library it needs but the
# C library's own. Both come from one build with shared libraries (the preset `package`).
if(TARGET toccata_cli AND BUILD_SHARED_LIBS)
  # What the program is linked with, for the tarball alone. The C library belongs to the system.
  install(RUNTIME_DEPENDENCY_SET toccata_program COMPONENT bundle EXCLUDE_FROM_ALL
          PRE_EXCLUDE_REGEXES "^libtoccata" "^ld-linux" "^lib(c|m|pthread|dl|rt|util|resolv)\\.so"
          POST_EXCLUDE_REGEXES "/(ld-linux[^/]*|lib(c|m|pthread|dl|rt|util|resolv)\\.so[^/]*)$"
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/tarball_readme.txt DESTINATION . RENAME README.txt COMPONENT bundle
          EXCLUDE_FROM_ALL)
endif()

set(CPACK_PACKAGE_NAME toccata)
set(CPACK_PACKAGE_VENDOR "Toccata")
set(CPACK_PACKAGE_CONTACT "Toccata <toccata@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/toccata_package_kinds.cmake)
set(CPACK_PACKAGE_FILE_NAME toccata-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})

# Debian. All file names begin with `toccata`, so that one pattern names them all.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")
execute_process(COMMAND dpkg --print-architecture OUTPUT_VARIABLE toccata_architecture OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET)
foreach(entry IN ITEMS
        "library|libtoccata0|toccata-library|libs|Toccata: the shared library"
        "dev|libtoccata-dev|toccata-dev|libdevel|Toccata: headers, find_package and pkg-config files"
        "program|toccata|toccata|science|Toccata: the command line"
        "python|python3-toccata|toccata-python|python|Toccata: the Python module")
  string(REPLACE "|" ";" entry ${entry})
  list(GET entry 0 component)
  string(TOUPPER ${component} COMPONENT)
  list(GET entry 1 CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME)
  list(GET entry 2 file_name)
  list(GET entry 3 CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION)
  list(GET entry 4 CPACK_COMPONENT_${COMPONENT}_DESCRIPTION)
  set(CPACK_DEBIAN_${COMPONENT}_FILE_NAME ${file_name}_${PROJECT_VERSION}_${toccata_architecture}.deb)
endforeach()
set(CPACK_COMPONENT_DEV_DEPENDS library)
set(CPACK_COMPONENT_PROGRAM_DEPENDS library)
set(CPACK_COMPONENT_PYTHON_DEPENDS library)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libeigen3-dev, libtbb-dev, libhwy-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "libassimp-dev")
if(TARGET toccata_python)
  # The module is of one version of Python.
  math(EXPR toccata_next_minor "${toccata_python_minor} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${toccata_python_minor}), python3 (<< 3.${toccata_next_minor}), python3-numpy")
endif()
set(CPACK_COMPONENTS_ALL library dev)
if(TARGET toccata_cli)
  list(APPEND CPACK_COMPONENTS_ALL program)
endif()
if(TARGET toccata_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
include(CPack)
