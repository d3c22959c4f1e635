package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// training is a classifier that is trained and saved.
type training struct {
	subject.Flags
	save      string
	xgboost   string
	overwrite bool
	data      *subject.Subject
}

// forXGBoost begins the name of a file that XGBoost is to load.
const forXGBoost = "xgboost:"

// savings is the value of --save, which is one file for each of two formats.
type savings training

func (s *savings) String() string { return s.save }

func (s *savings) Type() string { return "file" }

func (s *savings) Set(text string) error {
	path, foreign := strings.CutPrefix(text, forXGBoost)
	to := &s.save
	if foreign {
		to = &s.xgboost
	}
	if *to = path; foreign && path == "" {
		return errors.New("it names no file")
	}
	return nil
}

func beginTrain(f *pflag.FlagSet) command.Work {
	t := new(training)
	f.Var((*savings)(t), "save", "write the classifier to this `file`, which --model FILE of all "+
		"commands reads; xgboost:FILE, beside it, writes boosted trees as JSON that XGBoost "+
		"loads, whose margins are the same")
	command.Renamed(f, "save-xgboost", "save", forXGBoost)
	command.Overwrite(f, &t.overwrite)
	t.AddRows(f)
	t.AddModel(f)
	t.AddBoosting(f)
	t.AddTraining(f)
	t.AddNorm(f)
	t.AddWorkers(f)
	return t.run
}

func (t *training) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := t.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	err := outfile.Write(t.save, func(w io.Writer) error { return t.data.Save(w) })
	if err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	if t.xgboost != "" {
		if err := outfile.Write(t.xgboost, t.data.SaveXGBoost); err != nil {
			return fmt.Errorf("--save %s: %w", forXGBoost+t.xgboost, err)
		}
	}
	return t.printTable(ctx, outfile.ForPeople(stdout, stderr, t.save))
}

func (t *training) prepare(ctx context.Context, stderr io.Writer) (err error) {
	err = t.Check(subject.Required{Flag: "save", Why: "it is where the classifier goes"})
	err = cmp.Or(err, t.CheckNorm(), t.checkXGBoost(), t.CheckOutputs(t.overwrite,
		outfile.Output{Flag: "save", Path: t.save}, outfile.Output{Flag: "save", Path: t.xgboost}))
	if err == nil {
		t.data, err = t.Load(ctx, stderr)
	}
	return err
}

// checkXGBoost refuses to save a model for XGBoost that XGBoost does not have.
func (t *training) checkXGBoost() error {
	if t.xgboost != "" && t.Model != "boosted" {
		return fmt.Errorf("--save %s is for --model boosted, not %s: XGBoost has boosted trees "+
			"alone", forXGBoost+t.xgboost, t.Model)
	}
	return nil
}

func (t *training) printTable(ctx context.Context, stdout io.Writer) error {
	w := command.NewTable(stdout)
	w.Row("model", "%s", t.Describe())
	w.Row("training rows", "%d%s", t.data.Train.Rows, t.DescribeDefence())
	for _, tried := range t.Tried {
		chosen := ""
		if tried.Chosen {
			chosen = ", chosen"
		}
		part := func(n int) float64 { return float64(n) / float64(tried.Rows) }
		w.Row(tried.String(), "%.4f certified, %.4f accurate, of %d rows held out%s",
			part(tried.Certified), part(tried.Clean), tried.Rows, chosen)
	}
	parts := []struct {
		name string
		rows *subject.Part
	}{{"training accuracy", t.data.Train}, {"test accuracy", t.data.Test}}
	for _, part := range parts {
		if part.rows == nil {
			continue
		}
		predicted, err := metrics.Predict(ctx, t.data.Classifier, part.rows.Matrix())
		if err != nil {
			return err
		}
		w.Row(part.name, "%.4g, of %d rows", part.rows.Accuracy(predicted), len(predicted))
	}
	w.Row("saved to", "%s", t.save)
	if t.data.Scaling != nil {
		w.Row("", "it takes scaled rows: give --train %s --scale minmax with it", t.Train.Path)
	}
	return w.Flush()
}
