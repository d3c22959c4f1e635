package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
)

// group is the rows that are predicted one label.
type group struct {
	Label     string
	Bars      []bar
	Beyond    int // rows without an example
	Axis      []tick
	Highest   int
	distances []float64 // ascending
}

// Rows counts the rows.
func (g group) Rows() int { return len(g.distances) }

// At writes a quantile of the distances.
func (g group) At(q float64) string {
	return number(g.distances[int(q*float64(len(g.distances)-1))])
}

// bar is the rows whose distance lies in an interval.
type bar struct {
	X, Y, Width, Height float64
	From, To            float64
	Rows                int
}

// bars is the number of intervals.
const bars = 20

// The last bar begins at the 95th percentile where the largest distance is so many times that.
const farBeyond = 3

// groups shows how distances are distributed among the rows that are predicted each label, and
// explains the last bar where few large distances would leave no room for the others.
func groups(answers []answer) (list []group, cut string) {
	all := finiteDistances(answers)
	if len(all) == 0 || all[len(all)-1] == 0 {
		return nil, ""
	}
	end := all[len(all)-1] * 1.05
	if most := all[(len(all)-1)*95/100]; most > 0 && end > farBeyond*most {
		end = most * 1.05
		beyond := len(all) - sort.SearchFloat64s(all, end)
		cut = fmt.Sprintf("The last bar stands for all distances from there on: of %s, up to %s.",
			rowsOf(beyond), number(all[len(all)-1]))
	}
	byLabel := make(map[string][]float64)
	for _, a := range answers {
		if a.Attacked() {
			label := a.Predicted.String()
			byLabel[label] = append(byLabel[label], a.distance)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(byLabel)) {
		list = append(list, newGroup(label, byLabel[label], end))
	}
	return list, cut
}

func newGroup(label string, distances []float64, end float64) group {
	slices.Sort(distances)
	g := group{Label: label, distances: distances, Axis: ticks(end)}
	var counts [bars]int
	for _, d := range distances {
		if math.IsInf(d, 1) {
			g.Beyond++
			continue
		}
		counts[min(int(d/end*bars), bars-1)]++
	}
	g.Highest = max(1, slices.Max(counts[:]))
	const top = 120.0
	for i, n := range counts {
		h := top * float64(n) / float64(g.Highest)
		g.Bars = append(g.Bars, bar{
			X: plotWidth * float64(i) / bars, Y: top - h, Width: plotWidth/bars - 2, Height: h,
			From: end * float64(i) / bars, To: end * float64(i+1) / bars, Rows: n,
		})
	}
	return g
}
