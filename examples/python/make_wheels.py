"""Makes wheels for Linux (glibc and musl), macOS and Windows, amd64 and arm64: python examples/python/make_wheels.py FOLDER [GOOS/GOARCH...]

It needs Go 1.26 and pip, and no C compiler.
"""
import os
import subprocess
import sys

PLATFORMS = [f"{system}/{processor}" for system in ("linux", "darwin", "windows") for processor in ("amd64", "arm64")]


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    folder, *platforms = arguments
    here = os.path.dirname(os.path.abspath(__file__))
    for platform in platforms or PLATFORMS:
        system, processor = platform.split("/")
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", folder, here],
            env={**os.environ, "GOOS": system, "GOARCH": processor}, check=True)
    print(*sorted(os.listdir(folder)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
