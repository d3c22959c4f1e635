package onnxfile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// Element types of tensors.
const (
	elementFloat  = 1
	elementInt64  = 7
	elementDouble = 11
)

// ensemble returns the only node of the graph that computes anything, and the input that it reads.
// Others may pass numbers on, and after it labels and probabilities.
func (g *graph) ensemble() (n *node, in tensor, err error) {
	makers := make(map[string]*node) // of each value but inputs
	for i := range g.nodes {
		next := &g.nodes[i]
		switch next.op {
		case "TreeEnsembleClassifier", "TreeEnsembleRegressor":
			if n != nil {
				return nil, in, models.Unsupported(
					"an ONNX graph with several tree ensembles: convert the trees to one",
				)
			}
			n = next
		case "Identity", "Cast", "ZipMap":
		default:
			if g.isIdentity(next) {
				break
			}
			return nil, in, models.Unsupported(fmt.Sprintf("an ONNX graph with the operator "+
				"%.40q, and only one TreeEnsembleClassifier or TreeEnsembleRegressor is read, "+
				"with Identity, Cast and ZipMap around it: "+
				"convert the trees alone", next.op))
		}
		for _, name := range next.outputs {
			makers[name] = next
		}
	}
	switch {
	case n == nil:
		return nil, in, models.Unsupported("an ONNX graph without a tree ensemble")
	case len(n.inputs) != 1:
		return nil, in, fmt.Errorf("the %s has %d inputs, want 1", n.op, len(n.inputs))
	}
	in, err = g.source(n.inputs[0], makers)
	return n, in, err
}

// isIdentity recognises a product with 1, which onnxmltools makes of LightGBM without a ZipMap.
func (g *graph) isIdentity(n *node) bool {
	return n.op == "Mul" && len(n.inputs) == 2 && slices.ContainsFunc(n.inputs,
		func(name string) bool {
			return slices.Equal(g.constants[name].floats, []float32{1})
		})
}

// source follows a value back to the input that it is, as the trees read it: in float32 or float64.
func (g *graph) source(name string, makers map[string]*node) (in tensor, err error) {
	cast := false
	for range len(g.nodes) + 1 {
		made, ok := makers[name]
		if !ok {
			break
		}
		if len(made.inputs) != 1 || made.op != "Identity" && made.op != "Cast" {
			return in, models.Unsupported(
				fmt.Sprintf(
					"an ONNX graph whose trees read what %.40s makes: convert the trees alone",
					made.op,
				),
			)
		}
		if made.op == "Cast" {
			if to := made.attributes["to"].number; to != elementFloat {
				return in, models.Unsupported(
					fmt.Sprintf("an ONNX graph that casts its input to the element type %d, and "+
						"only FLOAT, 1, is read", to),
				)
			}
			cast = true
		}
		name = made.inputs[0]
	}
	i := slices.IndexFunc(g.inputs, func(t tensor) bool { return t.name == name })
	if i < 0 {
		return in, fmt.Errorf("the trees read %.40q, which is no input of the graph", name)
	}
	in = g.inputs[i]
	if cast && (in.element == elementDouble || in.element == elementInt64) {
		in.element = elementFloat
	}
	switch {
	case in.element != elementFloat && in.element != elementDouble:
		return in, models.Unsupported(fmt.Sprintf("ONNX trees that read a tensor of the element "+
			"type %d: convert with an input of FloatTensorType", in.element))
	case in.dimensions > 2:
		return in, fmt.Errorf("the input has %d dimensions, want rows and features", in.dimensions)
	case in.size < 0 || in.size > models.MostFeatures:
		return in, errors.New("the input has a negative number of features, or too many")
	}
	return in, nil
}
