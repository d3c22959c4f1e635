package guard_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// model stands for a caller's code.
type model struct{}

func (model) panics(v any) { panic(v) }

func inner(v any) {
	defer guard.Name("Predict", model{})
	model{}.panics(v)
}

func outer(v any) (err error) {
	defer guard.Catch(&err, "Open", model{})
	inner(v)
	return nil
}

// TestTheInnermostNameStays: the error says which call panicked, with which value, and where.
func TestTheInnermostNameStays(t *testing.T) {
	err := outer(io.ErrUnexpectedEOF)
	p, ok := errors.AsType[*polytope.PanicError](err)
	if !ok || err.Error() != "panic in Predict of guard_test.model: unexpected EOF" {
		t.Fatalf("error %v, want a panic in Predict", err)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) ||
		!strings.Contains(string(p.Stack), "guard_test.model.panics") {
		t.Errorf("error %v does not wrap its value, or the stack does not say where:\n%s",
			err, p.Stack)
	}
	if err := outer("no error"); errors.Unwrap(err) != nil {
		t.Errorf("%v wraps %v", err, errors.Unwrap(err))
	}
}

// TestOurOwnPanicsStay: Named turns only panics of calls with a name into errors.
func TestOurOwnPanicsStay(t *testing.T) {
	door := func(f func()) (p *polytope.PanicError) {
		defer func() { p = guard.Named(recover()) }()
		f()
		return nil
	}
	if p := door(func() {}); p != nil {
		t.Errorf("no panic: %v", p)
	}
	if p := door(func() { inner(7) }); p == nil || p.Value != 7 {
		t.Errorf("a panic with a name: %v, want it to be returned", p)
	}
	defer func() {
		if v := recover(); v != "bug" {
			t.Errorf("recovered %v, want the panic to go on", v)
		}
	}()
	door(func() { panic("bug") })
}
