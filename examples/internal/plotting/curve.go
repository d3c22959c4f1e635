package plotting

import (
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// dashes are those of the lines 0, 1, …: none, long, dotted, long and dotted,
// short.
var dashes = [][]vg.Length{nil, {7, 2}, {1.2, 1.8}, {7, 2, 1.2, 2}, {3.2, 1.8}}

// Line returns a style in which curves differ in colour and, for prints without
// colour, in dashes.
func Line(i int) draw.LineStyle {
	return draw.LineStyle{Color: Color(i), Width: vg.Points(1.3), Dashes: dashes[i%len(dashes)]}
}

var thin = draw.LineStyle{Color: border, Width: vg.Points(0.35)}

// Outline is the border of a polygon, a thin line.
func Outline(polygon plotter.XYs) *plotter.Line {
	closed := append(polygon[:len(polygon):len(polygon)], polygon[0])
	return &plotter.Line{XYs: closed, LineStyle: thin}
}
