# cmake --install: headers, library and the package files for find_package(Toccata).
include(CMakePackageConfigHelpers)
install(TARGETS toccata EXPORT ToccataTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET toccata_json)
  install(TARGETS toccata_json EXPORT ToccataTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET toccata_assimp)  # apart, so that find_package(Toccata) needs no Assimp
  install(TARGETS toccata_assimp EXPORT ToccataAssimpTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ToccataAssimpTargets NAMESPACE Toccata:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Toccata)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/toccata DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ToccataTargets NAMESPACE Toccata:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Toccata)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ToccataConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/ToccataConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Toccata)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ToccataConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ToccataConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/ToccataConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Toccata)
