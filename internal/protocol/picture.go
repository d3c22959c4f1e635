package protocol

import (
	"image"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// pictures are square images.
type pictures struct {
	side   int
	pixels []byte // image by image, row by row
}

// keep keeps the images of a set, or none if they are not square.
func keep(images *dataset.Set) *pictures {
	side := int(math.Sqrt(float64(images.Dim)))
	if side*side != images.Dim {
		return nil
	}
	p := &pictures{side: side, pixels: make([]byte, len(images.Data))}
	for i, v := range images.Data {
		p.pixels[i] = byte(v)
	}
	return p
}

// Picture returns the image that became a row of Train; 255 is ink. It is nil for
// sets that are not made of square images. The pixels must not be changed.
func (s *Set) Picture(row int) *image.Gray {
	if s.pictures == nil || row < 0 || row >= len(s.order) {
		return nil
	}
	side := s.pictures.side
	i := s.order[row] * side * side
	return &image.Gray{
		Pix:    s.pictures.pixels[i : i+side*side : i+side*side],
		Stride: side,
		Rect:   image.Rect(0, 0, side, side),
	}
}
