#!/usr/bin/env bash
# Compares the benchmarks of two versions of a package, in turn, on one core of this machine:
#
#     export FACET_DATA=/path/to/the/data/sets
#     tools/compare_versions.sh af264ff HEAD attack '^BenchmarkExactForest$|^BenchmarkExactNeighbors$' 10
#
# says for each benchmark that both have how long the old and the new version take, the medians of ten runs, and whether that can
# be chance (benchstat). With one run each benchmark is measured once. A file of benchmarks that the old version lacks is laid into it, if it is named behind the number of runs:
#
#     FACET_LARGE=$PWD/work/large tools/compare_versions.sh af264ff HEAD attack Large 1 large_bench_test.go
#
# LOGS=FOLDER keeps what both versions printed, with the processor and the versions, as FOLDER/PACKAGE-OLD-NEW.txt.
#
# Leave the machine alone while it runs.
set -euo pipefail
[ $# -ge 4 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
old=$1 new=$2 package=$3 bench=$4 count=${5:-10} file=${6:-}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'for side in old new; do git worktree remove --force "$work/$side" 2>/dev/null || true; done; rm -rf "$work"' EXIT
export CGO_ENABLED=0 GOMAXPROCS=1

time=0.2s
[ "$count" != 1 ] || time=1x
for side in old new; do
	git worktree add --quiet --detach "$work/$side" "${!side}"
	[ -z "$file" ] || cp "$package/$file" "$work/$side/$package/"
	(cd "$work/$side" && go test -c -o "$work/$side.test" "./$package")
done
for run in $(seq "$count"); do
	for side in old new; do
		echo "run $run of $count: $side" >&2
		(cd "$work/$side/$package" && "$work/$side.test" -test.run '^$' -test.bench "$bench" -test.benchtime "$time" -test.timeout 0 >>"$work/$side.txt")
	done
done
go run golang.org/x/perf/cmd/benchstat@latest old="$work/old.txt" new="$work/new.txt" | tee "$work/compared.txt"
if [ -n "${LOGS:-}" ]; then
	mkdir -p "$LOGS"
	commits="$(git rev-parse --short "$old")-$(git rev-parse --short "$new")"
	log="$LOGS/${package//\//_}-$commits.txt"
	{
		echo "$(date -u +%F), $(go version), benchmarks $bench of $package, $count runs in turn"
		for text in compared old new; do printf '\n== %s\n' "$text"; cat "$work/$text.txt"; done
	} >"$log"
	echo "kept in $log" >&2
fi
