package dataset

import (
	"context"
)

// LoadImages reads a pair of IDX files, images and their labels, and returns the
// images of the given classes, all of the first class, then all of the second,
// and so on, each class in the order of the file. A feature is a pixel, a label the
// class. Only the chosen images are turned into numbers.
func LoadImages(ctx context.Context, images, labels string, classes ...byte) (*Set, error) {
	x, err := readFile(ctx, images, Limits{}, ReadIDX)
	if err != nil {
		return nil, err
	}
	y, err := readFile(ctx, labels, Limits{}, ReadIDX)
	if err != nil {
		return nil, err
	}
	if err := checkPair(images, x.Shape, labels, y.Shape); err != nil {
		return nil, err
	}
	s := &Set{Dim: flatten(x.Shape)[1]}
	for _, class := range classes {
		if !s.appendImages(x, y, class) {
			return nil, wrong(labels, "%w: no image is labelled %d", ErrEmpty, class)
		}
	}
	return s, nil
}

// appendImages adds the images of a class, and reports whether there are any.
func (s *Set) appendImages(x, y *Bytes, class byte) bool {
	before := s.Rows
	for i, label := range y.Data {
		if label != class {
			continue
		}
		for _, pixel := range x.Data[i*s.Dim : (i+1)*s.Dim] {
			s.Data = append(s.Data, float64(pixel))
		}
		s.Labels = append(s.Labels, float64(class))
		s.Rows++
	}
	return s.Rows > before
}
