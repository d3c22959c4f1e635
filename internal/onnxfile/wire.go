package onnxfile

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// value is what a field holds: a number, or bytes.
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
	version int64
	graph   graph
}

type graph struct {
	nodes        []node
	inputs       []tensor
	initializers int
}

type node struct {
	op, domain      string
	inputs, outputs []string
	attributes      map[string]attribute
}

// attribute is what an attribute holds of the kinds that tree ensembles have.
type attribute struct {
	number  int64
	text    string
	ints    []int64
	floats  []float32
	strings []string
	other   bool // a tensor or a graph
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
		case 1:
			m.version = int64(v.number)
		case 7:
			return m.graph.decode(v.bytes)
		}
		return nil
	})
	return m, err
}

func (g *graph) decode(message []byte) error {
	return fields(message, func(number protowire.Number, v value) error {
		switch number {
		case 1:
			n, err := decodeNode(v.bytes)
			g.nodes = append(g.nodes, n)
			return err
		case 5:
			g.initializers++
		case 11:
			var t tensor
			err := t.decode(v.bytes)
			g.inputs = append(g.inputs, t)
			return err
		}
		return nil
	})
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
		case 5, 6, 10, 11, 14, 15, 22, 23:
			a.other = true
		case 7:
			a.floats, err = v.floats(a.floats)
		case 8:
			a.ints, err = v.ints(a.ints)
		case 9:
			a.strings = append(a.strings, string(v.bytes))
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
