package attacking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// twoSets returns the flags that name a training set of 1-NN, a test set and --out.
func twoSets(t *testing.T) (args []string, out string) {
	folder := t.TempDir()
	train, test, out := filepath.Join(folder, "train"), filepath.Join(folder,
		"test"), filepath.Join(folder, "out")
	err := errors.Join(
		os.WriteFile(train, []byte("-1 1:0 2:0\n-1 1:0 2:1\n1 1:4 2:0\n1 1:4 2:1\n"), 0o666),
		os.WriteFile(test, []byte("-1 1:1\n1 1:3 2:1\n-1 1:0.5 2:0.5\n1 1:2.5 2:1\n"), 0o666),
	)
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--train", train, "--test", test, "--workers", "1", "--out", out}, out
}

func mustPrepare(t *testing.T, args ...string) *evaluation {
	t.Helper()
	a := mustParse(t, args...)
	e, err := prepare(t.Context(), &a.task, a, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestInterruptedWithoutOut(t *testing.T) {
	args, _ := twoSets(t)
	e := mustPrepare(t, args[:len(args)-2]...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := e.attackRows(ctx, new(results.File[results.Line]), new(bytes.Buffer))
	const want = "interrupted with 0 of 4 rows done, which are lost: facet attack --out FILE " +
		"keeps them, and --resume continues"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

func mustParse(t *testing.T, args ...string) *attacking {
	t.Helper()
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	a := newAttacking(f)
	if err := cmp.Or(f.Parse(args), a.finish(rowsAsked, a.check)); err != nil {
		t.Fatal(err)
	}
	return a
}

// cancelling cancels the context as it runs, and gives up if it notices.
type cancelling struct {
	attack.Attack
	cancel context.CancelFunc
}

func (c cancelling) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	c.cancel()
	if err := ctx.Err(); err != nil {
		return attack.Result{}, err
	}
	return c.Attack.Perturb(ctx, x)
}

// TestRunningRowsFinish checks that an interruption lets the running row come to its end.
func TestRunningRowsFinish(t *testing.T) {
	args, path := twoSets(t)
	e := mustPrepare(t, args...)
	ctx, cancel := context.WithCancel(t.Context())
	exact, err := e.exact(e.data.Classifier)
	if err != nil {
		t.Fatal(err)
	}
	e.by = each(func() attack.Attack { return cancelling{exact, cancel} })
	out, err := openLines[results.Line](t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	err = e.attackRows(ctx, out, new(bytes.Buffer))
	out.Close()
	if err == nil || !strings.Contains(err.Error(), "1 of 4 rows done") {
		t.Errorf("error %v, want one that says 1 of 4 rows", err)
	}
	if text, err := os.ReadFile(path); err != nil ||
		strings.Count(string(text), `"status":"optimal"`) != 1 {
		t.Errorf("%s, %v in the file, want the running row finished", text, err)
	}
}

// TestFullDisk checks that a line that cannot be written ends the run.
func TestFullDisk(t *testing.T) {
	args, _ := twoSets(t)
	e := mustPrepare(t, args...)
	out, err := openLines[results.Line](t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := e.attackRows(t.Context(), out, new(bytes.Buffer)); !errors.Is(err, os.ErrClosed) ||
		len(out.Lines) != 0 {
		t.Errorf("error %v with %d lines, want %v", err, len(out.Lines), os.ErrClosed)
	}
}
