package pairs

import (
	"context"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/boxproof"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// allLabels proves a claim about labels: one tree for each two of them.
func (p *proving) allLabels(ctx context.Context) error {
	p.w.WriteString("labels")
	if p.Label >= 0 {
		p.w.WriteString(" " + strconv.Itoa(p.Label))
	}
	p.w.WriteByte('\n')
	symmetric := p.second == 0 && !p.Next && !(p.Offsets != nil && slices.ContainsFunc(p.Copied,
		func(j int) bool { return p.Offsets[j].Least != -p.Offsets[j].Most }))
	for a := range p.of0().Classes {
		for b := range p.of0().Classes {
			if a == b || (p.Label >= 0 && a != p.Label) || (p.Label < 0 && symmetric && b > a) {
				continue
			}
			if err := p.labels(ctx, a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// labels proves that the first input does not have a label while the second one has another.
func (p *proving) labels(ctx context.Context, a, b int) error {
	pair := p.labelPair(a, b)
	j, err := p.join(pair.columns())
	if err != nil {
		return err
	}
	return j.answer(ctx, (&lostLabels{labelPair: pair, joint: j}).refutation())
}

// labelPair is a label of the first input, another of the second, and the margins that they have to
// win.
type labelPair struct {
	models  [2]*trees.Ensemble[*trees.Axis]
	labels  [2]int
	margins [2][]trees.Margin
	// weights add up each label's margin over the other one. Where both inputs have their labels,
	// the sum is at least -deficit, and above it if strict. Without decides the sum may have any
	// value.
	weights [2][]float64
	base    float64 // the start of the sum
	deficit *big.Rat
	strict  bool
	decides bool
	gain    func(a, b []float64) float64 // of the sum, by the values of two leaves
	one     bool                         // both inputs are of one model
}

func (p *proving) labelPair(a, b int) *labelPair {
	l := &labelPair{
		models: [...]*trees.Ensemble[*trees.Axis]{p.of0(), p.of1()},
		labels: [...]int{a, b}, deficit: new(big.Rat), decides: true, one: p.second == 0,
	}
	for i, e := range l.models {
		label, other := l.labels[i], l.labels[1-i]
		l.margins[i] = e.Margins(&search.Query{From: -1, Target: label}, label)
		l.weights[i] = make([]float64, l.models[0].Classes)
		l.weights[i][label], l.weights[i][other] = 1, -1
		slack, ok := e.Slack(&trees.Margin{Label: label, Rival: other})
		if l.decides = l.decides && ok; l.decides {
			l.deficit.Add(l.deficit, slack)
		}
		l.strict = l.strict || (e.Vote.Counts() && other < label)
	}
	l.base = exact.Up(p.total(l.weights, l.models[0].Vote.Base, l.models[1].Vote.Base))
	l.gain = func(a, b []float64) float64 { return p.gain(l.weights, a, b) }
	return l
}

// columns returns the sum of the margins over each other, in column 1; in column 2 how many trees
// have two different leaves, less a half; and then the margins of the first input and of the
// second.
func (l *labelPair) columns() columns {
	start := []float64{0, l.base, -0.5}
	for _, margin := range slices.Concat(l.margins[0], l.margins[1]) {
		start = append(start, margin.Base)
	}
	return columns{weights: l.weights, start: start, gains: l.gains}
}

func (l *labelPair) gains(own [2]int, a, b []float64) []float64 {
	row := []float64{0, l.gain(a, b), 1}
	if own[0] == own[1] && l.one {
		row[2] = 0
	}
	for i, values := range [...][]float64{a, b} {
		for _, margin := range l.margins[i] {
			gain := 0.0
			if values != nil {
				gain = precise.SubUp(values[margin.Label], values[margin.Rival])
			}
			row = append(row, gain)
		}
	}
	return row
}

// lostLabels is the question whether no pair of inputs has two labels.
type lostLabels struct {
	*labelPair
	*joint
}

func (l *lostLabels) refutation() *boxproof.Refutation {
	slack, _ := l.deficit.Float64()
	sum := trees.Margin{Label: 1, Base: l.base, Slack: l.slack(1) + 2*slack}
	if !l.decides {
		sum.Slack = math.Inf(1)
	}
	margins := []trees.Margin{sum, {Label: 2, Base: -0.5}}
	for k, margin := range slices.Concat(l.margins[0], l.margins[1]) {
		column := 3 + k
		margins = append(margins, trees.Margin{
			Label: column, Base: margin.Base, Slack: 2*margin.Slack + l.slack(column),
		})
	}
	return &boxproof.Refutation{
		Margins: margins, Limit: l.limit, Lost: l.lost, Evaluated: l.evaluated,
	}
}

// limit returns the least multiple of a unit at which the sum of the margins is not lost.
func (l *lostLabels) limit(unit float64) (limit float64, ok bool) {
	if !l.decides {
		return 0, false
	}
	units := new(big.Rat).Quo(l.deficit, exact.Float(unit))
	whole := new(big.Int).Quo(units.Num(), units.Denom())
	n, _ := new(big.Float).SetInt(whole).Float64()
	if n = -n; l.strict && units.IsInt() {
		n++
	}
	return n * unit, math.Abs(n) < 0x1p53
}

// lost reports whether the sum of the margins is lost, exactly.
func (l *lostLabels) lost(gains []float64) bool {
	if !l.decides {
		return false
	}
	sum := new(big.Rat).Add(exact.Float(l.base), l.deficit)
	for _, g := range gains {
		sum.Add(sum, exact.Float(g))
	}
	return sum.Sign() < 0 || (sum.Sign() == 0 && l.strict)
}

// evaluated reports whether the models surely do not give the labels to a box that is in one leaf
// of each tree.
func (l *lostLabels) evaluated(b grid.Box) bool {
	same := l.second == 0
	var sums [2][]float64
	for i, e := range l.models {
		sums[i] = slices.Clone(e.Vote.Base)
	}
	for t, leaf := range l.forest.LeavesIn(b) {
		own := l.own[t][leaf]
		same = same && own[0] == own[1]
		for i, e := range l.models {
			if own[i] >= 0 {
				e.Add(sums[i], l.of[t][i], own[i])
			}
		}
	}
	return same || l.models[0].Loses(l.labels[0], sums[0]) ||
		l.models[1].Loses(l.labels[1], sums[1])
}
