package property

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property/internal/pairs"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// tolerance is by how much the bound of an optimum may exceed it, of one up to 1.
const tolerance = 1e-9

// task is one search of a question: how much larger is the output of the first model, at one input,
// than that of the second, at another one that has its own values of the copied features? That of
// no model is 0.
type task struct {
	first, second int
	output        int // which of those that count
	copied        []int
	within        func(grid.Box) // narrows the codes of both; nil does not
	labels        [2]int         // of both, if labels are to differ
	exceeds       bool           // as well the output of the first is larger by more than By
	falls         bool           // as exceeds, that of the second
	// Of a proof: the copied features have the next values, and it is about by how much the second
	// output exceeds the first.
	next, less bool
}

// none is the model whose output is 0.
const none = -1

// best is the best pair and the bound of the searches of a question so far.
type best struct {
	*question
	mu       sync.Mutex
	asked    int
	open     int // how many searches, or spaces, have not been looked at
	bound    float64
	treewise bool // no tree has a difference above 0
	ordered  bool // trees that are the same stand in one order in both models
	nodes    int
	limits   boxtree.Limits // of each search
	pair     *pair          // with the largest difference, of the first search that has it
}

// pair is two inputs whose outputs differ as asked.
type pair struct {
	task
	search     [2]int // which search found it
	x, other   []float64
	difference *big.Rat
}

// search answers a question by the searches that tasks returns for each space of inputs.
func (q *question) search(
	ctx context.Context, tasks func(s *pairs.Space) []task,
) (Result, error) {
	if err := q.provable(); err != nil {
		return noClaim(), err
	}
	inner, cancel := query.Within(ctx, q.opts.Timeout)
	defer cancel()
	b := &best{question: q, bound: math.Inf(-1), treewise: true, ordered: true,
		open: q.spaces()}
	across, along := q.opts.workers(q.spaces()), 1
	if q.spaces() == 1 {
		across, along = 1, q.opts.Workers
	}
	found := make([][]*attempt, q.spaces())
	err := rows.Each(inner, across, q.spaces(), func(number int) (err error) {
		found[number], err = b.space(inner, number, along, tasks)
		return err
	})
	if err == nil {
		err = b.run(inner, slices.Concat(found...))
	}
	if err = query.OrCanceled(ctx, err); err != nil {
		return noClaim(), err
	}
	if b.open == 0 && b.asked == 0 {
		return noClaim(), fmt.Errorf("%w: no row has an input near it that the domain and "+
			"the rules allow", pairs.ErrEmpty)
	}
	return b.result(), nil
}

// space returns the searches of a space of inputs.
func (b *best) space(
	ctx context.Context, number, workers int, tasks func(s *pairs.Space) []task,
) ([]*attempt, error) {
	m, err := b.code(number)
	switch {
	case errors.Is(err, pairs.ErrEmpty) && b.near != nil:
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open--
		return nil, nil
	case err != nil:
		return nil, err
	}
	list, err := b.all(m, tasks(m.Space))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		b.note(0, true, nil, 0)
	}
	b.mu.Lock()
	b.asked++
	b.open += len(list) - 1
	b.ordered = b.ordered && m.InOrder()
	b.mu.Unlock()
	found := make([]*attempt, len(list))
	err = rows.Each(ctx, workers, len(list), func(i int) (err error) {
		found[i], err = b.begin(m, attempt{task: list[i], at: [...]int{number, i}})
		return err
	})
	return slices.DeleteFunc(found, func(s *attempt) bool { return s == nil }), err
}

// all returns the tasks about each output that counts, or about each two labels.
func (q *question) all(m *pairs.Models, tasks []task) (list []task, err error) {
	for _, t := range tasks {
		if !q.opts.Labels {
			list = append(list, q.each(t)...)
			continue
		}
		flips, err := q.flips(m, t)
		if err != nil {
			return nil, err
		}
		list = append(list, flips...)
	}
	return list, nil
}

// each returns the tasks about each output that counts.
func (q *question) each(t task) (list []task) {
	for t.output = range q.outputs[0] {
		list = append(list, t)
	}
	return list
}

// code returns the models on a space of inputs.
func (q *question) code(number int) (*pairs.Models, error) {
	s, err := q.space(number)
	if err != nil {
		return nil, err
	}
	m := s.Code(q.of[0].Ensemble, q.of[1].Ensemble)
	m.Offsets = q.opts.apart(q.of[0].Dim())
	return m, nil
}

// attempt is one search of a question.
type attempt struct {
	task
	at     [2]int        // its space, and its number there
	models *pairs.Models // nil if they are made again, as those around rows are
	trees  difference    // the same of these
	most   float64       // no difference exceeds it, tree by tree
	falls  bool          // no tree has one above 0
	done   bool
}

// difference is the trees of a search.
type difference interface {
	Most() float64
	Falls() bool
	Largest(ctx context.Context, beyond float64, limits boxtree.Limits) (pairs.End, error)
}

