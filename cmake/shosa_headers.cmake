# Reading the headers that nearly every file includes takes most of its compile time: they are read once for each kind
# of target. `make bench` and `make fuzz` do without, so that a file of a library or of the program that forgets an include
# of its own is found.

# shosa_share_headers(TARGET KIND): KIND is libraries, programs or tests; all targets of a kind are compiled alike.
function(shosa_share_headers target kind)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()  # a project that embeds this one may compile without optimisation, where intrinsics read once do not serve
  endif()
  set(owner shosa_${kind}_headers)
  if(NOT TARGET ${owner})
    set(file "${PROJECT_BINARY_DIR}/${kind}_headers.cpp")
    file(WRITE "${file}.new" "int main() {}\n")
    file(COPY_FILE "${file}.new" "${file}" ONLY_IF_DIFFERENT)
    if(kind STREQUAL "libraries")
      add_library(${owner} STATIC "${file}")
    else()
      add_executable(${owner} "${file}")
    endif()
    target_include_directories(${owner} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
    target_link_libraries(${owner} PRIVATE Eigen3::Eigen fmt::fmt)
    target_precompile_headers(${owner} PRIVATE <algorithm> <cmath> <map> <optional>
      "${PROJECT_SOURCE_DIR}/include/shosa/core/clip.h" "${PROJECT_SOURCE_DIR}/include/shosa/core/forward_kinematics.h")
    shosa_compile_options(${owner})
    if(kind STREQUAL "programs")
      target_link_libraries(${owner} PRIVATE nlohmann_json::nlohmann_json)
      target_precompile_headers(${owner} PRIVATE <nlohmann/json.hpp>)
    elseif(kind STREQUAL "tests")
      target_link_libraries(${owner} PRIVATE GTest::gmock)
      target_precompile_headers(${owner} PRIVATE <gmock/gmock.h> "${PROJECT_SOURCE_DIR}/scenes/scenes.h")
      target_compile_options(${owner} PRIVATE ${test_options})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
