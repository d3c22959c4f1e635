package onnxfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// value is the content of a field: a number, or bytes.
type value struct {
	kind   protowire.Type
	number uint64
	bytes  []byte
}

// fields are functions that read the fields of a message, by their numbers; nil of others.
type fields []func(v value) error

// read reads a message. Of some messages all other fields but the skipped ones are unknown.
func (f fields) read(name string, message []byte) error {
	skip, strict := skipped[name]
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return malformed(n)
		}
		message = message[n:]
		v := value{kind: kind}
		switch kind {
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(message)
		case protowire.Fixed32Type:
			var bits uint32
			bits, n = protowire.ConsumeFixed32(message)
			v.number = uint64(bits)
		case protowire.Fixed64Type:
			v.number, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(message)
		default:
			return errors.New("protocol buffers: a group, which ONNX has none of")
		}
		if n < 0 {
			return malformed(n)
		}
		message = message[n:]
		if int(number) < len(f) && f[number] != nil {
			if err := f[number](v); err != nil {
				return err
			}
		} else if strict && !slices.Contains(skip, number) {
			return unknown{name, number}
		}
	}
	return nil
}

// malformed is the error for a negative length.
func malformed(n int) error { return fmt.Errorf("protocol buffers: %w", protowire.ParseError(n)) }

// word and whole read a field, words a repeated one.
func word(to *string) func(v value) error {
	return func(v value) error { *to = string(v.bytes); return nil }
}

func whole(to *int64) func(v value) error {
	return func(v value) error { *to = int64(v.number); return nil }
}

func words(to *[]string) func(v value) error {
	return func(v value) error { *to = append(*to, string(v.bytes)); return nil }
}

// within reads a field of a message within a message.
func within(f fields) func(v value) error {
	return func(v value) error { return f.read("", v.bytes) }
}

// ints reads the whole numbers of a repeated field, packed or not.
func ints(to *[]int64) func(v value) error {
	return func(v value) error {
		if v.kind == protowire.VarintType {
			*to = append(*to, int64(v.number))
			return nil
		}
		list := *to
		for b := v.bytes; len(b) > 0; {
			number, n := protowire.ConsumeVarint(b)
			if n < 0 {
				return malformed(n)
			}
			list, b = append(list, int64(number)), b[n:]
		}
		*to = list
		return nil
	}
}

// floats reads the numbers of a repeated field, packed or not.
func floats(to *[]float32) func(v value) error {
	return func(v value) error {
		if v.kind == protowire.Fixed32Type {
			*to = append(*to, math.Float32frombits(uint32(v.number)))
			return nil
		}
		list := *to
		for b := v.bytes; len(b) > 0; {
			bits, n := protowire.ConsumeFixed32(b)
			if n < 0 {
				return malformed(n)
			}
			list, b = append(list, math.Float32frombits(bits)), b[n:]
		}
		*to = list
		return nil
	}
}

// model is the part of a file that is needed. The numbers of fields are those of
// onnx/onnx.proto.
type model struct {
	producer, release string // the program that wrote the file
	graph             graph
	operators         int64 // version of ai.onnx.ml
}

// skipped are the fields that may not matter, of each message: names, and words for people; of a
// model also how it was trained, of a graph the values that it computes.
var skipped = map[string][]protowire.Number{
	"model": {1, 4, 5, 6, 14, 20}, "graph": {2, 10, 13, 16}, "node": {3, 6, 9, 10},
	"attribute": {13, 20},
}

// unknown is a field that is neither read nor skipped.
type unknown struct {
	message string
	number  protowire.Number
}

func (u unknown) Error() string { return fmt.Sprintf("the field %d of a %s", u.number, u.message) }

type graph struct {
	nodes     []node
	inputs    []tensor
	outputs   []string
	constants map[string]constant
}

// constant is a tensor of the file, of float32 or of int64; empty if it is of another type.
type constant struct {
	floats []float32
	ints   []int64
}

type node struct {
	op, domain      string
	inputs, outputs []string
	attributes      map[string]attribute
}

// attribute is the content of an attribute, of the kinds that are read.
type attribute struct {
	number  int64
	text    string
	ints    []int64
	floats  []float32
	strings []string
	other   bool // of any other kind
}

// tensor is an input: its element type, and the size of its second dimension, 0 if it has none.
type tensor struct {
	name          string
	element, size int64
	dimensions    int
}

func decodeModel(text []byte) (m model, err error) {
	err = fields{
		2: word(&m.producer), 3: word(&m.release), 7: m.graph.decode, 8: m.operatorSet,
	}.read("model", text)
	return m, err
}

// operatorSet reads which version of operators a model asks for.
func (m *model) operatorSet(v value) error {
	domain, version := "", int64(0)
	err := fields{1: word(&domain), 2: whole(&version)}.read("", v.bytes)
	if domain == treeDomain {
		m.operators = version
	}
	return err
}

func (g *graph) decode(v value) error {
	return fields{
		1: g.node, 5: g.constant,
		11: func(v value) error {
			t, err := decodeTensor(v.bytes)
			g.inputs = append(g.inputs, t)
			return err
		},
		12: func(v value) error {
			t, err := decodeTensor(v.bytes)
			g.outputs = append(g.outputs, t.name)
			return err
		},
	}.read("graph", v.bytes)
}

// constant notes a tensor of float32 or int64.
func (g *graph) constant(v value) error {
	name, kind, raw := "", int64(0), value{}
	var c constant
	err := fields{
		2: whole(&kind), 4: floats(&c.floats), 7: ints(&c.ints), 8: word(&name),
		9: func(v value) error { raw = v; return nil },
	}.read("", v.bytes)
	if err != nil {
		return err
	}
	switch kind {
	case elementFloat:
		err = floats(&c.floats)(raw)
	case elementInt64:
		for b := raw.bytes; len(b) >= 8; b = b[8:] {
			c.ints = append(c.ints, int64(binary.LittleEndian.Uint64(b)))
		}
	default:
		c = constant{}
	}
	if g.constants == nil {
		g.constants = make(map[string]constant)
	}
	g.constants[name] = c
	return err
}

// node adds an operator.
func (g *graph) node(v value) error {
	n := node{attributes: make(map[string]attribute)}
	err := fields{
		1: words(&n.inputs), 2: words(&n.outputs), 4: word(&n.op), 5: n.attribute,
		7: word(&n.domain),
	}.read("node", v.bytes)
	g.nodes = append(g.nodes, n)
	return err
}

func (n *node) attribute(v value) error {
	var name string
	var a attribute
	other := func(value) error { a.other = true; return nil }
	err := fields{
		1: word(&name), 3: whole(&a.number), 4: word(&a.text), 7: floats(&a.floats),
		8: ints(&a.ints), 9: words(&a.strings),
		2: other, 5: other, 6: other, 10: other, 11: other, 14: other, 15: other, 21: other,
		22: other, 23: other,
	}.read("attribute", v.bytes)
	if _, twice := n.attributes[name]; twice && err == nil {
		err = fmt.Errorf("the attribute %.40q twice", name)
	}
	n.attributes[name] = a
	return err
}

// decodeTensor decodes the description of an input: messages within messages.
func decodeTensor(message []byte) (t tensor, err error) {
	dimension := func(v value) error {
		var other int64
		size := &other
		if t.dimensions++; t.dimensions == 2 {
			size = &t.size
		}
		return fields{1: whole(size)}.read("", v.bytes)
	}
	shape := within(fields{1: dimension})
	tensorType := within(fields{1: whole(&t.element), 2: shape})
	err = fields{1: word(&t.name), 2: within(fields{1: tensorType})}.read("", message)
	return t, err
}
