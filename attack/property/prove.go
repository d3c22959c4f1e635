package property

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// provable returns an error for a question that proofs have no words for.
func (q *question) provable() error {
	if q.opts.Proof == nil {
		return nil
	}
	if q.near != nil {
		return fmt.Errorf("proofs know no rows to be near to: %w", errors.ErrUnsupported)
	}
	if q.chances && !q.opts.Labels {
		return fmt.Errorf("proofs know sums and labels, and no probabilities that sums make: %w",
			errors.ErrUnsupported)
	}
	if q.sorted {
		return fmt.Errorf("proofs know two models whose features are in one order only: %w",
			errors.ErrUnsupported)
	}
	for j, f := range q.features {
		if f.Step != 0 || f.Group != 0 || f.Categorical || f.Missing == rules.MayMiss {
			return fmt.Errorf("proofs about all inputs know numbers only, and feature %d is none "+
				"by its rules: %w", j, errors.ErrUnsupported)
		}
	}
	for j, i := range q.opts.Domain {
		if (i.LoOpen && !math.IsInf(i.Lo, 0)) || (i.HiOpen && !math.IsInf(i.Hi, 0)) {
			return fmt.Errorf("interval %d of the domain is open, and proofs know closed ones "+
				"only: %w", j, errors.ErrUnsupported)
		}
	}
	return nil
}

// shares are by how much more than a bound a claim may say, in parts of it.
var shares = [...]float64{0, 0x1p-50, 0x1p-46, 1e-12}

// prove writes proofs of what a search has proved about tasks: that no pair differs by more than
// was asked, or by more than the bound, and nothing if that is infinite.
func (q *question) prove(ctx context.Context, name string, r *Result, tasks ...task) error {
	if q.opts.Proof == nil {
		return nil
	}
	bound := r.Bound
	if r.Status == attack.StatusNone && !q.alone {
		bound = q.opts.By
	}
	if math.IsInf(bound, 1) {
		return nil
	}
	s, err := pairs.NewSpace(q.borders, q.anything().Moves(), q.everywhere())
	if err != nil {
		return err
	}
	m := s.Code(q.of[0].Ensemble, q.of[1].Ensemble)
	m.Apart = q.opts.apart()
	var text bytes.Buffer
	for _, t := range tasks {
		c := &pairs.Claim{Domain: q.opts.Domain, Copied: t.copied, Next: t.next, Label: -1}
		switch {
		case !q.opts.Labels:
			c.Outputs = [...]*pairs.Output{q.output(t.first), q.output(t.second)}
			c.Less = t.less
		case q.opts.Ordered:
			c.Label = q.outputs[0].Plus
		}
		for _, share := range shares {
			c.Bound = bound + share*math.Abs(bound)
			kept := text.Len()
			if err = q.write(ctx, &text, name, m, c); !errors.Is(err, attack.ErrUnproven) {
				break
			}
			text.Truncate(kept)
		}
		if err != nil {
			return err
		}
	}
	_, err = text.WriteTo(q.opts.Proof)
	return err
}

// write writes the proof of a claim.
func (q *question) write(
	ctx context.Context, to *bytes.Buffer, name string, m *pairs.Models, c *pairs.Claim,
) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "property %s\n", name)
	float := func(v float64) { w.WriteString(" " + prooftext.Float(v)) }
	if c.Domain != nil {
		w.WriteString("domain")
		for _, i := range c.Domain {
			float(i.Lo)
			float(i.Hi)
		}
		w.WriteByte('\n')
	}
	for _, j := range c.Copied {
		w.WriteString("copy " + strconv.Itoa(j))
		switch {
		case c.Next:
			w.WriteString(" next")
		case m.Apart != nil:
			float(m.Apart.Least)
			float(m.Apart.Most)
		default:
			w.WriteString(" -inf inf")
		}
		w.WriteByte('\n')
	}
	if err := m.Prove(ctx, w, c); err != nil {
		return err
	}
	w.WriteString("end\n")
	return w.Flush()
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
