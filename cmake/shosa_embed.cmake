# Text files built into a program: appends rows {"name", R"page(...)page"sv} for `file` to the variable `rows`. A file is cut
# into pieces that every compiler takes as one literal, and whose length it need not count.
function(shosa_embed rows name file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  string(LENGTH "${text}" length)
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 15000 piece)
    string(APPEND ${rows} "    {\"${name}\", R\"page(${piece})page\"sv},\n")
    math(EXPR begin "${begin} + 15000")
  endwhile()
  set(${rows} "${${rows}}" PARENT_SCOPE)
endfunction()
