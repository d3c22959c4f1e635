package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// prepare writes the rows of a set as the paper's experiments split and scaled them, and those that
// they attack.
func (s *settings) prepare(ctx context.Context, stdout io.Writer) error {
	set, err := protocol.Load(ctx, s.prepared, s.folders...)
	if err != nil {
		return command.Misuse(fmt.Errorf("--prepare %w", err))
	}
	var rows []int
	if s.model != "" {
		if rows, err = attacked(ctx, set, s.model); err != nil {
			return command.Misuse(fmt.Errorf("--model %s: %w", s.model, err))
		}
	}
	if err := outfile.Folder(s.to); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	if err := s.writeSet(set, stdout); err != nil || s.model == "" {
		return err
	}
	path := filepath.Join(s.to, "rows.txt")
	if err := outfile.Write(
		path, func(w io.Writer) error { return writeRows(w, rows) },
	); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	_, err = fmt.Fprintf(stdout,
		"the %d test rows that the paper attacks of this model, in its order, written to %s\n",
		len(rows), path)
	return err
}

// writeSet writes the arrays of a set, and says so.
func (s *settings) writeSet(set *protocol.Set, stdout io.Writer) error {
	for _, part := range []struct {
		name string
		x    *mat.Dense
		y    []int
	}{{"train", set.Train, set.TrainY}, {"test", set.Test, set.TestY}} {
		rows, dim := part.x.Dims()
		if err := cmp.Or(s.writeArray(part.name+"_x", part.x.RawMatrix().Data, rows, dim),
			s.writeArray(part.name+"_y", wide(part.y), rows)); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
	}
	note := ""
	if set.TestOnly {
		note = " (the training images are missing: all rows are test images)"
	}
	_, err := fmt.Fprintf(stdout, "%d training and %d test rows of %s%s written to %s as "+
		"train_x.npy, train_y.npy, test_x.npy and test_y.npy\n",
		len(set.TrainY), len(set.TestY), set.Name, note, s.to)
	return err
}

// writeArray writes an array to the folder.
func (s *settings) writeArray(name string, values any, shape ...int) error {
	return outfile.Write(filepath.Join(s.to, name+".npy"),
		func(w io.Writer) error { return dataset.WriteNPY(w, values, shape...) })
}

// attacked returns the rows that the paper's protocol draws from those that a model classifies
// correctly: 100 of them, or all where there are fewer.
func attacked(ctx context.Context, set *protocol.Set, model string) ([]int, error) {
	file, err := os.Open(model)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c, err := classifier.Read[classifier.Classifier](
		dataset.Guard(ctx, file, dataset.Limits{}), classifier.ReadOptions{})
	if err != nil {
		return nil, err
	}
	if _, features := set.Test.Dims(); c.Dim() != features {
		return nil, fmt.Errorf(
			"it has %d features, and %s has %d: train it on the rows that --prepare writes",
			c.Dim(), set.Name, features,
		)
	}
	predicted, err := metrics.Predict(ctx, c, set.Test)
	if err != nil {
		return nil, err
	}
	correct := make([]bool, len(predicted))
	var all []int
	for row, label := range predicted {
		if correct[row] = label == set.TestY[row]; correct[row] {
			all = append(all, row)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("none of the %d test rows of %s is classified correctly",
			len(predicted), set.Name)
	}
	rows, err := set.Attacked(correct)
	if rows == nil {
		rows = all
	}
	return rows, err
}

// wide returns numbers of the size that NPY files state.
func wide(y []int) []int64 {
	out := make([]int64, len(y))
	for i, label := range y {
		out[i] = int64(label)
	}
	return out
}

func writeRows(w io.Writer, rows []int) error {
	b := bufio.NewWriter(w)
	for _, row := range rows {
		fmt.Fprintln(b, row)
	}
	return b.Flush()
}
