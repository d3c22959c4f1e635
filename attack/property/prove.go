package property

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// provable returns an error for a question that proofs have no words for.
func (q *question) provable() error {
	if q.opts.Proof == nil {
		return nil
	}
	about := 1
	if q.models[0] != q.models[1] {
		about = 2
	}
	if n := q.opts.Proof.Models(); n > 0 && n != about {
		return fmt.Errorf("%w: the models of the proof are %d, and the Writer has %d: NewWriter "+
			"takes the SHA-256 of each model of the question, and of no other",
			classifier.ErrOption, about, n)
	}
	if q.chances && !q.opts.Labels && (!q.alone || q.of[0].Classes > 2) {
		return fmt.Errorf("proofs know sums and labels, and of probabilities that sums make only "+
			"how large those of two classes are: %w", errors.ErrUnsupported)
	}
	if q.scaled() && !q.opts.Labels {
		return fmt.Errorf("proofs know the sums of a model, and these probabilities are of sums "+
			"that are scaled: ask without Probability: %w", errors.ErrUnsupported)
	}
	if q.sorted {
		return fmt.Errorf("proofs know two models whose features are in one order only: %w",
			errors.ErrUnsupported)
	}
	for j, f := range q.features {
		if f.Missing == rules.MayMiss {
			return fmt.Errorf("proofs about all inputs know no missing values: %w",
				&polytope.FeatureError{
					Feature: j, What: "may have them", Err: errors.ErrUnsupported,
				})
		}
	}
	for i := range q.spaces() {
		if q.near != nil && slices.ContainsFunc(q.near.Row(i), math.IsNaN) {
			return fmt.Errorf("proofs about all inputs know no missing values, and row %d has "+
				"one: %w", i, errors.ErrUnsupported)
		}
	}
	return nil
}

// excesses are by how much more than a bound a claim may say, in parts of it.
var excesses = [...]float64{0, 0x1p-50, 0x1p-46, 1e-12}

// prove writes proofs of the bounds that a search has proved for tasks, around each row if there
// are some: that no pair differs by more than was asked, or by more than the bound, and no proof if
// that is infinite.
func (q *question) prove(ctx context.Context, name string, r *Result, tasks ...task) error {
	if q.opts.Proof == nil {
		return nil
	}
	bound := r.Bound
	if r.Status == attack.StatusNone && !q.alone {
		bound = q.opts.By
	}
	if q.chances && q.alone {
		name, bound = name+", as a margin", margin(bound)
	}
	switch {
	case math.IsInf(bound, 1):
		return nil
	case q.opts.Labels && q.opts.By > 0:
		return fmt.Errorf("two labels of outputs that differ by more: %w", attack.ErrUnproven)
	}
	s, err := pairs.NewSpace(q.borders, q.anything().Moves(), q.everywhere())
	if err != nil {
		return err
	}
	m := s.Code(q.of[0].Ensemble, q.of[1].Ensemble)
	m.Offsets = q.opts.apart(q.of[0].Dim())
	var text bytes.Buffer
	var about []task
	for _, t := range tasks {
		if q.opts.Labels {
			about = append(about, t)
		} else {
			about = append(about, q.each(t)...)
		}
	}
	for row := range q.spaces() {
		for _, t := range about {
			c := q.claim(row, &t)
			if c.Name = name; q.near != nil {
				c.Name = fmt.Sprintf("%s, near row %d", name, row)
			}
			if err := write(ctx, &text, m, c, bound); err != nil {
				return err
			}
		}
	}
	_, err = text.WriteTo(q.opts.Proof)
	return err
}

// claim returns the claim of a task, but for its name and its bound.
func (q *question) claim(row int, t *task) *pairs.Claim {
	c := &pairs.Claim{Next: t.next, Label: -1}
	switch {
	case !q.opts.Labels:
		c.Outputs = [...]*pairs.Output{q.output(t.first, t), q.output(t.second, t)}
		c.Less = t.less
	case q.opts.Ordered:
		c.Label = q.classes[0]
	}
	q.inputs(c, row)
	for j := range q.of[0].Dim() {
		if q.among(t.copied, j) {
			c.Copied = append(c.Copied, j)
		}
	}
	if c.Next && c.Codes != nil { // one slot after the other, with a code or not
		c.Codes[c.Copied[0]] = 0
	}
	return c
}

// write writes the proof of a claim with a bound, or one a little larger; no proof if no input is
// concerned.
func write(
	ctx context.Context, text *bytes.Buffer, m *pairs.Models, c *pairs.Claim, bound float64,
) (err error) {
	kept := text.Len()
	for _, share := range excesses {
		c.Bound = bound + share*math.Abs(bound)
		err = m.Prove(ctx, bufio.NewWriter(text), c)
		if err == nil {
			return nil
		}
		if text.Truncate(kept); !errors.Is(err, attack.ErrUnproven) {
			break
		}
	}
	if errors.Is(err, pairs.ErrEmpty) {
		return nil
	}
	return err
}

// margin returns the margin of a probability, or of one less than 0 that which is taken away;
// infinite if that does not bound anything.
func margin(chance float64) float64 {
	if chance == 0 || math.Abs(chance) >= 1 {
		return math.Inf(1)
	}
	size := math.Abs(chance)
	return math.Copysign(1, chance) * (math.Log(size) - math.Log1p(-size))
}

// anything is rules by which features are any number.
func (q *question) anything() *rules.Rules {
	return &rules.Rules{X: make([]float64, q.of[0].Dim())}
}

// everywhere is radii of everything.
func (q *question) everywhere() []float64 {
	radii := make([]float64, q.of[0].Dim())
	for j := range radii {
		radii[j] = math.Inf(1)
	}
	return radii
}
