"""Compiles the command for the platform that GOOS and GOARCH name, by default this one, and puts it into the wheel."""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Go's programs need neither a C library nor one of its versions; the tags are the oldest systems that pip and Go 1.26 know.
TAGS = {
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


class Command(BuildHookInterface):
    def initialize(self, version, build_data):
        if self.target_name != "wheel":
            return
        module = Path(self.root).parents[1]
        if not (module / "go.mod").exists():
            raise SystemExit("facet-robust is built in a clone of https://github.com/seed-1a7dc1f9/facet: pip install ./examples/python")
        if shutil.which("go") is None:
            raise SystemExit("facet-robust is built with Go 1.26 or later (https://go.dev/dl/), which is not on the PATH")
        environment = {**os.environ, "CGO_ENABLED": "0"}
        system, processor = subprocess.run(
            ["go", "env", "GOOS", "GOARCH"], env=environment, check=True, capture_output=True, text=True).stdout.split()
        platform = f"{system}/{processor}"
        if platform not in TAGS:
            raise SystemExit(f"there is no wheel for {platform}: it is built for {', '.join(TAGS)}")
        name = "facet.exe" if system == "windows" else "facet"
        if version == "editable":
            program = Path(self.root) / "facet_robust" / "bin" / name
        else:
            self.made = tempfile.mkdtemp()
            program = Path(self.made) / name
            build_data["force_include"][str(program)] = f"facet_robust/bin/{name}"
        built = subprocess.run(["go", "build", "-trimpath", "-ldflags=-s", "-o", str(program), "./examples/facet"], cwd=module, env=environment)
        if built.returncode != 0:
            raise SystemExit("facet-robust: go build failed, and has said why above")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{TAGS[platform]}"

    def finalize(self, version, build_data, artifact_path):
        if hasattr(self, "made"):
            shutil.rmtree(self.made)
