package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// run plans the job, hands it to the runner and tells the outcome.
func (l *launch) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := l.pieces.Check(); err != nil {
		return command.Misuse(err)
	}
	j, err := l.plan(ctx, stderr)
	if err != nil {
		return command.Misuse(err)
	}
	p := beam.NewPipeline()
	j.build(p.Root())
	result, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return fmt.Errorf(
			"the job has failed, and the same command goes on with what is missing: %s", cause(err),
		)
	}
	if result == nil {
		return nil // Dataflow's --dry_run
	}
	return j.report(ctx, result, stdout)
}

// cause is the message of the step that failed, without the runner's description of all steps.
func cause(err error) string {
	text := err.Error()
	const last = "] failed:\n"
	if i := strings.LastIndex(text, last); i >= 0 {
		return text[i+len(last):]
	}
	return text
}

// job is the work of the pipeline.
type job struct {
	flags  []string
	out    string
	meta   []byte
	shards []Shard
}

// plan reads the test set once and divides it.
func (l *launch) plan(ctx context.Context, stderr io.Writer) (*job, error) {
	j := &job{flags: l.given(), out: l.pieces.Out()}
	if err := l.checkOut(j.out); err != nil {
		return nil, err
	}
	w, err := workerOf(ctx, j.flags, stderr)
	if err != nil {
		return nil, err
	}
	test := l.pieces.Inputs()["test"]
	if j.shards, err = w.source.divide(ctx, w.pieces.Text(), l.rows); err != nil {
		return nil, fmt.Errorf("--test %s: %w", test, err)
	}
	sum, err := checksum(ctx, test)
	if err != nil {
		return nil, err
	}
	last := j.shards[len(j.shards)-1]
	meta := w.pieces.Meta(last.First+last.Rows, sum)
	for name, path := range l.pieces.Inputs() { // copies of remote files have other names
		meta.Inputs[name] = results.Input{Path: path, Sum: meta.Inputs[name].Sum}
	}
	if j.meta, err = json.Marshal(meta); err != nil {
		return nil, err
	}
	return j, j.checkShards(ctx, meta)
}

// checkOut makes the folder, or refuses a path that is none.
func (l *launch) checkOut(out string) error {
	if isRemote(out) {
		return nil
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// checkShards refuses a folder that holds shards of another run.
func (j *job) checkShards(ctx context.Context, meta *results.Meta) error {
	found, err := list(ctx, join(j.out, "shard-*.meta.json"))
	if err != nil || len(found) == 0 {
		return err
	}
	slices.Sort(found)
	text, err := readFile(ctx, found[0])
	if err != nil {
		return err
	}
	m := *meta
	m.Shard = &results.Shard{Index: 1, Count: len(j.shards)}
	if _, err := results.Continue(&m, text); err != nil {
		return fmt.Errorf("%s is of another run: %w; name another folder, or remove its files",
			found[0], err)
	}
	return nil
}

// build makes the pipeline.
func (j *job) build(s beam.Scope) {
	sections := beam.Create(s.Scope("plan"), sections(j.shards)...)
	batches := beam.ParDo(s.Scope("read"), &readFn{Flags: j.flags}, sections)
	records := beam.ParDo(s.Scope("attack"),
		&attackFn{Flags: j.flags, Out: j.out, Meta: j.meta, Count: len(j.shards)}, batches)
	s = s.Scope("manifest")
	all := beam.GroupByKey(s, beam.AddFixedKey(s, records))
	beam.ParDo0(s, &manifestFn{Out: j.out, Meta: j.meta, Count: len(j.shards)}, all)
}

// report prints the manifest, and removes files that killed runs have left behind.
func (j *job) report(ctx context.Context, result beam.PipelineResult, stdout io.Writer) error {
	text, err := readFile(ctx, join(j.out, manifestName))
	if err != nil {
		return fmt.Errorf("there is no manifest yet, which a job writes last: %w", err)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	w := command.NewTable(stdout)
	w.Row("rows", "%d", m.Run.Rows)
	w.Row("lines", "%d in %d shards", m.Lines, len(m.Shards))
	w.Row("without a line", "%d, for what errors-….jsonl say", m.Refused)
	w.Row("manifest", "%s", join(j.out, manifestName))
	w.Row("model loaded", "%d times", modelLoads(result))
	return errors.Join(w.Flush(), j.sweep())
}

// modelLoads is how often processes have loaded the model.
func modelLoads(result beam.PipelineResult) (n int64) {
	found := result.Metrics().Query(func(r metrics.SingleResult) bool {
		return r.Name() == "model_loads"
	})
	for _, c := range found.Counters() {
		n += c.Result()
	}
	return n
}

func (j *job) sweep() error {
	if isRemote(j.out) {
		return nil
	}
	left, err := filepath.Glob(filepath.Join(j.out, ".[0-9]*.json*"))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
