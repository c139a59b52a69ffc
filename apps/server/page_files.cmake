# Writes the source that holds the studio's files, at every build, and only where they have changed.
#   cmake -DFOLDER=… -DOUT=… -P page_files.cmake
# FOLDER is what tools/studio has packed; where there is none, the program has the plain page alone.
file(GLOB_RECURSE files RELATIVE "${FOLDER}" "${FOLDER}/*.gz")
list(SORT files)
set(blocks "")
set(names "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  # The hash stands in the source, so that another content is another source.
  file(SHA256 "${FOLDER}/${file}" hash)
  string(REGEX REPLACE "\\.gz$" "" path "${file}")
  string(APPEND blocks "// ${hash}\nasm(R\"(.section .rodata\nshosa_page_${number}: .incbin \"${FOLDER}/${file}\"\nshosa_page_${number}_end: .byte 0\n.previous)\");\n")
  string(APPEND names "extern const char shosa_page_${number}[], shosa_page_${number}_end[];\n")
  string(APPEND rows "      {\"${path}\", {shosa_page_${number}, shosa_page_${number}_end}},\n")
  math(EXPR number "${number} + 1")
endforeach()
set(body "  return {};\n")
if(rows)
  set(body "  static const PageFile kFiles[] = {\n${rows}  };\n  return kFiles;\n")
endif()
file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT "#include \"page.h\"

@blocks@
extern \"C\" {
@names@}

namespace shosa::server {

std::span<const PageFile> page_files() {
@body@}

}  // namespace shosa::server
")
