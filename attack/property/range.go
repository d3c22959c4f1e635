package property

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// End is the smallest output, or the largest.
type End struct {
	// X is an input that has the most extreme output that was found, nil if none was.
	X      []float64
	Label  int     // of X, −1 for a regressor or without one
	Class  int     // whose output it is, −1 for a regressor or without one
	Output float64 // that the model computes for X; NaN without one
	// Bound is a number that no output of a real vector falls short of, or exceeds, without
	// rounding; that of a regressor with a link is linked. With Options.Computed it is Output
	// itself if the search was not cut short and a float64 vector has that output. Where none has
	// (row 0.1, within 0.5: real numbers between 0.6 and 0.1+0.5), Bound lies beyond.
	Bound float64
	// Rounding is by how much an output that the model computes may lie beyond Bound.
	Rounding float64
	// Status is attack.StatusOptimal if X has that output, without rounding, within
	// 1e-9·max(1, |Bound|), with Options.Computed to the last bit, and else attack.StatusLimit.
	Status attack.Status
	Nodes  int
}

// Range finds the smallest and the largest output of all inputs: that of a classifier, too, whose
// range of margins is one of probabilities, and that over the values that rules allow. Labels and
// By of the options play no part. Which output is the largest is NP-hard to decide: a large region
// of many deep trees may need a Timeout.
func Range(ctx context.Context, m Model, opts Options) (least, most End, err error) {
	opts.Labels, opts.By = false, 0
	if opts.Computed {
		if err = opts.check(ctx); err == nil {
			least, most, err = computedRange(ctx, m, &opts)
		}
		if err != nil {
			return least, most, fmt.Errorf("property: range: %w", err)
		}
		return least, most, nil
	}
	asked, err := calibrated(m, &opts)
	if err != nil {
		return least, most, fmt.Errorf("property: range: %w", err)
	}
	if asked != nil {
		least, most, err = Range(ctx, asked, opts)
		return labelled(m, least), labelled(m, most), err
	}
	q, err := newQuestion(ctx, m, m, nil, opts)
	if err == nil {
		err = opts.paired()
	}
	if err != nil {
		return least, most, fmt.Errorf("property: range: %w", err)
	}
	q.alone = true
	var unproven error
	for i, t := range [...]task{{first: none, second: 0}, {first: 0, second: none}} {
		r, err := q.search(ctx, func(*pairs.Space) []task { return []task{t} })
		if err != nil {
			return least, most, fmt.Errorf("property: range: %w", err)
		}
		name := [...]string{"smallest output", "largest output"}[i]
		if err := q.prove(ctx, name, &r, t); err != nil && unproven == nil {
			unproven = fmt.Errorf("property: range: %w", err)
		}
		if i == 0 {
			r.Bound = -r.Bound
			least = q.end(&r, -1)
		} else {
			most = q.end(&r, 1)
		}
	}
	return least, most, unproven
}

// calibrated returns the regressor of a probability that a calibration makes of one sum, and
// options about that; nil if there is none.
func calibrated(m Model, opts *Options) (Model, error) {
	e, ok := m.(*classifier.Ensemble)
	if !ok || !opts.Probability {
		return nil, nil
	}
	f, err := access.Trees(e)
	if err != nil || f.Vote.Chances != trees.Calibrated {
		return nil, err
	}
	if opts.Proof != nil {
		return nil, fmt.Errorf("proofs know sums, and a calibration makes these probabilities of "+
			"them: %w", errors.ErrUnsupported)
	}
	opts.Probability, opts.Class = false, 0
	return e.Probability(1)
}

// labelled returns an end of a probability with the label of its input.
func labelled(m Model, e End) End {
	if e.X != nil {
		e.Label, e.Class = m.(*classifier.Ensemble).Predict(e.X), 1
	}
	return e
}

// end returns an end of the range.
func (q *question) end(r *Result, sign float64) End {
	e := End{
		X: r.X, Label: r.Labels[0], Class: r.Class, Output: math.NaN(), Bound: r.Bound,
		Rounding: q.rounding(0), Status: r.Status, Nodes: r.Nodes,
	}
	if e.X != nil {
		e.Output = r.Outputs[0]
	}
	if f := &q.of[0]; f.Link != trees.Identity {
		away := math.Copysign(e.Rounding, sign)
		sum := e.Bound
		e.Bound = f.Linked(f.Link, sum)
		e.Rounding = math.Abs(f.Linked(f.Link, sum+away) - e.Bound)
	}
	return e
}
