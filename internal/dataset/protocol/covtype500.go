package protocol

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Covtype500 is a set of 500 rows of UCI's covtype.data with its seven classes, on which robust
// trees are compared. Files and Find know it; it is none of the paper's.
const Covtype500 = "covtype500"

// uciFile is covtype as UCI names it, with classes that the LIBSVM page's file does not tell apart.
const uciFile = "covtype.data"

// covtype500 are the numbers of the rows, counted from 0.
//
//go:embed covtype500.txt
var covtype500 string

// LoadCovtype500 returns the rows of Covtype500, as they are in the file, which is looked for in
// the folders. Their labels are the classes.
func LoadCovtype500(ctx context.Context, folders ...string) (*dataset.Set, error) {
	paths, err := Find(Covtype500, folders...)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, text := range strings.Fields(covtype500) {
		number, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Covtype500, err)
		}
		numbers = append(numbers, number)
	}
	s, err := covtype.pick(ctx, paths[0], numbers)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Covtype500, err)
	}
	return s, nil
}

// pick returns rows of a file by their numbers, counted from 0.
func (c contents) pick(ctx context.Context, path string, numbers []int) (*dataset.Set, error) {
	places := make(map[int]int, len(numbers))
	for place, number := range numbers {
		places[number] = place
	}
	s := &dataset.Set{
		Rows: len(numbers), Dim: c.features,
		Data: make([]float64, len(numbers)*c.features), Labels: make([]float64, len(numbers)),
	}
	f, err := dataset.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	number, classes := 0, true
	err = c.read(ctx, f, path, func(r row) {
		if place, ok := places[number]; ok {
			r.copyTo(s.Row(place))
			s.Labels[place] = float64(r.class)
		}
		number++
		classes = classes && r.class > 0
	})
	if err == nil && !classes {
		err = errors.New(path + " has no classes from 1 to 7, which UCI's covtype.data has")
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