// begin makes a search, none if all trees differ by too little.
func (b *best) begin(m *pairs.Models, s attempt) (*attempt, error) {
	if b.near == nil {
		s.models = m
	}
	if s.most = math.Inf(1); b.opts.Labels {
		return &s, nil
	}
	d, err := b.difference(m, &s.task)
	if err != nil {
		return nil, err
	}
	if s.most, s.falls = d.Most(), d.Falls(); b.near == nil {
		s.trees = d
	}
	b.mu.Lock()
	b.open--
	b.mu.Unlock()
	if s.most <= b.opts.By && !b.alone {
		b.note(s.most, s.falls, nil, 0)
		return nil, nil
	}
	return &s, nil
}

// difference makes the trees of a search.
func (q *question) difference(m *pairs.Models, t *task) (difference, error) {
	x, other := q.output(t.first, t), q.output(t.second, t)
	if q.chances {
		return m.Chance(t.first, t.second, x, other, t.copied, t.within)
	}
	return m.Difference(t.first, t.second, x, other, t.copied, t.within)
}

// batch is how many searches know the same of earlier ones with any number of workers, so that
// answers do not depend on it.
const batch = 8

// run searches. Those that may find most come first.
func (b *best) run(ctx context.Context, list []*attempt) error {
	b.limits.Nodes = b.opts.MaxNodes
	most := cmp.Or(b.opts.MaxMemory, defaultBytes)
	b.limits.Bytes = max(1, most/b.opts.workers(min(batch, len(list))))
	slices.SortStableFunc(list, func(s, t *attempt) int { return cmp.Compare(t.most, s.most) })
	for at := 0; at < len(list); at += batch {
		rest, known := list[at:], b.pair
		part := rest[:min(batch, len(rest))]
		workers := b.opts.workers(len(part))
		err := rows.Each(ctx, workers, len(part), func(i int) error {
			inner, cancel := withShare(ctx, len(rest)-i, workers)
			defer cancel()
			return b.one(inner, part[i], known)
		})
		if err != nil {
			return err
		}
	}
	for _, s := range list {
		if !s.done { // a limit has ended it all
			b.note(s.most, false, nil, 0)
		}
	}
	return nil
}

// defaultBytes is the memory for boxes that wait when Options.MaxMemory is 0.
const defaultBytes = 1 << 30

// one searches, where a pair is known.
func (b *best) one(ctx context.Context, s *attempt, known *pair) (err error) {
	defer func() { s.done, s.models, s.trees = true, nil, nil }() // which nobody needs any more
	beyond := math.Inf(-1)
	if known != nil && !b.opts.Labels {
		if known.difference.Cmp(exact.Float(s.most)) >= 0 {
			b.note(s.most, s.falls, nil, 0)
			return nil
		}
		beyond, _ = known.difference.Float64()
	}
	m, d := s.models, s.trees
	if m == nil {
		if m, err = b.code(s.at[0]); err != nil {
			return err
		}
	}
	if b.opts.Labels {
		return b.tryLabels(ctx, m, s)
	}
	if d == nil {
		if d, err = b.difference(m, &s.task); err != nil {
			return err
		}
	}
	end, err := d.Largest(ctx, beyond, b.limits)
	if err != nil {
		return err
	}
	p := &pair{task: s.task, search: s.at, x: end.X, other: end.Other}
	if p.x == nil || !b.accepts(p, m.Space) {
		p = nil
	}
	b.note(end.Bound, s.falls, p, end.Nodes)
	return nil
}

// withShare returns a context that ends when a search has had its part of the time that is left for
// so many searches.
func withShare(
	ctx context.Context, searches, workers int,
) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || searches <= workers {
		return context.WithCancel(ctx)
	}
	left := time.Until(end)
	return context.WithTimeout(ctx, left/time.Duration(searches)*time.Duration(workers))
}

// note takes up the bound and the pair of a search.
func (b *best) note(bound float64, treewise bool, p *pair, nodes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bound, b.treewise, b.nodes = max(b.bound, bound), b.treewise && treewise, b.nodes+nodes
	if p == nil {
		return
	}
	c := 0 // of labels the first pair counts
	if b.pair != nil && !b.opts.Labels {
		c = b.pair.difference.Cmp(p.difference)
	}
	if b.pair == nil || c < 0 || (c == 0 && before(p.search, b.pair.search)) {
		b.pair = p
	}
}

// accepts reports whether the outputs of a pair differ as asked, as real numbers and as the models
// compute them.
func (q *question) accepts(p *pair, s *pairs.Space) bool {
	q.measure(p)
	if q.alone {
		return s.Within(p.x)
	}
	return s.Within(p.x) && q.goesBeyond(p) &&
		q.outputAt(p.first, p.output, p.x) != q.outputAt(p.second, p.output, p.other)
}

// output returns that of a model which a task is about.
func (q *question) output(model int, t *task) *pairs.Output {
	if model == none {
		return nil
	}
	return q.outputs[model][t.output]
}

