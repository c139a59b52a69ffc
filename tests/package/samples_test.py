"""Installs into a fresh prefix, and builds and runs every sample against it."""
import shutil

from support import BUILD, ROOT, configure, configure_options, expect, run

work = BUILD / "package_samples"
shutil.rmtree(work, ignore_errors=True)
prefix = work / "prefix"
run("cmake", "--install", BUILD, "--prefix", prefix)
configure(ROOT / "samples", work / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_UNITY_BUILD=ON", *configure_options())
run("cmake", "--build", work / "build")
expect(r"100% tests passed", run("ctest", "--test-dir", work / "build", "--output-on-failure"))
print("installed package: samples built and run")
