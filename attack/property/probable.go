package property

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// probable makes outputs probabilities: sums or means that are such, or else a function of the
// margins of sums, which may be those of trees whose leaves are scaled.
func (q *question) probable() error {
	if q.of[0].Classes < 2 {
		return fmt.Errorf("%w: one class has no probabilities", classifier.ErrOption)
	}
	var made [2]bool
	for i := range q.models {
		is, err := q.of[i].Known()
		if err != nil {
			return fmt.Errorf("probabilities: %w", err)
		}
		if is == trees.Calibrated {
			return fmt.Errorf("how much probabilities differ that a calibration makes: their "+
				"Range is known, and without Probability how much sums differ: %w",
				errors.ErrUnsupported)
		}
		made[i] = is != trees.AsVoted && is != trees.AsRest
		if i == 1 && q.models[0] == q.models[1] {
			break // they have the same outputs
		}
		for _, o := range q.outputs[i] {
			if err := probably(o, is); err != nil {
				return err
			}
		}
	}
	if q.chances = made[0]; made[0] != made[1] {
		return fmt.Errorf("%w: one makes probabilities of sums, the other has them as means",
			errModels)
	}
	return nil
}

// probably makes one output a probability.
func probably(o *pairs.Output, is trees.Chances) error {
	if is == trees.AsVoted || is == trees.AsRest {
		o.Minus = -1
		return nil
	}
	odds, class, err := o.Ensemble.Odds(is, o.Plus)
	if err != nil {
		return err
	}
	if odds != o.Ensemble {
		o.Ensemble, o.Plus, o.Divisor = odds, class, 1
	}
	return nil
}

// scaled reports whether probabilities are made of other sums than those of the models, which
// proofs do not know, or of frequencies of a tree that has one vote.
func (q *question) scaled() bool {
	for i, m := range q.models {
		_, alone := m.(*classifier.Tree)
		if q.opts.Probability && (alone || q.outputs[i][0].Ensemble != q.of[i].Ensemble) {
			return true
		}
	}
	return false
}
