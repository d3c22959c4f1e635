#!/bin/bash
# An array of 64 tasks on a cluster of Slurm: sbatch slurm.sh, and once all are done
# sbatch --dependency=afterok:JOB --wrap "facet merge shards/*.jsonl --out rows.jsonl". A task that is queued again goes on.
#SBATCH --job-name=facet
#SBATCH --array=1-64
#SBATCH --cpus-per-task=4
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -euo pipefail
mkdir -p shards
exec facet attack --model model.json --test rows.csv --max-nodes 100000 --untimed \
	--workers "$SLURM_CPUS_PER_TASK" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
	--out "shards/$SLURM_ARRAY_TASK_ID.jsonl" --resume
