package plotting

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// AddShares adds two curves that fall from left to right, and the band between them. Each row that
// counts does so up to a value at least, in certified, and up to another at most, in possible; all
// are so many. Where the certified curve was asked for, in ascending order, it is marked; both end
// at the last of these places. AddShares returns the key.
func (p *Panel) AddShares(
	certified, possible, asked []float64, all int, lower, upper string,
) []Entry {
	end := asked[len(asked)-1]
	below, above := Steps(certified, all, end), Steps(possible, all, end)
	band := &plotter.Polygon{Color: light(0)}
	band.XYs = []plotter.XYs{slices.Clone(above)}
	for _, at := range slices.Backward(below) {
		band.XYs[0] = append(band.XYs[0], at)
	}
	bottom := &plotter.Line{XYs: below, LineStyle: Line(0)}
	top := &plotter.Line{XYs: above, LineStyle: Line(1)}
	marks := &plotter.Scatter{
		XYs: shareAt(certified, asked, all),
		GlyphStyle: draw.GlyphStyle{
			Color:  Color(0),
			Radius: vg.Points(2.2),
			Shape:  draw.CircleGlyph{},
		},
	}
	p.Add(unsized{band})
	p.AddLines(top, bottom)
	p.Add(unsized{marks})
	return []Entry{
		{Text: lower, Icons: []plot.Thumbnailer{bottom, marks}},
		{Text: upper, Icons: []plot.Thumbnailer{top}},
	}
}

// Steps is the share of so many rows that have values beyond x, as a function of x from 0 to
// end: it falls at each value.
func Steps(values []float64, all int, end float64) plotter.XYs {
	sorted := slices.Sorted(slices.Values(values))
	share := func(left int) float64 { return float64(left) / float64(all) }
	line := plotter.XYs{{X: 0, Y: share(len(sorted))}}
	for i, v := range sorted {
		if v > end {
			break
		}
		last := line[len(line)-1]
		line = append(line, plotter.XY{X: v, Y: last.Y},
			plotter.XY{X: v, Y: share(len(sorted) - i - 1)})
	}
	return append(line, plotter.XY{X: end, Y: line[len(line)-1].Y})
}

// shareAt is the share of so many rows that have values beyond each x.
func shareAt(values, at []float64, all int) plotter.XYs {
	var marks plotter.XYs
	for _, x := range at {
		beyond := 0
		for _, v := range values {
			if v > x {
				beyond++
			}
		}
		marks = append(marks, plotter.XY{X: x, Y: float64(beyond) / float64(all)})
	}
	return marks
}
