# Writes a C++ source that holds the viewer page. usage: cmake -DPAGE=viewer.html -DOUT=x.cpp -P this
# Character codes: no limit on the length of a literal, no question of escaping.
file(READ "${PAGE}" hex HEX)
string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE "${OUT}" "#include \"io/viewer_template.hpp\"\n\nnamespace toccata {\nnamespace {\n
constexpr unsigned char page[] = {\n${bytes}\n};\n
}  // namespace\n
std::string_view viewer_template() {\n  return {reinterpret_cast<const char*>(page), sizeof(page)};\n}\n
}  // namespace toccata\n")
