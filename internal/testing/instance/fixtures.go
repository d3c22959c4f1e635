package instance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// Voters is k-NN on the training part of a set.
func Voters(t testing.TB, c fixture.Case, k int) *classifier.KNN {
	t.Helper()
	return KNN(t, c.Set.Train, c.Set.TrainY, k)
}

// PaperModel is the undefended classifier of a column of the paper's Table 1.
func PaperModel(t testing.TB, c fixture.Case, name string) classifier.Classifier {
	t.Helper()
	switch name {
	case "dt":
		return ReadTree(t, c, name)
	case "rf":
		return ReadForest(t, c, name)
	}
	return Voters(t, c, int(name[0]-'0'))
}

// ReadTree reads a tree of the fixtures.
func ReadTree(t testing.TB, c fixture.Case, name string) *classifier.Tree {
	t.Helper()
	return ReadForest(t, c, name).Tree(0)
}

// ReadForest reads a forest of the fixtures.
func ReadForest(t testing.TB, c fixture.Case, name string) *classifier.Ensemble {
	t.Helper()
	e, err := classifier.Read[classifier.Classifier](c.Model(t, name), classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return e.(*classifier.Ensemble)
}

// ReadModel reads a model that another library trained, of those in
// internal/modelfile/testdata.
func ReadModel(t testing.TB, name string) *classifier.Ensemble {
	t.Helper()
	file, err := os.Open(filepath.Join(fixture.Root(t), "internal", "modelfile", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c, err := classifier.Read[classifier.Classifier](file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c.(*classifier.Ensemble)
}
