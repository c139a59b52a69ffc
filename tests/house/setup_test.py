"""tools/setup names and installs what is missing, seen with stand-ins for Debian's programs."""
import os
import unittest

from support import TreeCopyTest, run_tool

# Knows the packages of the file `installed`; like the real one it is silent about the others and fails for them.
DPKG_QUERY = """#!/bin/sh
status=0
for name in "$@"; do
  case "$name" in
    -*|*'{'*) continue ;;
  esac
  state=$(sed -n "s/^$name=//p" "$(dirname "$0")/installed")
  if [ -n "$state" ]; then echo "$name=$state"; else status=1; fi
done
exit $status
"""
RECORDER = """#!/bin/sh
echo "$(basename "$0") $*" >> "$(dirname "$0")/calls"
"""


class Setup(TreeCopyTest):
    def setUp(self):
        super().setUp()
        for name in ("bash", "env", "sed", "tr", "dirname", "basename", "sh"):
            for folder in ("/usr/bin", "/bin"):
                if os.path.exists(f"{folder}/{name}"):
                    (self.tree / name).symlink_to(f"{folder}/{name}")
                    break
        self.program("dpkg-query", DPKG_QUERY)
        self.program("apt-get", RECORDER)
        self.user(0)
        self.install_all()

    def program(self, name, text):
        self.write(name, text).chmod(0o755)

    def user(self, number):
        self.program("id", f"#!/bin/sh\necho {number}\n")

    def install_all(self, without=(), node=True):
        names = ("g++ cmake ninja-build pkg-config ccache libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev "
                 "libtinygltf-dev libboost-dev libassimp-dev libcairo2-dev fonts-dejavu-core libtbb-dev libhwy-dev libjs-three libsqlite3-dev libzip-dev libcpp-httplib-dev chromium firefox-esr xvfb ffmpeg libgtest-dev libgmock-dev "
                 "git python3 ca-certificates libbenchmark-dev liborocos-kdl-dev clang-19 libclang-rt-19-dev clang-format clang-tidy-19").split()
        self.write("installed", "".join(f"{name}=installed\n" for name in names if name not in without))
        if node:
            self.program("node", "#!/bin/sh\n")
            self.program("npm", "#!/bin/sh\n")

    def setup(self, *groups, **env):
        return run_tool("setup", *groups, env={"PATH": str(self.tree), **env})

    def calls(self):
        path = self.tree / "calls"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def test_is_silent_when_nothing_is_missing(self):
        self.assertEqual(self.setup("build", "test", "bench", "fuzz", "lint"), (0, "", ""))
        self.assertEqual(self.calls(), [])

    def test_names_what_is_missing_and_installs_only_that(self):
        self.install_all(without=("libfmt-dev", "libgtest-dev"))
        status, _, said = self.setup("build", "test")
        self.assertEqual(status, 0, said)
        self.assertIn("missing for build test: libfmt-dev libgtest-dev\n", said)
        update, install = self.calls()
        self.assertRegex(update, r"^apt-get .*update$")
        self.assertRegex(install, r"^apt-get -y -o DPkg::Lock::Timeout=600 install --no-install-recommends libfmt-dev libgtest-dev$")

    def test_names_everything_on_a_bare_machine(self):
        self.write("installed", "\n")
        (self.tree / "node").unlink()
        (self.tree / "npm").unlink()
        status, _, said = self.setup("build", "test", SHOSA_NO_INSTALL="1")
        self.assertEqual(status, 1)
        for name in ("g++", "cmake", "ninja-build", "libeigen3-dev", "libtinygltf-dev", "libgmock-dev", "nodejs", "npm"):
            self.assertIn(f" {name}", said)

    def test_a_group_asks_only_for_its_own(self):
        self.install_all(without=("libgtest-dev", "clang-19", "libbenchmark-dev"))
        self.assertEqual(self.setup("build")[0], 0)
        self.assertEqual(self.calls(), [])

    def test_a_removed_package_with_files_left_is_missing(self):
        self.install_all(without=("cmake",))
        with open(self.tree / "installed", "a", encoding="utf-8") as file:
            file.write("cmake=config-files\n")
        status, _, said = self.setup("build", SHOSA_NO_INSTALL="1")
        self.assertEqual(status, 1)
        self.assertIn("missing for build: cmake\n", said)

    def test_only_reports_when_asked_to(self):
        self.install_all(without=("cmake",))
        self.assertEqual(self.setup("build", SHOSA_NO_INSTALL="1")[0], 1)
        self.assertEqual(self.calls(), [])

    def test_without_rights_it_prints_the_command(self):
        self.user(1000)
        self.install_all(without=("cmake", "ccache"))
        status, _, said = self.setup("build")
        self.assertEqual(status, 1)
        self.assertIn("apt-get install -y --no-install-recommends cmake ccache\n", said)
        self.assertEqual(self.calls(), [])

    def test_uses_sudo_when_not_root(self):
        self.user(1000)
        self.program("sudo", RECORDER)
        self.install_all(without=("cmake",))
        self.assertEqual(self.setup("build")[0], 0)
        self.assertEqual([call.split()[0] for call in self.calls()], ["sudo", "sudo"])

    def test_a_failed_installation_is_a_failure(self):
        self.program("apt-get", "#!/bin/sh\nexit 100\n")
        self.install_all(without=("cmake",))
        self.assertNotEqual(self.setup("build")[0], 0)

    def test_another_system_is_told_the_names(self):
        (self.tree / "dpkg-query").unlink()
        status, _, said = self.setup("build")
        self.assertEqual(status, 0)
        self.assertIn("libeigen3-dev", said)

    def test_an_unknown_group_is_wrong_usage(self):
        self.assertEqual(self.setup("attic")[0], 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
