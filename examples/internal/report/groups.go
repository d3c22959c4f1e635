package report

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// group is the rows that are predicted one label.
type group struct {
	Label   string
	Rows    int
	Bars    []bar
	Beyond  int // rows without an example
	Lower   string
	Median  string
	Upper   string
	Axis    []tick
	Highest int
}

// bar is the rows whose distance lies in an interval.
type bar struct {
	X, Y, Width, Height float64
	From, To            string
	Rows                int
}

// bars is the number of intervals.
const bars = 20

// The last bar begins at the 95th percentile where the largest distance is so many times that.
const farBeyond = 3

// groups shows how distances are distributed among the rows that are predicted each label, and says
// what the last bar stands for where few large distances would leave no room for the others.
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
	byLabel := map[string][]float64{}
	var labels []string
	for _, a := range answers {
		if !a.Attacked() {
			continue
		}
		label := a.Predicted.String()
		if _, ok := byLabel[label]; !ok {
			labels = append(labels, label)
		}
		byLabel[label] = append(byLabel[label], a.distance)
	}
	slices.Sort(labels)
	for _, label := range labels {
		list = append(list, newGroup(label, byLabel[label], end))
	}
	return list, cut
}

func newGroup(label string, distances []float64, end float64) group {
	g := group{Label: label, Rows: len(distances), Axis: ticks(end)}
	slices.Sort(distances)
	at := func(q float64) string { return number(distances[int(q*float64(len(distances)-1))]) }
	g.Lower, g.Median, g.Upper = at(0.25), at(0.5), at(0.75)
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
			From: number(end * float64(i) / bars), To: number(end * float64(i+1) / bars), Rows: n,
		})
	}
	return g
}
