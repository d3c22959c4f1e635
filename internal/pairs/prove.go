package pairs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/boxproof"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Claim is what a proof says of all pairs: docs/proof-format.md, "Properties". Proofs count all
// intervals of all borders, whatever the domain, so that the space has none.
type Claim struct {
	Name   string
	Domain polytope.Box // nil for none
	Codes  []int        // by feature, how many codes 0, 1, … it has; 0 of a number
	OneHot [][]int      // features of which one is 1, and the others are 0
	Copied []int
	Next   bool // the second input has the next interval of the copied features
	// The output of the first input, less that of the second, is at most Bound, without rounding;
	// nil is 0. Without either, labels are the same, or, with a Label that is not −1, no pair has
	// it at first, and another one then.
	// With Less the second exceeds the first by no more.
	Outputs [2]*Output
	Less    bool
	Bound   float64
	Label   int
}

// mostParts is how many parts a tree of a proof has at most.
const mostParts = 1 << 20

// Prove writes a proof of a claim. What it has written before an error is no proof. The error wraps
// ErrEmpty if there are no inputs.
func (m *Models) Prove(ctx context.Context, w *bufio.Writer, c *Claim) error {
	p := &proving{Models: m, Claim: c, w: w}
	p.head()
	if err := p.body(ctx); err != nil {
		return err
	}
	w.WriteString("end\n")
	return w.Flush()
}

// head writes what stands above the body.
func (p *proving) head() {
	write := func(list ...any) { fmt.Fprint(p.w, list...) }
	write("property ", p.Name, "\n")
	if p.Domain != nil {
		write("domain")
		for _, i := range p.Domain {
			write(" ", prooftext.Float(i.Lo), " ", prooftext.Float(i.Hi))
		}
		write("\n")
	}
	numbers := func(key string, list []int) {
		write(key)
		for _, n := range list {
			write(" ", n)
		}
		write("\n")
	}
	if p.Codes != nil {
		numbers("codes", p.Codes)
	}
	for _, members := range p.OneHot {
		numbers("one-hot", members)
	}
	for _, j := range p.Copied {
		write("copy ", j)
		switch {
		case p.Next:
			write(" next\n")
		case p.Apart != nil:
			write(" ", prooftext.Float(p.Apart.Least), " ", prooftext.Float(p.Apart.Most), "\n")
		default:
			write(" -inf inf\n")
		}
	}
}

