package dataset

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
)

// LoadImages reads a pair of IDX files, images and their labels, and returns the
// images of the given classes, all of the first class, then all of the second,
// and so on, each class in the order of the file. A feature is a pixel, a label the
// class. Only the chosen images are turned into numbers.
func LoadImages(ctx context.Context, images, labels string, classes ...byte) (*Set, error) {
	x, err := readIDXFile(ctx, images, Limits{})
	if err != nil {
		return nil, err
	}
	y, err := readIDXFile(ctx, labels, Limits{})
	if err != nil {
		return nil, err
	}
	if len(x.Shape) < 2 {
		err := fmt.Errorf("the array has shape %v where images are expected; are these the labels?", x.Shape)
		return nil, &InputError{File: images, Err: err}
	}
	if len(y.Shape) != 1 || y.Shape[0] != x.Shape[0] {
		err := fmt.Errorf("the array has shape %v where one label for each of the %d images of %s is expected", y.Shape, x.Shape[0], filepath.Base(images))
		return nil, &InputError{File: labels, Err: err}
	}
	s := &Set{Dim: flatten(x.Shape)[1]}
	for _, class := range classes {
		if !s.appendImages(x, y, class) {
			return nil, &InputError{File: labels, Err: fmt.Errorf("%w: no image is labelled %d", ErrEmpty, class)}
		}
	}
	return s, nil
}

func readIDXFile(ctx context.Context, path string, limits Limits) (a *Bytes, err error) {
	err = readFile(ctx, path, limits, func(r io.Reader) (err error) {
		a, err = ReadIDX(r, path, limits)
		return err
	})
	return a, err
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
