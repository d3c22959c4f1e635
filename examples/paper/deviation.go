package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
)

// verdict is the result of comparing a cell with print.
type verdict int

const (
	unprinted verdict = iota // there is no number to compare with
	equal                    // to the printed digit, or no number in both
	excused                  // another number, for a cause that was tried and gives the printed one
	different
)

// mark follows our number.
func (v verdict) mark() string {
	return [...]string{" ", " ", "~", "*"}[v]
}

// compare compares a cell that the paper has with print, and names the cause of a deviation, if
// that is known.
func (c *cell) compare(ctx context.Context, lab *experiment.Lab) (verdict, string, error) {
	switch {
	case !c.has() && c.left:
		return unprinted, "", nil
	case c.printed == nil && !c.has(), c.printed != nil && c.has() && c.printed.Equals(c.value):
		return equal, "", nil
	case c.printed == nil || !c.has():
		return different, "", nil
	}
	if d := c.known(); d != nil && !d.open {
		return d.verdict(), d.cause(), nil
	}
	if q, ok := c.column.quantity.(defscore); ok {
		if v, cause, err := c.follows(ctx, lab, q); v != different || cause != "" || err != nil {
			return v, cause, err
		}
	}
	if cause, err := c.rebuilt(ctx, lab); cause != "" || err != nil {
		return excused, cause, err
	}
	if d := c.known(); d != nil {
		return d.verdict(), d.cause(), nil
	}
	return different, "", nil
}

// follows judges a defscore. It follows from the robustnesses that it is made of if
// it becomes the printed one when printed ones replace those of ours that deviate.
func (c *cell) follows(
	ctx context.Context, lab *experiment.Lab, q defscore,
) (verdict, string, error) {
	worst := unprinted
	var values [2]float64
	for i, r := range []robustness{q.defended, q.undefended} {
		v, err := r.value(ctx, lab, c.set)
		if errors.Is(err, experiment.ErrLeftOut) {
			return different, "", nil
		}
		if err != nil {
			return different, "", err
		}
		values[i] = printed.Thousandths(v)
		p, err := r.printed(c.set)
		if err != nil {
			return different, "", err
		}
		if p == nil || p.printed.Equals(v) {
			continue
		}
		p.value = v
		if d := p.known(); d != nil {
			values[i], worst = p.printed.Value, max(worst, d.verdict())
		}
	}
	if worst == unprinted || !c.printed.Equals(values[0]/values[1]) {
		return different, "", nil
	}
	return worst, "made of robustness that deviates, see tables 4 to 7", nil
}

// printed returns the cell of Tables 4 to 7 that prints a robustness, but for its
// value, or nil.
func (q robustness) printed(set string) (*cell, error) {
	name := "er"
	switch d := q.Defence; d.Method {
	case experiment.None:
	case experiment.Pruning:
		name += "_r" + strings.TrimPrefix(d.String(), string(d.Method))
	default:
		return nil, nil
	}
	n := 4 + slices.Index(experiment.Classifiers(), q.Classifier)
	table, err := printed.Load(n)
	if err != nil {
		return nil, err
	}
	number := table.Cell(set, name)
	if number == nil {
		return nil, nil
	}
	return &cell{table: n, set: set, column: column{name: name, quantity: q}, printed: number}, nil
}
