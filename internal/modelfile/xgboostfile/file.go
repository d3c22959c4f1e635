package xgboostfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// file is the part of a document that is needed. The trees are read as they come, before their
// meaning is known.
type file struct {
	unknown    string // the first key that is none of those below
	version    []int32
	attributes params
	columns    []string
	params     params
	objective  string
	config     bool // has members that only save_config writes
	booster    booster
}

// booster is the member that holds the trees. Before version 3.3 a dart is a gbtree and the
// weights; since then it has the name of a gbtree, with the weights beside its model, or within
// from 3.4 on.
type booster struct {
	name   string
	params params
	class  []int32 // that each tree adds to
	rounds []int32 // from version 2 on: up to each round, how many trees there are
	trees  []*tree
	beside []float32  // of a dart: the weight of each tree, beside the model
	within []float32  // or within it
	codes  []int32    // up to each feature: how many codes the categories before it have
	names  [][]string // of each feature: the names of its codes, if the file says it
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

// members are the parts of an object that are read, by key: a pointer to the place of its value,
// the members of an object, or a function that reads something else. An ignored part may not
// matter.
type members map[string]any

type ignored struct{}

// texts are members of an object that some key has, whose values are texts.
func (p *params) texts(d document.Reader, of, keys string) members {
	*p = make(params)
	m := make(members)
	for key := range strings.FieldsSeq(keys) {
		m[key] = func() (err error) {
			(*p)[key], err = d.String()
			return within(of, within(key, err))
		}
	}
	return m
}

// read reads an object that some key has, and notes the first key that is unknown.
func (m members) read(d document.Reader, of string, unknown *string) error {
	return d.Object(func(key string) (err error) {
		switch to := m[key].(type) {
		case nil:
			if *unknown == "" {
				*unknown = models.InObject(of, key)
			}
			return d.Skip()
		case ignored:
			return d.Skip()
		case members:
			return to.read(d, key, unknown)
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
	f := &file{attributes: make(params)}
	b := &f.booster
	var c columns // of one tree after the other
	tree := c.members(d)
	model := members{
		"cats": members{
			"feature_segments": &b.codes, "enc": b.readNames(d, &f.unknown),
			"sorted_idx": ignored{},
		},
		"gbtree_model_param": b.params.texts(d, "gbtree_model_param",
			"num_trees num_parallel_tree size_leaf_vector"),
		"iteration_indptr": &b.rounds,
		"tree_info":        &b.class,
		"trees": func() error {
			return d.Array(func(i int) error {
				c.reset()
				if err := tree.read(d, "trees", &f.unknown); err != nil {
					return err
				}
				return b.add(&c, i)
			})
		},
		"weight_drop": &b.within,
	}
	err := members{
		"version": &f.version,
		"learner": members{
			"attributes":    f.readAttributes(d),
			"feature_names": &f.columns,
			"feature_types": ignored{},
			"generic_param": func() error { f.config = true; return d.Skip() },
			"learner_model_param": f.params.texts(d, "learner_model_param",
				"num_feature num_class num_target base_score boost_from_average"),
			"objective": objectiveMembers(&f.objective),
			"gradient_booster": members{
				"gbtree":      members{"model": model, "name": ignored{}}, // of a dart
				"model":       model,
				"name":        &b.name,
				"weight_drop": &b.beside,
			},
		},
	}.read(d, "", &f.unknown)
	if err == nil {
		err = d.Close()
	}
	return f, err
}

// objectiveMembers are the name of the objective, and its parameters.
func objectiveMembers(name *string) members {
	m := members{"name": name}
	for key := range strings.FieldsSeq(`reg_loss_param softmax_multiclass_param
		poisson_regression_param tweedie_regression_param lambda_rank_param lambdarank_param ti+ tj-
		pseudo_huber_param pseduo_huber_param quantile_loss_param expectile_loss_param
		aft_loss_param`) {
		m[key] = ignored{}
	}
	return m
}

// readAttributes reads texts by names that are the user's own.
func (f *file) readAttributes(d document.Reader) func() error {
	return func() error {
		return d.Object(func(name string) (err error) {
			f.attributes[name], err = d.String()
			return within("attributes", within(name, err))
		})
	}
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
