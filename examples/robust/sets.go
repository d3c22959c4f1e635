package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tuning"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// set is labelled rows.
type set struct {
	source
	name   string
	x      *mat.Dense
	y      []int
	images bool
	test   *tuning.Split // the only one of images, and of rows in a file's order; nil of others
}

// source is the file of a set, and the radius at which classifiers of it are compared.
type source struct {
	file    string
	first   int // column that is taken
	radius  float64
	classes []byte // of images
	ordered bool   // the first rows are for training
	// How to boost trees of all classes of images, the only classifiers that are trained on them.
	boosted *classifier.BoostedOptions
}

// sources are those of all sets, with the radii of the papers on robust trees.
var sources = map[string]source{
	"cancer":         {file: "breast-cancer", first: 1, radius: 0.3}, // less a patient's number
	"diabetes":       {file: "diabetes", radius: 0.05},
	"cancer-first":   {file: "breast-cancer", radius: 0.3, ordered: true}, // with it
	"diabetes-first": {file: "diabetes", radius: 0.05, ordered: true},
	"australian":     {file: "australian", radius: 0.1},
	"fourclass":      {file: "fourclass", radius: 0.1},
	"covtype":        {radius: 0.1},
	"covtype500":     {radius: 0.1},
	"halfmoon":       {radius: 0.1},
	"mnist26":        {classes: []byte{2, 6}, radius: 0.3},
	"mnist15":        {classes: []byte{1, 5}, radius: 0.3},
	"shoes":          {file: "fashion-mnist", classes: []byte{5, 7}, radius: 0.1},
	"mnist": {
		classes: allClasses, radius: 0.3,
		boosted: &classifier.BoostedOptions{Rounds: 60, Depth: 8, Rate: 0.5, MinLeaf: 10},
	},
	"fashion": {
		file: "fashion-mnist", classes: allClasses, radius: 0.1,
		boosted: &classifier.BoostedOptions{Rounds: 24, Depth: 8, Rate: 0.5},
	},
}

var allClasses = []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}

func load(ctx context.Context, name string) (*set, error) {
	s := &set{source: sources[name], name: name}
	switch {
	case name == "covtype":
		return s, s.drawn(ctx, name)
	case s.classes != nil:
		train, err := images(ctx, s.file, "train", s.classes)
		if err != nil {
			return nil, err
		}
		test, err := images(ctx, s.file, "t10k", s.classes)
		if err != nil {
			return nil, err
		}
		s.images, s.test = true, new(tuning.Split)
		s.test.TrainX, s.test.TrainY = pixels(train)
		s.test.TestX, s.test.TestY = pixels(test)
		return s, nil
	}
	rows, err := s.rows(ctx)
	if err != nil {
		return nil, err
	}
	if !s.ordered {
		s.scaled(rows, s.first, rows.Rows)
		return s, nil
	}
	first := rows.Rows * 4 / 5
	s.scaled(rows, s.first, first)
	var rest []int
	for i := first; i < rows.Rows; i++ {
		rest = append(rest, i)
	}
	only, err := tuning.HoldOut(s.x, s.y, rest)
	s.test = &only
	return s, err
}

// rows returns those of a file, or of halfmoon, which is generated.
func (s *set) rows(ctx context.Context) (*dataset.Set, error) {
	switch {
	case s.name == protocol.Covtype500:
		rows, err := protocol.LoadCovtype500(ctx, protocol.Folders()...)
		return rows, missing(err)
	case s.file == "":
		return dataset.Moons(2000, 0.2, numpyrand.New(0))
	}
	file, err := find(s.file)
	if err != nil {
		return nil, err
	}
	return dataset.Load(ctx, file)
}

// mostDrawn is how many rows are taken of a set that is too large to divide.
const mostDrawn = 500

// drawn takes the first of the training rows that the paper's protocol draws and scales.
func (s *set) drawn(ctx context.Context, name string) error {
	all, err := protocol.Load(ctx, name, protocol.Folders()...)
	if err != nil {
		return missing(err)
	}
	_, dim := all.Train.Dims()
	s.x, s.y = mat.DenseCopyOf(all.Train.Slice(0, mostDrawn, 0, dim)), all.TrainY[:mostDrawn]
	return nil
}

// missing makes a file that is nowhere a mistake of the user's.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return command.Misuse(err)
	}
	return err
}

// find returns where a file is.
func find(file string) (string, error) {
	at, err := protocol.Locate(file, protocol.Folders()...)
	if errors.Is(err, fs.ErrNotExist) {
		return "", command.Misuse(fmt.Errorf("%s is in none of the folders of data: "+
			"go run ./examples/datasets --download all fetches them", file))
	}
	return at, err
}

// images loads those of some classes.
func images(ctx context.Context, folder, part string, classes []byte) (*dataset.Set, error) {
	x, err := find(path.Join(folder, part+"-images-idx3-ubyte"))
	if err != nil {
		return nil, err
	}
	y, err := find(path.Join(folder, part+"-labels-idx1-ubyte"))
	if err != nil {
		return nil, err
	}
	return dataset.LoadImages(ctx, x, y, classes...)
}

// pixels returns images of values from 0 to 1.
func pixels(rows *dataset.Set) (*mat.Dense, []int) {
	x := mat.NewDense(rows.Rows, rows.Dim, slices.Clone(rows.Data))
	x.Scale(1./255, x)
	return x, dataset.Number(rows)[0]
}

// scaled takes the features from one on, scaled to [0,1] of so many rows.
func (s *set) scaled(rows *dataset.Set, first, of int) {
	s.x, s.y = mat.NewDense(rows.Rows, rows.Dim-first, nil), dataset.Number(rows)[0]
	for j := first; j < rows.Dim; j++ {
		low, high := rows.Data[j], rows.Data[j]
		for i := range of {
			low, high = min(low, rows.Row(i)[j]), max(high, rows.Row(i)[j])
		}
		if high == low {
			continue
		}
		for i := range rows.Rows {
			s.x.Set(i, j-first, (rows.Row(i)[j]-low)/(high-low))
		}
	}
}

// parts returns folds of so many divisions, or the only part.
func (s *set) parts(seeds int) (parts []tuning.Split, err error) {
	if s.test != nil {
		return []tuning.Split{*s.test}, nil
	}
	for seed := range seeds {
		for _, fold := range tuning.Folds(s.y, uint32(seed)) {
			p, err := tuning.HoldOut(s.x, s.y, fold)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	return parts, nil
}
