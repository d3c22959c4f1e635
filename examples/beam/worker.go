package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
)

// worker has the data of a process that attacks rows: the test set, to be read at any place, and
// the model.
type worker struct {
	source rowSource
	pieces *attacking.Pieces
	told   atomic.Bool // that the model was loaded
}

// workers are the one worker of this process for each job's flags. A runner sets up steps many
// times in a process, for as many bundles as it likes at once; the model is loaded by the first and
// shared by all.
var workers struct {
	sync.Mutex
	made map[string]*worker
}

// workerOf returns the worker of this process. What the user should know about the files is said
// when it is made.
func workerOf(ctx context.Context, args []string, stderr io.Writer) (*worker, error) {
	workers.Lock()
	defer workers.Unlock()
	key := strings.Join(args, "\x00")
	if w := workers.made[key]; w != nil {
		return w, nil
	}
	f := pflag.NewFlagSet("worker", pflag.ContinueOnError)
	pieces := attacking.BeginPieces(f)
	local, err := localize(ctx, args)
	if err == nil {
		err = f.Parse(local)
	}
	if err == nil {
		err = pieces.Check()
	}
	if err != nil {
		return nil, err
	}
	w, err := newWorker(ctx, pieces, stderr)
	if err != nil {
		return nil, err
	}
	if workers.made == nil {
		workers.made = make(map[string]*worker)
	}
	workers.made[key] = w
	return w, nil
}

// newWorker opens the test set and loads the model.
func newWorker(ctx context.Context, pieces *attacking.Pieces, stderr io.Writer) (*worker, error) {
	// The file stays open for bundles that come long after the one that opened it.
	source, err := openRows(context.WithoutCancel(ctx), pieces.Inputs()["test"])
	if err != nil {
		return nil, err
	}
	if err := pieces.Load(ctx, source.beginning(), stderr); err != nil {
		source.Close()
		return nil, err
	}
	return &worker{source: source, pieces: pieces}, nil
}

// localize copies the files that flags name in a store of objects to this machine, all but the test
// set, which is read in parts.
func localize(ctx context.Context, args []string) ([]string, error) {
	local := make([]string, len(args))
	for i, arg := range args {
		local[i] = arg
		name, path, _ := strings.Cut(arg, "=")
		if !isRemote(path) || name == "--test" || name == "--out" {
			continue
		}
		text, err := readFile(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", name, path, err)
		}
		folder, err := os.MkdirTemp("", "facet-beam-*")
		if err != nil {
			return nil, err
		}
		file := filepath.Join(folder, filepath.Base(path))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
		local[i] = name + "=" + file
	}
	return local, nil
}
