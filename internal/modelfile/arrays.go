package modelfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// A file of arrays is a line with the JSON of facet's own format, without trees, and then the
// arrays of their nodes, of one tree after the other: an array of thresholds, one of values (so
// many outputs a node), of features, of left and of right children, and of whether missing values
// go left. Numbers are little-endian, of 8, 8, 4, 4, 4 and 1 bytes. They need no parsing.

const arraysFormat = "facet-arrays"

// isArrays recognises a file by its first bytes, which are the same in all.
func isArrays(h *head) bool {
	return bytes.HasPrefix(h.text, []byte(`{"format": "`+arraysFormat+`"`))
}

func readArrays(text []byte) (*models.Model, error) {
	line, arrays, _ := bytes.Cut(text, []byte("\n"))
	var f facetFile
	if err := models.DecodeJSON(line, &f); err != nil {
		return nil, err
	}
	if !f.Kind.IsAxis() || f.Trees != nil {
		return nil, fmt.Errorf("kind is %.40q, or the line has trees: want %s, %s or %s, in arrays",
			f.Kind, models.Tree, models.Ensemble, models.Regressor)
	}
	err := f.cut(arrays, len(text)-len(arrays))
	if err != nil {
		return nil, err
	}
	return f.model()
}

// bytesANode is the size of a node without its values.
const bytesANode = 8 + 3*4 + 1

// cut parts the arrays, which begin at a byte of the file, into trees.
func (f *facetFile) cut(arrays []byte, begin int) error {
	total, end := 0, begin+len(arrays)
	for i, n := range f.Nodes {
		if n < 1 || n > len(arrays)-total {
			return trees.AtTree(i, fmt.Errorf("%d nodes", n))
		}
		total += n
	}
	if total == 0 {
		return errors.New("no trees")
	}
	if f.Outputs < 1 || f.Outputs > len(arrays)/8 {
		return fmt.Errorf("outputs is %d", f.Outputs)
	}
	if want := total * (bytesANode + 8*f.Outputs); len(arrays) != want {
		return trees.AtByte(min(end, begin+want), fmt.Errorf("arrays of %d bytes, want %d of %d "+
			"nodes of %d outputs", len(arrays), want, total, f.Outputs))
	}
	take := func(size int) (array []byte) {
		array, arrays = arrays[:size*total], arrays[size*total:]
		return array
	}
	all := nodeArrays{
		thresholds: take(8), values: doubles(take(8 * f.Outputs)), features: take(4),
		left: take(4), right: take(4), missing: take(1),
	}
	for i, left := range all.missing {
		if left > 1 {
			return trees.AtByte(end-total+i, fmt.Errorf("missing left is %d, want 0 or 1", left))
		}
	}
	for _, n := range f.Nodes {
		f.arrays = append(f.arrays, all.next(n, f.Outputs))
	}
	return nil
}

// doubles decodes an array.
func doubles(array []byte) []float64 {
	values := make([]float64, len(array)/8)
	for i := range values {
		values[i] = double(array, i)
	}
	return values
}

func double(array []byte, i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(array[8*i:]))
}

func integer(array []byte, i int) int { return int(int32(binary.LittleEndian.Uint32(array[4*i:]))) }

// nodeArrays are the nodes of a tree.
type nodeArrays struct {
	thresholds, features, left, right, missing []byte
	values                                     []float64
}

// next takes the next tree of so many nodes.
func (a *nodeArrays) next(n, outputs int) *nodeArrays {
	t := &nodeArrays{
		thresholds: a.thresholds[:8*n], features: a.features[:4*n], left: a.left[:4*n],
		right: a.right[:4*n], missing: a.missing[:n], values: a.values[:n*outputs],
	}
	*a = nodeArrays{
		thresholds: a.thresholds[8*n:], features: a.features[4*n:], left: a.left[4*n:],
		right: a.right[4*n:], missing: a.missing[n:], values: a.values[n*outputs:],
	}
	return t
}

func (a *nodeArrays) Len() int { return len(a.missing) }

func (a *nodeArrays) Read(i int, n *trees.Node) {
	outputs := len(a.values) / len(a.missing)
	if n.Weights != nil || n.Thresholds != nil {
		*n = trees.Node{}
	}
	n.Feature, n.Threshold = integer(a.features, i), double(a.thresholds, i)
	n.Left, n.Right = integer(a.left, i), integer(a.right, i)
	n.MissingLeft, n.Value = a.missing[i] == 1, a.values[i*outputs:(i+1)*outputs]
}

// plain returns the trees of the file, of so many classes or outputs a node.
func (f *facetFile) plain(oblique bool, classes int) ([]trees.Plain, error) {
	if f.arrays == nil {
		return decodeTrees(f.Trees, oblique, classes, "class frequencies")
	}
	if f.Outputs != classes {
		return nil, fmt.Errorf("outputs is %d, want %d", f.Outputs, classes)
	}
	return f.arrays, nil
}
