package trees

import (
	"errors"
	"fmt"
	"strings"
)

// ErrModel is wrapped by the errors about trees that are malformed.
var ErrModel = errors.New("malformed model")

// Fault is a mistake in a model, and its place as far as that is known. It wraps
// ErrModel.
type Fault struct {
	Tree, Node int // from 0; −1 if unknown
	Line       int // of the file, from 1; 0 if unknown
	Byte       int // of the file, from 0; −1 if unknown
	Err        error
}

// FaultOf returns err as a fault, at no place unless it is one.
func FaultOf(err error) *Fault {
	if f, ok := err.(*Fault); ok {
		return f
	}
	return &Fault{Tree: -1, Node: -1, Byte: -1, Err: err}
}

// faultf returns a fault at no place.
func faultf(format string, args ...any) error { return FaultOf(fmt.Errorf(format, args...)) }

// AtTree, AtNode, AtLine and AtByte add a place to a fault.
func AtTree(tree int, err error) error { f := FaultOf(err); f.Tree = tree; return f }
func AtNode(node int, err error) error { f := FaultOf(err); f.Node = node; return f }
func AtLine(line int, err error) error { f := FaultOf(err); f.Line = line; return f }
func AtByte(at int, err error) error   { f := FaultOf(err); f.Byte = at; return f }

func (f *Fault) Error() string {
	var s strings.Builder
	for _, place := range []struct {
		name  string
		at    int
		known bool
	}{
		{"tree", f.Tree, f.Tree >= 0}, {"node", f.Node, f.Node >= 0}, {"line", f.Line, f.Line > 0},
		{"byte", f.Byte, f.Byte >= 0},
	} {
		if place.known {
			fmt.Fprintf(&s, "%s %d: ", place.name, place.at)
		}
	}
	return s.String() + f.Err.Error()
}

// Unwrap returns ErrModel and the cause.
func (f *Fault) Unwrap() []error { return []error{ErrModel, f.Err} }
