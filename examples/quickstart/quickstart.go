package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
)

// quickstart runs the experiment. The folder is tried first, so that a wrong one is
// known before the work is done.
func quickstart(ctx context.Context, folder string, stdout, stderr io.Writer) error {
	if err := prepare(folder); err != nil {
		return err
	}
	bar := new(progress.Bar)
	lab, err := experiment.New(experiment.Options{Progress: func(points int) { bar.Add(points) }})
	if err != nil {
		return err
	}
	set, err := lab.Set(ctx, "halfmoon")
	if err != nil {
		return err
	}
	cells, err := trainAll(ctx, lab)
	if err != nil {
		return err
	}
	bar = progress.New(stderr, progress.Options{Description: "attacking", Unit: "points", Total: total(cells), Log: true})
	err = attackAll(ctx, lab, cells)
	bar.Close()
	if err != nil {
		return err
	}
	if err := writeTable(stdout, set, cells); err != nil {
		return err
	}
	return drawAll(ctx, set, cells, folder, stdout)
}

// prepare makes the folder and checks that files can be written to it.
func prepare(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder for the pictures: %w", err)
	}
	probe, err := os.CreateTemp(folder, ".probe*")
	if err != nil {
		return fmt.Errorf("cannot write pictures: %w", err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}
