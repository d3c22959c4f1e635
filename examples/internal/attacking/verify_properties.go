package attacking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// verdict is the line about a property, and the sentences that people read about it.
type verdict struct {
	results.Property
	columns [2]string // headings of both columns of the table
	rounded bool      // it holds of outputs, but for their rounding
}

func parseIgnores(text string) ([]asked, error) {
	names, err := command.Names(text)
	var features []int
	return []asked{{
		name: "ignores " + text,
		prepare: func(_ context.Context, v *verifying) (err error) {
			features, err = v.features(names)
			v.ignored = append(v.ignored, features...)
			return err
		},
		check: func(ctx context.Context, v *verifying) (*verdict, error) {
			return v.compare(false, func(o property.Options) (property.Result, error) {
				return property.Depends(ctx, v.model.Model, features, o)
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
		falling := strings.HasSuffix(name, ":down")
		if at < 0 || !falling && name[at:] != ":up" {
			return nil, fmt.Errorf("%q has no direction: NAME:up or NAME:down", name)
		}
		var features []int
		list = append(list, asked{
			name: "monotone " + name,
			prepare: func(_ context.Context, v *verifying) (err error) {
				features, err = v.features([]string{name[:at]})
				return err
			},
			check: func(ctx context.Context, v *verifying) (*verdict, error) {
				o := v.opts
				o.Falling = falling
				r, err := proved(&v.provers, o, func(o property.Options) (property.Result, error) {
					return property.Monotone(ctx, v.model.Model, features[0], o)
				})
				return v.verdictOf(&r), err
			},
		})
	}
	return list, nil
}

func parseSameAs(path string) ([]asked, error) {
	_, err := command.Some(path)
	var other verified
	return []asked{{
		name:  "same as " + path,
		reads: path,
		prepare: func(ctx context.Context, v *verifying) (err error) {
			other, err = v.readModel(ctx, path)
			v.compared = &compared{other, path}
			return err
		},
		check: func(ctx context.Context, v *verifying) (*verdict, error) {
			line, err := v.compare(true, func(o property.Options) (property.Result, error) {
				return property.Differ(ctx, v.model.Model, other.Model, o)
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
		ends, err := proved(&v.provers, v.opts, rangeOf(ctx, v.model.Model))
		if err != nil {
			return nil, err
		}
		if least := &ends[0]; sign < 0 {
			holds := least.Bound-least.Rounding >= limit
			return v.verdictOfEnd(least, holds, least.Output < limit), nil
		}
		most := &ends[1]
		return v.verdictOfEnd(most, most.Bound+most.Rounding <= limit, most.Output > limit), nil
	}
	return []asked{{name: name + text, check: check}}, err
}

// rangeOf asks for the smallest and the largest output.
func rangeOf(
	ctx context.Context, m property.Model,
) func(o property.Options) (ends [2]property.End, err error) {
	return func(o property.Options) (ends [2]property.End, err error) {
		ends[0], ends[1], err = property.Range(ctx, m, o)
		return ends, err
	}
}

// features returns the numbers of features that are named, or numbered.
func (v *verifying) features(names []string) (features []int, err error) {
	for _, name := range names {
		j, ok := costs.Find(name, v.model.names, v.model.Dim())
		if !ok {
			return nil, fmt.Errorf("the model has no feature %q%s", name, v.model.suggest(name))
		}
		features = append(features, j)
	}
	return features, nil
}

// suggest names the feature that was meant, or those that there are.
func (m *verified) suggest(name string) string {
	const few = 12
	if meant := tabular.Suggest(name, m.names); meant != "" {
		return meant
	}
	if m.names == nil {
		return fmt.Sprintf(": they are numbered from 0 to %d", m.Dim()-1)
	}
	if len(m.names) > few {
		return ""
	}
	return "; its features are " + strings.Join(m.names, ", ")
}

// compare asks how much outputs differ, and, of a classifier, whether labels do: only that says
// whether the property holds, but that two models are also the same whose outputs all differ by no
// more than their rounding.
func (v *verifying) compare(
	two bool, ask func(o property.Options) (property.Result, error),
) (*verdict, error) {
	begun, opts, question := time.Now(), v.opts, ask
	ask = func(o property.Options) (property.Result, error) {
		return proved(&v.provers, o, question)
	}
	if v.model.classes == nil {
		r, err := ask(opts)
		return v.verdictOf(&r), err
	}
	if two {
		line, err := v.alike(ask)
		if line != nil || err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return line, err
		}
	}
	opts.Timeout = v.remaining(begun)
	r, err := ask(opts)
	if two && errors.Is(err, errors.ErrUnsupported) { // a margin and a mean: labels are compared
		r, err = property.Result{Class: -1, Bound: math.Inf(1)}, nil
	}
	if err != nil {
		return nil, err
	}
	line := v.verdictOf(&r)
	if v.changes(&r) ||
		v.opts.By > 0 && r.Status == attack.StatusNone && v.all() {
		return line, nil // of no pair an output differs by more than it may
	}
	opts.Labels, opts.Timeout = true, v.remaining(begun)
	if !opts.Ordered {
		opts.Class = property.EveryClass
	}
	v.open.Store(&labelsOpen)
	labels, err := ask(opts)
	if v.probability && errors.Is(err, errors.ErrUnsupported) {
		err = fmt.Errorf("of labels --by is about sums: ask without --target probability: %w", err)
	}
	if err != nil {
		return nil, err
	}
	line.Holds, line.Nodes = nil, line.Nodes+labels.Nodes
	if v := labels.Verdict(); v != attack.Undecided {
		line.Holds = new(v == attack.Holds)
	}
	if labels.X == nil {
		return line, nil
	}
	line.Changing = &results.ChangingPair{
		Status: "found", Difference: labels.Difference, Pair: v.pair(&labels),
	}
	if v.all() && labels.Difference >= r.Bound {
		line.Changing.Status = attack.StatusOptimal.String()
	}
	return line, nil
}

// changes reports whether a pair has two labels, the first of them that in question if pairs are
// ordered.
func (v *verifying) changes(r *property.Result) bool {
	if r.X == nil || r.Labels[0] == r.Labels[1] {
		return false
	}
	if !v.opts.Ordered {
		return true
	}
	asked := v.opts.Class
	if asked == property.EveryClass {
		asked = 1 // of two
	}
	return r.Labels[0] == asked
}

// all reports whether the outputs of all classes count.
func (v *verifying) all() bool {
	return v.opts.Class == property.EveryClass || v.model.classes.Len() <= 2
}

// remaining returns the rest of the time limit, but at least a third of it: one for each of
// the questions that a property comes down to.
func (v *verifying) remaining(begun time.Time) time.Duration {
	if v.timeout == 0 {
		return 0
	}
	return max(v.timeout-time.Since(begun), v.timeout/3, 1)
}

// alike asks whether the outputs of all classes of two models are the same, as little work can
// prove, but for rounding. It returns nil if that is not proven.
func (v *verifying) alike(ask func(o property.Options) (property.Result, error)) (*verdict, error) {
	opts := v.opts
	opts.Class, opts.MaxNodes, opts.Timeout = property.EveryClass, 1, v.timeout/3
	v.provers.idle = true
	defer func() { v.provers.idle = false }()
	r, err := ask(opts)
	if err != nil || r.Bound > max(opts.By, r.Rounding) {
		return nil, err
	}
	if v.provers.idle = false; v.provers.file != "" { // once more, for proofs
		if r, err = ask(opts); err != nil {
			return nil, err
		}
	}
	line := v.verdictOf(&r)
	line.Holds, line.rounded = new(true), r.Rounding > 0 && opts.By == 0
	return line, nil
}

// verdictOf returns the verdict of a result about outputs.
func (v *verifying) verdictOf(r *property.Result) *verdict {
	line := &verdict{columns: [...]string{"x", "other"}, Property: results.Property{
		Status: r.Status.String(), Bound: finite(r.Bound), Rounding: r.Rounding, Nodes: r.Nodes,
	}}
	line.Class = v.whose(v.opts.Class)
	if v := r.Verdict(); v != attack.Undecided {
		line.Holds = new(v == attack.Holds)
	}
	if r.X == nil {
		return line
	}
	line.Difference, line.Pair = &r.Difference, v.pair(r)
	if v.model.classes != nil {
		line.LabelChanges = new(r.Labels[0] != r.Labels[1])
	}
	return line
}

// pair returns the pair of a result.
func (v *verifying) pair(r *property.Result) results.Pair {
	s := results.Pair{
		X: v.model.words.Row(r.X), Other: v.model.words.Row(r.Other), Outputs: r.Outputs[:],
		Class: v.whose(r.Class),
	}
	if v.model.classes != nil {
		for _, label := range r.Labels {
			s.Labels = append(s.Labels, v.model.classes.At(label))
		}
	}
	return s
}

// whose returns the label of a class whose outputs count, nil where there is no choice: of two
// classes the output is that of label 1, but where two models are compared by both.
func (v *verifying) whose(class int) *tabular.Label {
	if v.model.classes == nil || class < 0 || class == 1 && v.model.classes.Len() == 2 {
		return nil
	}
	label := v.model.classes.At(class)
	return &label
}

// verdictOfEnd returns the verdict of an end of the range.
func (v *verifying) verdictOfEnd(e *property.End, holds, fails bool) *verdict {
	line := &verdict{Property: results.Property{
		Status: e.Status.String(), Bound: finite(e.Bound), Rounding: e.Rounding, Nodes: e.Nodes,
	}}
	line.X, line.Class = v.model.words.Row(e.X), v.whose(v.opts.Class)
	if holds || fails {
		line.Holds = &holds
	}
	if e.X != nil {
		line.Outputs, line.Class = []float64{e.Output}, v.whose(e.Class)
		if v.model.classes != nil {
			line.Labels = []tabular.Label{v.model.classes.At(e.Label)}
		}
	}
	return line
}

func (v *verifying) writeLines(w io.Writer) error { return encodeLines(w, v.lines) }
