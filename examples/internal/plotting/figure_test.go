package plotting

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// example is a figure with everything the package draws: label 0 on the left, 1
// on the right.
func example(t *testing.T) *Figure {
	t.Helper()
	f := &Figure{Title: "title", Width: vg.Inch, Height: vg.Inch}
	for _, heading := range [][]string{{"before"}, {"after", "pruning"}} {
		p := NewPanel("x₁", "x₂", square, heading...)
		r, err := newRegions(t.Context(), square, 2, func(x, _ float64) int {
			if x < 0 {
				return 0
			}
			return 1
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Add(r, r.Borders(),
			labelled(0, plotter.XYs{{X: -0.5, Y: -0.5}, {X: -9, Y: 0}}),
			labelled(1, plotter.XYs{{X: 0.5, Y: -0.5}}),
			labelled(2, plotter.XYs{{X: 0.5, Y: -0.8}}),
			&arrow{from: plotter.XY{X: 0.5, Y: 0.5}, to: plotter.XY{X: 0.5, Y: 0.5}},
		)
		Attack{Size: vg.Points(3)}.AddTo(p, []float64{0.5, 0.5}, []float64{-0.2, 0.5}, 0.7)
		f.Panels = append(f.Panels, p)
	}
	f.Key = []Entry{
		{Text: "label 0", Icons: []plot.Thumbnailer{Swatch{Color: light(0)}, labelled(0, nil)}},
		{Text: "arrow", Icons: []plot.Thumbnailer{&arrow{}}},
		{
			Text:  "a ball with a name so long that it needs a line",
			Icons: []plot.Thumbnailer{ball{}},
		},
	}
	return f
}

func TestSavePNG(t *testing.T) {
	f := example(t)
	path := filepath.Join(t.TempDir(), "f.png")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	picture := readPNG(t, path)
	l := f.layout()
	if w := picture.Bounds().Dx(); math.Abs(float64(w)-l.width.Dots(resolution)) > 1 {
		t.Errorf("%d pixels wide, want %v", w, l.width.Dots(resolution))
	}
	// Where the first panel's data lie, in pixels from the top left.
	left := (margin + l.panels[0].left).Dots(resolution)
	top := (margin + l.title + l.rows[0].top).Dots(resolution)
	at := func(x, y float64) color.Color {
		return picture.At(int(left+x*resolution), int(top+y*resolution))
	}
	for _, c := range []struct {
		x, y float64 // in the unit square, from the top left
		want color.Color
	}{
		{0.1, 0.1, light(0)},
		{0.9, 0.7, light(1)},
		// a mark through which the region shows
		{0.25, 0.75, color.NRGBA{R: 71, G: 154, B: 200, A: 0xFF}},
		{0.75, 0.25, ink},
		{0.6, 0.25, ink}, // the arrow
		{-0.02, -0.02, white},
	} {
		if got := color.NRGBAModel.Convert(at(c.x, c.y)); got != c.want {
			t.Errorf("colour at (%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func TestSaveSVG(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f.svg")
	if err := example(t).Save(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.CharData); ok {
			words = append(words, strings.Split(string(s), "\n")...)
		}
	}
	for _, want := range []string{
		"title", "before", "after", "pruning", "x₁", "x₂", "label 0", "arrow",
	} {
		if !slices.Contains(words, want) {
			t.Errorf("the text %q is missing", want)
		}
	}
	if strings.Contains(string(text), "<image") {
		t.Error("the picture holds a raster image")
	}
	if strings.Contains(string(text), "<text") {
		t.Error("the picture depends on fonts")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d files in the folder (%v), want 1", len(entries), err)
	}
}

func TestSaveErrors(t *testing.T) {
	f := example(t)
	if err := f.Save("f.gif"); !errors.Is(err, errFormat) {
		t.Errorf("error %v, want %v", err, errFormat)
	}
	if err := f.Save(filepath.Join(t.TempDir(), "missing", "f.svg")); !errors.Is(
		err, os.ErrNotExist,
	) {
		t.Errorf("error %v, want %v", err, os.ErrNotExist)
	}
}

func TestLinesOfKey(t *testing.T) {
	key := example(t).Key
	width := key[0].width() + entryGap + key[1].width()
	for _, c := range []struct {
		width vg.Length
		want  []int
	}{
		{1, []int{1, 1, 1}},
		{width, []int{2, 1}},
		{width * 0.99, []int{1, 1, 1}},
		{10 * width, []int{3}},
	} {
		var got []int
		for _, line := range lines(key, c.width) {
			got = append(got, len(line))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("lines of width %v hold %v entries, want %v", c.width, got, c.want)
		}
	}
}

// TestFitted: marks are smaller in small panels, and no larger in large ones.
func TestFitted(t *testing.T) {
	for side, want := range map[vg.Length]vg.Length{
		defaultSide / 4: 2,
		defaultSide:     8,
		2 * defaultSide: 8,
	} {
		if got := fitted(8, draw.NewCanvas(nil, side, vg.Inch)); got != want {
			t.Errorf("8 is %v in a panel of width %v, want %v", got, side, want)
		}
	}
}

func TestLight(t *testing.T) {
	for label := range 2 * len(palette) {
		c, light := Color(label), light(label)
		if light.R < c.R || light.G < c.G || light.B < c.B || light == white || light.A != 0xFF {
			t.Errorf("light(%d) = %v of colour %v", label, light, c)
		}
	}
}
