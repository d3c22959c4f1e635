package hitting

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Problem asks for a set of least weight.
type Problem struct {
	Weights []float64 // of each number, above 0
	Hit     []Set     // each has a number of the answer
	Avoid   []Set     // of each, one number is not in the answer
}

// Least returns an answer of least weight, nil if there is none. It returns the error of a context
// that ends.
func Least(ctx context.Context, p Problem) (Set, error) {
	s := &search{Problem: p, ctx: ctx, cost: math.Inf(1)}
	s.now, s.out = NewSet(len(p.Weights)), NewSet(len(p.Weights))
	if slices.ContainsFunc(p.Avoid, func(a Set) bool { return a.Len() == 0 }) {
		return nil, ctx.Err()
	}
	s.visit(0)
	return s.best, s.err
}

type search struct {
	Problem
	ctx      context.Context
	now, out Set
	best     Set
	cost     float64
	opened   int
	err      error
}

// visit looks for lighter answers that contain now, which weighs so much, and no element of out.
func (s *search) visit(weight float64) {
	if s.opened++; s.opened%1024 == 1 && s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return
	}
	open, bound := s.unmet()
	if weight+bound >= s.cost {
		return
	}
	if open == nil {
		s.best, s.cost = slices.Clone(s.now), weight
		return
	}
	var tried []int
	for _, i := range open {
		if s.completes(i) {
			continue
		}
		s.now.Add(i)
		s.visit(weight + s.Weights[i])
		s.now.Remove(i)
		s.out.Add(i)
		tried = append(tried, i)
	}
	for _, i := range tried {
		s.out.Remove(i)
	}
}

// completes reports whether a number is the last that is missing of a set to avoid.
func (s *search) completes(i int) bool {
	s.now.Add(i)
	all := slices.ContainsFunc(s.Avoid, func(a Set) bool { return a.Has(i) && s.now.Contains(a) })
	s.now.Remove(i)
	return all
}

// unmet returns the rest of a smallest set that is not met yet, nil if all are, those first
// that weigh least and meet most. It returns a lower bound on the weight that meets the others.
func (s *search) unmet() (open []int, bound float64) {
	var left []Set
	for _, h := range s.Hit {
		if !h.Meets(s.now) {
			left = append(left, h.Less(s.out))
		}
	}
	if len(left) == 0 {
		return nil, 0
	}
	slices.SortStableFunc(left, func(a, b Set) int { return cmp.Compare(a.Len(), b.Len()) })
	used := NewSet(len(s.Weights))
	meets := make([]int, len(s.Weights))
	for _, h := range left {
		least := math.Inf(1)
		for _, i := range h.Members() {
			least = min(least, s.Weights[i])
			meets[i]++
		}
		if !h.Meets(used) {
			bound += least
			used = used.Union(h)
		}
	}
	open = left[0].Members()
	slices.SortStableFunc(open, func(a, b int) int {
		return cmp.Compare(s.Weights[a]/float64(meets[a]), s.Weights[b]/float64(meets[b]))
	})
	return open, bound
}
