# The installed package: libraries and headers of every room, and what find_package(shosa CONFIG) reads.
#
# Included last, when every room is known. Defines the umbrella target shosa::shosa.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY SHOSA_ROOMS)

add_library(shosa_all INTERFACE)
add_library(shosa::shosa ALIAS shosa_all)
set_target_properties(shosa_all PROPERTIES EXPORT_NAME shosa)
list(TRANSFORM rooms PREPEND shosa_ OUTPUT_VARIABLE room_targets)
target_link_libraries(shosa_all INTERFACE ${room_targets})

if(NOT SHOSA_INSTALL)
  return()
endif()

install(TARGETS shosa_all ${room_targets} EXPORT shosaTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES "${PROJECT_SOURCE_DIR}/include/shosa/shosa.h" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/shosa)
foreach(room IN LISTS rooms)
  if(NOT IS_DIRECTORY "${PROJECT_SOURCE_DIR}/include/shosa/${room}")
    continue()  # door: its header is shosa.h
  endif()
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/shosa/${room}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/shosa
          FILES_MATCHING PATTERN "*.h")
endforeach()

# What each room links, as the package must find it again: rooms by name, libraries by the package they come from. Static
# libraries hand their private libraries on to the final link, so these count too.
set(SHOSA_ROOM_NEEDS "")
foreach(room IN LISTS rooms)
  set(needs "")
  get_target_property(links shosa_${room} LINK_LIBRARIES)
  foreach(link IN LISTS links)
    if(link MATCHES "^shosa_(.+)$" OR link MATCHES "^shosa::(.+)$")
      list(APPEND needs ${CMAKE_MATCH_1})
    elseif(link MATCHES "^(Eigen3|fmt|TBB|nlohmann_json|assimp)::")
      list(APPEND needs ${CMAKE_MATCH_1})
    elseif(link STREQUAL "SQLite::SQLite3")
      list(APPEND needs SQLite3)
    elseif(link MATCHES "^PkgConfig::(HWY_PC|CAIRO_PC|ZIP_PC)$")
      list(APPEND needs ${CMAKE_MATCH_1})
    else()
      message(FATAL_ERROR "shosa_${room} links '${link}': teach cmake/shosa_install.cmake and shosaConfig.cmake.in to find it")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES needs)
  string(APPEND SHOSA_ROOM_NEEDS "set(_shosa_${room}_needs ${needs})\n")
endforeach()
set(SHOSA_ROOM_NAMES ${rooms})
if(TARGET shosa_shared)
  install(TARGETS shosa_shared EXPORT shosaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND SHOSA_ROOM_NAMES shared)
  string(APPEND SHOSA_ROOM_NEEDS "set(_shosa_shared_needs)\n")
  file(RELATIVE_PATH SHOSA_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/shosa.pc.in" "${PROJECT_BINARY_DIR}/cmake/shosa.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/cmake/shosa.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/shosa)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/shosaConfig.cmake.in" "${PROJECT_BINARY_DIR}/cmake/shosaConfig.cmake"
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/shosaConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/shosaConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/shosaConfigVersion.cmake"
        DESTINATION ${package_dir})
install(EXPORT shosaTargets NAMESPACE shosa:: DESTINATION ${package_dir})
