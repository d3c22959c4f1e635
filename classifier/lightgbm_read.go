package classifier

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ReadLightGBM reads a classifier that LightGBM (versions 3 and 4) trained, from the
// text that its save_model writes: gbdt, goss or dart with numerical splits and
// the objective binary or multiclass. docs/models.md says what is refused; those
// errors wrap errors.ErrUnsupported besides.
//
// It predicts as LightGBM does: x ≤ threshold goes left in float64, |x| ≤ 1e-35 is
// read as 0, NaN goes where the node's kind of missing values sends it, and sums
// are float64. Errors wrap ErrModel and name the line.
func ReadLightGBM(r io.Reader) (*Ensemble, error) {
	trees, opts, err := readLightGBM(r)
	if err != nil {
		return nil, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	return NewEnsemble(trees, opts)
}

func readLightGBM(r io.Reader) ([]*Tree, EnsembleOptions, error) {
	text, err := readModel(r)
	if err != nil {
		return nil, EnsembleOptions{}, err
	}
	file, err := parseLightGBM(string(text))
	if err != nil {
		return nil, EnsembleOptions{}, err
	}
	m := lightgbmModel{lightgbmFile: file, limit: limitOf(int64(len(text)))}
	if err := m.check(); err != nil {
		return nil, EnsembleOptions{}, err
	}
	opts, err := m.options()
	if err != nil {
		return nil, opts, err
	}
	trees, err := m.decode()
	return trees, opts, err
}

// lightgbmMagic is the first line of a file.
const lightgbmMagic = "tree"

// lightgbmFile holds the lines of a file up to "end of trees"; what follows is for
// people.
type lightgbmFile struct {
	header lightgbmSection
	trees  []lightgbmSection
}

// lightgbmSection holds lines "key=value" by key.
type lightgbmSection map[string]lightgbmLine

type lightgbmLine struct {
	number int
	value  string
}

func parseLightGBM(text string) (*lightgbmFile, error) {
	f := &lightgbmFile{header: lightgbmSection{}}
	section, number := f.header, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		key, value, ok := strings.Cut(line, "=")
		switch {
		case number == 1:
			if line != lightgbmMagic {
				return nil, fmt.Errorf("line 1: %.20q, want %q: not the text of LightGBM's save_model", line, lightgbmMagic)
			}
		case line == "":
		case line == "end of trees":
			return f, nil
		case key == "Tree":
			if value != strconv.Itoa(len(f.trees)) {
				return nil, fmt.Errorf("line %d: Tree is %.20q, want %d", number, value, len(f.trees))
			}
			section = lightgbmSection{}
			f.trees = append(f.trees, section)
		case !ok && len(f.trees) > 0:
			return nil, fmt.Errorf("line %d: tree %d: %.20q has no =", number, len(f.trees)-1, line)
		default:
			if before, twice := section[key]; twice {
				return nil, fmt.Errorf("line %d: %.20s again, after line %d", number, key, before.number)
			}
			section[key] = lightgbmLine{number, value}
		}
	}
	return nil, fmt.Errorf("line %d: the file ends before \"end of trees\"", number)
}

// integer returns a number of the section; nil stands for a number that must be there.
func (s lightgbmSection) integer(key string, absent *int) (int, error) {
	line, ok := s[key]
	if !ok && absent != nil {
		return *absent, nil
	}
	if !ok {
		return 0, fmt.Errorf("%s is missing", key)
	}
	v, err := strconv.Atoi(line.value)
	if err != nil {
		return 0, s.errorf(key, "%.20q is no integer", line.value)
	}
	return v, nil
}

// errorf describes a fault in the line of a key.
func (s lightgbmSection) errorf(key, format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %w", s[key].number, key, fmt.Errorf(format, args...))
}

// lightgbmList returns the numbers of a line, which must be so many.
func lightgbmList[T any](s lightgbmSection, key string, count int, parse func(string) (T, error)) ([]T, error) {
	line, ok := s[key]
	words := strings.Fields(line.value)
	if !ok && count > 0 {
		return nil, fmt.Errorf("%s is missing", key)
	}
	if len(words) != count {
		return nil, s.errorf(key, "%d numbers, want %d", len(words), count)
	}
	values := make([]T, count)
	for i, word := range words {
		v, err := parse(word)
		if err != nil {
			return nil, s.errorf(key, "number %d: %.20q: %w", i, word, err)
		}
		values[i] = v
	}
	return values, nil
}

// finite parses a number.
func finite(word string) (float64, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0, errors.New("no number")
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, errors.New("not finite")
	}
	return v, nil
}

