package protocol

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// source says where a set is read from.
type source struct {
	name    string
	folder  string  // of images, within that of the data sets
	classes [2]byte // of images
	file    string  // of the others
}

// sources returns the sources of the sets, by the paper's names, sorted.
func sources() []source {
	const fashion = "fashion-mnist/"
	return []source{
		{name: "australian", file: "australian"},
		{name: "cancer", file: "breast-cancer"},
		{name: "covtype", file: covtypeFile},
		{name: "diabetes", file: "diabetes"},
		{name: "f-mnist06", folder: fashion, classes: [2]byte{0, 6}},
		{name: "f-mnist35", folder: fashion, classes: [2]byte{3, 5}},
		{name: "fourclass", file: "fourclass"},
		{name: "halfmoon"},
		{name: "mnist17", classes: [2]byte{1, 7}},
	}
}

// testFiles is the number of files of test images, which stand first.
const testFiles = 2

// Names returns the paper's names of its data sets, sorted.
func Names() []string {
	var names []string
	for _, s := range sources() {
		names = append(names, s.name)
	}
	return names
}

// Files returns the names of a set's files under which they are published, less the
// suffix of compressed files: paths within the folder of the data sets, with
// slashes. The files of Fashion-MNIST, which are called as MNIST's are, are in the
// subfolder fashion-mnist. Halfmoon, which is generated, has none.
func Files(name string) ([]string, error) {
	if name == Covtype500 {
		return []string{uciFile}, nil
	}
	s, err := sourceOf(name)
	if err != nil {
		return nil, err
	}
	switch {
	case s.images():
		return []string{
			s.folder + "t10k-images-idx3-ubyte", s.folder + "t10k-labels-idx1-ubyte",
			s.folder + "train-images-idx3-ubyte", s.folder + "train-labels-idx1-ubyte",
		}, nil
	case s.file == "":
		return nil, nil
	}
	return []string{s.file}, nil
}

func sourceOf(name string) (source, error) {
	for _, s := range sources() {
		if s.name == name {
			return s, nil
		}
	}
	return source{}, fmt.Errorf("there is no data set named %q", name)
}

func (s source) images() bool { return s.classes != [2]byte{} }

// Load prepares the set with this name from its files, which Find looks for in the
// folders; halfmoon is generated. It ends with the context's error soon after that is done.
func Load(ctx context.Context, name string, folders ...string) (*Set, error) {
	return LoadSeeded(ctx, 0, name, folders...)
}

// LoadSeeded is Load with another seed than the paper's: another draw of halfmoon
// and covtype, another split, other points to attack.
func LoadSeeded(ctx context.Context, seed uint32, name string, folders ...string) (*Set, error) {
	s, err := sourceOf(name)
	if err != nil {
		return nil, err
	}
	paths, err := Find(name, folders...)
	if err != nil {
		return nil, err
	}
	set, err := s.prepare(ctx, seed, paths)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	set.Name = name
	return set, nil
}

func (s source) prepare(ctx context.Context, seed uint32, paths []string) (*Set, error) {
	switch {
	case s.images():
		return loadImages(ctx, seed, s.classes, paths)
	case s.name == "covtype":
		return loadCovtype(ctx, seed, paths[0], covtype)
	case s.file == "":
		return halfmoon(seed)
	}
	set, err := dataset.Load(ctx, paths[0])
	if err != nil {
		return nil, err
	}
	return split(set, seed)
}
