package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Draw returns instance number of a kind. Instances of one kind, seed and number
// are the same.
func Draw(kind string, seed, number uint64) Instance {
	h := uint64(14695981039346656037)
	for _, c := range kind {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return kinds[kind](rand.New(rand.NewPCG(seed, h+number)))
}

// kinds are the kinds of instances, and how to draw one of them.
var kinds = map[string]func(*rand.Rand) Instance{
	"knn":          func(r *rand.Rand) Instance { return drawKNN(r) },
	"lattice":      func(r *rand.Rand) Instance { return drawLattice(r) },
	"weighted":     func(r *rand.Rand) Instance { return drawWeighted(r) },
	"trees":        func(r *rand.Rand) Instance { return drawTrees(r, false) },
	"extreme":      func(r *rand.Rand) Instance { return drawTrees(r, true) },
	"oblique":      func(r *rand.Rand) Instance { return drawOblique(r, false) },
	"custom":       func(r *rand.Rand) Instance { return drawOblique(r, true) },
	"ruled":        func(r *rand.Rand) Instance { return drawRuled(r) },
	"knnruled":     func(r *rand.Rand) Instance { return ruledKNN(r) },
	"obliqueruled": func(r *rand.Rand) Instance { return ruledOblique(r) },
	"linear":       func(r *rand.Rand) Instance { return drawLinear(r) },
	"codes":        func(r *rand.Rand) Instance { return drawCodes(r) },
	"ends":         func(r *rand.Rand) Instance { return drawEnds(r) },
	"range":        func(r *rand.Rand) Instance { return drawRanges(r) },
	"huge":         func(r *rand.Rand) Instance { return drawHuge(r) },
	"tiny":         func(r *rand.Rand) Instance { return drawTiny(r) },
	"sliver":       func(r *rand.Rand) Instance { return drawSliver(r) },
	"vast":         func(r *rand.Rand) Instance { return drawVast(r) },
	"prune":        func(r *rand.Rand) Instance { return drawPruning(r) },
}

// pick returns one of the values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// few is a small number from lo to hi, mostly near lo.
func few(r *rand.Rand, lo, hi int) int { return lo + min(r.IntN(hi-lo+1), r.IntN(hi-lo+1)) }

func drawKNN(r *rand.Rand) *KNN {
	d := pick(r, 1, 1, 2, 2, 2, 2, 3)
	n := few(r, 1, 9)
	in := &KNN{Rows: drawRows(r, n, d), Labels: drawLabels(r, n, pick(r, 1, 2, 2, 2, 2, 3, 4))}
	in.K = min(n, pick(r, 1, 1, 2, 2, 3, 3, 4, 5, n))
	in.Query = drawQuery(r, in.Rows, slices.Max(in.Labels)+1)
	in.Listed = in.K <= 5 && r.IntN(12) == 0
	transform(r, in.Rows, &in.Query)
	if r.IntN(3) == 0 {
		disturb(r, in.Rows, &in.Query)
	}
	return in
}

func drawWeighted(r *rand.Rand) *Weighted {
	in := drawKNN(r)
	return &Weighted{Rows: in.Rows, Labels: in.Labels, K: in.K, Query: in.Query}
}

func drawLabels(r *rand.Rand, n, classes int) []int {
	labels := make([]int, n)
	for i := range labels {
		labels[i] = r.IntN(classes)
	}
	return labels
}

// drawRows draws rows on a grid, a line, a point, or anywhere; some are equal.
func drawRows(r *rand.Rand, n, d int) [][]float64 {
	width := pick(r, 1, 2, 3, 5, 12, 40)
	style := r.IntN(8)
	origin, direction := grid(r, d, width), grid(r, d, 3)
	rows := make([][]float64, n)
	for i := range rows {
		switch style {
		case 0, 1:
			rows[i] = normal(r, d)
		case 2:
			rows[i] = slices.Clone(origin)
			step := float64(r.IntN(7) - 3)
			for j := range d {
				rows[i][j] += step * direction[j]
			}
		default:
			rows[i] = grid(r, d, width)
		}
	}
	some := pick(r, 0, 0, 3, 6, 12)
	for i := range rows {
		if i > 0 && r.IntN(12) < some {
			rows[i] = slices.Clone(rows[r.IntN(i)])
		}
	}
	return rows
}

func grid(r *rand.Rand, d, width int) []float64 {
	v := make([]float64, d)
	for j := range v {
		v[j] = float64(r.IntN(2*width+1) - width)
	}
	return v
}

func normal(r *rand.Rand, d int) []float64 {
	v := make([]float64, d)
	for j := range v {
		v[j] = r.NormFloat64()
	}
	return v
}

// drawQuery draws a point on or near the rows, a norm, a target and a domain.
func drawQuery(r *rand.Rand, rows [][]float64, classes int) Query {
	d := len(rows[0])
	q := Query{X: slices.Clone(pick(r, rows...)), Norm: polytope.Norm(r.IntN(3)), Target: -1}
	other := pick(r, rows...)
	switch r.IntN(5) {
	case 0:
		q.X = grid(r, d, 5)
	case 1:
		for j := range q.X {
			q.X[j] = (q.X[j] + other[j]) / 2
		}
	case 2:
		for j := range q.X {
			q.X[j] += r.NormFloat64()
		}
	case 3:
		q.X[r.IntN(d)] += float64(r.IntN(5) - 2)
	}
	if r.IntN(4) == 0 {
		q.Target = r.IntN(classes)
	}
	if r.IntN(2) == 0 {
		q.Domain = drawDomain(r, q.X, rows)
	}
	return q
}

// drawDomain draws a box whose ends lie at x, at rows or on the grid; it may be flat
// or open to a side, and x may lie outside.
func drawDomain(r *rand.Rand, x []float64, rows [][]float64) polytope.Box {
	box := polytope.NewBox(len(x))
	for j := range box {
		end := func() float64 {
			return pick(r, x[j], pick(r, rows...)[j], pick(r, rows...)[j]+0.5, float64(r.IntN(9)-4),
				x[j]+r.NormFloat64())
		}
		lo, hi := end(), end()
		if lo > hi {
			lo, hi = hi, lo
		}
		switch r.IntN(6) {
		case 0:
			lo = math.Inf(-1)
		case 1:
			hi = math.Inf(1)
		case 2:
			lo, hi = math.Inf(-1), math.Inf(1)
		case 3:
			if r.IntN(2) == 0 {
				hi = lo
			}
		}
		open := r.IntN(10) == 0 && lo < hi
		box[j] = polytope.Interval{Lo: lo, Hi: hi, LoOpen: open, HiOpen: open && r.IntN(2) == 0}
	}
	return box
}

// transform scales each coordinate of everything and moves it.
func transform(r *rand.Rand, rows [][]float64, q *Query) {
	scaleStyle, offsetStyle := r.IntN(8), r.IntN(8)
	common := math.Ldexp(1, r.IntN(61)-30)
	for j := range q.X {
		scale, offset := 1.0, 0.0
		switch scaleStyle {
		case 0:
			scale = pick(r, 1, 1e3, 1e6, 1e-4)
		case 1:
			scale = math.Ldexp(1, r.IntN(41)-20)
		case 2:
			scale = common
		case 3:
			scale = math.Pow(10, 6*r.Float64()-3)
		}
		switch offsetStyle {
		case 0, 1:
			offset = math.Ldexp(1, 10+r.IntN(36))
		case 2:
			offset = math.Round(math.Pow(10, 6+6*r.Float64()))
		case 3:
			offset = math.Pow(10, 12*r.Float64())
		}
		eachCoordinate(rows, q, j, func(v float64) float64 { return v*scale + offset })
	}
}

// eachCoordinate replaces coordinate j of all points. f has to be monotone.
func eachCoordinate(rows [][]float64, q *Query, j int, f func(float64) float64) {
	for _, p := range rows {
		p[j] = f(p[j])
	}
	q.X[j] = f(q.X[j])
	if q.Domain != nil {
		side := polytope.Interval{Lo: f(q.Domain[j].Lo), Hi: f(q.Domain[j].Hi)}
		if side.Lo < side.Hi { // else rounding has made it flat
			side.LoOpen, side.HiOpen = q.Domain[j].LoOpen, q.Domain[j].HiOpen
		}
		q.Domain[j] = side
	}
}

// disturb moves some coordinates by little, and makes some rows nearly equal.
func disturb(r *rand.Rand, rows [][]float64, q *Query) {
	relative := math.Pow(10, -9-7*r.Float64())
	near := func(v float64) float64 {
		if v == 0 && r.IntN(50) > 0 {
			return relative // neighbours of 0 are nearer than any other data need
		}
		switch r.IntN(4) {
		case 0:
			return math.Nextafter(v, math.Inf(1))
		case 1:
			return math.Nextafter(v, math.Inf(-1))
		case 2:
			return v + relative
		}
		return v + relative*max(1, math.Abs(v))
	}
	for i, p := range rows {
		if r.IntN(2) == 0 {
			continue
		}
		if i > 0 && r.IntN(2) == 0 {
			copy(p, rows[r.IntN(i)])
		}
		j := r.IntN(len(p))
		p[j] = near(p[j])
	}
	if r.IntN(3) == 0 {
		j := r.IntN(len(q.X))
		q.X[j] = near(q.X[j])
	}
	for j := range q.Domain {
		if hi := near(q.Domain[j].Hi); r.IntN(4) == 0 && q.Domain[j].Lo < q.Domain[j].Hi &&
			q.Domain[j].Lo < hi {
			q.Domain[j].Hi = hi
		}
	}
}
