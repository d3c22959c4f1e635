package main

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// answers are those to all refused applicants.
type answers struct {
	points                []metrics.Point
	found, proven, nobody int // with an example; proven, of these; proven that there is none
	cost                  float64
	milliseconds          float64 // median
	slowest               float64
	gap                   float64              // the largest difference of cost and bound
	broken                map[rules.Breach]int // answers by how they break rules
	unusable              int                  // that break any
}

// ask finds the cheapest way to approval for each refused applicant.
func (s *settings) ask(
	ctx context.Context, b *bank, moves *costs.Rules, doing string, stderr io.Writer,
) (*answers, error) {
	accepted := repaid
	points, err := progress.Evaluate(ctx, b.forest, b.testX, nil, metrics.Options{
		Norm: s.measure.Norm, Workers: s.workers, Rows: b.refused,
		Attack: &attack.RegionBased{Classifier: b.forest, Options: s.options(moves, &accepted)},
	}, doing, stderr)
	if err != nil {
		return nil, err
	}
	return b.sum(points), nil
}

func (s *settings) options(moves *costs.Rules, target *int) attack.Options {
	return attack.Options{
		Norm:     s.measure.Norm,
		Changes:  s.measure.Changes,
		Target:   target,
		Features: moves.Features,
		Domain:   moves.Domain,
		Timeout:  s.timeout,
		Workers:  1,
	}
}

// yearPrice is the price of a year of age where there are no rules.
const yearPrice = 0.05

// unruled returns the prices without the rules: a feature that may not move in a direction has the
// price of the other one, and a change of category is two columns that move, at half its price
// each.
func unruled(r *costs.Rules) *costs.Rules {
	free := &costs.Rules{Features: make([]attack.Feature, len(r.Features))}
	for j, f := range r.Features {
		up, down := cmp.Or(f.Up, 1), cmp.Or(f.Down, 1)
		switch {
		case f.Frozen:
			up, down = yearPrice, yearPrice
		case f.Group > 0:
			up, down = up/2, up/2
		case math.IsInf(up, 1):
			up = down
		case math.IsInf(down, 1):
			down = up
		}
		free.Features[j] = attack.Feature{Up: up, Down: down}
	}
	return free
}

// sum counts the answers, and which rules of the bank they break.
func (b *bank) sum(points []metrics.Point) *answers {
	a := &answers{points: points, broken: make(map[rules.Breach]int)}
	var prices, times []float64
	for _, p := range points {
		times = append(times, p.Time.Seconds()*float64(time.Second/time.Millisecond))
		switch {
		case p.Example == nil && p.Optimal():
			a.nobody++
			continue
		case p.Example == nil:
			continue
		}
		a.found++
		prices = append(prices, p.Distance)
		if p.Optimal() {
			a.proven++
		}
		a.gap = max(a.gap, p.Distance-p.Bound)
		broken := make(map[rules.Breach]bool)
		for e := range b.rules.Breaks(b.testX.RawRowView(p.Row), p.Example) {
			broken[e.Breach] = true
		}
		if len(broken) > 0 {
			a.unusable++
		}
		for breach := range broken {
			a.broken[breach]++
		}
	}
	a.cost, a.milliseconds, a.slowest = median(prices), median(times), slices.Max(times)
	return a
}

// median returns the middle one of some numbers, NaN of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[len(values)/2]
}
