package protocol

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// features is the number of principal components of an image.
const features = 25

// loadImages prepares a set of small pictures from the paths that Find returns.
// As in the paper the components are fitted to training and test images together.
// The pixels are not divided by 255, which the scaling would undo.
func loadImages(ctx context.Context, seed uint32, classes [2]byte, paths []string) (*Set, error) {
	test, err := dataset.LoadImages(ctx, paths[0], paths[1], classes[:]...)
	if err != nil {
		return nil, err
	}
	if len(paths) == testFiles {
		return fromTest(ctx, seed, test)
	}
	train, err := dataset.LoadImages(ctx, paths[2], paths[3], classes[:]...)
	if err != nil {
		return nil, err
	}
	if train.Dim != test.Dim {
		return nil, fmt.Errorf("training images of %d pixels, test images of %d",
			train.Dim, test.Dim)
	}
	return fromBoth(ctx, seed, train, test)
}

// fromTest splits the test images as the sets of one file are.
func fromTest(ctx context.Context, seed uint32, images *dataset.Set) (*Set, error) {
	x, err := dataset.Reduce(ctx, images, features, seed)
	if err != nil {
		return nil, err
	}
	if x.Rows < 2*testRows {
		return nil, fmt.Errorf(
			"without the training images there are %d images to split, want at least %d",
			x.Rows, 2*testRows,
		)
	}
	s, err := split(x, seed)
	if err != nil {
		return nil, err
	}
	s.TestOnly = true
	s.pictures = keep(images)
	return s, nil
}

// fromBoth draws 200 of the test images, and the order of the training images.
func fromBoth(ctx context.Context, seed uint32, train, test *dataset.Set) (*Set, error) {
	if test.Rows < testRows {
		return nil, fmt.Errorf("%d test images, where %d are drawn", test.Rows, testRows)
	}
	n := train.Rows
	x, err := dataset.Reduce(ctx, stack(train, test), features, seed)
	if err != nil {
		return nil, err
	}
	rng := numpyrand.New(seed)
	testOrder, trainOrder := rng.Perm(test.Rows), rng.Perm(n)
	drawn := make([]int, testRows)
	for i := range drawn {
		drawn[i] = n + testOrder[i]
	}
	s, err := Scale(x.Select(trainOrder), x.Select(drawn))
	if err != nil {
		return nil, err
	}
	s.Seed, s.shuffled, s.order = seed, []int{test.Rows, n}, trainOrder
	s.pictures = keep(train)
	return s, nil
}

func stack(a, b *dataset.Set) *dataset.Set {
	return &dataset.Set{
		Data:   slices.Concat(a.Data, b.Data),
		Rows:   a.Rows + b.Rows,
		Dim:    a.Dim,
		Labels: slices.Concat(a.Labels, b.Labels),
	}
}

// InFileOrder returns the set as some of the printed cells were made of it, before
// the paper's code shuffled training images: they stand in the order of their
// files, class by class, and the generator that draws the attacked points has made
// one permutation less. It is nil for sets that are split from one file.
func (s *Set) InFileOrder() *Set {
	if len(s.shuffled) != 2 {
		return nil
	}
	n, dim := s.Train.Dims()
	other := *s
	other.Train, other.TrainY, other.order = mat.NewDense(n, dim, nil), make([]int, n), make([]int,
		n)
	for i, at := range s.order {
		other.Train.SetRow(at, s.Train.RawRowView(i))
		other.TrainY[at], other.order[at] = s.TrainY[i], at
	}
	other.shuffled = s.shuffled[:1]
	return &other
}

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