// result returns the pair and the bound as a Result.
func (b *best) result() Result {
	r := noClaim()
	r.Bound, r.Nodes, r.Status = b.bound, b.nodes, attack.StatusLimit
	if b.opts.Labels {
		return b.labelled(r)
	}
	if b.open > 0 {
		r.Bound = max(r.Bound, b.loose())
	}
	if !b.alone {
		r.Bound = max(r.Bound, 0)
		if !(r.Bound == 0 && b.treewise && b.ordered && b.alike()) {
			r.Rounding = b.rounding(0) + b.rounding(1)
		}
		if r.Bound <= b.opts.By {
			r.Status = attack.StatusNone
			return r
		}
	}
	if b.pair == nil {
		return r
	}
	b.show(&r)
	if r.Bound-r.Difference <= tolerance*max(1, math.Abs(r.Difference)) {
		r.Status = attack.StatusOptimal
	}
	return r
}

// labelled is result for a question about labels.
func (b *best) labelled(r Result) Result {
	switch {
	case b.pair != nil:
		b.show(&r)
		r.Status, r.Bound = attack.StatusOptimal, math.Inf(1)
	case r.Bound == 0 && b.open == 0:
		r.Status = attack.StatusNone
	default:
		r.Bound = math.Inf(1)
	}
	return r
}

// show fills in the pair.
func (b *best) show(r *Result) {
	p := b.pair
	r.X, r.Other, r.Class = p.x, p.other, -1
	if b.of[0].Predictor != nil {
		r.Class = b.classes[p.output]
	}
	r.Difference, _ = p.difference.Float64()
	if b.opts.Labels && r.Difference < 0 && !b.opts.Ordered {
		r.X, r.Other, r.Difference = p.other, p.x, -r.Difference
	}
	r.Bound = max(r.Bound, r.Difference)
	models := [...]int{max(p.first, 0), max(p.second, 0)}
	if b.models[0] != b.models[1] { // both are the same input
		models = [...]int{0, 1}
	}
	for i, x := range [...][]float64{r.X, r.Other} {
		r.Labels[i], r.Outputs[i] = b.labelAt(models[i], x), b.outputAt(models[i], p.output, x)
	}
}

// loose returns a number that no difference exceeds over all inputs, bounded tree by tree.
func (b *best) loose() float64 {
	if b.chances {
		return 1
	}
	most := math.Inf(-1)
	for i := range b.outputs[0] {
		leastA, mostA := b.outputs[0][i].Ends()
		leastB, mostB := b.outputs[1][i].Ends()
		if b.alone {
			most = max(most, mostA, -leastA)
			continue
		}
		most = max(most, precise.SubUp(mostA, leastB), precise.SubUp(mostB, leastA))
	}
	return most
}

// rounding returns by how much an output of a model may be rounded.
func (q *question) rounding(model int) (most float64) {
	for _, o := range q.outputs[model] {
		if q.chances {
			most = max(most, o.Drift())
		} else {
			most = max(most, o.Rounding())
		}
	}
	return most
}

// alike reports whether both models add up sums that are rounded in the same way: then one that is
// no larger tree by tree, in one order, is no larger as it is computed, either.
func (q *question) alike() bool {
	isTwo := func(o *pairs.Output) bool { return !o.IsSum() }
	return q.added() && !slices.ContainsFunc(slices.Concat(q.outputs[0], q.outputs[1]), isTwo)
}

// added reports whether both models begin with the same sums, and round and judge them alike.
func (q *question) added() bool {
	a, b := &q.of[0].Vote, &q.of[1].Vote
	return !a.AnyOrder && !b.AnyOrder && a.Single == b.Single && a.Rule == b.Rule &&
		slices.Equal(a.Base, b.Base) && q.of[0].Len() == q.of[1].Len() &&
		q.of[0].Divisor() == q.of[1].Divisor()
}

// sumAt returns the sum that a model computes for an input, before its link.
func (q *question) sumAt(model, output int, x []float64) float64 {
	o := q.outputs[model][output]
	sum := make([]float64, o.Ensemble.Classes)
	o.Ensemble.Score(x, sum)
	switch {
	case q.chances:
		return o.Probability(sum)
	case o.Minus >= 0:
		return sum[o.Plus] - sum[o.Minus]
	case o.Divisor != 1:
		return sum[o.Plus] / o.Divisor
	}
	return sum[o.Plus]
}

// outputAt returns the output that a model computes for an input: of a regressor its prediction.
func (q *question) outputAt(model, output int, x []float64) float64 {
	if f := &q.of[model]; f.Predictor == nil {
		sum := make([]float64, f.Classes)
		f.Score(x, sum)
		return f.Output(f.Link, sum[0])
	}
	return q.sumAt(model, output, x)
}

// labelAt returns the label of an input, −1 for a regressor.
func (q *question) labelAt(model int, x []float64) int {
	if q.of[model].Predictor == nil {
		return -1
	}
	return q.of[model].Predictor.Predict(x)
}

// noClaim returns the result before any search.
func noClaim() Result {
	return Result{Labels: [...]int{-1, -1}, Class: -1, Bound: math.Inf(1)}
}
