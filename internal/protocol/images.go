package protocol

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// features is the number of principal components of an image.
const features = 25

// Images is a set of small pictures of two classes, reduced to 25 principal
// components.
type Images struct {
	Set
	// TestOnly says that the files of the training images are missing and that the
	// set was made of the test images alone: 200 rows for testing, the others for
	// training. Nothing in the paper compares with it.
	TestOnly bool

	shuffled []int // the numbers of rows that the split shuffled, in order
}

// pictures says where the images of a set are and which classes they have.
type pictures struct {
	folder  string // within that of the data sets
	classes [2]byte
}

var imageSets = map[string]pictures{
	"mnist17":   {".", [2]byte{1, 7}},
	"f-mnist35": {"fashion-mnist", [2]byte{3, 5}},
	"f-mnist06": {"fashion-mnist", [2]byte{0, 6}},
}

// ImageSets returns the names of the sets that LoadImages prepares.
func ImageSets() []string {
	return slices.Sorted(maps.Keys(imageSets))
}

// LoadImages prepares mnist17, f-mnist35 or f-mnist06 from the published IDX
// files, as they are or unpacked: those of MNIST in folder, those of
// Fashion-MNIST, which have the same names, in its subfolder fashion-mnist.
//
// As in the paper the components are fitted to training and test images together.
// The pixels are not divided by 255, which the scaling would undo.
func LoadImages(name, folder string) (*Images, error) {
	p, ok := imageSets[name]
	if !ok {
		return nil, fmt.Errorf("there is no set of images named %q", name)
	}
	s, err := p.load(name, filepath.Join(folder, p.folder))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func (p pictures) load(name, folder string) (*Images, error) {
	test, err := p.read(folder, "t10k")
	if err != nil {
		return nil, err
	}
	train, err := p.read(folder, "train")
	if errors.Is(err, errNoImages) {
		return fromTest(name, test)
	}
	if err != nil {
		return nil, err
	}
	if train.Dim != test.Dim {
		return nil, fmt.Errorf("training images of %d pixels, test images of %d", train.Dim, test.Dim)
	}
	return fromBoth(name, train, test)
}

var errNoImages = errors.New("the images are missing")

// read reads a pair of files.
func (p pictures) read(folder, part string) (*dataset.Set, error) {
	images, err := find(folder, part+"-images-idx3-ubyte")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", errNoImages, err)
	}
	if err != nil {
		return nil, err
	}
	labels, err := find(folder, part+"-labels-idx1-ubyte")
	if err != nil {
		return nil, err
	}
	return dataset.LoadImages(images, labels, p.classes[:]...)
}

// find returns the path of a file that may be compressed.
func find(folder, name string) (string, error) {
	for _, suffix := range []string{"", ".gz"} {
		path := filepath.Join(folder, name+suffix)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
	}
	return "", fmt.Errorf("neither %s nor %s.gz is in the folder %q: %w", name, name, folder, fs.ErrNotExist)
}

// fromTest splits the test images as the sets of one file are.
func fromTest(name string, images *dataset.Set) (*Images, error) {
	x, err := reduce(images)
	if err != nil {
		return nil, err
	}
	if x.Rows < 2*testRows {
		return nil, fmt.Errorf("without the training images there are %d images to split, want at least %d", x.Rows, 2*testRows)
	}
	s, err := split(name, x)
	if err != nil {
		return nil, err
	}
	return &Images{Set: *s, TestOnly: true, shuffled: []int{x.Rows}}, nil
}

// fromBoth draws 200 of the test images, and the order of the training images.
func fromBoth(name string, train, test *dataset.Set) (*Images, error) {
	if test.Rows < testRows {
		return nil, fmt.Errorf("%d test images, where %d are drawn", test.Rows, testRows)
	}
	n := train.Rows
	x, err := reduce(stack(train, test))
	if err != nil {
		return nil, err
	}
	rng := numpyrand.New(seed)
	testOrder, trainOrder := rng.Perm(test.Rows), rng.Perm(n)
	drawn := make([]int, testRows)
	for i := range drawn {
		drawn[i] = n + testOrder[i]
	}
	s, err := prepare(name, x.Select(trainOrder), x.Select(drawn))
	if err != nil {
		return nil, err
	}
	return &Images{Set: *s, shuffled: []int{test.Rows, n}}, nil
}

// prepare scales both parts.
func prepare(name string, train, test *dataset.Set) (*Set, error) {
	scaling, err := dataset.FitMinMax(train)
	if err != nil {
		return nil, err
	}
	classes := dataset.Classes(train)
	s := &Set{Name: name}
	if s.Train, s.TrainY, err = scaled(train, scaling, classes); err != nil {
		return nil, err
	}
	if s.Test, s.TestY, err = scaled(test, scaling, classes); err != nil {
		return nil, err
	}
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

// reduce replaces the pixels by the principal components of all rows.
func reduce(images *dataset.Set) (*dataset.Set, error) {
	p, err := dataset.FitPCA(images, features, seed)
	if err != nil {
		return nil, err
	}
	return p.Apply(images)
}

// Attacked is Set.Attacked after the draws that made this set.
func (s *Images) Attacked(correct []bool) ([]int, error) {
	rng := numpyrand.New(seed)
	for _, n := range s.shuffled {
		rng.Perm(n)
	}
	rows := dataset.Attacked(correct, attacked, rng)
	if len(rows) < attacked {
		return nil, nil
	}
	return rows, nil
}
