"""tools/check_docs passes the tree and finds each kind of fault planted in a small one."""
import unittest

from support import ROOT, TreeCopyTest


class CheckDocs(TreeCopyTest):
    TOOL = "check_docs"

    def setUp(self):
        super().setUp()
        self.write("README.md", "# Planted\n\n## A heading, *bold*\n\n[code](src/a.cpp) [up](#a-heading-bold)\n")
        self.write("src/a.cpp", "int a();\n")

    def test_the_tree_passes(self):
        self.expect_clean(ROOT)

    def test_a_tree_without_faults_passes(self):
        self.write("docs/a.md", "[home](../README.md#a-heading-bold) [web](https://example.org/x) `[no](link)`\n"
                                "```\n[no](link)\n```\n")
        self.expect_clean()

    def test_finds_a_link_to_nothing(self):
        self.write("docs/a.md", "first\n[gone](gone.md)\n")
        self.expect_finding("docs/a.md:2", "gone.md")

    def test_finds_a_picture_that_is_not_there(self):
        self.write("docs/a.md", "![strip](strip.png)\n\n<img src=\"other.png\" width=\"100%\">\n")
        self.expect_finding("docs/a.md:1", "strip.png")
        self.expect_finding("docs/a.md:3", "other.png")

    def test_finds_a_link_after_a_fenced_block(self):
        self.write("docs/a.md", "```sh\nls\n```\n[gone](gone.md)\n")
        self.expect_finding("docs/a.md:4", "gone.md")

    def test_finds_an_anchor_without_heading(self):
        self.write("docs/a.md", "[home](../README.md#no-such-heading)\n")
        self.expect_finding("docs/a.md:1", "no such heading")

    def test_finds_a_link_out_of_the_project(self):
        self.write("docs/a.md", "[out](../../)\n")
        self.expect_finding("docs/a.md:1", "outside")

    def test_finds_a_page_that_a_source_names_and_that_is_not_there(self):
        self.write("docs/methods/there.md", "# There\n\n## The question\n\n## Where it fails\n")
        for name in ("src/b.cpp", "include/a.h", "tools/tool", "CMakeLists.txt"):
            with self.subTest(name=name):
                path = self.write(name, "// Method: docs/methods/there.md.\n// https://example.org/docs/methods/web.md\n")
                self.expect_clean()
                self.write(name, "// first\n// Failure cases: docs/methods/gone.md\n")
                self.expect_finding(f"{name}:2", "docs/methods/gone.md")
                path.unlink()

    def test_finds_a_constant_that_no_source_has(self):
        self.write("src/b.cpp", "constexpr double kReach = 0.998;\n")
        self.write("docs/a.md", "`kReach` is a share.\n")
        self.expect_clean()
        self.write("docs/a.md", "first\n`kReach`, `kRenamed_m`\n")
        self.expect_finding("docs/a.md:2", "kRenamed_m")

    def test_finds_a_method_page_without_its_question_or_its_failures(self):
        whole = "# Page\n\n## The question\n\n## Where it fails\n"
        self.write("docs/methods/a.md", whole)
        self.expect_clean()
        for missing in ("The question", "Where it fails"):
            self.write("docs/methods/a.md", whole.replace(missing, "Something"))
            self.expect_finding("docs/methods/a.md", "expected")

    def test_finds_paths_of_a_machine(self):
        for folder in ("wor" "k", "roo" "t", "far" "m", "hom" "e/somebody"):
            with self.subTest(folder=folder):
                self.write("src/a.cpp", f'int a();\nauto path = "/{folder}/data";\n')
                self.expect_finding("src/a.cpp:2", "path of a machine")

    def test_takes_no_path_in_an_address_for_one_of_a_machine(self):
        self.write("src/a.cpp", "// https://example.org/wor" "k/page\n")
        self.expect_clean()

    def test_finds_notes_to_self(self):
        for word in ("TO" "DO", "FIX" "ME"):
            with self.subTest(word=word):
                self.write("src/a.cpp", f"int a();  // {word}: more\n")
                self.expect_finding("src/a.cpp:1", "note to self")

    def test_finds_every_address_in_a_lock_file(self):
        for address in ("https://packages.example/x.tgz", "http://10.0.0.1/x.tgz", "git+ssh://example.org/x.git", "file:../x"):
            with self.subTest(address=address):
                self.write("web/package-lock.json", f'{{\n"reso' f'lved": "{address}"\n}}\n')
                self.expect_finding("web/package-lock.json:2", address)

    def test_takes_a_lock_file_with_hashes_and_folders_of_the_project(self):
        self.write("package-lock.json", '{\n"version": "1.0.0",\n"integrity": "sha512-AAAA",\n"reso' 'lved": "../engine"\n}\n')
        self.expect_clean()

    def test_finds_a_long_source(self):
        self.write("src/a.cpp", "int a;\n" * 350)
        self.expect_clean()
        self.write("src/a.cpp", "int a;\n" * 351)
        self.expect_finding("src/a.cpp", "351 lines")

    def test_finds_a_large_file(self):
        (self.tree / "big.bin").write_bytes(b"\0" * 500_001)
        self.expect_finding("big.bin", "500001 bytes")

    def test_a_tree_without_documents_is_no_success(self):
        (self.tree / "README.md").unlink()
        self.expect_finding("no Markdown file")


if __name__ == "__main__":
    unittest.main(verbosity=2)
