package xgboostfile

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/document"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// file is the part of a document that is needed. The trees are read as they come, before
// what they mean is known.
type file struct {
	version    []int32
	attributes params
	columns    []string
	params     params
	objective  string
	config     bool // has what only save_config writes
	booster    booster
}

// booster is what holds the trees: of a dart, a gbtree besides the weights.
type booster struct {
	name    string
	params  params
	class   []int32 // that each tree adds to
	trees   []*tree
	weights []float32  // of a dart: of each tree
	codes   []int32    // up to each feature: how many codes the categories before it have
	names   [][]string // of each feature: what its codes are called, if the file says it
}

// params are numbers that the file has for strings.
type params map[string]string

// integer reads a number, if it is there, into v.
func (p params) integer(key string, v *int) (err error) {
	if text, ok := p[key]; ok {
		if *v, err = strconv.Atoi(text); err != nil {
			return fmt.Errorf("%s: %q is no integer", key, text)
		}
	}
	return nil
}

// members are what is read of an object, by key: a pointer to what its value becomes, the
// members of an object, or a function that reads something else. The rest is skipped.
type members map[string]any

func (m members) read(d document.Reader) error {
	return d.Object(func(key string) (err error) {
		switch to := m[key].(type) {
		case nil:
			return d.Skip()
		case members:
			return to.read(d)
		case func() error:
			return to()
		case *string:
			*to, err = d.String()
		case *[]int32:
			*to, err = d.Ints((*to)[:0])
		case *[]float32:
			*to, err = d.Floats((*to)[:0])
		case *[]float64:
			*to, err = d.Doubles((*to)[:0])
		case *[]bool:
			*to, err = d.Bools((*to)[:0])
		case *[]string:
			err = d.Array(func(int) error {
				s, err := d.String()
				*to = append(*to, s)
				return err
			})
		case *params:
			if *to == nil {
				*to = make(params)
			}
			err = d.Object(func(name string) (err error) {
				(*to)[name], err = d.String()
				return within(name, err)
			})
		}
		return within(key, err)
	})
}

// within says of which key an error is, at the place that it has.
func within(key string, err error) error {
	if err == nil {
		return nil
	}
	var f *trees.Fault
	if errors.As(err, &f) {
		f.Err = fmt.Errorf("%s: %w", key, f.Err)
	}
	return err
}

// readFile reads a document to its end.
func readFile(d document.Reader) (*file, error) {
	f := new(file)
	b := &f.booster
	var c columns // of one tree after the other
	tree := c.members()
	model := members{
		"cats":               members{"feature_segments": &b.codes, "enc": b.readNames(d)},
		"gbtree_model_param": &b.params,
		"tree_info":          &b.class,
		"trees": func() error {
			return d.Array(func(i int) error {
				c.reset()
				if err := tree.read(d); err != nil {
					return err
				}
				return b.add(&c, i)
			})
		},
	}
	err := members{
		"version": &f.version,
		"learner": members{
			"attributes":          &f.attributes,
			"feature_names":       &f.columns,
			"generic_param":       func() error { f.config = true; return d.Skip() },
			"learner_model_param": &f.params,
			"objective":           members{"name": &f.objective},
			"gradient_booster": members{
				"gbtree":      members{"model": model}, // of a dart
				"model":       model,
				"name":        &b.name,
				"weight_drop": &b.weights,
			},
		},
	}.read(d)
	if err == nil {
		err = d.Close()
	}
	return f, err
}

// add adds the next tree.
func (b *booster) add(c *columns, i int) error {
	t, err := c.tree()
	if err != nil {
		return trees.AtTree(i, err)
	}
	b.trees = append(b.trees, t)
	return nil
}
