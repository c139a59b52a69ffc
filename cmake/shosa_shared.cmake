# libshosa.so: the C API and all that it needs, in one library that exports the functions of shosa/c/shosa.h alone. Its target
# is shosa::shared, and asks for no other package.
if(NOT SHOSA_BUILD_SHARED)
  return()
endif()
file(WRITE "${PROJECT_BINARY_DIR}/shosa_shared.cpp" "// The code comes from the static libraries.\n")
add_library(shosa_shared SHARED "${PROJECT_BINARY_DIR}/shosa_shared.cpp")
add_library(shosa::shared ALIAS shosa_shared)
set_target_properties(shosa_shared PROPERTIES OUTPUT_NAME shosa EXPORT_NAME shared VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/libshosa.map")
target_include_directories(shosa_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(shosa_shared PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,shosa_c>)
target_link_options(shosa_shared PRIVATE "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/libshosa.map" LINKER:--no-undefined)
shosa_compile_options(shosa_shared)

if(SHOSA_BUILD_TESTS)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  foreach(kind IN ITEMS abi misuse)
    add_test(NAME c.${kind} COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/c/${kind}_test.py"
             "$<TARGET_FILE:shosa_shared>" "${CMAKE_CXX_COMPILER}" "${PROJECT_BINARY_DIR}/c_${kind}")
    set_tests_properties(c.${kind} PROPERTIES TIMEOUT 120)
  endforeach()
endif()
