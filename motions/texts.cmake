# The texts of the motions that ship as a source, `SHOSA_MOTION_SOURCE`.
set(motion_names
  idle guard walk_slow walk_normal walk_fast run_slow run_fast start stop turn_left turn_right step_up step_down
  sit_down stand_up pick_up raise_hand wave bow punch_left punch_right kick jump dodge
  noh_walk noh_point noh_open hiphop_two_step hiphop_rock
  dog_stand dog_walk dog_trot dog_lie_down dog_drop dog_get_up)

set(SHOSA_MOTION_TEXTS "")
foreach(name IN LISTS motion_names)
  set(file "${CMAKE_CURRENT_LIST_DIR}/descriptions/${name}.motion")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  string(APPEND SHOSA_MOTION_TEXTS "    {\"${name}\", R\"motion(${text})motion\"},\n")
endforeach()
set(SHOSA_MOTION_SOURCE "${CMAKE_CURRENT_BINARY_DIR}/texts.cpp")
configure_file("${CMAKE_CURRENT_LIST_DIR}/texts.cpp.in" "${SHOSA_MOTION_SOURCE}" @ONLY)
