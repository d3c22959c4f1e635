"""Makes a wheel for this machine: python examples/python/make_wheels.py FOLDER

Others are asked for by name, as linux/amd64 (glibc and musl), or all by --all: Linux, macOS and Windows, amd64 and arm64. It needs Go 1.26 and pip, and no C compiler.
"""
import os
import subprocess
import sys

PLATFORMS = [f"{system}/{processor}" for system in ("linux", "darwin", "windows") for processor in ("amd64", "arm64")]


def own():
    """Returns the platform that Go builds for here."""
    said = subprocess.run(["go", "env", "GOOS", "GOARCH"], capture_output=True, text=True, check=True).stdout.split()
    return "/".join(said)


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    folder, *platforms = arguments
    here = os.path.dirname(os.path.abspath(__file__))
    if platforms == ["--all"]:
        platforms = PLATFORMS
    for platform in platforms or [own()]:
        system, _, processor = platform.partition("/")
        if not (system and processor):
            sys.exit(f"{platform!r} is no platform such as {PLATFORMS[0]}\n\n{__doc__}")
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", folder, here],
            env={**os.environ, "GOOS": system, "GOARCH": processor}, check=True)
    print(*sorted(os.listdir(folder)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
