"""tools/fuzz runs every fuzzer from copied seeds and tells of failures, seen with stand-ins for the fuzzers."""
import shutil
import subprocess
import unittest

from support import ROOT, TreeCopyTest

# Notes its last argument, the corpus folder, and adds to it as a fuzzer does.
FUZZER = """#!/bin/sh
for corpus; do :; done
ls "$corpus" >> "$(dirname "$0")/seen"
echo found > "$corpus/found"
exit %d
"""


class Fuzz(TreeCopyTest):
    def setUp(self):
        super().setUp()
        (self.tree / "tools").mkdir()
        shutil.copy(ROOT / "tools" / "fuzz", self.tree / "tools" / "fuzz")
        self.write("fuzz/corpus/bvh/seed.bvh", "HIERARCHY\n")

    def add_fuzzer(self, name, status=0):
        self.write(f"fuzz/{name}_fuzz.cpp", "")
        self.write(f"build/fuzz/{name}_fuzz", FUZZER % status).chmod(0o755)

    def fuzz(self, *names):
        return subprocess.run(["tools/fuzz", "build", "1", *names], cwd=self.tree, capture_output=True, text=True, check=False)

    def test_seeds_are_copied_and_the_source_tree_stays_clean(self):
        self.add_fuzzer("bvh")
        result = self.fuzz()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("1 fuzzers, no failure", result.stdout)
        self.assertEqual((self.tree / "build/fuzz/seen").read_text(encoding="utf-8"), "seed.bvh\n")
        self.assertEqual([path.name for path in (self.tree / "fuzz/corpus/bvh").iterdir()], ["seed.bvh"])

    def test_what_was_found_is_kept_for_the_next_run(self):
        self.add_fuzzer("bvh")
        self.fuzz()
        self.fuzz()
        self.assertEqual((self.tree / "build/fuzz/seen").read_text(encoding="utf-8"), "seed.bvh\nfound\nseed.bvh\n")

    def test_a_failing_fuzzer_is_named_and_the_others_still_run(self):
        self.add_fuzzer("amc", status=77)
        self.add_fuzzer("bvh")
        result = self.fuzz()
        self.assertEqual(result.returncode, 1)
        self.assertIn("failed: amc_fuzz", result.stderr)
        self.assertIn("== bvh_fuzz", result.stdout)

    def test_one_fuzzer_can_be_chosen(self):
        self.add_fuzzer("amc", status=77)
        self.add_fuzzer("bvh")
        self.assertEqual(self.fuzz("bvh").returncode, 0)

    def test_the_fuzzer_of_foreign_code_runs_only_by_name(self):
        self.add_fuzzer("fbx", status=77)
        self.add_fuzzer("bvh")
        self.assertEqual(self.fuzz().returncode, 0)
        self.assertEqual(self.fuzz("fbx").returncode, 1)

    def test_a_fuzzer_that_was_not_built_is_left_out_and_told_of(self):
        self.write("fuzz/gltf_fuzz.cpp", "")
        self.add_fuzzer("bvh")
        result = self.fuzz()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("gltf_fuzz: not built", result.stdout)

    def test_no_fuzzer_is_no_success(self):
        self.assertEqual(self.fuzz().returncode, 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
