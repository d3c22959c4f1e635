package boxtree

import (
	"math"
	"slices"
)

// The probability of a class is 1/(1 + Σ exp(margin)) of the margins of all other classes over it.
// It is not convex in the margins, but where these have ranges, lines bound it: a tangent of log Σ
// exp below, its chords above, and lines over and under 1/(1+exp) of it.

// sumExp returns Σ exp(margin) and more.
func sumExp(more float64, margins []float64) float64 {
	for _, margin := range margins {
		more += math.Exp(margin)
	}
	return more
}

// Probability returns that of a class which others lead by so much, 0 without others.
func Probability(margins []float64) float64 {
	if len(margins) == 0 {
		return 0
	}
	return 1 / sumExp(1, margins)
}

// logistic returns 1/(1+exp(l)).
func logistic(l float64) float64 { return 1 / (1 + math.Exp(l)) }

// line returns a slope, and the least constants with which sign·(1/(1+exp(l))) is nowhere in a
// range more than constant − sign·slope·l.
func line(low, top, sign float64) (slope, constant float64) {
	ends := []float64{low, top}
	if slope = (logistic(low) - logistic(top)) / (top - low); !(slope >= 0 && slope <= 0.25) {
		h := logistic(low)
		slope = h * (1 - h)
	}
	root := math.Sqrt(max(0, 1-4*slope))
	for _, h := range [...]float64{(1 + root) / 2, (1 - root) / 2} {
		// where the slope of the function is that of the line
		if l := math.Log(1/h - 1); l > low && l < top {
			ends = append(ends, l)
		}
	}
	constant = math.Inf(-1)
	for _, l := range ends {
		constant = max(constant, sign*(logistic(l)+slope*l))
	}
	return slope, constant
}

// logSum returns log Σ exp, and the part of each term in the sum.
func logSum(margins []float64) (l float64, parts []float64) {
	most, total := slices.Max(margins), 0.0
	for _, margin := range margins {
		parts = append(parts, math.Exp(margin-most))
		total += parts[len(parts)-1]
	}
	for i := range parts {
		parts[i] /= total
	}
	return most + math.Log(total), parts
}

// over finds weights with which margins between low and top, and the constant that it returns, are
// no less than their chance: log Σ exp is not below its tangent in the middle of the ranges.
func over(low, top, weights []float64) float64 {
	if len(low) == 0 {
		return 0
	}
	least, _ := logSum(low)
	most, _ := logSum(top)
	middle := make([]float64, len(low))
	for r := range middle {
		middle[r] = low[r]/2 + top[r]/2
	}
	slope, constant := line(least, most, 1)
	at, parts := logSum(middle)
	constant -= slope * at
	for r, part := range parts {
		weights[r] = -slope * part
		constant += slope * part * middle[r]
	}
	return constant
}

// under does the same for a chance that is taken away: log Σ exp is not above the tangent of the
// logarithm at the sum of the chords of exp.
func under(low, top, weights []float64) float64 {
	if len(low) == 0 {
		return 0
	}
	least, _ := logSum(low)
	most, _ := logSum(top)
	slope, constant := line(least, most, -1)
	if len(low) == 1 { // it is the margin itself
		weights[0] = slope
		return constant
	}
	shift, chords := slices.Max(top), 0.0
	var steps, starts []float64
	for r := range low {
		start, step := math.Exp(low[r]-shift), 0.0
		if width := top[r] - low[r]; width > 0 {
			step = (math.Exp(top[r]-shift) - start) / width
		}
		starts, steps = append(starts, start), append(steps, step)
		chords += start + step*(top[r]-low[r])/2
	}
	constant += slope * (shift + math.Log(chords) - 1)
	for r := range low {
		weights[r] = slope * steps[r] / chords
		constant += slope * (starts[r] - steps[r]*low[r]) / chords
	}
	return constant
}
