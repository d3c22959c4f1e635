package plotting

import (
	"bytes"
	"image"
	"strings"
	"testing"

	fonts "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// TestOutline: letters fill the width that the layout reserves for them.
func TestOutline(t *testing.T) {
	face := fonts.DefaultCache.Lookup(sans(10), vg.Points(10))
	at := vg.Point{X: 7, Y: 11}
	for _, text := range []string{"H", "HAVAH", "ℓ∞ distance", "x₁ (scaled)"} {
		c := &outlined{Canvas: vgsvg.New(100, 100)}
		path, err := c.outline(face, at, text)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := vg.Point{X: 1e9, Y: 1e9}, vg.Point{X: -1e9, Y: -1e9}
		for _, p := range path {
			if p.Type == vg.CloseComp {
				continue
			}
			lo = vg.Point{X: min(lo.X, p.Pos.X), Y: min(lo.Y, p.Pos.Y)}
			hi = vg.Point{X: max(hi.X, p.Pos.X), Y: max(hi.Y, p.Pos.Y)}
		}
		width := face.Width(text)
		if lo.X < at.X-0.5 || lo.X > at.X+1.5 || hi.X > at.X+width+0.5 || hi.X < at.X+width-1.5 {
			t.Errorf("%q spans %v to %v, want about %v to %v", text, lo.X, hi.X, at.X, at.X+width)
		}
		if lo.Y < at.Y-3 || lo.Y > at.Y+0.5 || hi.Y < at.Y+5 || hi.Y > at.Y+10 {
			t.Errorf("%q reaches from %v to %v about the line at %v", text, lo.Y, hi.Y, at.Y)
		}
	}
	c := &outlined{Canvas: vgsvg.New(100, 100)}
	if path, err := c.outline(face, at, ""); len(path) != 0 || err != nil {
		t.Errorf("no text has outline %v, %v", path, err)
	}
}

// TestSVGPicture: readers believe the name of the format.
func TestSVGPicture(t *testing.T) {
	f := &Figure{
		Title: "a < b & c",
		Panels: []*Panel{
			NewPictures(image.NewGray(image.Rect(0, 0, 2, 2)),
				image.NewGray(image.Rect(0, 0, 2, 2))),
		},
	}
	var b bytes.Buffer
	if err := f.writeSVG(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "data:image/png;base64,iVBOR") != 2 ||
		strings.Contains(text, "image/jpg") {
		t.Error("two PNG pictures are not named as such")
	}
	if !strings.Contains(b.String(), "<desc>a &lt; b &amp; c</desc>") {
		t.Error("the title is not in the description")
	}
}
