#!/bin/sh
# gate.sh POLICY MODEL TEST [flags]: asks a policy's checks, and leaves what a pipeline keeps in the folder gate.
# The exit status is that of facet gate: 0 all pass, 1 one fails, 4 one is open, and others for what went wrong.
set -u
policy=$1 model=$2 test=$3
shift 3
mkdir -p gate
exec facet gate "$policy" --model "$model" --test "$test" --timeout 60s --overwrite \
	--out gate/gate.md --out gate/gate.xml --out gate/gate.json --proofs gate/proofs "$@"