// lightgbmModel is a file being understood.
type lightgbmModel struct {
	*lightgbmFile
	features int
	groups   int // of trees: one, or one for each class
	classes  int
	limit    valueLimit
}

func (m *lightgbmModel) check() error {
	h := m.header
	if v := h["version"].value; v != "v3" && v != "v4" {
		return h.errorf("version", "%.20q, want v3 or v4: %w", v, errors.ErrUnsupported)
	}
	if _, ok := h["average_output"]; ok {
		return h.errorf("average_output", "a random forest: %w", errors.ErrUnsupported)
	}
	last, err1 := h.integer("max_feature_idx", nil)
	classes, err2 := h.integer("num_class", nil)
	groups, err3 := h.integer("num_tree_per_iteration", &classes)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	switch {
	case last < 0 || last >= mostFeatures:
		return h.errorf("max_feature_idx", "%d, want 0 to %d", last, mostFeatures-1)
	case groups != classes:
		return h.errorf("num_tree_per_iteration", "%d for %d classes", groups, classes)
	case len(m.trees) == 0:
		return errors.New("no trees")
	case groups < 1 || len(m.trees)%groups != 0:
		return h.errorf("num_tree_per_iteration", "%d, and there are %d trees", groups, len(m.trees))
	}
	if sizes, ok := h["tree_sizes"]; ok && len(strings.Fields(sizes.value)) != len(m.trees) {
		return h.errorf("tree_sizes", "%d numbers for %d trees", len(strings.Fields(sizes.value)), len(m.trees))
	}
	m.features, m.groups, m.classes = last+1, groups, max(groups, 2)
	return nil
}

// options returns how the trees vote.
func (m *lightgbmModel) options() (EnsembleOptions, error) {
	h := m.header
	name, parameter, _ := strings.Cut(strings.TrimSpace(h["objective"].value), " ")
	switch {
	case name == "binary" && m.groups == 1:
		text, ok := strings.CutPrefix(parameter, "sigmoid:")
		sigmoid, err := finite(text)
		if !ok || err != nil || sigmoid <= 0 {
			return EnsembleOptions{}, h.errorf("objective", "%.40q, want binary sigmoid: and a positive number", h["objective"].value)
		}
		return logistic(sigmoid), nil
	case name == "multiclass" && m.groups > 1:
		if parameter != fmt.Sprintf("num_class:%d", m.groups) {
			return EnsembleOptions{}, h.errorf("objective", "%.40q of %d classes", h["objective"].value, m.groups)
		}
		return EnsembleOptions{Vote: SoftmaxVote}, nil
	}
	return EnsembleOptions{}, h.errorf("objective", "%.40q with num_class %d is neither binary nor multiclass: %w", h["objective"].value, m.groups, errors.ErrUnsupported)
}

// logistic returns the vote for label 1 when 1/(1+exp(−sigmoid·sum)) exceeds 1/2.
func logistic(sigmoid float64) EnsembleOptions {
	if sigmoid == 1 {
		return EnsembleOptions{Vote: LogisticVote}
	}
	// In float64 that is so when sigmoid·sum > 1.5·2⁻⁵³: below, exp rounds to 1 or
	// the number before, and the denominator to 2. tie becomes the largest sum
	// that is not enough.
	const most = 0x1.8p-53
	tie := most / sigmoid
	for tie*sigmoid > most {
		tie = math.Nextafter(tie, 0)
	}
	for math.Nextafter(tie, math.MaxFloat64)*sigmoid <= most {
		tie = math.Nextafter(tie, math.MaxFloat64)
	}
	return EnsembleOptions{Vote: SumVote, Base: []float64{tie, 0}}
}

func (m *lightgbmModel) decode() ([]*Tree, error) {
	trees := make([]*Tree, len(m.trees))
	classValues := labels(m.classes)
	for i := range trees {
		nodes, err := m.nodes(i)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		if trees[i], err = NewTree(m.features, AtMostFloat64, nodes); err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		trees[i].classValues = classValues
	}
	return trees, nil
}

