package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// open opens the folder of results. Without one that can be used they are kept in
// memory, unless -work names it.
func (s *settings) open(progress func(points int), stderr io.Writer) (*experiment.Lab, error) {
	options := experiment.Options{
		Folders:  protocol.Folders(),
		Work:     s.work,
		Fresh:    s.fresh,
		Workers:  s.workers,
		Progress: progress,
	}
	if s.work != "" {
		return experiment.New(options)
	}
	cache, err := os.UserCacheDir()
	if err == nil {
		options.Work = filepath.Join(cache, "facet", "paper")
		var lab *experiment.Lab
		if lab, err = experiment.New(options); err == nil {
			s.work = options.Work
			return lab, nil
		}
	}
	command.Complain(stderr, "paper", fmt.Errorf("results are lost when this run is stopped, unless -work names a folder: %w", err))
	options.Work = ""
	return experiment.New(options)
}

// load loads the sets. One that was not asked for may be missing.
func (s *settings) load(ctx context.Context, lab *experiment.Lab, stderr io.Writer) ([]string, error) {
	names, absent := s.datasets, []string(nil)
	if names == nil {
		names = protocol.Names()
	}
	var found []string
	for _, name := range names {
		_, err := lab.Set(ctx, name)
		switch {
		case err == nil:
			found = append(found, name)
		case s.datasets == nil && errors.Is(err, fs.ErrNotExist):
			absent = append(absent, name)
		default:
			return nil, err
		}
	}
	if absent != nil {
		command.Complain(stderr, "paper", fmt.Errorf("without %s, whose files were not found; go run ./examples/datasets tells how to get them",
			strings.Join(absent, ", ")))
	}
	return found, nil
}
