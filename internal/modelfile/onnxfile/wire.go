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

// fields calls visit with each field of a message.
func fields(message []byte, visit func(number protowire.Number, v value) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("protocol buffers: %w", protowire.ParseError(n))
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
			return fmt.Errorf("protocol buffers: %w", protowire.ParseError(n))
		}
		if err := visit(number, v); err != nil {
			return err
		}
		message = message[n:]
	}
	return nil
}

// ints appends the whole numbers of a repeated field, packed or not.
func (v value) ints(to []int64) ([]int64, error) {
	if v.kind == protowire.VarintType {
		return append(to, int64(v.number)), nil
	}
	for b := v.bytes; len(b) > 0; {
		number, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return nil, fmt.Errorf("protocol buffers: %w", protowire.ParseError(n))
		}
		to, b = append(to, int64(number)), b[n:]
	}
	return to, nil
}

// floats appends the numbers of a repeated field, packed or not.
func (v value) floats(to []float32) ([]float32, error) {
	if v.kind == protowire.Fixed32Type {
		return append(to, math.Float32frombits(uint32(v.number))), nil
	}
	for b := v.bytes; len(b) > 0; {
		bits, n := protowire.ConsumeFixed32(b)
		if n < 0 {
			return nil, fmt.Errorf("protocol buffers: %w", protowire.ParseError(n))
		}
		to, b = append(to, math.Float32frombits(bits)), b[n:]
	}
	return to, nil
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

// skip passes over a field that may not matter.
func skip(message string, number protowire.Number) error {
	if slices.Contains(skipped[message], number) {
		return nil
	}
	return unknown{message, number}
}

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
	err = fields(text, func(number protowire.Number, v value) error {
		switch number {
		case 2:
			m.producer = string(v.bytes)
		case 3:
			m.release = string(v.bytes)
		case 7:
			return m.graph.decode(v.bytes)
		case 8:
			return m.operatorSet(v.bytes)
		default:
			return skip("model", number)
		}
		return nil
	})
	return m, err
}

// operatorSet reads which version of operators a model asks for.
func (m *model) operatorSet(message []byte) error {
	domain, version := "", int64(0)
	err := fields(message, func(number protowire.Number, v value) error {
		switch number {
		case 1:
			domain = string(v.bytes)
		case 2:
			version = int64(v.number)
		}
		return nil
	})
	if domain == treeDomain {
		m.operators = version
	}
	return err
}

func (g *graph) decode(message []byte) error {
	return fields(message, func(number protowire.Number, v value) error {
		switch number {
		case 1:
			n, err := decodeNode(v.bytes)
			g.nodes = append(g.nodes, n)
			return err
		case 5:
			return g.constant(v.bytes)
		case 11:
			var t tensor
			err := t.decode(v.bytes)
			g.inputs = append(g.inputs, t)
			return err
		case 12:
			var t tensor
			err := t.decode(v.bytes)
			g.outputs = append(g.outputs, t.name)
			return err
		}
		return skip("graph", number)
	})
}

// constant notes a tensor of float32 or int64.
func (g *graph) constant(message []byte) (err error) {
	name, kind, raw := "", uint64(0), value{}
	var c constant
	err = fields(message, func(number protowire.Number, v value) (err error) {
		switch number {
		case 2:
			kind = v.number
		case 4:
			c.floats, err = v.floats(c.floats)
		case 7:
			c.ints, err = v.ints(c.ints)
		case 8:
			name = string(v.bytes)
		case 9:
			raw = v
		}
		return err
	})
	if err != nil {
		return err
	}
	switch kind {
	case elementFloat:
		c.floats, err = raw.floats(c.floats)
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

func decodeNode(message []byte) (n node, err error) {
	n.attributes = make(map[string]attribute)
	err = fields(message, func(number protowire.Number, v value) error {
		switch number {
		case 1:
			n.inputs = append(n.inputs, string(v.bytes))
		case 2:
			n.outputs = append(n.outputs, string(v.bytes))
		case 4:
			n.op = string(v.bytes)
		case 5:
			name, a, err := decodeAttribute(v.bytes)
			if _, twice := n.attributes[name]; twice && err == nil {
				err = fmt.Errorf("the attribute %.40q twice", name)
			}
			n.attributes[name] = a
			return err
		case 7:
			n.domain = string(v.bytes)
		default:
			return skip("node", number)
		}
		return nil
	})
	return n, err
}

func decodeAttribute(message []byte) (name string, a attribute, err error) {
	err = fields(message, func(number protowire.Number, v value) (err error) {
		switch number {
		case 1:
			name = string(v.bytes)
		case 3:
			a.number = int64(v.number)
		case 4:
			a.text = string(v.bytes)
		case 2, 5, 6, 10, 11, 14, 15, 21, 22, 23:
			a.other = true
		case 7:
			a.floats, err = v.floats(a.floats)
		case 8:
			a.ints, err = v.ints(a.ints)
		case 9:
			a.strings = append(a.strings, string(v.bytes))
		default:
			return skip("attribute", number)
		}
		return err
	})
	return name, a, err
}

// decode decodes the description of an input: messages within messages, of one field each.
func (t *tensor) decode(message []byte) error {
	within := func(field protowire.Number, visit func(v value) error) func(
		protowire.Number, value,
	) error {
		return func(number protowire.Number, v value) error {
			if number != field {
				return nil
			}
			return visit(v)
		}
	}
	dimension := func(v value) error {
		t.dimensions++
		return fields(v.bytes, within(1, func(size value) error {
			if t.dimensions == 2 {
				t.size = int64(size.number)
			}
			return nil
		}))
	}
	return fields(message, func(number protowire.Number, v value) error {
		switch number {
		case 1:
			t.name = string(v.bytes)
		case 2: // type
			return fields(v.bytes, within(1, func(v value) error { // tensor_type
				return fields(v.bytes, func(number protowire.Number, v value) error {
					switch number {
					case 1:
						t.element = int64(v.number)
					case 2: // shape
						return fields(v.bytes, within(1, dimension))
					}
					return nil
				})
			}))
		}
		return nil
	})
}