// nodes returns the nodes of tree i.
func (m *lightgbmModel) nodes(i int) ([]TreeNode, error) {
	s := m.trees[i]
	leaves, err := s.leaves()
	if err != nil {
		return nil, err
	}
	nodes, err := s.splits(leaves, m.features)
	if err != nil {
		return nil, err
	}
	leaf, err := lightgbmList(s, "leaf_value", leaves, finite)
	if err != nil {
		return nil, err
	}
	for range leaf {
		nodes = append(nodes, TreeNode{Feature: -1, Left: -1, Right: -1})
	}
	sorted, order, err := ordered(nodes)
	if err == nil && len(sorted) < len(nodes) {
		err = fmt.Errorf("%d of %d nodes are not below node 0", len(nodes)-len(sorted), len(nodes))
	}
	if err != nil {
		return nil, s.errorf("left_child", "%w", err)
	}
	values := make([]float64, len(sorted))
	for j, n := range sorted {
		if n.Left < 0 {
			values[j] = leaf[order[j]-(leaves-1)]
		}
	}
	class := i % m.groups
	if m.groups == 1 {
		class = 1 // a margin in favour of label 1
	}
	return sorted, m.limit.place(sorted, values, class, m.classes)
}

// leaves returns the number of leaves of a tree that can be read.
func (s lightgbmSection) leaves() (int, error) {
	var none int
	leaves, err1 := s.integer("num_leaves", nil)
	categorical, err2 := s.integer("num_cat", nil)
	linear, err3 := s.integer("is_linear", &none)
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, err
	}
	switch {
	case leaves < 1:
		return 0, s.errorf("num_leaves", "%d", leaves)
	case categorical != 0:
		return 0, s.errorf("num_cat", "%d categorical splits: %w", categorical, errors.ErrUnsupported)
	case linear != 0:
		return 0, s.errorf("is_linear", "%d: linear models in the leaves: %w", linear, errors.ErrUnsupported)
	}
	return leaves, nil
}

// splits returns the inner nodes of a tree.
func (s lightgbmSection) splits(leaves, features int) ([]TreeNode, error) {
	n := leaves - 1
	feature, err1 := lightgbmList(s, "split_feature", n, strconv.Atoi)
	threshold, err2 := lightgbmList(s, "threshold", n, finite)
	decision, err3 := lightgbmList(s, "decision_type", n, strconv.Atoi)
	left, err4 := lightgbmList(s, "left_child", n, strconv.Atoi)
	right, err5 := lightgbmList(s, "right_child", n, strconv.Atoi)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	nodes := make([]TreeNode, n)
	for i := range nodes {
		if feature[i] < 0 || feature[i] >= features {
			return nil, s.errorf("split_feature", "%d of split %d, want 0 to %d", feature[i], i, features-1)
		}
		missingLeft, err := missing(decision[i], threshold[i])
		if err != nil {
			return nil, s.errorf("decision_type", "%d of split %d: %w", decision[i], i, err)
		}
		nodes[i] = TreeNode{Feature: feature[i], Threshold: flushed(threshold[i]), Left: left[i], Right: right[i], MissingLeft: missingLeft}
		if err := errors.Join(s.child("left_child", i, leaves, &nodes[i].Left), s.child("right_child", i, leaves, &nodes[i].Right)); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// child renumbers a child of split i, so that leaves, which the file has as −1, −2,
// …, count on after the splits.
func (s lightgbmSection) child(key string, i, leaves int, child *int) error {
	if *child < -leaves || *child >= leaves-1 {
		return s.errorf(key, "%d of split %d, want %d to %d", *child, i, -leaves, leaves-2)
	}
	if *child < 0 {
		*child = leaves - 2 - *child
	}
	return nil
}

// missing returns whether a split sends NaN left. Bit 0 of its decision type says
// that it is categorical, bit 1 that missing values go left, bits 2 and 3 what is
// missing: nothing, zeros or NaN. A NaN that is not missing counts as 0.
func missing(decision int, threshold float64) (left bool, err error) {
	defaultLeft, zeroLeft := decision&2 != 0, 0 <= threshold
	switch {
	case decision < 0 || decision >= 12:
		return false, errors.New("want 0 to 11")
	case decision&1 != 0:
		return false, fmt.Errorf("a categorical split: %w", errors.ErrUnsupported)
	case decision>>2 == 0:
		return zeroLeft, nil
	case decision>>2 == 1 && defaultLeft != zeroLeft:
		return false, fmt.Errorf("zeros are missing and go another way than the threshold %v sends them: %w", threshold, errors.ErrUnsupported)
	}
	return defaultLeft, nil
}

// lightgbmZero is the size up to which LightGBM reads an input as 0.
const lightgbmZero = float64(float32(1e-35))

// flushed returns the threshold that sends inputs left as LightGBM sends them with
// threshold t after it has read small ones as 0.
func flushed(t float64) float64 {
	switch {
	case t >= 0 && t < lightgbmZero:
		return lightgbmZero
	case t < 0 && t >= -lightgbmZero:
		return math.Nextafter(-lightgbmZero, math.Inf(-1))
	}
	return t
}
