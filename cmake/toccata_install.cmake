# cmake --install: headers, library, the package files for find_package(Toccata) and pkg-config, and the licence.
# Components, which are also the Debian packages (toccata_package.cmake): library, dev, program, python.
include(CMakePackageConfigHelpers)
set(toccata_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Toccata)

# Each component of the package has an export of its own: find_package(Toccata) asks for what it was told to.
function(toccata_install_library target export)
  # Shared, the libraries find one another beside themselves, wherever they are unpacked.
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  # What the program's tarball has to bring along (toccata_package.cmake): what these need, too.
  set(dependencies "")
  if(BUILD_SHARED_LIBS)
    set(dependencies RUNTIME_DEPENDENCY_SET toccata_program)
  endif()
  install(TARGETS ${target} EXPORT ${export} ${dependencies}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  install(EXPORT ${export} NAMESPACE Toccata:: DESTINATION ${toccata_cmake_folder} COMPONENT dev)
endfunction()
toccata_install_library(toccata ToccataTargets)
if(TARGET toccata_json)
  toccata_install_library(toccata_json ToccataJsonTargets)
endif()
if(TARGET toccata_assimp)
  toccata_install_library(toccata_assimp ToccataAssimpTargets)
endif()
if(TARGET toccata_urdf)
  toccata_install_library(toccata_urdf ToccataUrdfTargets)
endif()
if(TARGET toccata_ompl)
  toccata_install_library(toccata_ompl ToccataOmplTargets)
endif()
if(TARGET toccata_openvdb)
  toccata_install_library(toccata_openvdb ToccataOpenvdbTargets)
endif()
if(TARGET toccata_gl)
  toccata_install_library(toccata_gl ToccataGlTargets)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/toccata DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ToccataConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/ToccataConfig.cmake INSTALL_DESTINATION ${toccata_cmake_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ToccataConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ToccataConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/ToccataConfigVersion.cmake DESTINATION ${toccata_cmake_folder} COMPONENT dev)

# pkg-config: toccata, toccata-json, toccata-assimp, toccata-urdf, toccata-ompl, toccata-openvdb, toccata-gl. The prefix is told from where the file is.
file(RELATIVE_PATH toccata_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
function(toccata_install_pc name description requires private library)
  set(pc_name ${name})
  set(pc_description ${description})
  set(pc_requires ${requires})
  set(pc_private ${private})
  # A static library is of no use without what it is made with.
  if(NOT BUILD_SHARED_LIBS AND private)
    string(APPEND pc_requires " ${private}")
  endif()
  set(pc_library ${library})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/toccata.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()
toccata_install_pc(toccata "${PROJECT_DESCRIPTION}" "eigen3 tbb" "libhwy" toccata)
if(TARGET toccata_json)
  toccata_install_pc(toccata-json "Toccata: reports and the viewer page" "toccata = ${PROJECT_VERSION}" "" toccata_json)
endif()
if(TARGET toccata_assimp)
  toccata_install_pc(toccata-assimp "Toccata: mesh files read by Assimp" "toccata = ${PROJECT_VERSION}" "assimp"
                     toccata_assimp)
endif()
if(TARGET toccata_urdf)
  toccata_install_pc(toccata-urdf "Toccata: robots and their scenes from files" "toccata = ${PROJECT_VERSION}"
                     "tinyxml2 yaml-cpp" toccata_urdf)
endif()
if(TARGET toccata_ompl)
  toccata_install_pc(toccata-ompl "Toccata: validators for OMPL's planners" "toccata = ${PROJECT_VERSION}" "ompl"
                     toccata_ompl)
endif()
if(TARGET toccata_openvdb)
  toccata_install_pc(toccata-openvdb "Toccata: distance fields as files of OpenVDB" "toccata = ${PROJECT_VERSION}"
                     "OpenVDB" toccata_openvdb)
endif()
if(TARGET toccata_gl)
  toccata_install_pc(toccata-gl "Toccata: Voronoi diagrams and culling drawn by OpenGL" "toccata = ${PROJECT_VERSION}" ""
                     toccata_gl)
endif()

foreach(pair IN ITEMS library:libtoccata0 dev:libtoccata-dev program:toccata python:python3-toccata)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  if((component STREQUAL "program" AND NOT TARGET toccata_cli) OR (component STREQUAL "python" AND NOT TARGET toccata_python))
    continue()
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright
          COMPONENT ${component})
endforeach()
