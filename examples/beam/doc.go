// Beam attacks the rows of a large file on many machines: an Apache Beam pipeline whose lines are
// those of facet attack.
//
//	go run . --model model.json --test rows.parquet --out shards [flags] [-- flags of the runner]
//	facet merge shards/shard-*.jsonl --out rows.jsonl
//
// It takes the flags of facet attack; --timeout gives way to --max-nodes, since a row that is tried
// again must get the same line. Without flags of a runner the pipeline runs in this process, under
// Beam's runner Prism. docs/use/scale.md has the commands for others.
//
// # Steps
//
// The launcher reads the test set once: it counts the rows, sums the bytes, and divides the file
// into shards, --shard-rows rows of CSV each, or no more than that of a row group of Parquet. The
// pipeline reads shards by a splittable DoFn (read.go), attacks their rows (attack.go), and joins
// the facts about them in a manifest (manifest.go). Machines exchange names of shards and counts,
// never rows.
//
// # Files
//
// A shard is a file of lines as facet attack writes it, in the order of its rows, with
// FILE.meta.json beside it. Rows that cannot be attacked (no number, a missing value, too few
// cells, an unknown label) have no line: errors-….jsonl has a line with the reason for each.
// manifest.json is written last, when all shards are there; it lists them with their counts and
// checksums.
//
// Rows are counted from 0, the faulty ones too. In CSV each line is a row: a cell cannot hold a
// line break.
//
// # Once and only once
//
// A file is put in its place in one step, under a name that its rows alone determine, and its bytes
// depend on the flags and the inputs alone. So a shard that a runner does twice is written twice
// with the same bytes, and a job that was killed goes on by the same command: shards that are there
// are kept. A folder with shards of other flags or inputs is refused.
package main
