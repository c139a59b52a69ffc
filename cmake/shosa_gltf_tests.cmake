# What the tests of glTF and FBX need besides the room: second readers nobody here wrote, and Khronos' validator.
find_package(TinyGLTF REQUIRED)
target_link_libraries(io_tests PRIVATE nlohmann_json::nlohmann_json TinyGLTF::TinyGLTF)
if(assimp_FOUND)
  target_link_libraries(io_tests PRIVATE assimp::assimp)
  target_compile_definitions(io_tests PRIVATE SHOSA_HAS_ASSIMP)
endif()

# The validator is installed by the tests themselves, into the build folder, from the pinned package-lock.json.
set(validator_dir "${PROJECT_BINARY_DIR}/gltf_validator")
foreach(file package.json package-lock.json validate.mjs)
  configure_file("${PROJECT_SOURCE_DIR}/tools/gltf_validator/${file}" "${validator_dir}/${file}" COPYONLY)
endforeach()
