# shosa_room(NAME USES rooms... [PUBLIC_LIBS libs...] [PRIVATE_LIBS libs...] [EXCLUDE files...]
#            [TEST_LIBS libs...])
#
# One static library per room from src/NAME, its headers in include/shosa/NAME, and one test program from tests/NAME.
function(shosa_room name)
  cmake_parse_arguments(ROOM "" "" "USES;PUBLIC_LIBS;PRIVATE_LIBS;EXCLUDE;TEST_LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp")
  foreach(file IN LISTS ROOM_EXCLUDE)
    list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/src/${name}/${file}")
  endforeach()

  if(NOT sources)
    return()
  endif()
  add_library(shosa_${name} STATIC ${sources})
  add_library(shosa::${name} ALIAS shosa_${name})
  set_target_properties(shosa_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(shosa_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  foreach(room IN LISTS ROOM_USES)
    target_link_libraries(shosa_${name} PUBLIC shosa_${room})
  endforeach()
  target_link_libraries(shosa_${name} PUBLIC ${ROOM_PUBLIC_LIBS} PRIVATE ${ROOM_PRIVATE_LIBS})
  shosa_compile_options(shosa_${name})
  set_property(GLOBAL APPEND PROPERTY SHOSA_ROOMS ${name})

  file(GLOB tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${name}/*_test.cpp")
  if(SHOSA_BUILD_TESTS AND tests)
    shosa_test(${name}_tests ${tests} LIBS shosa_${name} shosa_scenes ${ROOM_TEST_LIBS})
  endif()
endfunction()

# Same bits everywhere: no contraction, no fast-math.
function(shosa_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
                         -Wno-missing-field-initializers)  # designated initialisers leave the rest at its default on purpose
  # Asserts and tests name their file from the project on: objects are the same in every checkout, so that ccache hits.
  target_compile_options(${target} PRIVATE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
endfunction()

# Tests are compiled often and run once: quick to build, the library under test is not.
set(test_options -O1 -g0)

# shosa_test(TARGET files... LIBS libs...): a GoogleTest program whose tests ctest runs one by one.
function(shosa_test target)
  cmake_parse_arguments(TEST "" "" "LIBS" ${ARGN})
  add_executable(${target} ${TEST_UNPARSED_ARGUMENTS})
  # Private headers of the room under test are within reach.
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target} PRIVATE ${TEST_LIBS} shosa_test_paths GTest::gmock_main)
  shosa_compile_options(${target})
  target_compile_options(${target} PRIVATE ${test_options})
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600)
endfunction()
