package plotting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// ErrFormat is returned for a file name that ends in neither .png nor .svg.
var ErrFormat = errors.New("unknown format of picture")

// resolution of PNG files in dots per inch: what printers show.
const resolution = 300

// Save writes the figure to path, in the format that the suffix .png or .svg
// names. The file appears under this name only when it is complete; a file
// that was there stays until then.
func (f *Figure) Save(path string) error {
	var encode func(*Figure, io.Writer) error
	switch filepath.Ext(path) {
	case ".png":
		encode = (*Figure).writePNG
	case ".svg":
		encode = (*Figure).writeSVG
	default:
		return fmt.Errorf("plotting: %w: %s", ErrFormat, path)
	}
	if err := outfile.Write(path, func(w io.Writer) error { return encode(f, w) }); err != nil {
		return fmt.Errorf("plotting: %w", err)
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
