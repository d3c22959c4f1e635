package subject

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// halfmoon writes half of the moons to a file, and returns the flags that train on it.
func halfmoon(t *testing.T) []string {
	moons, err := dataset.Moons(1000, 0.25, numpyrand.New(0))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range moons.Rows {
		fmt.Fprintf(&text, "%v,%v,%v\n", moons.Row(i)[0], moons.Row(i)[1], moons.Labels[i])
	}
	path := filepath.Join(t.TempDir(), "moons.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return []string{"--train", path}
}

// load loads the subject of the flags.
func load(t *testing.T, change func(*Flags), args ...string) *Subject {
	t.Helper()
	s := new(Flags)
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.AddRows(f)
	s.AddModel(f)
	s.AddTraining(f)
	s.AddSearch(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(s)
	}
	loaded, err := s.Load(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// TestAdversarialTraining checks that the classifier is the one that is trained with
// the flags' own attack.
func TestAdversarialTraining(t *testing.T) {
	base := halfmoon(t)
	options := classifier.ForestOptions{TreeOptions: classifier.TreeOptions{MaxDepth: 3}, Trees: 3}
	forest := classifier.TrainerOf(classifier.TrainForest, options)
	approximately := func(s *Flags) {
		s.Attack = func(d *Data, c classifier.Classifier) (attack.Attack, error) {
			return &attack.RegionBased{
				Classifier: c,
				Points:     d.Train.Matrix(),
				Options:    attack.Options{Mode: attack.Approx, Regions: 2},
			}, nil
		}
	}
	flags := []string{"--model", "forest", "--trees", "3", "--depth", "3", "--adversarial-training",
		"0.1"}
	var rows []int
	for name, tt := range map[string]struct {
		flags    []string
		change   func(*Flags)
		training attack.AdversarialTraining
	}{
		"exact": {nil, nil, attack.AdversarialTraining{Trainer: forest, Radius: 0.1}},
		"ℓ2": {[]string{"--norm", "2"}, nil, attack.AdversarialTraining{
			Trainer: forest,
			Radius:  0.1,
			Norm:    polytope.L2,
		}},
		"approx": {nil, approximately, attack.AdversarialTraining{
			Trainer: forest, Radius: 0.1,
			Attack: func(c classifier.Classifier, x mat.Matrix, _ []int) (attack.Attack, error) {
				return &attack.RegionBased{
					Classifier: c,
					Points:     x,
					Options:    attack.Options{Mode: attack.Approx, Regions: 2},
				}, nil
			},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			plain := load(t, nil, base...)
			wantX, wantY, err := tt.training.Augment(t.Context(), plain.Train.Matrix(),
				plain.Train.Y)
			if err != nil {
				t.Fatal(err)
			}
			e := load(t, tt.change, slices.Concat(base, flags, tt.flags)...)
			if !mat.Equal(e.Train.Matrix(), wantX) || !slices.Equal(e.Train.Y, wantY) {
				t.Errorf("%d rows, want %d, or other ones", e.Train.Rows, len(wantY))
			}
			want, err := classifier.TrainForest(t.Context(), wantX, wantY, options)
			if err != nil {
				t.Fatal(err)
			}
			got := e.Classifier.(*classifier.Ensemble)
			for i := range want.Len() {
				if !reflect.DeepEqual(got.Tree(i).Nodes(), want.Tree(i).Nodes()) {
					t.Errorf("tree %d differs from the one trained on these rows", i)
				}
			}
			if slices.Contains(rows, len(wantY)) || len(wantY) == plain.Train.Rows {
				t.Errorf("%d rows, as without the flags or with others", len(wantY))
			}
			rows = append(rows, len(wantY))
		})
	}
}

// TestTreeFlags checks that the flags of a tree reach its training, where each
// of them makes another tree.
func TestTreeFlags(t *testing.T) {
	base := halfmoon(t)
	tests := []struct {
		name  string
		flags []string
		want  classifier.TreeOptions
	}{
		{"defaults", nil, classifier.TreeOptions{MaxDepth: 5}},
		{"depth", []string{"--depth", "3"}, classifier.TreeOptions{MaxDepth: 3}},
		{"no limit", []string{"--depth", "0"}, classifier.TreeOptions{}},
		{"gini", []string{"--criterion", "gini"}, classifier.TreeOptions{
			MaxDepth: 5,
			Gini:     true,
		}},
		{"robust", []string{"--robust", "0.1"}, classifier.TreeOptions{
			MaxDepth: 5,
			Robust:   0.1,
		}},
		{"seed", []string{"--depth", "0", "--seed", "3"}, classifier.TreeOptions{Seed: 3}},
	}
	var trees [][]classifier.TreeNode
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := load(t, nil, slices.Concat(base, []string{"--model", "tree"}, tt.flags)...)
			want, err := classifier.TrainTree(t.Context(), e.Train.Matrix(), e.Train.Y, tt.want)
			if err != nil {
				t.Fatal(err)
			}
			got := e.Classifier.(*classifier.Tree).Nodes()
			if !reflect.DeepEqual(got, want.Nodes()) {
				t.Errorf("%d nodes, want the %d of %+v", len(got), len(want.Nodes()), tt.want)
			}
			for i, other := range trees {
				if reflect.DeepEqual(got, other) {
					t.Errorf("the tree is that of %q", tests[i].name)
				}
			}
			trees = append(trees, got)
		})
	}
}
