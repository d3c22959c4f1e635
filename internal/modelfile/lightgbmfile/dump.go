package lightgbmfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// dump is the JSON of dump_model, as far as it is needed.
type dump struct {
	_ struct{} `ignored:"name label_index monotone_constraints feature_importances"`

	Version   string   `json:"version"`
	Classes   int      `json:"num_class"`
	Groups    int      `json:"num_tree_per_iteration"`
	Last      int      `json:"max_feature_idx"`
	Objective string   `json:"objective"`
	Averages  bool     `json:"average_output"`
	Columns   []string `json:"feature_names"`
	Infos     map[string]struct {
		Least   *float64 `json:"min_value"`
		Largest *float64 `json:"max_value"`
		Values  []int    `json:"values"`
	} `json:"feature_infos"`
	Names []json.RawMessage `json:"pandas_categorical"`
	Trees []struct {
		_    struct{} `ignored:"tree_index num_leaves num_cat shrinkage"`
		Root dumped   `json:"tree_structure"`
	} `json:"tree_info"`
}

// Unknown refuses all other keys.
func (d *dump) Unknown(within, key string) error {
	return models.LightGBM.Unknown(models.InObject(within, key), d.Version)
}

// dumped is a node: a leaf, or a split with two children.
type dumped struct {
	_ struct{} `ignored:"split_index split_gain internal_value internal_weight internal_count"`
	_ struct{} `ignored:"leaf_index leaf_weight leaf_count"`

	Feature     int             `json:"split_feature"`
	Threshold   json.RawMessage `json:"threshold"` // a number, or "1||4" for a set
	Decision    string          `json:"decision_type"`
	DefaultLeft bool            `json:"default_left"`
	Missing     string          `json:"missing_type"`
	Left        *dumped         `json:"left_child"`
	Right       *dumped         `json:"right_child"`
	Value       *float64        `json:"leaf_value"`
	// of a linear model in the leaf
	Constant     *float64        `json:"leaf_const"`
	Terms        json.RawMessage `json:"leaf_features"`
	Coefficients json.RawMessage `json:"leaf_coeff"`
}

// ReadJSON reads a dump.
func ReadJSON(text []byte) (*models.Model, error) {
	var d dump
	if err := models.DecodeJSON(text, &d); err != nil {
		return nil, err
	}
	f := &file{header: &section{lines: map[string]line{}}}
	set := func(key, format string, args ...any) {
		f.header.lines[key] = line{value: fmt.Sprintf(format, args...)}
	}
	set("version", "%s", d.Version)
	set("num_class", "%d", d.Classes)
	set("num_tree_per_iteration", "%d", d.Groups)
	set("max_feature_idx", "%d", d.Last)
	set("objective", "%s", d.Objective)
	if d.Averages {
		set("average_output", "")
	}
	set("feature_names", "%s", strings.Join(d.Columns, " "))
	infos := make([]string, len(d.Columns))
	for i, name := range d.Columns {
		infos[i] = "none"
		info := d.Infos[name]
		if len(info.Values) > 0 {
			infos[i] = strings.Trim(strings.ReplaceAll(fmt.Sprint(info.Values), " ", ":"), "[]")
		} else if info.Least != nil && info.Largest != nil {
			infos[i] = fmt.Sprintf("[%v:%v]", *info.Least, *info.Largest)
		}
	}
	set("feature_infos", "%s", strings.Join(infos, " "))
	for i := range d.Trees {
		s, err := d.Trees[i].Root.section()
		if err != nil {
			return nil, trees.AtTree(i, err)
		}
		f.trees = append(f.trees, s)
	}
	f.names.lists = d.Names
	return f.model(len(text))
}

// lists are the arrays of a tree, as words.
type lists struct {
	feature, threshold, decision, left, right, leaf []string
	ends, words                                     []string // of sets
	linear                                          bool
}

