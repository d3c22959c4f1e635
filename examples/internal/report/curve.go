package report

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// The drawing area of a plot, in its own units.
const (
	plotWidth  = 640.0
	plotHeight = 240.0
)

// curve is the share of rows that keep their label within a radius.
type curve struct {
	Certified, Possible string // polylines
	Same                bool   // both are one line
	Axis                []tick
	Table               []curveRow
}

// tick is a mark on the axis of radii.
type tick struct {
	At    float64
	Label string
}

// curveRow is a line of the table beside the curve.
type curveRow struct{ Radius, Certified, Possible string }

// Curve draws the verdicts at every radius; nil for answers that make none.
func (p *page) Curve() *curve {
	radii := finiteDistances(p.answers)
	if p.Certify() || p.Meta.Targeted() || len(radii) == 0 || radii[len(radii)-1] == 0 {
		return nil
	}
	end := radii[len(radii)-1] * 1.05
	c := &curve{Same: true, Axis: ticks(end)}
	var certified, possible line
	for x, r := range radiiTo(end) {
		yes, maybe := kept(p.answers, r)
		c.Same = c.Same && yes == maybe
		certified.step(x, height(yes, len(p.answers)))
		possible.step(x, height(maybe, len(p.answers)))
	}
	c.Certified, c.Possible = certified.String(), possible.String()
	for _, q := range []float64{0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1} {
		r := printed(radii[int(q*float64(len(radii)-1))])
		yes, maybe := kept(p.answers, r)
		c.Table = append(c.Table,
			curveRow{number(r), share(yes, len(p.answers)), share(maybe, len(p.answers))})
	}
	c.Table = slices.Compact(c.Table)
	return c
}

// radiiTo yields places along a plot, and their radii up to the end.
func radiiTo(end float64) iter.Seq2[float64, float64] {
	return func(yield func(x, r float64) bool) {
		const steps = 640
		for i := range steps + 1 {
			if !yield(plotWidth*float64(i)/steps, end*float64(i)/steps) {
				return
			}
		}
	}
}

// line is the points of a polyline.
type line struct {
	strings.Builder
	y     float64 // of the last step
	begun bool
}

func (l *line) point(x, y float64) { fmt.Fprintf(l, "%.1f,%.1f ", x, y) }

// step goes on at the height of before as far as x, and then to y.
func (l *line) step(x, y float64) {
	if l.begun && y != l.y {
		l.point(x, l.y)
	}
	if !l.begun || y != l.y || x == plotWidth {
		l.point(x, y)
	}
	l.y, l.begun = y, true
}

// kept counts the rows that are proven to keep their right label at a radius, and those that may.
func kept(answers []answer, r float64) (certified, possible int) {
	for _, a := range answers {
		if !a.correct || !a.Attacked() {
			continue
		}
		if r == 0 || a.bound > r {
			certified++
		}
		if r == 0 || a.bound > r || a.distance > r {
			possible++
		}
	}
	return certified, possible
}

// height is where a share of n is drawn.
func height(section, n int) float64 { return plotHeight * (1 - float64(section)/float64(n)) }

// finiteDistances returns the distances of the rows that were attacked, ascending.
func finiteDistances(answers []answer) (list []float64) {
	for _, a := range answers {
		if a.Attacked() && !math.IsInf(a.distance, 1) {
			list = append(list, a.distance)
		}
	}
	slices.Sort(list)
	return list
}

// ticks are round numbers from 0 to the end of an axis.
func ticks(end float64) (list []tick) {
	step := math.Pow(10, math.Floor(math.Log10(end/4)))
	for _, m := range []float64{1, 2, 5, 10} {
		if end/(m*step) <= 6 {
			step *= m
			break
		}
	}
	for i := 0; float64(i)*step <= end; i++ {
		v := float64(i) * step
		list = append(list, tick{plotWidth * v / end, number(v)})
	}
	return list
}
