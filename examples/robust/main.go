// Robust compares training that is robust by itself with plain training and with the other
// defences: clean accuracy, and the accuracy that the exact search certifies.
//
//	go run ./examples/robust
//	go run ./examples/robust --sets mnist26,mnist15,shoes
//	go run ./examples/robust --sets mnist,fashion
//
// Small sets are divided into five folds, each of them tested once, after features were scaled to
// [0,1] over all rows; with --seeds 5 so often. Of cancer-first and diabetes-first the first four
// fifths of the rows are for training, and scaled to [0,1], and the rest for testing. Images have
// test sets of their own, and of all ten classes robust boosted trees alone are trained. Of covtype
// 500 rows are drawn, of two labels; covtype500 are others, of all seven.
//
// Files are looked for in the folder that the variable FACET_DATA names, then in ./data. It exits
// with 0, with 1 when the work failed, or with 2 when it was called wrongly.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tuning"
	"github.com/seed-1a7dc1f9/facet/prune"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "robust",
		About: "Clean and certified accuracy of robust training and of other defences.",
		Begin: func(f *pflag.FlagSet) command.Work {
			var names []string
			var seeds, workers int
			command.Var(f, &names, "sets", "cancer,diabetes,australian,fourclass,halfmoon",
				command.Each(command.OneOf(slices.Sorted(maps.Keys(sources))...)),
				"compare on the `sets` A,B,…: those, cancer-first and diabetes-first, covtype "+
					"and covtype500, mnist26, mnist15 and shoes, and of ten classes mnist and "+
					"fashion")
			command.Var(f, &seeds, "seeds", "1", command.AtLeast(1),
				"`number` of divisions into folds")
			command.Var(f, &workers, "workers", "0", command.AtLeast(0),
				"`number` of goroutines; 0: one per core")
			return func(ctx context.Context, stdout, _ io.Writer) error {
				for _, name := range names {
					s, err := load(ctx, name)
					if err != nil {
						return err
					}
					if err := s.compare(ctx, stdout, seeds, workers); err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
				}
				return nil
			}
		},
	}
}

// compare prints the table of a set.
func (s *set) compare(ctx context.Context, w io.Writer, seeds, workers int) error {
	fmt.Fprintf(w, "| %s, ε %v | clean | certified | seconds of training |\n|---|---:|---:|---:|\n",
		s.name, s.radius)
	parts, err := s.parts(seeds)
	if err != nil {
		return err
	}
	for _, m := range s.methods(workers) {
		var all tuning.Judged
		var spent float64
		for _, p := range parts {
			j, seconds, err := m.on(ctx, p, s.radius, workers)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			all.Add(j)
			spent += seconds
		}
		fmt.Fprintf(w, "| %s | %s | %s | %.2g |\n", m.name, share(all.Clean, all.Rows),
			share(all.Certified, all.Rows), spent/float64(len(parts)))
	}
	return s.bounds(ctx, w, parts)
}

// bounds prints the bounds that need no training: the label that most rows have, and an upper bound
// for all classifiers, because of two test rows of different labels within 2ε it certifies one at
// most.
func (s *set) bounds(ctx context.Context, w io.Writer, parts []tuning.Split) error {
	var most, kept, all int
	for _, p := range parts {
		counts := map[int]int{}
		for _, y := range p.TestY {
			counts[y]++
		}
		keep, err := prune.Adversarial{Radius: s.radius}.Prune(ctx, p.TestX, p.TestY)
		if err != nil {
			return err
		}
		most += slices.Max(slices.Collect(maps.Values(counts)))
		kept, all = kept+len(keep), all+len(p.TestY)
	}
	_, err := fmt.Fprintf(w, "| always the commonest label | %s | %[1]s | – |\n"+
		"| no classifier of these rows certifies more | – | %s | – |\n\n", share(most, all),
		share(kept, all))
	return err
}

// share is a part with three decimals, as the page has it.
func share(part, all int) string {
	return strings.TrimPrefix(fmt.Sprintf("%.3f", float64(part)/float64(all)), "0")
}
