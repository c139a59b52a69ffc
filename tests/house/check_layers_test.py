"""tools/check_layers passes the tree and finds each kind of fault planted in a copy of it."""
import unittest

from support import ROOT, TreeCopyTest


class CheckLayers(TreeCopyTest):
    TOOL = "check_layers"
    COPIED = ("ARCHITECTURE.md", "CMakeLists.txt", "cmake", "include", "src", "apps", "scenes", "motions")

    def test_the_tree_passes(self):
        self.expect_clean(ROOT)

    def test_an_unchanged_copy_passes(self):
        self.expect_clean()

    def test_finds_an_include_of_a_higher_room(self):
        self.write("src/core/planted.cpp", '#include "shosa/core/clip.h"\n\n#include "shosa/io/motion_file.h"\n')
        self.expect_finding("src/core/planted.cpp:3", "'core' includes room 'io'")

    def test_finds_it_in_public_headers_too(self):
        self.write("include/shosa/io/planted.h", '#pragma once\n#include "shosa/draw/strip.h"\n')
        self.expect_finding("include/shosa/io/planted.h:2", "'io' includes room 'draw'")

    def test_finds_an_include_of_another_rooms_private_header(self):
        self.write("src/analysis/planted.cpp", '#include "core/lanes.h"\n')
        self.expect_finding("src/analysis/planted.cpp:1", "private header of room 'core'")

    def test_finds_an_include_that_climbs_into_another_room(self):
        self.write("src/analysis/planted.cpp", '#include "../io/bvh.h"\n')
        self.expect_finding("src/analysis/planted.cpp:1", "climbs out")

    def test_finds_a_library_that_is_not_the_rooms(self):
        for room, header, library in (("core", "<cairo/cairo.h>", "Cairo"), ("analysis", "<tiny_gltf.h>", "tinygltf"),
                                      ("io", "<CLI/CLI.hpp>", "CLI11"), ("draw", "<nlohmann/json.hpp>", "nlohmann-json"),
                                      ("draw", "<assimp/scene.h>", "Assimp"), ("cli", "<cairo.h>", "Cairo")):
            with self.subTest(library=library, room=room):
                folder = "apps" if room == "cli" else "src"
                path = self.write(f"{folder}/{room}/planted.cpp", f"#include <vector>\n#include {header}\n")
                self.expect_finding(f"{folder}/{room}/planted.cpp:2", f"'{room}' includes {library}")
                path.unlink()

    def test_finds_a_library_it_does_not_know(self):
        self.write("src/core/planted.cpp", "#include <curl/curl.h>\n")
        self.expect_finding("src/core/planted.cpp:1", "curl/curl.h", "does not know")

    def test_finds_a_link_to_a_higher_room(self):
        text = (self.tree / "CMakeLists.txt").read_text(encoding="utf-8")
        line = text.count("\n") + 1
        self.write("CMakeLists.txt", text + "shosa_room(core\n  USES draw)\n")
        self.expect_finding(f"CMakeLists.txt:{line}", "'core' links room 'draw'")

    def test_finds_a_link_to_a_foreign_library(self):
        text = (self.tree / "CMakeLists.txt").read_text(encoding="utf-8")
        line = text.count("\n") + 1
        self.write("CMakeLists.txt", text + "target_link_libraries(shosa_analysis PRIVATE TinyGLTF::TinyGLTF)\n")
        self.expect_finding(f"CMakeLists.txt:{line}", "'analysis' links tinygltf")

    def test_finds_it_in_the_motions_that_ship(self):
        self.write("motions/planted.cpp", '#include "shosa/draw/strip.h"\n')
        self.expect_finding("motions/planted.cpp:1", "'motions' includes room 'draw'")

    def test_finds_a_room_without_a_row(self):
        self.write("src/attic/planted.cpp", "#include <vector>\n")
        self.expect_finding("src/attic/planted.cpp:1", "'attic' has no row")

    def test_finds_a_row_that_uses_a_higher_level(self):
        text = (self.tree / "ARCHITECTURE.md").read_text(encoding="utf-8")
        self.write("ARCHITECTURE.md", text.replace("| 2 | `io` | core, body |", "| 2 | `io` | core, draw |"))
        self.expect_finding("ARCHITECTURE.md:", "'io' (level 2) may use 'draw' (level 3)")

    def test_an_empty_tree_is_no_success(self):
        for folder in ("include", "src", "apps", "scenes", "motions"):
            for path in list((self.tree / folder).rglob("*.*")):
                path.unlink()
        self.expect_finding("read 0 includes")


if __name__ == "__main__":
    unittest.main(verbosity=2)
