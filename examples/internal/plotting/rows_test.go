package plotting

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TestRows: panels stand in line, below one another, without touching.
func TestRows(t *testing.T) {
	f := &Figure{Title: "title", Columns: 2, Width: vg.Inch, Height: vg.Inch / 2}
	for i := range 5 {
		p := NewPanel("x", "", square, "heading")
		if i == 2 {
			p.Y.Label.Text, p.Heading = "y", []string{"two", "lines"}
		}
		f.Panels = append(f.Panels, p)
	}
	l := f.layout()
	if len(l.columns) != 2 || len(l.rows) != 3 {
		t.Fatalf("%d columns and %d rows, want 2 and 3", len(l.columns), len(l.rows))
	}
	c := draw.NewCanvas(nil, l.width, l.height)
	var all []vg.Rectangle
	for i, m := range l.panels {
		data := l.data(c, i/2, i%2)
		if size := data.Size(); math.Abs(float64(size.X-vg.Inch)) > 1e-9 ||
			math.Abs(float64(size.Y-vg.Inch/2)) > 1e-9 {
			t.Errorf("panel %d has size %v", i, size)
		}
		if i >= 2 && data.Min.X != all[i-2].Min.X {
			t.Errorf("panel %d begins at %v, the one above at %v", i, data.Min.X, all[i-2].Min.X)
		}
		if i%2 == 1 && data.Min.Y != all[i-1].Min.Y {
			t.Errorf("panel %d ends at %v, its neighbour at %v", i, data.Min.Y, all[i-1].Min.Y)
		}
		all = append(all, data)
		outer := vg.Rectangle{
			Min: data.Min.Sub(vg.Point{X: m.left, Y: m.bottom}),
			Max: data.Max.Add(vg.Point{X: m.right, Y: m.top}),
		}
		if outer.Min.X < 0 || outer.Min.Y < 0 || outer.Max.X > l.width ||
			outer.Max.Y > l.height-l.title {
			t.Errorf("panel %d leaves the figure: %v", i, outer)
		}
		if i >= 2 && outer.Max.Y > all[i-2].Min.Y-l.panels[i-2].bottom {
			t.Errorf("panel %d reaches %v, into the one above", i, outer.Max.Y)
		}
	}
}

// TestAround: the margins leave the data the size they are to have, for any ticks.
func TestAround(t *testing.T) {
	for _, side := range []vg.Length{vg.Inch / 2, vg.Inch, 3 * vg.Inch} {
		for _, end := range []float64{1, 1.04, 1.3, 99_999} {
			p := NewPanel("x", "y", Frame{MaxX: end, MaxY: end})
			m := around(p, side, side)
			d := p.DataCanvas(draw.NewCanvas(nil, m.left+side+m.right, m.bottom+side+m.top))
			if size := d.Size(); math.Abs(float64(size.X-side)) > 0.05 ||
				math.Abs(float64(size.Y-side)) > 0.05 {
				t.Errorf("up to %v: data of %v, want %v", end, size, side)
			}
		}
	}
}

// half is a model: label 0 on the left, 1 on the right.
type half struct{}

func (half) Classes() int { return 2 }
func (half) Predict(x []float64) int {
	if x[0] < 0 {
		return 0
	}
	return 1
}

// TestPixels draws everything else and looks at the pixels.
func TestPixels(t *testing.T) {
	dark, pale := image.NewGray(image.Rect(0, 0, 4, 4)), image.NewGray(image.Rect(0, 0, 4, 4))
	for i := range dark.Pix {
		dark.Pix[i] = 255
	}
	pictures := NewPictures(dark, pale, "pictures")
	regions := NewPanel("", "", square)
	if _, err := regions.AddRegions(
		t.Context(), half{}, mat.NewDense(2, 2, []float64{-0.5, 0.5, 0.5, -0.5}), []int{0, 1},
	); err != nil {
		t.Fatal(err)
	}
	lines := NewPanel("", "", square)
	lines.AddLines(
		&plotter.Line{XYs: plotter.XYs{{X: -9, Y: 0}, {X: 9, Y: 0}}, LineStyle: Line(1)},
		Outline(plotter.XYs{{X: -0.5, Y: -2}, {X: 0.5, Y: -2}, {X: 0.5, Y: 2}, {X: -0.5, Y: 2}}),
	)
	f := &Figure{Panels: []*Panel{pictures, regions, lines}, Width: vg.Inch, Height: vg.Inch,
		Key: append(RegionKey(2),
			Entry{Text: "line", Icons: []plot.Thumbnailer{&plotter.Line{LineStyle: Line(0)}}},
			Entry{Text: "cell", Icons: []plot.Thumbnailer{Swatch{}}})}
	path := filepath.Join(t.TempDir(), "f.png")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	picture := readPNG(t, path)
	l := f.layout()
	c := draw.NewCanvas(nil, l.width, l.height)
	for _, q := range []struct {
		panel int
		x, y  float64 // in the unit square, from the bottom left
		want  color.NRGBA
	}{
		{0, 0.25, 0.5, color.NRGBA{A: 0xFF}},
		{0, 0.75, 0.5, white},
		{1, 0.1, 0.5, light(0)},
		// a mark through which the region shows
		{1, 0.25, 0.75, color.NRGBA{R: 71, G: 154, B: 200, A: 0xFF}},
		{1, 0.75, 0.25, color.NRGBA{R: 225, G: 139, B: 71, A: 0xFF}},
		{2, 0.02, 0.5, Color(1)},
		{2, 0.5, 0.25, white},
	} {
		data := l.data(c, 0, q.panel)
		x := (data.Min.X + vg.Length(q.x)*vg.Inch).Dots(resolution)
		y := (l.height - data.Min.Y - vg.Length(q.y)*vg.Inch).Dots(resolution)
		if got := color.NRGBAModel.Convert(picture.At(int(x), int(y))); got != q.want {
			t.Errorf("panel %d: colour at (%v, %v) = %v, want %v", q.panel, q.x, q.y, got, q.want)
		}
	}
	// A thin line at a quarter of the third panel.
	data := l.data(c, 0, 2)
	x, y := (data.Min.X +
		vg.Inch/4).Dots(resolution), (l.height - data.Min.Y - vg.Inch/4).Dots(resolution)
	seen := false
	for dx := -3; dx <= 3; dx++ {
		seen = seen || color.NRGBAModel.Convert(picture.At(int(x)+dx, int(y))) != white
	}
	if !seen {
		t.Error("no outline at a quarter of the panel")
	}
}

// TestLine: no two of the first lines are drawn in the same way.
func TestLine(t *testing.T) {
	seen := make(map[string]int)
	for i := range len(dashes) {
		s := fmt.Sprint(Line(i).Dashes)
		if j, again := seen[s]; again || Line(i).Color == Line((i+1)%len(dashes)).Color {
			t.Errorf("line %d looks like line %d", i, j)
		}
		seen[s] = i
	}
}
