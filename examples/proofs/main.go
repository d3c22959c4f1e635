package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "proofs",
		About: "What proofs cost: to write, to keep and to check.",
		Forms: []string{"[flags]"},
		Stray: ": a set is named by --data",
		Begin: func(f *pflag.FlagSet) command.Work { return newSettings(f).run },
	}
}

// settings are the flags.
type settings struct {
	sets, models []string
	norms        []polytope.Norm
	folder       string
	points       int
}

// trainers train the classifiers of the paper, 5-NN, and a forest so large that searches in ℓ∞ use potentials.
var trainers = map[string]classifier.Trainer{
	"1nn":    classifier.KNNOptions{K: 1},
	"3nn":    classifier.KNNOptions{K: 3},
	"5nn":    classifier.KNNOptions{K: 5},
	"tree":   classifier.TreeOptions{MaxDepth: 5, Criterion: classifier.Entropy},
	"forest": classifier.ForestOptions{Trees: 100, TreeOptions: classifier.TreeOptions{MaxDepth: 5, Criterion: classifier.Entropy}},
	"large":  classifier.ForestOptions{Trees: 500, TreeOptions: classifier.TreeOptions{MaxDepth: 10, Criterion: classifier.Entropy}},
}

func newSettings(f *pflag.FlagSet) *settings {
	s := new(settings)
	names, models := protocol.Names(), []string{"1nn", "3nn", "5nn", "tree", "forest"}
	command.Var(f, &s.sets, "data", "halfmoon", command.Each(command.OneOf(names...)), "`sets` of the paper, with commas between them: "+strings.Join(names, ", "))
	command.Var(f, &s.models, "models", strings.Join(models, ","), command.Each(command.OneOf(append(models, "large")...)), "`classifiers`: "+strings.Join(models, ", ")+", large")
	command.Var(f, &s.norms, "norms", "inf,1,2", command.Each(polytope.ParseNorm), "`norms` of the distance: inf, 1, 2")
	f.StringVar(&s.folder, "folder", "", "`folder` of the files of the sets (default $FACET_DATA, then the folder that examples/datasets downloads to)")
	command.Var(f, &s.points, "points", "20", command.Between(1, 100), "`number` of points to attack")
	return s
}

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "set\tclassifier\tnorm\tproofs\tsettled\tbytes a proof\tgzipped\tms to search\twith proof\tto check\t")
	bar := progress.New(stderr, progress.Options{Total: len(s.sets) * len(s.models) * len(s.norms), Description: "proving", Unit: "lines"})
	defer bar.Close()
	for _, set := range s.sets {
		flags := trial.Flags{Data: set, Folder: s.folder, Points: s.points}
		data, err := flags.Load(ctx)
		if err != nil {
			return command.Misuse(err)
		}
		for _, model := range s.models {
			c, err := trainers[model].Train(ctx, data.Train, data.TrainY)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", set, model, err)
			}
			subject, err := flags.Subject(ctx, c, data)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", set, model, err)
			}
			for _, norm := range s.norms {
				cost, err := measure(ctx, c, subject, norm)
				if err != nil {
					return fmt.Errorf("%s, %s, norm %v: %w", set, model, norm, err)
				}
				cost.print(table, set, model, norm)
				bar.Add(1)
			}
		}
	}
	bar.Close()
	return table.Flush()
}

// measure proves the points of a subject and checks the proofs.
func measure(ctx context.Context, c classifier.Classifier, subject *trial.Subject, norm polytope.Norm) (*cost, error) {
	n, err := newNotary(c)
	if err != nil {
		return nil, err
	}
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm, Workers: 1}}
	total := new(cost)
	for _, row := range subject.Rows {
		if err := n.add(ctx, total, a, subject.X.RawRowView(row)); err != nil {
			return nil, fmt.Errorf("row %d: %w", row, err)
		}
	}
	if total.proofs == 0 {
		return nil, errors.New("no point has a proof")
	}
	return total, n.zip(total)
}

func (c *cost) print(w io.Writer, set, model string, norm polytope.Norm) {
	each := func(n int) string { return strconv.Itoa(n / c.proofs) }
	cells := []string{set, model, norm.String(), strconv.Itoa(c.proofs), strconv.Itoa(c.settled), each(c.bytes), each(c.zipped)}
	for _, seconds := range []float64{c.search, c.prove, c.check} {
		cells = append(cells, fmt.Sprintf("%.3g", 1000*seconds/float64(c.proofs)))
	}
	fmt.Fprintln(w, strings.Join(slices.Concat(cells, []string{""}), "\t"))
}
