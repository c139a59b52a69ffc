"""tools/run_docs runs the commands of a document and finds those that fail, seen with a stand-in for the program."""
import unittest

from support import TreeCopyTest, run_tool

PROGRAM = """#!/bin/sh
echo "$*" >> calls.txt
case "$1" in
  good) echo good ;;
  bad) echo "no such verb" >&2; exit 2 ;;
  object) echo '{"frames": 3}' ;;
  list) echo '[3]' ;;
  text) echo 'frames 3' ;;
  make) echo made > "$2" ;;
  demo) echo made > made.txt ;;
  need) test -f "$2" ;;
esac
"""


class RunDocs(TreeCopyTest):
    def setUp(self):
        super().setUp()
        self.program = self.write("program", PROGRAM)
        self.program.chmod(0o755)

    def run_document(self, text):
        return run_tool("run_docs", self.program, self.write("page.md", text))

    def test_runs_commands_in_their_order_in_one_folder(self):
        status, output, _ = self.run_document(
            "```sh\nshosa make a.txt\n```\ntext\n```sh run\nbuild/shosa need a.txt\n```\n```console\n$ shosa good | cat\ngood\n```\n")
        self.assertEqual(status, 0, output)
        self.assertEqual(output.count("ok  "), 3)

    def test_names_the_command_that_failed(self):
        status, output, _ = self.run_document("text\n\n```sh\nshosa good\nshosa bad  # a comment\n```\n")
        self.assertEqual(status, 1)
        self.assertRegex(output, r"FAILED  .*page\.md:5: shosa bad.*exit status 2, expected 0: no such verb")

    def test_a_promised_exit_status_must_come(self):
        self.assertEqual(self.run_document("```sh\nshosa bad  # exit 2\n```\n")[0], 0)
        self.assertEqual(self.run_document("```sh\nshosa bad  # exit 3\n```\n")[0], 1)
        self.assertEqual(self.run_document("```sh\nshosa good  # exit 2\n```\n")[0], 1)

    def test_a_failure_in_a_pipe_is_a_failure(self):
        self.assertEqual(self.run_document("```sh\nshosa bad | cat\n```\n")[0], 1)

    def test_json_must_be_one_object(self):
        self.assertEqual(self.run_document("```sh\nshosa object --json\n```\n")[0], 0)
        self.assertEqual(self.run_document("```sh\nshosa list --json\n```\n")[0], 1)
        self.assertEqual(self.run_document("```sh\nshosa text --json\n```\n")[0], 1)

    def test_joins_continued_lines(self):
        status, output, _ = self.run_document("```sh\nshosa make \\\n  a.txt\nshosa need a.txt\n```\n")
        self.assertEqual(status, 0, output)

    def test_passes_over_other_programs_and_other_blocks(self):
        status, output, _ = self.run_document("```sh\ngit nonsense\nshosa good\n```\n```\nshosa bad\n```\n```cpp\nshosa bad\n```\n")
        self.assertEqual(status, 0, output)
        self.assertEqual(output.count("ok  "), 1)

    def test_make_demo_stands_for_the_programs_demo(self):
        status, output, _ = self.run_document("```sh\nmake demo     # some words\nshosa need made.txt\n```\n")
        self.assertEqual(status, 0, output)
        self.assertIn("build/shosa demo -o out/demo", output)

    def test_a_document_without_commands_is_no_success(self):
        self.assertEqual(self.run_document("no commands\n")[0], 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
