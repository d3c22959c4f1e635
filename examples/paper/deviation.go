package main

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
)

// verdict is what comes of comparing a cell with print.
type verdict int

const (
	unprinted verdict = iota // there is nothing to compare with
	equal                    // to the printed digit, or no number in both
	excused                  // another number, for a known cause
	different
)

// mark follows our number.
func (v verdict) mark() string {
	return [...]string{" ", " ", "~", "*"}[v]
}

// judge compares a cell that the paper has with print, and says what a deviation
// comes from, if that is known.
func (c *cell) judge(ctx context.Context, lab *experiment.Lab) (verdict, string, error) {
	switch {
	case c.printed == nil && !c.has(), c.printed != nil && c.has() && c.printed.Equals(c.value):
		return equal, "", nil
	case c.printed == nil || !c.has():
		return different, "", nil
	}
	if d := c.known(); d != nil {
		return d.verdict(), d.cause, nil
	}
	if q, ok := c.column.quantity.(defscore); ok {
		return c.follows(ctx, lab, q)
	}
	return different, "", nil
}

// follows judges a defscore. It follows from the robustnesses that it is made of if
// it becomes the printed one when printed ones replace those of ours that deviate.
func (c *cell) follows(ctx context.Context, lab *experiment.Lab, q defscore) (verdict, string, error) {
	worst := unprinted
	var values [2]float64
	for i, r := range []robustness{q.defended, q.undefended} {
		v, err := r.value(ctx, lab, c.set)
		if err != nil {
			return different, "", err
		}
		values[i] = thousandths(v)
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

// deviation is a known difference between the paper's numbers and ours.
type deviation struct {
	set     string         // "" for all
	columns map[int]string // by table, with spaces between them
	within  float64        // the largest difference that the cause explains
	ours    float64        // unless 0, what an independent computation finds, to three decimals
	cause   string
	// open says that the cause does not excuse the deviation.
	open bool
}

const (
	raw    = "the paper's examples lie 5e-6 inside raw bisectors; the exact minimum is "
	direct = "the same rule computed independently gives our number; the cause is unknown"
)

// deviations are those of the numbers that are measured; defscores follow.
var deviations = []deviation{
	{
		set: "halfmoon", columns: map[int]string{1: "1nn_rba_exact 1nn_rba_approx", 4: "er"}, within: .001,
		cause: raw + ".0571",
	},
	{
		set: "diabetes", columns: map[int]string{4: "er_r0.5"}, within: .001,
		cause: raw + ".3757",
	},
	{
		set: "halfmoon", columns: map[int]string{6: "er_r0.3"}, within: .001,
		cause: "the paper's examples lie 1e-4 inside their boxes; the exact minimum is .21848",
	},
	{
		set: "cancer", columns: map[int]string{1: "rf_rba_approx", 7: "er er_r0.1"}, within: .001,
		cause: "the same rule computed independently gives .3839 too",
	},
	{
		set: "cancer", columns: map[int]string{7: "er_r0.3 er_r0.5"}, within: .003, open: true,
		cause: "unknown; the cells around the training points of scikit-learn's own forest give our number too",
	},
	{set: "australian", columns: map[int]string{1: "1nn_direct"}, ours: .271, cause: direct},
	{set: "australian", columns: map[int]string{1: "3nn_direct"}, ours: .624, cause: direct},
	{set: "halfmoon", columns: map[int]string{1: "1nn_direct"}, ours: .064, cause: direct},
	{set: "halfmoon", columns: map[int]string{1: "3nn_direct"}, ours: .100, cause: direct},
	{
		columns: map[int]string{1: "1nn_kernel 3nn_kernel"}, within: .008,
		cause: "many gradients vanish but for rounding errors, whose signs move points",
	},
	{
		columns: map[int]string{1: "1nn_bbox 3nn_bbox dt_bbox rf_bbox"}, within: .044,
		cause: "single draws of a random attack; over ten seeds ours varies by .011 to .044",
	},
	{
		columns: map[int]string{2: "1nn_at 3nn_at"}, within: math.Inf(1), open: true,
		cause: "the paper trains on the points that its solver returns, of equally near ones and 5e-6 inside raw bisectors " +
			"(docs/defences.md); not rebuilt in full",
	},
	{
		columns: map[int]string{2: "dt_at rf_at"}, within: math.Inf(1), open: true,
		cause: "the paper trains on the points that its solver returns, of equally near ones in a box (docs/defences.md)",
	},
	{
		columns: map[int]string{2: "dt_rs rf_rs"}, within: math.Inf(1), open: true,
		cause: "the paper's code scores splits by another rule than the one it names (docs/defences.md)",
	},
}

// known returns the deviation that explains the cell, nil if none does.
func (c *cell) known() *deviation {
	for i := range deviations {
		if deviations[i].explains(c) {
			return &deviations[i]
		}
	}
	return nil
}

// explains reports whether the deviation is that of the cell.
func (d *deviation) explains(c *cell) bool {
	if d.set != "" && d.set != c.set || !slices.Contains(strings.Fields(d.columns[c.table]), c.column.name) {
		return false
	}
	rounding := 0.5 * math.Pow10(-c.printed.Digits)
	if d.ours != 0 {
		return math.Abs(c.value-d.ours) <= rounding
	}
	return math.Abs(c.value-c.printed.Value) <= d.within+rounding
}

func (d *deviation) verdict() verdict {
	if d.open {
		return different
	}
	return excused
}
