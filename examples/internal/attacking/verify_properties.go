package attacking

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// verdict is what is written about a property.
type verdict struct {
	Property string `json:"property"`
	Holds    *bool  `json:"holds"` // null: a limit left it open
	Status   string `json:"status"`
	// Of the pair with the largest difference of outputs, unless only another one has two labels.
	Difference   *float64        `json:"difference"`
	Bound        *float64        `json:"bound"`
	Rounding     float64         `json:"rounding"`
	X            []tabular.Value `json:"x"`
	Other        []tabular.Value `json:"other"`
	Labels       []any           `json:"labels"` // null of a regressor
	Outputs      []float64       `json:"outputs"`
	LabelChanges *bool           `json:"label_changes"`
	Nodes        int             `json:"nodes"`
	Seconds      float64         `json:"seconds"`

	columns [2]string // what both columns of the table are
}

func parseIgnores(text string) ([]asked, error) {
	names, err := command.Names(text)
	var features []int
	return []asked{{
		name: "ignores " + text,
		prepare: func(_ context.Context, v *verifying) (err error) {
			features, err = v.features(names)
			return err
		},
		check: func(ctx context.Context, v *verifying) (*verdict, error) {
			return v.compare(false, func(o property.Options) (property.Result, error) {
				var r property.Result
				err := v.proving(&o, func() (err error) {
					r, err = property.Depends(ctx, v.model.Model, features, o)
					return err
				})
				return r, err
			})
		},
	}}, err
}

func parseMonotone(text string) (list []asked, err error) {
	names, err := command.Names(text)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		at := strings.LastIndex(name, ":")
		way := property.Up
		switch {
		case at < 0, name[at:] != ":up" && name[at:] != ":down":
			return nil, fmt.Errorf("%q has no direction: NAME:up or NAME:down", name)
		case name[at:] == ":down":
			way = property.Down
		}
		var features []int
		list = append(list, asked{
			name: "monotone " + name,
			prepare: func(_ context.Context, v *verifying) (err error) {
				features, err = v.features([]string{name[:at]})
				return err
			},
			check: func(ctx context.Context, v *verifying) (*verdict, error) {
				var r property.Result
				o := v.opts
				err := v.proving(&o, func() (err error) {
					r, err = property.Monotone(ctx, v.model.Model, features[0], way, o)
					return err
				})
				return v.verdictOf(&r, false), err
			},
		})
	}
	return list, nil
}

func parseSameAs(path string) ([]asked, error) {
	_, err := command.Some(path)
	var other verified
	return []asked{{
		name: "same as " + path,
		prepare: func(ctx context.Context, v *verifying) (err error) {
			other, err = v.readModel(ctx, path)
			v.compared = &compared{other, path}
			return err
		},
		check: func(ctx context.Context, v *verifying) (*verdict, error) {
			line, err := v.compare(true, func(o property.Options) (property.Result, error) {
				var r property.Result
				err := v.proving(&o, func() (err error) {
					r, err = property.Differ(ctx, v.model.Model, other.Model, o)
					return err
				})
				return r, err
			})
			if line != nil {
				line.columns = [...]string{"this model", "the other"}
			}
			return line, err
		},
	}}, err
}

func parseAtMost(text string) ([]asked, error)  { return parseEnd("output at most ", text, 1) }
func parseAtLeast(text string) ([]asked, error) { return parseEnd("output at least ", text, -1) }

func parseEnd(name, text string, sign float64) ([]asked, error) {
	limit, err := command.Number(text)
	check := func(ctx context.Context, v *verifying) (*verdict, error) {
		var least, most property.End
		o := v.opts
		if err := v.proving(&o, func() (err error) {
			least, most, err = property.Range(ctx, v.model.Model, o)
			return err
		}); err != nil {
			return nil, err
		}
		if sign < 0 {
			holds := least.Bound-least.Rounding >= limit
			return v.verdictOfEnd(&least, holds, least.Output < limit), nil
		}
		return v.verdictOfEnd(&most, most.Bound+most.Rounding <= limit, most.Output > limit), nil
	}
	return []asked{{name: name + text, check: check}}, err
}

// features returns the numbers of features that are named, or numbered.
func (v *verifying) features(names []string) (features []int, err error) {
	for _, name := range names {
		j := -1
		for k := range v.model.Dim() {
			if costs.Name(v.model.names, k) == name {
				j = k
			}
		}
		if j < 0 {
			var number int
			if n, err := fmt.Sscan(name, &number); n != 1 || err != nil || number < 0 ||
				number >= v.model.Dim() {
				return nil, fmt.Errorf("the model has no feature %q%s", name,
					tabular.Suggest(name, v.model.names))
			}
			j = number
		}
		features = append(features, j)
	}
	return features, nil
}

