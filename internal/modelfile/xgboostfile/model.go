package xgboostfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Owns reports whether a file that begins so is one of XGBoost: of save_model, or a binary of
// earlier versions.
func Owns(begin []byte) bool {
	return document.IsBinary(begin) || isOldBinary(begin) ||
		bytes.HasPrefix(bytes.TrimLeft(begin, " \t\r\n{"), []byte(`"learner"`))
}

// isOldBinary recognises the format before UBJSON.
func isOldBinary(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte("binf")) || bytes.HasPrefix(begin, []byte("bs64"))
}

const oldBinary = models.Unsupported("XGBoost's old binary format, which version 3.1 no longer " +
	"reads: load it with a version before that, and save_model(\"model.json\")")

// Read reads a file. Its memory is in proportion to the nodes.
func Read(r io.Reader) (*models.Model, error) {
	buffered := bufio.NewReader(r)
	begin, err := buffered.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if isOldBinary(begin) {
		return nil, trees.AtByte(0, oldBinary)
	}
	d := document.New(buffered)
	f, err := readFile(d)
	if err != nil && f.unknown != "" && !errors.Is(err, errors.ErrUnsupported) {
		err = f.refuseUnknown() // an unknown key explains the fault
	}
	if err != nil {
		return nil, err
	}
	m := model{file: f}
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := m.vote(); err != nil {
		return nil, err
	}
	return m.build(d.Size())
}

// model is a file being understood.
type model struct {
	*file
	features int
	groups   int // of trees: one, or one for each class
	classes  int
	used     int // trees that vote
	votes    trees.Vote
	// regresses says that the objective is one of a regressor.
	regresses bool
	link      trees.Link
}

// build makes the model of a file of so many bytes.
func (m *model) build(size int) (*models.Model, error) {
	built := &models.Model{
		Kind: models.Ensemble, Dim: m.features, Comparison: trees.BelowFloat32, Vote: m.votes,
		ClassValues: models.Labels(m.classes), Trees: make([]trees.Plain, m.used),
		Categories: m.categories(),
	}
	if m.regresses {
		built.Kind, built.Link, built.ClassValues = models.Regressor, m.link, nil
	}
	built.NameCodes(m.booster.names)
	if len(m.columns) == m.features {
		built.FeatureNames = m.columns // of a data frame; arrays have none
	}
	for i := range built.Trees {
		built.Trees[i] = m.booster.trees[i].Plain
		if weights := m.booster.weights(); weights != nil {
			built.Trees[i] = dropped(built.Trees[i], weights[i], m.start(i))
		}
	}
	if err := built.Spread(size, m.adds); err != nil {
		return nil, err
	}
	return built, nil
}

// start returns the number that the wrappers of scikit-learn add to each leaf of tree i of a dart,
// and subtract again before they multiply it by its weight: the start of the sum. Booster.predict
// does not, nor do wrappers since version 3.3.
func (m *model) start(i int) float32 {
	if !m.wrapped() || m.since(3, 3) {
		return 0
	}
	return float32(m.votes.Base[m.adds(i)])
}

// dropped multiplies the leaves of a tree by its weight in a dart, once a number was added to each
// and subtracted again.
func dropped(t trees.Plain, weight, start float32) trees.Nodes {
	nodes := make(trees.Nodes, t.Len())
	for i := range nodes {
		if t.Read(i, &nodes[i]); len(nodes[i].Value) > 0 {
			leaf := float32(start+float32(nodes[i].Value[0])) - start
			nodes[i].Value = []float64{float64(leaf * weight)}
		}
	}
	return nodes
}

// categories returns how many codes each feature has: those of the data frame that it was
// trained on where the file has them, from version 3.1 on. Else it is as many as are in sets, and
// one more if there is no code below them that is in none: it stands for all others. It returns nil
// if there are no categories.
func (m *model) categories() []int {
	codes, any := make([]int, m.features), false
	for f := range codes {
		if f+1 < len(m.booster.codes) {
			codes[f] = min(max(0, int(m.booster.codes[f+1])-int(m.booster.codes[f])),
				models.MostCodes)
			any = any || codes[f] > 0
		}
	}
	for f, asked := range m.asked() {
		any = true
		most := slices.Max(slices.Collect(maps.Keys(asked)))
		switch known := codes[f]; {
		case known > most:
		case known == 0 && len(asked) == most+1:
			codes[f] = min(most+2, models.MostCodes)
		default:
			codes[f] = most + 1
		}
	}
	if !any {
		return nil
	}
	return codes
}

// asked returns of each feature that has sets which codes are in any.
func (m *model) asked() map[int]map[int]bool {
	all := make(map[int]map[int]bool)
	for _, t := range m.booster.trees {
		nodes, sets := t.Plain.(trees.Nodes)
		if !sets {
			continue // a packed tree has none
		}
		for i := range nodes {
			ends, f := nodes[i].Thresholds, nodes[i].Feature
			if all[f] == nil && ends != nil {
				all[f] = make(map[int]bool)
			}
			for k := 0; k < len(ends); k += 2 { // from an end to the next is in the set
				for code := ends[k]; code < ends[k+1]; code++ {
					all[f][int(code)] = true
				}
			}
		}
	}
	return all
}

// adds returns the class that tree i adds to.
func (m *model) adds(i int) int {
	switch {
	case m.regresses:
		return 0
	case m.groups == 1:
		return 1 // a margin in favour of label 1
	}
	return int(m.booster.class[i])
}
