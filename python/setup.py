"""Builds the wheel: CMake compiles the extension, and its shared libraries travel beside it.

TOCCATA_BUILD_DIR names a CMake build folder that already holds the built module (configured with
-DTOCCATA_BUILD_PYTHON=ON); without it, one of its own is made in build/python.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def version() -> str:
    return re.search(r"project\(Toccata VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        built = os.environ.get("TOCCATA_BUILD_DIR")
        folder = Path(built).resolve() if built else self.compile()
        package = folder / "python" / "toccata"
        files = sorted(package.glob("*.so*"))
        if not any(file.name.startswith("_toccata") for file in files):
            raise SystemExit(f"setup: no module in {package}; build the target toccata_python first")
        target = Path(self.get_ext_fullpath(extension.name)).parent
        target.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copy2(file, target / file.name)
        for library in ("libtbb", "libhwy", "libtinyxml2-", "libyaml-cpp"):  # they travel along, and so do their terms
            for terms in Path("/usr/share/doc").glob(f"{library}[0-9]*/copyright"):
                (target / "licenses").mkdir(exist_ok=True)
                shutil.copy2(terms, target / "licenses" / f"{terms.parent.name}.txt")

    def compile(self) -> Path:
        folder = ROOT / "build" / "python"
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.check_call(
            ["cmake", "-S", str(ROOT), "-B", str(folder), *generator, "-DCMAKE_BUILD_TYPE=Release",
             "-DTOCCATA_BUILD_PYTHON=ON", "-DTOCCATA_BUILD_APPS=OFF", f"-DPython_EXECUTABLE={sys.executable}"])
        jobs = os.environ.get("JOBS", str(os.cpu_count() or 1))
        subprocess.check_call(["cmake", "--build", str(folder), "--target", "toccata_python", "-j", jobs])
        return folder


setup(version=version(), ext_modules=[Extension("toccata._toccata", sources=[])], cmdclass={"build_ext": CMakeBuild})
