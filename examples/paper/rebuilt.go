package main

import (
	"context"
	"errors"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
)

// rebuilt names the change that makes a cell the printed number, "" if none is known: the paper's
// own code for an attack or a defence, or training images in the order of their files, for either
// part of a defscore.
func (c *cell) rebuilt(ctx context.Context, lab *experiment.Lab) (cause string, err error) {
	set, err := lab.Set(ctx, c.set)
	if err != nil {
		return "", err
	}
	sets := []string{c.set}
	if set.InFileOrder() != nil {
		sets = append(sets, experiment.InFileOrder(c.set))
	}
	if q, ok := c.column.quantity.(defscore); ok {
		return c.scored(ctx, lab, q, sets)
	}
	cause, err = c.reached(ctx, lab, c.column.quantity, sets[1:], "file-order")
	q, ok := c.column.quantity.(robustness)
	if !ok || cause != "" || err != nil {
		return cause, err
	}
	if q.Attack == experiment.Direct {
		q.Attack = experiment.DirectOnce
		return c.reached(ctx, lab, q, sets[:1], "one-budget")
	}
	if q, ok = q.shrunk(); ok {
		return c.reached(ctx, lab, q, sets[:1], "margins")
	}
	return "", nil
}

// scored is rebuilt for a defscore.
func (c *cell) scored(
	ctx context.Context, lab *experiment.Lab, q defscore, sets []string,
) (cause string, err error) {
	cause, other := "file-order", "margins"
	if printed, ok := q.asPrinted(); ok && c.column.like == "" {
		q, cause, other = printed, "as-printed", "as-printed"
		if v, _, err := c.follows(ctx, lab, printed); v == excused || err != nil {
			return causes["as-printed"], err
		}
	}
	for _, defended := range c.formsOf(q, sets) {
		for _, undefended := range sets {
			found, err := c.reached(ctx, lab, parted{q, undefended}, []string{defended}, cause)
			if found != "" || err != nil {
				return found, err
			}
		}
	}
	if q, ok := q.shrunk(); ok {
		return c.reached(ctx, lab, q, sets[:1], other)
	}
	return "", nil
}

// formsOf returns in which forms of the set a defence is tried: adversarial training of
// 3-NN and forests, which takes longest, only in the first.
func (c *cell) formsOf(q defscore, sets []string) []string {
	d := q.defended
	slow := d.Classifier == experiment.ThreeNN || d.Classifier == experiment.Forest
	if d.Defence.Method == experiment.Adversarial && slow {
		return sets[:1]
	}
	return sets
}

// reached returns the text of a cause if the quantity is the printed number on one of the sets.
func (c *cell) reached(
	ctx context.Context, lab *experiment.Lab, q quantity, sets []string, name string,
) (string, error) {
	for _, set := range sets {
		v, err := q.value(ctx, lab, set)
		if errors.Is(err, experiment.ErrLeftOut) {
			continue
		}
		if err != nil {
			return "", err
		}
		if c.printed.Equals(v) {
			return causes[name], nil
		}
	}
	return "", nil
}

// parted is a defscore whose undefended classifier knows another form of the set.
type parted struct {
	defscore
	set string
}

func (q parted) value(ctx context.Context, lab *experiment.Lab, set string) (float64, error) {
	return q.defscore.of(ctx, lab, set, q.set)
}
