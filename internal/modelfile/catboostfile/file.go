package catboostfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// file is the part of the file that is needed.
type file struct {
	Features  featuresInfo     `json:"features_info"`
	Tables    map[string]table `json:"ctr_data"`
	Info      info             `json:"model_info"`
	Symmetric []symmetric      `json:"oblivious_trees"`
	Nested    []nested         `json:"trees"`
	Scale     []models.Numbers `json:"scale_and_bias"`
}

// info is metadata of CatBoost and of its user about a model.
type info struct {
	_ struct{} `ignored:"model_guid train_finish_time output_options training"`

	Version string       `json:"catboost_version_info"`
	Classes *classParams `json:"class_params"`
	Params  struct {
		Loss     loss           `json:"loss_function"`
		Metadata map[string]any `json:"metadata"` // of the user, which CatBoost adds to the info
		_        struct{}       `ignored:"boosting_options cat_feature_params metrics task_type"`
		_        struct{}       `ignored:"data_processing_options tree_learner_options flat_params"`
		_        struct{}       `ignored:"system_options pool_metainfo_options random_seed"`
		_        struct{}       `ignored:"detailed_profile logging_level"`
	} `json:"params"`
	Loss      string `json:"loss_function"` // JSON, of a sum of models
	Threshold any    `json:"binclass_probability_threshold"`
}

type loss struct {
	_    struct{} `ignored:"params"`
	Type string   `json:"type"`
}

// ofSum recognises the keys of a sum of models about each of them.
var ofSum = regexp.MustCompile(`^model\d+:`)

// release finds the version in CatBoost's description of its own code.
var release = regexp.MustCompile(`\bv([\d.]*)`)

// Unknown refuses all other keys but those of the user's own in the info, and those of a sum of
// models about each of them.
func (f *file) Unknown(within, key string) error {
	if _, own := f.Info.Params.Metadata[key]; within == "model_info" &&
		(own || ofSum.MatchString(key)) {
		return nil
	}
	version := release.FindStringSubmatch(f.Info.Version + " v")[1]
	return models.CatBoost.Unknown(models.InObject(within, key), version)
}

// classParams are the labels: those of training, and which of them each class has. Without
// names these are the labels themselves.
type classParams struct {
	_      struct{}  `ignored:"class_label_type"`
	Names  []any     `json:"class_names"`
	Labels []float64 `json:"class_to_label"`
	Count  float64   `json:"classes_count"` // 0 if nobody asked for so many
}

// probabilities are the predictions of classifiers, by their loss functions.
var probabilities = map[string]trees.Chances{
	"Logloss": trees.Logit, "CrossEntropy": trees.Logit, "Focal": trees.Logit,
	"MultiClass": trees.Odds, "MultiClassOneVsAll": trees.OneByOne,
}

// Read reads the text of a file.
func Read(text []byte) (*models.Model, error) {
	var f file
	if err := models.DecodeJSON(text, &f); err != nil {
		return nil, err
	}
	kind, classes, outputs, err := f.classes()
	if err != nil {
		return nil, err
	}
	scale, bias, err := f.scale(outputs)
	if err != nil {
		return nil, err
	}
	columns, err := f.Features.columns()
	if err != nil {
		return nil, fmt.Errorf("features_info: %w", err)
	}
	for i := range f.Features.Ctrs {
		if err := f.addStatistic(columns, &f.Features.Ctrs[i]); err != nil {
			return nil, fmt.Errorf("ctrs: %w", err)
		}
	}
	known, err := f.categories(columns)
	if err != nil {
		return nil, err
	}
	loss, _ := f.loss() // which f.classes has read
	m := &models.Model{
		Kind:         kind,
		Dim:          columns.dim,
		FeatureNames: columns.names,
		Comparison:   trees.AtMostFloat32,
		Vote:         trees.Vote{Rule: trees.Sum, Chances: probabilities[loss]},
	}
	if kind == models.Ensemble {
		if err := f.Info.Classes.label(m, classes); err != nil {
			return nil, fmt.Errorf("class_params: %w", err)
		}
	}
	g := &grower{
		columns: columns, known: known, outputs: outputs, classes: classes, scale: scale,
		zeros: make([]float64, classes), used: make([]map[int]bool, columns.dim),
	}
	if err := f.trees(m, g, bias); err != nil {
		return nil, err
	}
	m.Categories, m.CategoryNames = g.categories()
	return m, nil
}

