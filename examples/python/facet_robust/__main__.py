"""The command itself: python -m facet_robust attack --help"""
import subprocess
import sys

from .command import FacetError, program


def main() -> None:
    try:
        path = program()
    except FacetError as e:
        sys.exit(f"facet: {e}")
    try:
        sys.exit(subprocess.call([path, *sys.argv[1:]]))
    except KeyboardInterrupt:  # which the command has heard, too
        sys.exit(3)


if __name__ == "__main__":
    main()
