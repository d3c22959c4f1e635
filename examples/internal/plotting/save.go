package plotting

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	fonts "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// errFormat is returned for a file name that ends in neither .png nor .svg.
var errFormat = errors.New("unknown format of picture")

// resolution of PNG files in dots per inch: the resolution of printers.
const resolution = 300

// Save writes the figure to path, in the format that the suffix .png or .svg
// names. The file appears under this name only when it is complete; a file
// that was there stays until then.
func (f *Figure) Save(path string) error {
	if err := CheckName(path); err != nil {
		return fmt.Errorf("plotting: %w", err)
	}
	encode := (*Figure).writePNG
	if filepath.Ext(path) == ".svg" {
		encode = (*Figure).writeSVG
	}
	if err := outfile.Write(path, func(w io.Writer) error { return encode(f, w) }); err != nil {
		return fmt.Errorf("plotting: %w", err)
	}
	return nil
}

// CheckName returns an error for a file name whose suffix names no format.
func CheckName(path string) error {
	if s := filepath.Ext(path); s != ".png" && s != ".svg" {
		return fmt.Errorf("%w: %s ends in neither .png nor .svg", errFormat, path)
	}
	return nil
}

func (f *Figure) writePNG(w io.Writer) error {
	l := f.layout()
	c := vgimg.NewWith(vgimg.UseWH(l.width, l.height), vgimg.UseDPI(resolution))
	f.draw(draw.New(c), l)
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// Publish saves the figure in both formats under a name in the folder, and prints the paths.
func (f *Figure) Publish(ctx context.Context, stdout io.Writer, folder, name string) error {
	for _, format := range []string{".png", ".svg"} {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(folder, name+format)
		if err := f.Save(path); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(stdout, path); err != nil {
			return err
		}
	}
	return nil
}

// writeSVG draws letters as outlines, so that the figure looks the same where the
// font is missing, and keeps the words as its description. It paints the ground
// white for readers with a dark one.
func (f *Figure) writeSVG(w io.Writer) error {
	l := f.layout()
	c := &outlined{Canvas: vgsvg.New(l.width, l.height)}
	canvas := draw.New(c)
	canvas.SetColor(white)
	canvas.Fill(canvas.Rectangle.Path())
	f.draw(canvas, l)
	if c.failed != nil {
		return c.failed
	}
	var buffer bytes.Buffer
	if _, err := c.WriteTo(&buffer); err != nil {
		return err
	}
	_, err := w.Write(c.describe(buffer.Bytes()))
	return err
}

// outlined is an SVG canvas without fonts.
type outlined struct {
	*vgsvg.Canvas
	words  []string // its lines, as the handler of text tells them
	failed error
	buffer sfnt.Buffer
}

// FillString implements vg.Canvas.
func (c *outlined) FillString(face fonts.Face, at vg.Point, text string) {
	path, err := c.outline(face, at, text)
	if err != nil {
		c.failed = errors.Join(c.failed, fmt.Errorf("%q: %w", text, err))
		return
	}
	c.Fill(path)
}

// outline returns the letters of a text that begins at the given point. They are
// as far apart as Face.Width measures them, in units of the font without hinting.
func (c *outlined) outline(face fonts.Face, at vg.Point, text string) (vg.Path, error) {
	em := fixed.Int26_6(face.Face.UnitsPerEm())
	scale := face.Font.Size / vg.Length(em)
	var path vg.Path
	var advance fixed.Int26_6
	before, some := sfnt.GlyphIndex(0), false
	for _, letter := range text {
		glyph, err := face.Face.GlyphIndex(&c.buffer, letter)
		if err != nil {
			return nil, err
		}
		if some {
			advance += c.kern(face, before, glyph, em)
		}
		segments, err := face.Face.LoadGlyph(&c.buffer, glyph, em, nil)
		if err != nil {
			return nil, err
		}
		addGlyph(&path, segments, func(p fixed.Point26_6) vg.Point {
			return vg.Point{X: at.X + vg.Length(advance+p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
		})
		width, err := face.Face.GlyphAdvance(&c.buffer, glyph, em, font.HintingNone)
		if err != nil {
			return nil, err
		}
		advance += width
		before, some = glyph, true
	}
	return path, nil
}

// kern returns by how much two letters move together, 0 where the font does not
// say.
func (c *outlined) kern(
	face fonts.Face, left, right sfnt.GlyphIndex, em fixed.Int26_6,
) fixed.Int26_6 {
	kern, err := face.Face.Kern(&c.buffer, left, right, em, font.HintingNone)
	if err != nil {
		return 0
	}
	return kern
}

// addGlyph adds the outline of a letter.
func addGlyph(path *vg.Path, segments sfnt.Segments, place func(fixed.Point26_6) vg.Point) {
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(place(s.Args[0]), place(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
}

// describe puts the words at the beginning of the document, for search and for
// readers aloud, and names the format of embedded pictures, which are PNG, as it
// is.
func (c *outlined) describe(document []byte) []byte {
	document = bytes.ReplaceAll(document, []byte("data:image/jpg;base64,"),
		[]byte("data:image/png;base64,"))
	start := bytes.Index(document, []byte("<svg"))
	end := start + bytes.IndexByte(document[start:], '>') + 1
	var words bytes.Buffer
	words.WriteString("\n<desc>")
	xml.EscapeText(&words, []byte(strings.Join(c.words, "\n"))) // a buffer takes all
	words.WriteString("</desc>")
	return bytes.Join([][]byte{document[:end], words.Bytes(), document[end:]}, nil)
}
