// Recourse shows the cost of advice that outlasts the next training of a model, and how often it
// does: the cheapest change that a forest accepts, and the cheapest that forests which were trained
// on other samples of the same rows accept, too.
//
//	go run ./examples/recourse
//
// The applicants are generated (applicants.go), from --seed. A forest is trained on --rows of them,
// and further ones on samples of these, drawn with replacement. The first --points others that the
// first forest refuses are asked about, for each number of forests in --models: what is the nearest
// input that all of these accept, or that the first accepts and, with it, so many of them
// (attack.Options.Also)? Nobody can become younger, and all changes are added up, in parts of the
// range of each feature.
//
// Printed is a table: how many answers there are, and are proven to be the nearest; the share of
// judgements of --retrainings forests, trained on further samples, that accept the answers, and
// that of answers that all of these accept; and the cost of the answers. docs/use/recourse.md
// explains it.
package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name: "recourse",
		About: "Advice that outlasts the next training of a model: what it costs, and how often " +
			"it does.",
		Begin: func(f *pflag.FlagSet) command.Work { return newSettings(f).run },
	}
}

// settings are the flags.
type settings struct {
	rows, trees, depth, points, retrainings, seed int
	models                                        []some
	timeout                                       time.Duration
}

func newSettings(f *pflag.FlagSet) *settings {
	s := new(settings)
	command.Var(f, &s.rows, "rows", "1000", command.AtLeast(100),
		"`number` of applicants that forests are trained on")
	command.Var(f, &s.trees, "trees", "50", command.AtLeast(1), "`number` of trees of a forest")
	command.Var(f, &s.depth, "depth", "6", command.AtLeast(1),
		"`number` of splits on a path of a tree")
	command.Var(f, &s.points, "points", "200", command.AtLeast(1),
		"`number` of refused applicants to answer")
	command.Var(f, &s.models, "models", "1,3,6,12,9 of 12", command.Each(parseSome),
		"`numbers` of forests that are to accept an answer")
	command.Var(f, &s.retrainings, "retrainings", "20", command.AtLeast(1),
		"`number` of forests that judge the answers")
	command.Var(f, &s.timeout, "timeout", "30s", command.Limit, "`time` for an answer; 0: no limit")
	command.Var(f, &s.seed, "seed", "0", command.AtLeast(0), "`seed` of the applicants")
	return s
}

// some is how many forests are to accept an answer, of how many.
type some struct{ least, of int }

// parseSome reads a number, or one of another.
func parseSome(text string) (s some, err error) {
	least, of, ok := strings.Cut(text, " of ")
	if !ok {
		of = least
	}
	for to, text := range map[*int]string{&s.least: least, &s.of: of} {
		if *to, err = strconv.Atoi(text); err != nil {
			return s, fmt.Errorf("%q is no number of forests, nor is it one as 9 of 12", text)
		}
	}
	if s.least < 1 || s.least > s.of {
		return s, fmt.Errorf("%s: want at least 1, and no more than there are", text)
	}
	return s, nil
}

func (s some) String() string {
	if s.least == s.of {
		return strconv.Itoa(s.of)
	}
	return fmt.Sprintf("%d of %d", s.least, s.of)
}

// lender has the forests, and who is refused.
type lender struct {
	forests []*classifier.Ensemble // the first one decides
	judges  []*classifier.Ensemble
	refused [][]float64
}

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	l, err := s.open(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout,
		" forests  answers  nearest  accepted later  by all  median cost  mean cost")
	for _, k := range s.models {
		a, err := s.ask(ctx, l, k)
		if err != nil {
			return err
		}
		a.print(stdout, k, l.judges)
	}
	return nil
}

// open draws the applicants and trains the forests.
func (s *settings) open(ctx context.Context) (*lender, error) {
	rng := rand.New(rand.NewPCG(uint64(s.seed), 45))
	x, y := applicants(s.rows, rng)
	count := 0
	for _, k := range s.models {
		count = max(count, k.of)
	}
	l := new(lender)
	for i := range count + s.retrainings {
		sampleX, sampleY := x, y
		if i > 0 {
			sampleX, sampleY = sample(x, y, rng)
		}
		forest, err := classifier.TrainForest(ctx, sampleX, sampleY, classifier.ForestOptions{
			Trees:       s.trees,
			TreeOptions: classifier.TreeOptions{MaxDepth: s.depth, Seed: uint32(s.seed + i)},
		})
		if err != nil {
			return nil, err
		}
		if i < count {
			l.forests = append(l.forests, forest)
		} else {
			l.judges = append(l.judges, forest)
		}
	}
	others, _ := applicants(20*s.points, rng)
	for i := range 20 * s.points {
		z := others.RawRowView(i)
		if len(l.refused) < s.points && l.forests[0].Predict(z) == refused {
			l.refused = append(l.refused, z)
		}
	}
	return l, nil
}

// sample draws as many rows with replacement.
func sample(x *mat.Dense, y []int, rng *rand.Rand) (*mat.Dense, []int) {
	drawn, labels := mat.NewDense(len(y), len(names), nil), make([]int, len(y))
	for i := range labels {
		row := rng.IntN(len(y))
		drawn.SetRow(i, x.RawRowView(row))
		labels[i] = y[row]
	}
	return drawn, labels
}

// answers are those to all applicants.
type answers []attack.Result

// ask looks for the nearest input that so many of the first forests accept, and the first of all,
// for each applicant.
func (s *settings) ask(ctx context.Context, l *lender, forests some) (answers, error) {
	target := accepted
	a := &attack.RegionBased{Classifier: l.forests[0], Options: attack.Options{
		Norm: polytope.L1, Target: &target, Timeout: s.timeout, Workers: 1, Features: rules(),
	}}
	others := attack.Requirement{Least: forests.least - 1}
	for _, f := range l.forests[1:forests.of] {
		others.Of = append(others.Of, attack.Requirement{Classifier: f, Labels: []int{accepted}})
	}
	if others.Least > 0 {
		a.Also = append(a.Also, others)
	}
	of := make(answers, len(l.refused))
	err := rows.Each(ctx, 0, len(l.refused), func(i int) (err error) {
		of[i], err = a.Perturb(ctx, l.refused[i])
		return err
	})
	return of, err
}

// print prints a line of the table.
func (a answers) print(w io.Writer, forests some, judges []*classifier.Ensemble) {
	var costs []float64
	held, all, nearest, sum := 0, 0, 0, 0.0
	for _, r := range a {
		if r.Example == nil {
			continue
		}
		if costs = append(costs, r.Distance); r.Optimal() {
			nearest++
		}
		sum += r.Distance
		agree := 0
		for _, j := range judges {
			if j.Predict(r.Example) == accepted {
				agree++
			}
		}
		if held += agree; agree == len(judges) {
			all++
		}
	}
	if len(costs) == 0 {
		fmt.Fprintf(w, "%8s  %7d\n", forests, 0)
		return
	}
	slices.Sort(costs)
	n := float64(len(costs))
	fmt.Fprintf(w, "%8s  %7d  %7d  %12.1f %%  %4.1f %%  %11.3f  %9.3f\n",
		forests, len(costs), nearest, 100*float64(held)/n/float64(len(judges)),
		100*float64(all)/n, costs[len(costs)/2], sum/n)
}
