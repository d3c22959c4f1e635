package main

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// quantity is the number that a column shows for each set, NaN for none.
type quantity interface {
	// runs are the attacks that it is made of.
	runs(set string) []experiment.Run
	value(ctx context.Context, lab *experiment.Lab, set string) (float64, error)
	// digits is the number of them to show after the point.
	digits() int
	// exactly returns the same quantity with exact attacks in place of approximate ones.
	exactly() (quantity, bool)
	// varies reports whether the seed matters.
	varies() bool
}

var errColumn = errors.New("unknown column")

// robustness is the empirical robustness of a run, whose set is left open.
type robustness struct{ experiment.Run }

func (q robustness) on(set string) experiment.Run {
	q.Set = set
	return q.Run
}

func (q robustness) runs(set string) []experiment.Run { return []experiment.Run{q.on(set)} }

func (q robustness) value(ctx context.Context, lab *experiment.Lab, set string) (float64, error) {
	v, err := lab.Robustness(ctx, q.on(set))
	if errors.Is(err, experiment.ErrLeftOut) {
		if before, known := computed[q.on(set).String()]; known {
			return before, nil
		}
	}
	return v, err
}

func (robustness) digits() int  { return 4 }
func (robustness) varies() bool { return true }

func (q robustness) exactly() (quantity, bool) { return q.exact() }

func (q robustness) exact() (robustness, bool) {
	if q.Attack != experiment.RBAApprox {
		return q, false
	}
	q.Attack = experiment.RBAExact
	return q, true
}

// shrunk is measured with the margins of the paper's code, which has them for forests.
func (q robustness) shrunk() (robustness, bool) {
	if q.Attack != experiment.RBAApprox || q.Classifier != experiment.Forest {
		return q, false
	}
	q.Attack = experiment.RBAShrunk
	return q, true
}

func (q robustness) defscore() defscore {
	undefended := q
	undefended.Defence = experiment.Defence{}
	return defscore{q, undefended}
}

// defscore is the quotient of two robustnesses, both rounded to three decimals first
// as in print.
type defscore struct{ defended, undefended robustness }

func (q defscore) runs(set string) []experiment.Run {
	return append(q.defended.runs(set), q.undefended.runs(set)...)
}

func (q defscore) value(ctx context.Context, lab *experiment.Lab, set string) (float64, error) {
	return q.of(ctx, lab, set, set)
}

// of is the value for a set that the two parts may know in different forms.
func (q defscore) of(
	ctx context.Context, lab *experiment.Lab, defended, undefended string,
) (float64, error) {
	a, err := q.defended.value(ctx, lab, defended)
	if err != nil {
		return 0, err
	}
	b, err := q.undefended.value(ctx, lab, undefended)
	if err != nil || math.IsNaN(a) || math.IsNaN(b) {
		return math.NaN(), err
	}
	return metrics.Defscore(printed.Thousandths(a), printed.Thousandths(b))
}

func (defscore) digits() int  { return 3 }
func (defscore) varies() bool { return true }

// asPrinted returns the defscore of a defence as the paper's code did it, if that is not the one
// that the paper names.
func (q defscore) asPrinted() (defscore, bool) {
	d := &q.defended.Defence
	d.AsPrinted = d.Method == experiment.Splitting ||
		d.Method == experiment.Adversarial && q.defended.Classifier == experiment.Tree
	return q, d.AsPrinted
}

// shrunk measures both parts with the margins of the paper's code. Adversarial training takes
// minutes on large sets and is left as it is.
func (q defscore) shrunk() (defscore, bool) {
	defended, ok := q.defended.shrunk()
	return defended.defscore(), ok && q.defended.Defence.Method != experiment.Adversarial
}

func (q defscore) exactly() (quantity, bool) {
	defended, ok := q.defended.exact()
	return defended.defscore(), ok
}

