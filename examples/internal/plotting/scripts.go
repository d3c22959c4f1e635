package plotting

import (
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// scripts is a handler of text that sets subscripts and superscripts, ₁ and ³, small and
// low or high, as fonts seldom have them all, and makes a subscript of the norm behind ℓ.
type scripts struct{ text.Plain }

// handler is that of all text of a figure.
var handler = scripts{text.Plain{Fonts: font.DefaultCache}}

// Plain letters, and their forms in Unicode below and above the line. A point has none above the
// line; the one in the middle stands for it there.
const (
	letters = "0123456789-."
	below   = "₀₁₂₃₄₅₆₇₈₉₋."
	above   = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻·"
)

// Superscript returns a number as it is written above the line.
func Superscript(number string) string {
	return strings.Map(func(r rune) rune { return counterpart(r, letters, above) }, number)
}

// counterpart returns the letter of to that stands where r stands in from, r if it does not.
func counterpart(r rune, from, to string) rune {
	before, _, found := strings.Cut(from, string(r))
	if !found {
		return r
	}
	return []rune(to)[len([]rune(before))]
}

// run is letters of one height, in plain letters.
type run struct {
	letters string
	raised  float64 // of the size of text: 0 for the line itself
}

const (
	scriptSize   = 0.72 // of the size of text
	raisedScript = 0.36
	sunkenScript = -0.16
)

// runs divides a line.
func runs(line string) []run {
	var all []run
	before := ' '
	for _, r := range line {
		plain, raised := letter(r, before, len(all) > 0 && all[len(all)-1].raised == raisedScript)
		if len(all) == 0 || all[len(all)-1].raised != raised {
			all = append(all, run{raised: raised})
		}
		all[len(all)-1].letters += string(plain)
		before = r
	}
	return all
}

// letter returns the plain letter of one that follows another, and how far it is raised.
func letter(r, before rune, afterRaised bool) (plain rune, raised float64) {
	switch {
	case r == '·' && !afterRaised || r == '.':
		return r, 0
	case before == 'ℓ' && strings.ContainsRune("12∞", r):
		return r, sunkenScript
	case strings.ContainsRune(above, r):
		return counterpart(r, above, letters), raisedScript
	case strings.ContainsRune(below, r):
		return counterpart(r, below, letters), sunkenScript
	}
	return r, 0
}

// face is that of a run in a text of the font.
func (h scripts) face(f font.Font, r run) font.Face {
	if r.raised != 0 {
		f.Size *= scriptSize
	}
	return h.Fonts.Lookup(f, f.Size)
}

// Box implements text.Handler.
func (h scripts) Box(line string, f font.Font) (width, height, depth vg.Length) {
	for _, r := range runs(line) {
		face := h.face(f, r)
		width += face.Width(r.letters)
	}
	_, height, depth = h.Plain.Box("", f)
	return width, height, depth
}

// Draw implements text.Handler. Lines lie as those of text.Plain.
func (h scripts) Draw(c vg.Canvas, txt string, s text.Style, at vg.Point) {
	if txt == "" {
		return
	}
	c.SetColor(s.Color)
	c.Push()
	defer c.Pop()
	c.Translate(at)
	c.Rotate(s.Rotation)
	lines := h.Lines(txt)
	y := s.Height(txt)*vg.Length(s.YAlign) - h.Extents(s.Font).Ascent +
		vg.Length(len(lines))*s.Font.Size
	for _, line := range lines {
		tell(c, line)
		width, _, _ := h.Box(line, s.Font)
		x := width * vg.Length(s.XAlign)
		for _, r := range runs(line) {
			face := h.face(s.Font, r)
			c.FillString(face, vg.Point{X: x, Y: y + vg.Length(r.raised)*s.Font.Size}, r.letters)
			x += face.Width(r.letters)
		}
		y -= s.Font.Size
	}
}

// tell lets a canvas that keeps words, which others may enclose, know a whole line.
func tell(c vg.Canvas, line string) {
	switch c := c.(type) {
	case *outlined:
		c.words = append(c.words, line)
	case *draw.Canvas:
		tell(c.Canvas, line)
	case draw.Canvas:
		tell(c.Canvas, line)
	}
}
