package modelfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Write writes a model as a file of facet's own format, which Read reads back bit for
// bit. It returns an error for a model that Read refuses to read.
func (m *Model) Write(w io.Writer) error {
	f := facetFile{Format: facetFormat, Version: 1, Kind: m.Kind, Features: m.Dim, Classes: m.ClassValues, K: m.K, Rows: m.Rows, Labels: m.Labels}
	if err := checkHead(f.Version, f.Features, f.Classes); err != nil {
		return err
	}
	axis := m.Kind == Tree || m.Kind == Ensemble
	if axis {
		f.Comparison = comparisons[m.Comparison]
	}
	for _, nodes := range m.Trees {
		f.Trees = append(f.Trees, encode(nodes, axis))
	}
	if m.Kind == Ensemble || m.Kind == ObliqueEnsemble {
		f.Vote, f.Single = rules[m.Vote.Rule], m.Vote.Single
		if m.Vote.Rule >= trees.Sum {
			f.Base = m.Vote.Base
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(f); err != nil {
		return err
	}
	if text.Len() > mostBytes {
		return fmt.Errorf("%d bytes, more than the %d that are read", text.Len(), mostBytes)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// encode returns the columns of the nodes of a tree.
func encode(nodes []trees.Node, axis bool) columns {
	var c columns
	missing, infinite := make([]bool, len(nodes)), make([]int, len(nodes))
	for i, n := range nodes {
		if axis {
			c.Feature = append(c.Feature, n.Feature)
		} else {
			c.Weights = append(c.Weights, n.Weights)
		}
		switch {
		case math.IsInf(n.Threshold, 0) && n.Left >= 0:
			infinite[i] = int(math.Copysign(1, n.Threshold))
			n.Threshold, c.Infinite = 0, infinite
		case math.IsInf(n.Threshold, 0) || math.IsNaN(n.Threshold):
			n.Threshold = 0 // a leaf's, which means nothing
		}
		if missing[i] = n.MissingLeft; n.MissingLeft {
			c.MissingLeft = missing
		}
		c.Threshold = append(c.Threshold, n.Threshold)
		c.Left, c.Right, c.Value = append(c.Left, n.Left), append(c.Right, n.Right), append(c.Value, n.Value)
	}
	return c
}
