#!/usr/bin/env bash
# Builds the command for five platforms into a folder: tools/build.sh FOLDER [PLATFORM...]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?tools/build.sh FOLDER [PLATFORM...]}
shift
platforms=("$@")
[ ${#platforms[@]} -gt 0 ] || platforms=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64)
mkdir -p "$folder"
for platform in "${platforms[@]}"; do
	suffix=""
	[ "${platform%/*}" != windows ] || suffix=.exe
	file="$folder/facet-${platform%/*}-${platform#*/}$suffix"
	CGO_ENABLED=0 GOOS=${platform%/*} GOARCH=${platform#*/} go build -trimpath -ldflags=-s -o "$file" ./examples/facet
	echo "$file"
done
