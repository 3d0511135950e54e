# Makes a source file of the page templates: one string for each file.
#   cmake -DOUTPUT=pages.cpp -DFILES=a.css;b.js -P embed.cmake
set(text "// Made from apps/pages; do not edit.\n#include \"page_sources.h\"\n\n")
string(APPEND text "namespace tandem::cli::pages {\n\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  string(MAKE_C_IDENTIFIER "${name}" name)
  file(READ "${file}" content)
  string(APPEND text
    "const char* const ${name} = R\"embedded(${content})embedded\";\n\n")
endforeach()
string(APPEND text "}  // namespace tandem::cli::pages\n")
file(WRITE "${OUTPUT}" "${text}")
