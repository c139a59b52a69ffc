# What the tests of glTF and FBX need besides the room: second readers nobody here wrote, and Khronos' validator.
find_package(TinyGLTF REQUIRED)
target_link_libraries(io_tests PRIVATE nlohmann_json::nlohmann_json TinyGLTF::TinyGLTF)
if(assimp_FOUND)
  target_link_libraries(io_tests PRIVATE assimp::assimp)
  target_compile_definitions(io_tests PRIVATE SHOSA_HAS_ASSIMP)
endif()
