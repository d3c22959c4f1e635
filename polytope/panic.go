package polytope

import "fmt"

// PanicError is the error of a caller's code that panicked: a Predict or Cells of
// their own, a Solver, an attack.
type PanicError struct {
	Call  string // the call that panicked, such as "Predict of *main.model"
	Value any    // the value of the panic
	Stack []byte // where, as of runtime/debug.Stack
}

// Error names the call that panicked, without the stack.
func (p *PanicError) Error() string { return fmt.Sprintf("panic in %s: %v", p.Call, p.Value) }

// Unwrap returns Value if it is an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
