package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// set is a data set and the name of its contents.
type set struct {
	*protocol.Set
	checksum string
}

// Set returns a set of the paper by its name.
func (l *Lab) Set(ctx context.Context, name string) (*protocol.Set, error) {
	s, err := l.set(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.Set, nil
}

func (l *Lab) set(ctx context.Context, name string) (*set, error) {
	if s := l.sets[name]; s != nil {
		return s, nil
	}
	loaded, err := l.load(ctx, name)
	if err != nil {
		return nil, err
	}
	s := &set{loaded, checksum(loaded)}
	l.sets[name] = s
	return s, nil
}

const (
	seeded  = " seed "
	inOrder = " in file order"
)

// Seeded names a set made with another seed than 0, that of the paper. Classifiers
// are trained with it as well.
func Seeded(set string, seed uint32) string {
	if seed == 0 {
		return set
	}
	return fmt.Sprintf("%s%s%d", set, seeded, seed)
}

// InFileOrder names a set of images whose training part is not shuffled, as in some
// of the printed cells.
func InFileOrder(set string) string { return set + inOrder }

// load loads the set that a name of the paper, Seeded or InFileOrder stands for.
func (l *Lab) load(ctx context.Context, name string) (*protocol.Set, error) {
	name, ordered := strings.CutSuffix(name, inOrder)
	name, number, _ := strings.Cut(name, seeded)
	seed, _ := strconv.ParseUint("0"+number, 10, 32) // the seed that Seeded wrote
	s, err := protocol.LoadSeeded(ctx, uint32(seed), name, l.options.Folders...)
	if err != nil || !ordered {
		return s, err
	}
	if s = s.InFileOrder(); s == nil {
		return nil, fmt.Errorf("%w: %s in the order of its files", ErrName, name)
	}
	return s, nil
}

// checksum identifies the prepared rows, and so the files, the split and the
// scaling behind them.
func checksum(s *protocol.Set) string {
	h := sha256.New()
	for _, x := range []*mat.Dense{s.Train, s.Test} {
		x.MarshalBinaryTo(h) // a hash takes all
	}
	for _, y := range slices.Concat(s.TrainY, s.TestY) {
		binary.Write(h, binary.LittleEndian, uint64(y))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Test is the numbers of a subject on the test set.
type Test struct {
	Rows     int // that the classifier was trained on
	Accuracy float64
	// Attacked are the rows of the test set to attack, in order. It is nil, the paper's
	// "-", when fewer than 100 are classified correctly, or when the
	// classifier gives all rows it was trained on one label: its attacks have no
	// differently labelled training point to start from, or to fall back on.
	Attacked []int
}

func (l *Lab) test(ctx context.Context, s Subject) (*Test, error) {
	set, err := l.set(ctx, s.Set)
	if err != nil {
		return nil, err
	}
	m, err := l.Model(ctx, s)
	if err != nil {
		return nil, err
	}
	labels, err := metrics.Predict(ctx, m.Classifier, set.Test)
	if err != nil {
		return nil, err
	}
	correct, hits := make([]bool, len(labels)), 0
	for i, label := range labels {
		if correct[i] = label == set.TestY[i]; correct[i] {
			hits++
		}
	}
	t := &Test{Rows: len(m.Y), Accuracy: float64(hits) / float64(len(labels))}
	if labels, err = metrics.Predict(ctx, m.Classifier, m.X); err != nil {
		return nil, err
	}
	if slices.Min(labels) < slices.Max(labels) {
		t.Attacked, err = set.Attacked(correct)
	}
	return t, err
}
