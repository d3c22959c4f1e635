package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// strength is that of the defences of Table 2.
const strength = 0.3

// column is a column of a table.
type column struct {
	name string
	quantity
	ours bool   // it is not in print
	like string // the column in print that it repeats in the manner of the paper's code
}

// columns returns those of table n in the order of print, each with its companions.
func (s *settings) columns(n int) ([]column, error) {
	table, err := printed.Load(n)
	if err != nil {
		return nil, err
	}
	var list []column
	for _, name := range table.Columns {
		q, err := s.quantity(n, name)
		if err != nil {
			return nil, fmt.Errorf("table %d: column %s: %w", n, name, err)
		}
		list = append(list, column{name: name, quantity: q, ours: s.norm != polytope.LInf})
		list = append(list, s.companions(name, q)...)
	}
	if n == 2 && s.hybrid {
		for _, c := range []experiment.Classifier{experiment.Tree, experiment.Forest} {
			q := measured(c,
				experiment.Defence{Method: experiment.Hybrid, Strength: strength}).defscore()
			name := string(c) + "_" + string(experiment.Hybrid)
			list = append(list, column{name: name, quantity: q, ours: true})
			list = append(list, s.companions(name, q)...)
		}
	}
	return list, nil
}

// quantity returns the quantity of a column.
func (s *settings) quantity(table int, name string) (quantity, error) {
	switch table {
	case 1:
		return s.attacked(name)
	case 2:
		return defended(name)
	case 3:
		return sizeOf(name)
	}
	return pruned(experiment.Classifiers()[table-4], name)
}

// attacked is a column of Table 1: a classifier and an attack. Attacks that do not draw have the
// seed 0, so that their results are shared.
func (s *settings) attacked(name string) (quantity, error) {
	c, a, err := classifierOf(name)
	if err != nil {
		return nil, err
	}
	run := experiment.Run{
		Subject: experiment.Subject{Classifier: c}, Attack: experiment.Attack(a),
	}
	if run.Attack == experiment.BlackBox {
		run.Seed = s.seed
	}
	return robustness{run}, nil
}

// defended is a column of Table 2: a classifier and a defence.
func defended(name string) (quantity, error) {
	c, m, err := classifierOf(name)
	if err != nil {
		return nil, err
	}
	d := experiment.Defence{Method: experiment.Method(m), Strength: strength}
	return measured(c, d).defscore(), nil
}

// classifierOf parts the classifier in the name of a column from what follows.
func classifierOf(name string) (c experiment.Classifier, rest string, err error) {
	text, rest, _ := strings.Cut(name, "_")
	if c = experiment.Classifier(text); !slices.Contains(experiment.Classifiers(), c) {
		err = errColumn
	}
	return c, rest, err
}

// measured is the robustness of a classifier as the paper's tables of defences
// measure it.
func measured(c experiment.Classifier, d experiment.Defence) robustness {
	return robustness{experiment.Run{
		Subject: experiment.Subject{Classifier: c, Defence: d},
		Attack:  experiment.Usual(c),
	}}
}

// pruned is a column of Tables 4 to 7: a quantity and the separation.
func pruned(c experiment.Classifier, name string) (quantity, error) {
	what, at, defended := strings.Cut(name, "_r")
	var d experiment.Defence
	if defended {
		d.Method = experiment.Pruning
		if _, err := fmt.Sscan(at, &d.Strength); err != nil {
			return nil, errColumn
		}
	}
	er := measured(c, d)
	switch what {
	case "er":
		return er, nil
	case "accuracy":
		return tested(3, er.Subject, func(t *experiment.Test) float64 { return t.Accuracy }), nil
	case "train":
		return tested(0, er.Subject,
			func(t *experiment.Test) float64 { return float64(t.Rows) }), nil
	case "defscore":
		return er.defscore(), nil
	}
	return nil, errColumn
}

// companions are the columns that stand beside one in print: the exact values of an
// approximate one, the spread of one that depends on a seed, the result of the paper's code, and
// how far repetitions differ.
func (s *settings) companions(name string, q quantity) []column {
	var list []column
	if exact, ok := q.exactly(); ok && s.exact {
		list = append(list, column{name: exactName(name), quantity: exact, ours: true})
	}
	if r, ok := q.(robustness); ok && r.Attack == experiment.BlackBox && s.seeds > 1 {
		variants := r.seeded(s.seeds)
		least := several{r, variants, slices.Min[[]float64]}
		largest := several{r, variants, slices.Max[[]float64]}
		list = append(list,
			column{name: name + "_min", quantity: least, ours: true},
			column{name: name + "_max", quantity: largest, ours: true})
	}
	if d, ok := q.(defscore); ok && s.printed {
		if printed, ok := d.asPrinted(); ok {
			list = append(list, column{name: name + "_as_printed", quantity: printed, like: name})
		}
	}
	if s.repeats > 1 && q.varies() {
		variants := repeated(q, s.repeats)
		list = append(list,
			column{name: name + "_mean", quantity: several{q, variants, mean}, ours: true},
			column{name: name + "_ci95", quantity: several{q, variants, halfInterval}, ours: true})
	}
	return list
}

func exactName(name string) string {
	name, _ = strings.CutSuffix(name, "_"+string(experiment.RBAApprox))
	return name + "_exact"
}
