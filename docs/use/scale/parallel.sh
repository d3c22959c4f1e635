#!/bin/bash
# parallel.sh OUT SHARDS FLAGS… runs facet attack FLAGS in so many shards, one a core, and joins them into OUT. The same command
# goes on with what is missing. With --sshloginfile in PARALLEL, GNU parallel uses other machines that share the folder.
set -euo pipefail
out=$1 shards=$2
shift 2
mkdir -p "$out.shards"
attack=(facet attack "$@" --workers 1 --untimed --shard "{}/$shards" --out "$out.shards/{}.jsonl" --resume)
if command -v parallel >/dev/null; then
	seq "$shards" | parallel --quote --workdir . --retries 3 "${attack[@]}" >/dev/null
else
	seq "$shards" | xargs -P "$(nproc)" -I '{}' "${attack[@]}" >/dev/null
fi
facet merge "$out.shards"/*.jsonl --out "$out" --overwrite
