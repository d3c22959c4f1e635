package subject

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// InFileUnits returns a subject whose rows are as they are in the files, and whose classifier
// labels each of them, and any other input, as the one of s labels it scaled. It exists for trees,
// whose thresholds can be moved without an error: the scaling never falls, so that the values that
// a test sends left are all up to some float64. The error is errors.ErrUnsupported for others.
func (s *Subject) InFileUnits() (*Subject, error) {
	if s.Scaling == nil {
		return s, nil
	}
	c, err := s.unscaled()
	if err != nil {
		return nil, err
	}
	data := *s.Data
	data.Scaling = nil
	for _, p := range []**Part{&data.Train, &data.Test} {
		if *p != nil {
			raw := **p
			raw.X = raw.Table.X
			*p = &raw
		}
	}
	return &Subject{&data, c, s.Regressor}, nil
}

// unscaled returns the classifier of rows that are not scaled.
func (s *Subject) unscaled() (classifier.Classifier, error) {
	switch c := s.Classifier.(type) {
	case *classifier.Tree:
		tree, err := unscaledTree(c, s.Scaling)
		if err != nil || c.Categories() == nil {
			return tree, err
		}
		return classifier.NewEnsemble([]*classifier.Tree{tree},
			classifier.EnsembleOptions{Categories: c.Categories()})
	case *classifier.Ensemble:
		if c.Classes() != c.Tree(0).Classes() {
			return nil, errors.ErrUnsupported // the label says whether a probability is reached
		}
		trees := make([]*classifier.Tree, c.Len())
		for i := range trees {
			tree, err := unscaledTree(c.Tree(i), s.Scaling)
			if err != nil {
				return nil, err
			}
			trees[i] = tree
		}
		return classifier.NewEnsemble(trees, c.Options())
	}
	return nil, errors.ErrUnsupported
}

func unscaledTree(t *classifier.Tree, m *dataset.MinMax) (*classifier.Tree, error) {
	nodes := t.Nodes()
	for i := range nodes {
		n := &nodes[i]
		if n.Left < 0 || math.IsInf(n.Threshold, 1) {
			continue
		}
		last := func(threshold float64) (float64, error) {
			last, ok := precise.Last(func(v float64) bool {
				return goesLeft(t.Comparison(), m.At(n.Feature, v), threshold)
			})
			if !ok {
				return 0, fmt.Errorf("--scale minmax: threshold %v of feature %d lies beyond all "+
					"float64 in the units of the files", threshold, n.Feature)
			}
			return last, nil
		}
		if err := moveTest(n, last); err != nil {
			return nil, err
		}
	}
	return classifier.NewTree(t.Dim(), classifier.AtMostFloat64, nodes)
}

// moveTest moves the thresholds of a test. Of a set two may become one, behind which values go on
// as they went before both.
func moveTest(n *classifier.TreeNode, move func(float64) (float64, error)) (err error) {
	if n.Thresholds == nil {
		n.Threshold, err = move(n.Threshold)
		return err
	}
	var moved []float64
	for _, threshold := range n.Thresholds {
		v, err := move(threshold)
		if err != nil {
			return err
		}
		if k := len(moved) - 1; k >= 0 && moved[k] == v {
			moved = moved[:k]
		} else {
			moved = append(moved, v)
		}
	}
	switch len(moved) {
	case 0:
		n.Threshold, n.Thresholds = math.Inf(1), nil
	case 1:
		n.Threshold, n.Thresholds = moved[0], nil
	default:
		n.Thresholds = moved
	}
	return nil
}

// goesLeft reports whether a test sends v left.
func goesLeft(c classifier.Comparison, v, threshold float64) bool {
	switch c {
	case classifier.AtMostFloat32:
		return float64(float32(v)) <= threshold
	case classifier.BelowFloat32:
		return float64(float32(v)) < threshold
	case classifier.BelowFloat64:
		return v < threshold
	}
	return v <= threshold
}

// Unscale returns an example for a test row in the units of the file. What the example leaves as it
// is in the row keeps the very value of the file. The rest is rounded, away from the row if need
// be: scaled again, the classifier labels it as it labels the example. A category is not rounded,
// for it was not scaled. The example lies in the domain, in the same units, nil for any.
func (s *Subject) Unscale(row int, example []float64, label int, domain polytope.Box) []float64 {
	if s.Scaling == nil {
		return example
	}
	x, raw := s.Test.Row(row)
	out := make([]float64, len(example))
	move := func(j int, v float64) {
		if domain != nil {
			v = geometry.Nearest(domain[j], v)
		}
		out[j] = v
	}
	for j, v := range example {
		out[j] = raw[j]
		switch {
		case s.category(j):
			out[j] = v
		case v != x[j]:
			move(j, (v-s.Scaling.Shift[j])/s.Scaling.Scale[j])
		}
	}
	const most = 1 << 20 // units in the last place: 1e-10 of a value
	for far := 1.0; far <= most; far *= 2 {
		if s.labels(out) == label {
			return out
		}
		for j, v := range example {
			if v != x[j] && !s.category(j) {
				move(j, beyond(out[j], v > x[j], far))
			}
		}
	}
	return out
}

// category reports whether the model declares a feature to be one.
func (d *Data) category(j int) bool { return j < len(d.Categories) && d.Categories[j] > 0 }

// UnscaleInterval returns the values of a feature in the units of the file that lie in a closed
// interval once they are scaled.
func (s *Subject) UnscaleInterval(j int, i polytope.Interval) polytope.Interval {
	if s.Scaling == nil {
		return i
	}
	m := s.Scaling
	if last, ok := precise.Last(func(v float64) bool { return m.At(j, v) < i.Lo }); ok {
		i.Lo = math.Nextafter(last, math.Inf(1))
	}
	if !math.IsInf(i.Hi, 1) {
		i.Hi, _ = precise.Last(func(v float64) bool { return m.At(j, v) <= i.Hi })
	}
	return i
}

// beyond moves a value up or down by some units in its last place.
func beyond(v float64, up bool, units float64) float64 {
	step := units * (math.Nextafter(math.Abs(v), math.Inf(1)) - math.Abs(v))
	if up {
		return v + step
	}
	return v - step
}

// labels returns the class of a point in the units of the file.
func (s *Subject) labels(raw []float64) int {
	scaled, err := s.Scaling.Row(raw)
	if err != nil {
		return -1
	}
	return s.Classifier.Predict(scaled)
}