// trees decodes the trees, and the bias as one more.
func (f *file) trees(m *models.Model, g *grower, bias []float64) error {
	if (len(f.Symmetric) == 0) == (len(f.Nested) == 0) {
		return fmt.Errorf("%d oblivious_trees and %d trees, want those of one kind",
			len(f.Symmetric), len(f.Nested))
	}
	add := func(err error) error {
		if err != nil {
			return trees.AtTree(len(m.Trees), err)
		}
		m.Trees = append(m.Trees, trees.Nodes(g.grown()))
		return nil
	}
	for i := range f.Symmetric {
		if err := add(g.symmetric(&f.Symmetric[i])); err != nil {
			return err
		}
	}
	for i := range f.Nested {
		if err := add(g.nested(&f.Nested[i])); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(bias, func(b float64) bool { return b != 0 }) {
		g.scale = 1
		return add(g.leaf(bias))
	}
	return nil
}

// loss returns the name of the loss function.
func (f *file) loss() (string, error) {
	if f.Info.Loss == "" {
		return f.Info.Params.Loss.Type, nil
	}
	var l loss
	if err := json.Unmarshal([]byte(f.Info.Loss), &l); err != nil {
		return "", fmt.Errorf("loss_function: %w", err)
	}
	return l.Type, nil
}

// classes returns the kind of the model, how many classes there are, and how many values a leaf has
// in the file.
func (f *file) classes() (kind models.Kind, classes, outputs int, err error) {
	name, err := f.loss()
	if err != nil {
		return kind, 0, 0, err
	}
	switch name {
	case "RMSE", "MAE", "Quantile", "Expectile", "Huber", "MAPE", "Lq", "LogCosh":
		return models.Regressor, 1, 1, nil
	case "Logloss", "CrossEntropy", "Focal":
		classes, outputs = 2, 1
	case "MultiClass", "MultiClassOneVsAll":
		if f.Info.Classes != nil {
			classes = len(f.Info.Classes.Labels)
		}
		outputs = classes
	default:
		return kind, 0, 0, models.Unsupported(fmt.Sprintf("a model of CatBoost with the "+
			"loss_function %.40q: Logloss, CrossEntropy, Focal, MultiClass and "+
			"MultiClassOneVsAll are read, and of regressors "+
			"RMSE, MAE, Quantile, Expectile, Huber, MAPE, Lq and LogCosh", name))
	}
	switch t := f.Info.Threshold; {
	case f.Info.Classes == nil:
		err = errors.New("no class_params")
	case classes < 2:
		err = fmt.Errorf("class_params: %d classes, want at least 2", classes)
	case t != nil && fmt.Sprint(t) != "0.5":
		err = models.Unsupported(fmt.Sprintf("binclass_probability_threshold is %.40s: call "+
			"set_probability_threshold(0.5) before save_model", fmt.Sprint(t)))
	}
	return models.Ensemble, classes, outputs, err
}

// scale returns the factor of sums, and the number that is added then. Values can take the
// scale in advance if that is exact.
func (f *file) scale(outputs int) (scale float64, bias []float64, err error) {
	if len(f.Scale) != 2 || len(f.Scale[0]) != 1 || len(f.Scale[1]) != outputs {
		return 0, nil, fmt.Errorf("scale_and_bias is not a number and %d more", outputs)
	}
	scale = f.Scale[0][0]
	if part, _ := math.Frexp(scale); math.Abs(part) != 0.5 {
		return 0, nil, models.Unsupported(
			fmt.Sprintf("the scale of scale_and_bias is %v, and only powers of two are read: "+
				"call set_scale_and_bias(1, bias) before save_model", scale),
		)
	}
	return scale, f.Scale[1], nil
}

// check checks that every class has a label of its own.
func (c *classParams) check(classes int) error {
	if len(c.Labels) != classes {
		return fmt.Errorf("class_to_label has %d numbers for %d classes", len(c.Labels), classes)
	}
	if c.Count != 0 && len(c.Names) > 0 && c.Count != float64(len(c.Names)) {
		return fmt.Errorf("classes_count is %v, and there are %d class_names",
			c.Count, len(c.Names))
	}
	for i, name := range c.Names {
		if reflect.TypeOf(name) != reflect.TypeOf(c.Names[0]) {
			return fmt.Errorf("class_names: %v and %v are of different types",
				c.Names[0], c.Names[i])
		}
	}
	for i, label := range c.Labels {
		if i > 0 && label <= c.Labels[i-1] || label != math.Floor(label) || label < 0 ||
			c.Count != 0 && label >= c.Count || len(c.Names) > 0 && label >= float64(len(c.Names)) {
			return fmt.Errorf("class_to_label of class %d is %v, want whole numbers that ascend, "+
				"each of a label", i, label)
		}
	}
	return nil
}

// label gives a model the labels of its classes: numbers that ascend, or words.
func (c *classParams) label(m *models.Model, classes int) error {
	if err := c.check(classes); err != nil {
		return err
	}
	values, words := make([]float64, classes), make([]string, classes)
	numbered := true
	for i, number := range c.Labels {
		var label any = number
		if len(c.Names) > 0 {
			label = c.Names[int(number)]
		}
		switch label := label.(type) {
		case string:
			words[i], numbered = label, false
		case float64:
			values[i], words[i] = label, strconv.FormatFloat(label, 'g', -1, 64)
		case bool:
			words[i], numbered = strconv.FormatBool(label), false
		default:
			return fmt.Errorf("class %d has neither a word nor a number", i)
		}
		numbered = numbered && (i == 0 || values[i] > values[i-1])
	}
	if numbered {
		m.ClassValues = values
		return nil
	}
	m.ClassValues, m.ClassNames = models.Labels(classes), words
	return models.CheckNames(words, classes)
}

// addStatistic adds the tests of a statistic.
func (f *file) addStatistic(c *columns, s *statistic) error {
	counted, err := f.counted(s)
	if err != nil {
		return err
	}
	c.statistics = append(c.statistics, counted)
	for _, border := range s.Borders {
		c.tests = append(c.tests, known{border: float32(border), statistic: counted})
	}
	return nil
}
