package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sbinet/npyio"

	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// dump writes the rows, and prints what to do with them.
func dump(d *protocol.Set, folder string, stdout io.Writer) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	arrays := []struct {
		name   string
		values any
	}{
		{"train_x", d.Train}, {"train_y", wide(d.TrainY)},
		{"test_x", d.Test}, {"test_y", wide(d.TestY)},
	}
	for _, a := range arrays {
		if err := writeNPY(filepath.Join(folder, a.name+".npy"), a.values); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(stdout, "%d training and %d test rows of %s%s written to %s as train_x.npy, train_y.npy, test_x.npy and test_y.npy\n",
		len(d.TrainY), len(d.TestY), d.Name, trial.Note(d), folder)
	return err
}

// wide returns numbers of the size that NPY files state.
func wide(y []int) []int64 {
	out := make([]int64, len(y))
	for i, label := range y {
		out[i] = int64(label)
	}
	return out
}

func writeNPY(path string, values any) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = npyio.Write(w, values)
	if err = cmp.Or(err, w.Flush(), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