// section returns the lines that the text has for a tree.
func (root *dumped) section() (*section, error) {
	var l lists
	if _, err := l.add(root); err != nil {
		return nil, err
	}
	s := &section{lines: map[string]line{}}
	for key, words := range map[string][]string{
		"num_leaves": {strconv.Itoa(len(l.leaf))}, "num_cat": {strconv.Itoa(len(l.ends))},
		"split_feature": l.feature, "threshold": l.threshold, "decision_type": l.decision,
		"left_child": l.left, "right_child": l.right, "leaf_value": l.leaf,
		"cat_boundaries": append([]string{"0"}, l.ends...), "cat_threshold": l.words,
	} {
		s.lines[key] = line{value: strings.Join(words, " ")}
	}
	if l.linear {
		s.lines["is_linear"] = line{value: "1"}
	}
	return s, nil
}

// add adds a node and its subtrees, and returns its number: that of a leaf counts from −1 down.
func (l *lists) add(n *dumped) (int, error) {
	if n.Left == nil && n.Right == nil {
		if n.Value == nil {
			return 0, errors.New("a leaf without leaf_value")
		}
		l.linear = l.linear || n.Constant != nil || n.Terms != nil || n.Coefficients != nil
		l.leaf = append(l.leaf, number(*n.Value))
		return -len(l.leaf), nil
	}
	if n.Left == nil || n.Right == nil {
		return 0, errors.New("a split with one child")
	}
	decision, err := l.decide(n)
	if err != nil {
		return 0, err
	}
	i := len(l.feature)
	l.feature, l.decision = append(l.feature, strconv.Itoa(n.Feature)), append(l.decision,
		strconv.Itoa(decision))
	l.left, l.right = append(l.left, ""), append(l.right, "")
	left, err := l.add(n.Left)
	if err != nil {
		return 0, err
	}
	right, err := l.add(n.Right)
	l.left[i], l.right[i] = strconv.Itoa(left), strconv.Itoa(right)
	return i, err
}

// decide adds the threshold of a split, and returns its decision type.
func (l *lists) decide(n *dumped) (int, error) {
	missing := slices.Index([]string{"None", "Zero", "NaN"}, n.Missing)
	if missing < 0 {
		return 0, fmt.Errorf("missing_type is %.40q", n.Missing)
	}
	decision := missing << 2
	if n.DefaultLeft {
		decision |= 2
	}
	switch n.Decision {
	case "<=":
		var threshold float64
		if err := json.Unmarshal(n.Threshold, &threshold); err != nil {
			return 0, fmt.Errorf("threshold: %.40q is no number", n.Threshold)
		}
		l.threshold = append(l.threshold, number(threshold))
		return decision, nil
	case "==":
		var set string
		if err := json.Unmarshal(n.Threshold, &set); err != nil {
			return 0, fmt.Errorf("threshold: %.40q is no set", n.Threshold)
		}
		return decision | 1, l.set(set)
	}
	return 0, fmt.Errorf("decision_type is %.40q", n.Decision)
}

// set adds a set of codes, "1||4", and its number for a threshold.
func (l *lists) set(codes string) error {
	var words []uint32
	for text := range strings.SplitSeq(codes, "||") {
		code, err := strconv.Atoi(text)
		if err != nil || code < 0 || code >= models.MostCodes {
			return fmt.Errorf("threshold: category %.40q, want 0 to %d", text, models.MostCodes-1)
		}
		for len(words) <= code/32 {
			words = append(words, 0)
		}
		words[code/32] |= 1 << (code % 32)
	}
	for _, word := range words {
		l.words = append(l.words, strconv.FormatUint(uint64(word), 10))
	}
	l.threshold = append(l.threshold, strconv.Itoa(len(l.ends)))
	l.ends = append(l.ends, strconv.Itoa(len(l.words)))
	return nil
}

// number writes a number as the text has it.
func number(v float64) string {
	if v >= 1e300 {
		return "inf" // which JSON has not
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