// fact is a number of a set that needs no attack.
type fact struct {
	figures int // after the point
	of      func(ctx context.Context, lab *experiment.Lab, set string) (float64, error)
}

func (fact) runs(string) []experiment.Run { return nil }
func (q fact) digits() int                { return q.figures }
func (fact) exactly() (quantity, bool)    { return nil, false }
func (q fact) varies() bool               { return q.figures > 0 }

func (q fact) value(ctx context.Context, lab *experiment.Lab, set string) (float64, error) {
	return q.of(ctx, lab, set)
}

// tested is a fact about a subject by the test set, whose set is left open.
func tested(figures int, s experiment.Subject, of func(*experiment.Test) float64) fact {
	return fact{figures, func(
		ctx context.Context, lab *experiment.Lab, set string,
	) (float64, error) {
		s.Set = set
		t, err := lab.Test(ctx, s)
		if err != nil {
			return 0, err
		}
		return of(t), nil
	}}
}

// counted is a number of a set.
func counted(of func(*protocol.Set) int) fact {
	return fact{0, func(ctx context.Context, lab *experiment.Lab, set string) (float64, error) {
		s, err := lab.Set(ctx, set)
		if err != nil {
			return 0, err
		}
		return float64(of(s)), nil
	}}
}

// sizeOf is a column of Table 3. Rows are attacked of undefended 1-NN.
func sizeOf(name string) (quantity, error) {
	switch name {
	case "train":
		return counted(func(s *protocol.Set) int { return len(s.TrainY) }), nil
	case "test_perturb":
		subject := experiment.Subject{Classifier: experiment.OneNN}
		return tested(0, subject,
			func(t *experiment.Test) float64 { return float64(len(t.Attacked)) }), nil
	case "test_accuracy":
		return counted(func(s *protocol.Set) int { return len(s.TestY) }), nil
	case "features":
		return counted(func(s *protocol.Set) int { _, d := s.Train.Dims(); return d }), nil
	case "classes":
		return counted(func(s *protocol.Set) int {
			return slices.Max(slices.Concat(s.TrainY, s.TestY)) + 1
		}), nil
	}
	return nil, errColumn
}

// several makes one number of the values of a quantity in some variants of it, each on a set. There
// are two at least that are numbers.
type several struct {
	quantity
	variants func(set string) []variant
	of       func(values []float64) float64
}

// variant is a quantity on a set.
type variant struct {
	quantity
	set string
}

// seeded are repetitions of an attack with so many seeds, from its own on.
func (q robustness) seeded(times int) func(set string) []variant {
	return func(set string) []variant {
		all := make([]variant, times)
		for i := range all {
			r := q
			r.Seed += uint64(i)
			all[i] = variant{r, set}
		}
		return all
	}
}

// repeated are repetitions of everything with the seeds 0, 1, …: other splits, other draws of
// generated sets, other trees.
func repeated(q quantity, times int) func(set string) []variant {
	return func(set string) []variant {
		all := make([]variant, times)
		for i := range all {
			all[i] = variant{q, experiment.Seeded(set, uint32(i))}
		}
		return all
	}
}

func (q several) runs(set string) []experiment.Run {
	var runs []experiment.Run
	for _, v := range q.variants(set) {
		runs = append(runs, v.runs(v.set)...)
	}
	return runs
}

func (q several) value(ctx context.Context, lab *experiment.Lab, set string) (float64, error) {
	var values []float64
	for _, v := range q.variants(set) {
		value, err := v.value(ctx, lab, v.set)
		if err != nil {
			return 0, err
		}
		if !math.IsNaN(value) {
			values = append(values, value)
		}
	}
	if len(values) < 2 {
		return math.NaN(), nil
	}
	return q.of(values), nil
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// halfInterval is half the width of the 95 % confidence interval of the mean, by
// Student's distribution.
func halfInterval(values []float64) float64 {
	n := float64(len(values))
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	return t * stat.StdDev(values, nil) / math.Sqrt(n)
}
