package weighted

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// hidden is the share of a squared distance, or of a sum of weights, that may be lost to rounding
// by whoever else computes it, in another order.
const hidden = 0x1p-44

// The shares of its distance by which an example on a tie is moved on, until the tie is
// broken: all are small against finalShare.
const (
	firstPush = 0x1p-44
	lastPush  = 0x1p-36
	growPush  = 4
)

// firmed returns an example that has its label however rows that are equally far are ordered
// and sums are rounded, if there is one next to z; else z. An implementation that orders ties
// otherwise then agrees about it.
func (s *instance) firmed(z []float64) []float64 {
	label := s.Predict(z)
	if s.firm(z, label) {
		return z
	}
	from := floats.SubTo(make([]float64, len(z)), z, s.q.X)
	far := floats.Norm(from, 2)
	for _, way := range s.offTies(z, int32(label), from) {
		length := floats.Norm(way, 2)
		for push := firstPush; push <= lastPush && length > 0; push *= growPush {
			u := slices.Clone(from)
			floats.AddScaled(u, push*far/length, way)
			if y, ok := s.at(u); ok && s.firm(y, s.Predict(y)) {
				return y
			}
		}
	}
	return z
}

// offTies returns directions that may lead from a tie to where it is broken in favour of a label:
// on from X, away from the rows of other labels that are as far as the last one that votes, and to
// those of the label that vote, the farthest first.
func (s *instance) offTies(z []float64, label int32, from []float64) [][]float64 {
	ways := [][]float64{from}
	voting := s.table.Trees.First(z, s.k)
	tied := s.tiedWith(z, voting[len(voting)-1].Squared)
	for _, n := range slices.Backward(voting) {
		if s.table.Labels[n.ID] != label {
			continue
		}
		own, away := s.table.Row(n.ID), make([]float64, len(z))
		for _, other := range tied {
			normal := floats.SubTo(make([]float64, len(z)), own, s.table.Row(other))
			if length := floats.Norm(normal, 2); s.table.Labels[other] != label && length > 0 {
				floats.AddScaled(away, 1/length, normal)
			}
		}
		ways = append(ways, away, floats.SubTo(make([]float64, len(z)), own, z))
	}
	return ways
}

// tiedWith returns the rows about as far from x as the last one that votes.
func (m *Model) tiedWith(x []float64, last float64) (tied []int32) {
	m.table.Trees.Within(x, last*(1+hidden), func(id int32, p []float64) bool {
		if nnindex.Squared(x, p) >= last*(1-hidden) {
			tied = append(tied, id)
		}
		return true
	})
	return tied
}

// firm reports whether x has a label by more than ties and rounding.
func (m *Model) firm(x []float64, label int) bool {
	voting := m.table.Trees.First(x, m.k)
	if voting[0].Squared == 0 {
		return true
	}
	last := voting[len(voting)-1].Squared
	sums, tied := make([]float64, m.table.Classes), make([]int, m.table.Classes)
	ranks, others := m.k, 0
	for _, n := range voting {
		if n.Squared < last*(1-hidden) {
			sums[m.table.Labels[n.ID]] += 1 / math.Sqrt(n.Squared)
			ranks--
		}
	}
	for _, id := range m.tiedWith(x, last) {
		tied[m.table.Labels[id]]++
		if m.table.Labels[id] != int32(label) {
			others++
		}
	}
	weight := 1 / math.Sqrt(last)
	least := sums[label] + float64(max(0, ranks-others))*weight
	for rival, sum := range sums {
		most := sum + float64(min(ranks, tied[rival]))*weight
		if rival != label && least < most*(1+hidden) {
			return false
		}
	}
	return true
}