// body writes the proof from its line "above" or "labels" on.
func (p *proving) body(ctx context.Context) error {
	m, w, c := p.Models, p.w, p.Claim
	p.second = 0
	if m.trees[1] != nil && m.of[1] != m.of[0] {
		p.second = 1
	}
	p.root = p.box(c.Copied)
	for f := range p.root {
		if p.root[f] = p.within(p.feature(f)); !p.holds(p.feature(f), p.root[f]) {
			return ErrEmpty
		}
	}
	if c.Outputs != [2]*Output{} {
		return p.sums(ctx)
	}
	w.WriteString("labels")
	if c.Label >= 0 {
		w.WriteString(" " + strconv.Itoa(c.Label))
	}
	w.WriteByte('\n')
	classes := m.of[0].Classes
	symmetric := p.second == 0 && !c.Next && (m.Apart == nil || m.Apart.Least == -m.Apart.Most)
	for a := range classes {
		for b := range classes {
			if a == b || (c.Label >= 0 && a != c.Label) || (c.Label < 0 && symmetric && b > a) {
				continue
			}
			if err := p.labels(ctx, a, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// proving is a proof that is being written.
type proving struct {
	*Models
	*Claim
	w      *bufio.Writer
	second int      // the model of the second input
	root   grid.Box // of codes, within the domain
	forest grid.Forest
	own    [][][2]int // by tree and node: the leaves of both inputs, and by tree, in own trees
	of     [][2]int   // the trees of the models
}

// feature returns the feature of a variable.
func (p *proving) feature(f int) int {
	if f >= p.Dim() {
		return p.Copied[f-p.Dim()]
	}
	return f
}

// within returns the codes of a feature that meet the domain, from the first to the last.
func (p *proving) within(j int) grid.Span {
	s := grid.Span{Hi: int32(p.Numbers(j)) - 1}
	meets := func(c int32) bool { return p.holds(j, grid.Span{Lo: c, Hi: c}) }
	for s.Lo < s.Hi && !meets(s.Lo) {
		s.Lo++
	}
	for s.Hi > s.Lo && !meets(s.Hi) {
		s.Hi--
	}
	return s
}

// sums proves a claim about outputs.
func (p *proving) sums(ctx context.Context) error {
	var weights [2][]float64
	product := exact.Float(p.Bound)
	for i, o := range p.Outputs {
		if o == nil {
			continue
		}
		weight := 1.0
		if (i == 1) != p.Less {
			weight = -1
		}
		if other := p.Outputs[1-i]; other != nil && other.Divisor != o.Divisor {
			weight *= other.Divisor
		}
		if i == 0 || p.Outputs[0] == nil || p.Outputs[0].Divisor != o.Divisor {
			product.Mul(product, exact.Float(o.Divisor))
		}
		weights[i] = make([]float64, o.Ensemble.Classes)
		if weights[i][o.Plus] = weight; o.Minus >= 0 {
			weights[i][o.Minus] = -weight
		}
	}
	above := roundUp(product)
	fmt.Fprintf(p.w, "above %s", strconv.FormatFloat(above, 'x', -1, 64))
	for i, list := range weights {
		for class, weight := range list {
			if weight != 0 {
				fmt.Fprintf(p.w, " %s %d %d", strconv.FormatFloat(weight, 'x', -1, 64), i, class)
			}
		}
	}
	p.w.WriteByte('\n')
	base := p.total(weights, p.of0().Vote.Base, p.of1().Vote.Base)
	base.Sub(base, exact.Float(above))
	gain := func(own [2]int, a, b []float64) []float64 {
		return []float64{0, p.gain(weights, a, b)}
	}
	start := []float64{0, roundUp(base)}
	if err := p.derive(weights, start, gain); err != nil {
		return err
	}
	lost := func(gains []float64) bool {
		return !exceeds(start[1], gains)
	}
	return p.answer(ctx, &boxproof.Question{
		Leads: []trees.Lead{{Label: 1, Base: start[1], Slack: p.slack(1)}},
		Limit: func(unit float64) (float64, bool) { return unit, true },
		Lost:  lost,
		Evaluated: func(b grid.Box) bool {
			gains := make([]float64, len(p.of))
			for t, leaf := range p.leaves(b) {
				gains[t] = p.forest.Value(t, leaf)[1]
			}
			return lost(gains)
		},
	})
}

func (p *proving) of0() *trees.Ensemble[*trees.Axis] { return p.Models.of[0] }
func (p *proving) of1() *trees.Ensemble[*trees.Axis] { return p.Models.of[p.second] }

// exceeds reports whether numbers add up to more than 0.
func exceeds(base float64, gains []float64) bool {
	sum, size := base, math.Abs(base)
	for _, g := range gains {
		sum, size = sum+g, size+math.Abs(g)
	}
	if off := 0x1p-52 * float64(len(gains)+2) * size; math.Abs(sum) > off {
		return sum > 0
	}
	exactly := exact.Float(base)
	for _, g := range gains {
		exactly.Add(exactly, exact.Float(g))
	}
	return exactly.Sign() > 0
}

// slack returns what rounding may do to a sum of a column of the forest.
func (p *proving) slack(column int) float64 {
	size := math.Abs(p.forest.Vote.Base[column])
	for t := range p.forest.Trees {
		most := 0.0
		for i := range p.own[t] {
			most = max(most, math.Abs(p.forest.Value(t, i)[column]))
		}
		size += most
	}
	return 0x1p-50 * float64(len(p.own)+2) * size
}

// total returns the sum of weights times values, exactly.
func (p *proving) total(weights [2][]float64, values ...[]float64) *big.Rat {
	sum := new(big.Rat)
	for i, list := range weights {
		for class, weight := range list {
			if weight != 0 && values[i] != nil {
				v := exact.Float(values[i][class])
				sum.Add(sum, v.Mul(v, exact.Float(weight)))
			}
		}
	}
	return sum
}

// gain is total, rounded up.
func (p *proving) gain(weights [2][]float64, a, b []float64) float64 {
	var terms []float64
	for i, values := range [...][]float64{a, b} {
		for class, weight := range weights[i] {
			if weight == 0 || values == nil || values[class] == 0 {
				continue
			}
			if math.Abs(weight) != 1 || len(terms) == 2 {
				return roundUp(p.total(weights, a, b))
			}
			terms = append(terms, weight*values[class])
		}
	}
	switch len(terms) {
	case 0:
		return 0
	case 1:
		return terms[0]
	}
	return up(terms[0], -terms[1])
}

// labels proves that the first input does not have a label while the second one has another.
func (p *proving) labels(ctx context.Context, a, b int) error {
	x, other := p.of0(), p.of1()
	leads := [2][]trees.Lead{
		x.Leads(&search.Query{From: -1, Target: a}, a),
		other.Leads(&search.Query{From: -1, Target: b}, b),
	}
	var weights [2][]float64
	for i, label := range [...]int{a, b} {
		weights[i] = make([]float64, x.Classes)
		weights[i][label], weights[i][a+b-label] = 1, -1
	}
	start := []float64{0, roundUp(p.total(weights, x.Vote.Base, other.Vote.Base)), -0.5}
	for _, list := range leads {
		for _, l := range list {
			start = append(start, l.Base)
		}
	}
	gain := func(own [2]int, v, u []float64) []float64 {
		row := []float64{0, p.gain(weights, v, u), 1}
		if own[0] == own[1] && p.second == 0 {
			row[2] = 0
		}
		for i, values := range [...][]float64{v, u} {
			for _, l := range leads[i] {
				gain := 0.0
				if values != nil {
					gain = up(values[l.Label], values[l.Rival])
				}
				row = append(row, gain)
			}
		}
		return row
	}
	if err := p.derive(weights, start, gain); err != nil {
		return err
	}
	slack, strict, decides := new(big.Rat), false, true
	for i, e := range [...]*trees.Ensemble[*trees.Axis]{x, other} {
		l := trees.Lead{Label: [...]int{a, b}[i], Rival: [...]int{b, a}[i]}
		own, ok := e.Slack(&l)
		if decides = decides && ok; ok {
			slack.Add(slack, own)
		}
		strict = strict || (e.Vote.Counts() && l.Rival < l.Label)
	}
	q := &boxproof.Question{
		Leads: []trees.Lead{{Label: 1, Base: start[1], Slack: p.slack(1)}, {Label: 2, Base: -0.5}},
		Limit: func(unit float64) (float64, bool) {
			if !decides {
				return 0, false
			}
			return limit(slack, strict, unit)
		},
		Lost: func(gains []float64) bool {
			return decides && lostBy(start[1], gains, slack, strict)
		},
		Evaluated: func(box grid.Box) bool { return p.evaluated(box, a, b) },
	}
	float, _ := slack.Float64()
	q.Leads[0].Slack += 2 * float
	if !decides {
		q.Leads[0].Slack = math.Inf(1)
	}
	for k, l := range slices.Concat(leads[0], leads[1]) {
		column := 3 + k
		q.Leads = append(q.Leads, trees.Lead{
			Label: column, Base: l.Base, Slack: 2*l.Slack + p.slack(column),
		})
	}
	return p.answer(ctx, q)
}

// limit returns the least multiple of a unit at which a sum is not lost, which has so much slack.
func limit(slack *big.Rat, strict bool, unit float64) (float64, bool) {
	units := new(big.Rat).Quo(slack, exact.Float(unit))
	whole := new(big.Int).Quo(units.Num(), units.Denom())
	n, _ := new(big.Float).SetInt(whole).Float64()
	if n = -n; strict && units.IsInt() {
		n++
	}
	return n * unit, math.Abs(n) < 0x1p53
}

// lostBy reports whether a sum is lost, exactly.
func lostBy(base float64, gains []float64, slack *big.Rat, strict bool) bool {
	sum := new(big.Rat).Add(exact.Float(base), slack)
	for _, g := range gains {
		sum.Add(sum, exact.Float(g))
	}
	return sum.Sign() < 0 || (sum.Sign() == 0 && strict)
}

// evaluated reports whether the models surely do not give the labels to a box that is in one leaf
// of each tree.
func (p *proving) evaluated(b grid.Box, labels ...int) bool {
	same := p.second == 0
	models := [...]*trees.Ensemble[*trees.Axis]{p.of0(), p.of1()}
	var sums [2][]float64
	for i, e := range models {
		sums[i] = slices.Clone(e.Vote.Base)
	}
	for t, leaf := range p.leaves(b) {
		own := p.own[t][leaf]
		same = same && own[0] == own[1]
		for i, e := range models {
			if own[i] >= 0 {
				e.Add(sums[i], p.of[t][i], own[i])
			}
		}
	}
	return same || models[0].Loses(labels[0], sums[0]) || models[1].Loses(labels[1], sums[1])
}

// leaves returns the leaf of each tree in a box.
func (p *proving) leaves(b grid.Box) []int {
	cell, leaves := b.First(), make([]int, len(p.of))
	for t := range leaves {
		leaves[t] = int(p.forest.Leaf(&p.forest.Trees[t], cell))
	}
	return leaves
}

// mostPairs is how many pairs of leaves two trees may have, for each leaf of theirs.
const mostPairs = 16

// derive makes the trees that the claim is about: their leaves are pairs of those of both inputs.
func (p *proving) derive(
	weights [2][]float64, start []float64, gain func(own [2]int, a, b []float64) []float64,
) error {
	x, other := &Output{Ensemble: p.of0()}, &Output{Ensemble: p.of1()}
	w := p.walk(0, p.second, x, other, p.Copied, p.box(p.Copied))
	w.whole, w.zeros = true, make([]float64, len(start))
	var own [][2]int
	w.values = func(at [2]int, i, j int) []float64 {
		own = append(own, [...]int{i, j})
		return gain([...]int{i, j}, w.a.value(at[0], i), w.b.value(at[1], j))
	}
	d := &Difference{Space: p.Space, copied: p.Copied, box: p.box(p.Copied)}
	p.own, p.of = nil, nil
	var err error
	add := func(at [2]int, nodes []trees.Node) {
		p.of = append(p.of, at)
		list, rest := make([][2]int, len(nodes)), own // of trees that had too many nodes, too
		for i := len(nodes) - 1; i >= 0; i-- {
			if nodes[i].Left < 0 {
				list[i], rest = rest[len(rest)-1], rest[:len(rest)-1]
			}
		}
		p.own, own = append(p.own, list), own[:0]
		err = errors.Join(err, d.add(nodes))
	}
	for t := range max(len(w.a.trees), len(w.b.trees)) {
		at := [2]int{none, none}
		leaves := 0
		if weights[0] != nil && t < len(w.a.trees) {
			at[0], leaves = t, leaves+leavesOf(w.a.trees[t])
		}
		if weights[1] != nil && t < len(w.b.trees) {
			at[1], leaves = t, leaves+leavesOf(w.b.trees[t])
		}
		w.each(at, 2*mostPairs*leaves, add)
	}
	if err != nil {
		return err
	}
	e, err := trees.NewEnsemble(d.trees, trees.Vote{Rule: trees.Sum, Base: start})
	if err != nil {
		return err
	}
	g := grid.New(len(d.box), e.Trees)
	p.forest = grid.Forest{Sums: &e.Sums, Grid: &g}
	return nil
}

func leavesOf(c *coded) (leaves int) {
	for range c.Leaves() {
		leaves++
	}
	return leaves
}

// answer writes the tree of a question.
func (p *proving) answer(ctx context.Context, q *boxproof.Question) error {
	q.Forest, q.Rests, q.Most = p.forest, true, mostParts
	q.Plain = hasSets(p.of0()) || hasSets(p.of1()) // that trees of pairs divide further
	q.Root = make(grid.Box, len(p.root))
	for f, s := range p.root {
		q.Root[f] = grid.Span{Lo: p.interval(f, s.Lo), Hi: p.interval(f, s.Hi)}
	}
	q.Near, q.Vacant, q.Split = p.near, p.vacant, p.cut
	q.Rank = func(feature int32, s grid.Span, after int32) int32 {
		f := int(feature)
		return p.codes(f, grid.Span{Lo: after, Hi: after}).Hi - p.codes(f, s).Lo
	}
	writer := boxproof.NewWriter(ctx, p.w, slices.Clone(q.Root))
	ok := writer.Answer(q, func(swept bool) {
		if swept {
			writer.Begin("swept")
		} else {
			writer.Begin("tree")
		}
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !ok:
		return fmt.Errorf("%w, or takes more than %d parts", prooftext.ErrBound, mostParts)
	}
	return nil
}

// hasSets reports whether a model tests sets.
func hasSets(e *trees.Ensemble[*trees.Axis]) bool {
	return slices.ContainsFunc(e.Trees, func(t *trees.Axis) bool {
		for i := range t.Len() {
			if !t.IsLeaf(i) && t.SetBorders(i) != nil {
				return true
			}
		}
		return false
	})
}

// interval returns the interval of the forest that holds a code.
func (p *proving) interval(f int, code int32) int32 {
	return p.forest.Borders[f].Interval(float64(code))
}

// codes returns the codes of the root that intervals of the forest hold.
func (p *proving) codes(f int, s grid.Span) grid.Span {
	codes, borders := p.root[f], p.forest.Borders[f]
	if s.Lo > 0 {
		codes.Lo = max(codes.Lo, int32(math.Ceil(borders[s.Lo-1].End)))
	}
	if int(s.Hi) < len(borders) {
		codes.Hi = min(codes.Hi, int32(math.Floor(borders[s.Hi].End)))
	}
	return codes
}

// near reports whether all features have a value in a box.
func (p *proving) near(b grid.Box) bool {
	for f, s := range b {
		if p.Codes != nil && !p.holds(p.feature(f), p.codes(f, s)) {
			return false
		}
	}
	return true
}

// holds reports whether codes of a feature, which are intervals of its numbers, have a value in the
// domain, of a category one of its own codes.
func (p *proving) holds(j int, codes grid.Span) bool {
	side := p.side(j, codes)
	if p.Codes == nil || p.Codes[j] == 0 {
		return !side.Empty()
	}
	least := max(0, math.Ceil(side.Lo))
	if least == side.Lo && side.LoOpen {
		least++
	}
	return least < float64(p.Codes[j]) && side.Contains(least)
}

// cold reports whether of some features, or of their copies, none can be 1 in a box while the
// others are 0.
func (p *proving) cold(b grid.Box, members, copies []int) bool {
	ones, some := 0, false
	for _, j := range members {
		f := j
		if k := slices.Index(copies, j); k >= 0 {
			f = p.Dim() + k
		}
		side := p.side(j, p.codes(f, b[f]))
		if !side.Contains(0) {
			ones++
		}
		if some = some || side.Contains(1); !side.Contains(0) && !side.Contains(1) {
			return true
		}
	}
	return ones > 1 || !some
}

// vacant reports whether a box has no pair that is allowed.
func (p *proving) vacant(b grid.Box) bool {
	if !p.near(b) || slices.ContainsFunc(p.OneHot, func(members []int) bool {
		return p.cold(b, members, nil) || p.cold(b, members, p.Copied)
	}) {
		return true
	}
	for k := range p.Copied {
		if !p.allows(k, b[p.Copied[k]], b[p.Dim()+k]) {
			return true
		}
	}
	return false
}

// allows reports whether intervals of a copied feature and of its copy have a pair.
func (p *proving) allows(k int, from, to grid.Span) bool {
	j := p.Copied[k]
	a, b := p.codes(j, from), p.codes(p.Dim()+k, to)
	switch {
	case p.Next:
		return a.Hi+1 >= b.Lo && a.Lo+1 <= b.Hi
	case p.Apart == nil:
		return true
	}
	return p.Apart.allows(p.side(j, a), p.side(j, b))
}

// side returns the numbers of codes in the domain.
func (p *proving) side(j int, codes grid.Span) polytope.Interval {
	side := p.borders[j].Side(codes.Lo, codes.Hi)
	if p.Domain != nil {
		side = side.Intersect(p.Domain[j])
	}
	return side
}

// cut returns a cut of what no pair has, or of a feature whose copy is to be the next interval.
func (p *proving) cut(b grid.Box) (grid.Cut, bool) {
	for k, j := range p.Copied {
		from, own := b[j], p.Dim()+k
		if p.Next && from.Lo < from.Hi {
			return grid.Cut{Feature: int32(j), After: from.Middle()}, true
		}
		to := b[own]
		single := func(at int32) grid.Span { return grid.Span{Lo: at, Hi: at} }
		for to.Lo < to.Hi && !p.allows(k, from, single(to.Lo)) {
			to.Lo++
		}
		for to.Lo < to.Hi && !p.allows(k, from, single(to.Hi)) {
			to.Hi--
		}
		if to.Lo > b[own].Lo {
			return grid.Cut{Feature: int32(own), After: to.Lo - 1}, true
		}
		if to.Hi < b[own].Hi {
			return grid.Cut{Feature: int32(own), After: to.Hi}, true
		}
	}
	return grid.Cut{}, false
}
