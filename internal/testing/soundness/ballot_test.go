package soundness

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

func largest(v []float64) int {
	best := 0
	for i, e := range v {
		if e > v[best] {
			best = i
		}
	}
	return best
}

// ballot is the vote of an ensemble over the values of leaves, in its arithmetic.
func ballot(vote classifier.Vote, base []float64, single bool, leaves [][]float64) int {
	round := func(v float64) float64 {
		if single {
			return float64(float32(v))
		}
		return v
	}
	sums := make([]float64, len(leaves[0]))
	for c := range sums {
		if base != nil {
			sums[c] = round(base[c])
		}
		for _, leaf := range leaves {
			v := round(leaf[c])
			if vote == classifier.HardVote {
				v = 0
				if largest(leaf) == c {
					v = 1
				}
			}
			sums[c] = round(sums[c] + v)
		}
		if vote == classifier.SoftVote {
			sums[c] /= float64(len(leaves))
		}
	}
	switch vote {
	case classifier.LogisticVote:
		if round(1/round(1+round(math.Exp(sums[0]-sums[1])))) > 0.5 {
			return 1
		}
		return 0
	case classifier.SoftmaxVote:
		exponentials(sums, round)
	}
	return largest(sums)
}

// exponentials turns sums into probabilities, rounded after every step.
func exponentials(sums []float64, round func(float64) float64) {
	most, total := slices.Max(sums), 0.0
	for c := range sums {
		sums[c] = round(math.Exp(sums[c] - most))
		total = round(total + sums[c])
	}
	for c := range sums {
		sums[c] = round(sums[c] / total)
	}
}