// compare asks how much outputs differ, and, of a classifier, whether labels do. Of two models
// outputs are the same that differ by no more than their rounding.
func (v *verifying) compare(
	two bool, ask func(o property.Options) (property.Result, error),
) (*verdict, error) {
	begun, opts := time.Now(), v.opts
	if v.model.classes != nil {
		if line, err := v.alike(two, ask); line != nil || err != nil {
			return line, err
		}
	}
	opts.Timeout = v.remaining(begun)
	r, err := ask(opts)
	if err != nil || v.model.classes == nil || (r.X != nil && r.Labels[0] != r.Labels[1]) {
		return v.verdictOf(&r, v.model.classes != nil), err
	}
	opts.Labels, opts.Timeout = true, v.remaining(begun)
	labels, err := ask(opts)
	if err != nil {
		return nil, err
	}
	labels.Nodes += r.Nodes
	switch {
	case labels.X != nil:
		labels.Bound, labels.Rounding = r.Bound, r.Rounding
		labels.Status = r.Status
		return v.verdictOf(&labels, true), nil
	case labels.Status == attack.StatusNone:
		line := v.verdictOf(&r, false)
		line.Holds, line.Nodes = new(true), labels.Nodes
		return line, nil
	}
	line := v.verdictOf(&r, false)
	line.Holds = nil
	return line, nil
}

// remaining returns what is left of the time limit, but at least a third of it: one for each of
// the questions that a property comes down to.
func (v *verifying) remaining(begun time.Time) time.Duration {
	if v.timeout == 0 {
		return 0
	}
	return max(v.timeout-time.Since(begun), v.timeout/3, 1)
}

// alike asks whether the outputs of all classes are the same, as little work can prove. Labels then
// differ, if at all, where that decides by which they may. It returns nil if it is not proven.
func (v *verifying) alike(
	two bool, ask func(o property.Options) (property.Result, error),
) (*verdict, error) {
	opts := v.opts
	opts.MaxNodes, opts.Timeout = 1, v.timeout/3
	all := property.Result{Status: attack.StatusNone}
	v.provers.idle = true
	defer func() { v.provers.idle = false }()
	classes := 1
	if v.model.classes.Len() > 2 {
		classes = v.model.classes.Len()
	}
	for i := range 2 * classes {
		if i == classes { // all are the same, and asked once more for proofs
			if v.provers.idle = false; v.provers.file == "" {
				break
			}
		}
		if classes > 1 {
			opts.Class = i % classes
		}
		r, err := ask(opts)
		same := r.Bound <= opts.By || (two && r.Bound <= r.Rounding)
		if err != nil || !same {
			return nil, err
		}
		all.Bound, all.Rounding = max(all.Bound, r.Bound), max(all.Rounding, r.Rounding)
		all.Nodes += r.Nodes
	}
	return v.verdictOf(&all, false), nil
}

// verdictOf says what a result means; of labels if they are what counts.
func (v *verifying) verdictOf(r *property.Result, labels bool) *verdict {
	line := &verdict{
		Status: r.Status.String(), Bound: finite(r.Bound), Rounding: r.Rounding, Nodes: r.Nodes,
		X: v.model.words.Row(r.X), Other: v.model.words.Row(r.Other),
		columns: [...]string{"x", "other"},
	}
	if holds, decided := r.Holds(); decided {
		line.Holds = &holds
	}
	if r.X == nil {
		return line
	}
	line.Difference, line.Outputs = &r.Difference, r.Outputs[:]
	if v.model.classes == nil {
		return line
	}
	changes := r.Labels[0] != r.Labels[1]
	line.LabelChanges = &changes
	for _, label := range r.Labels {
		line.Labels = append(line.Labels, v.model.classes.At(label))
	}
	if labels && !changes {
		line.Holds = nil
	}
	return line
}

// verdictOfEnd says what an end of the range means.
func (v *verifying) verdictOfEnd(e *property.End, holds, fails bool) *verdict {
	line := &verdict{
		Status: e.Status.String(), Bound: finite(e.Bound), Rounding: e.Rounding,
		X: v.model.words.Row(e.X), Nodes: e.Nodes,
	}
	if holds || fails {
		line.Holds = &holds
	}
	if e.X != nil {
		line.Outputs = []float64{e.Output}
		if v.model.classes != nil {
			line.Labels = []any{v.model.classes.At(e.Label)}
		}
	}
	return line
}

func (v *verifying) writeLines(w io.Writer) error { return encodeLines(w, v.lines) }
