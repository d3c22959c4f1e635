// Package guard stands between the library and a caller's code: it checks classifiers and their
// cells, and turns the panics of a caller's code into errors that say whose they are. A panic of
// our own code stays one.
//
// Name goes around a call to the caller's code wherever it is made, deep within a
// search say; Catch and Call around one whose caller takes an error; Named ends the door
// through which the caller came in.
package guard

import (
	"fmt"
	"runtime/debug"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Name is deferred by a function that calls method call of a caller's value: a
// panic goes on as a *polytope.PanicError.
func Name(call string, of any) {
	if v := recover(); v != nil {
		panic(named(call, of, v))
	}
}

// Catch is deferred by a function that calls method call of a caller's value: a
// panic becomes its error.
func Catch(err *error, call string, of any) {
	if v := recover(); v != nil {
		*err = named(call, of, v)
	}
}

// Call is call, which calls a method of a caller's value, with an error for a panic.
func Call[T any](method string, of any, call func() (T, error)) (result T, err error) {
	defer Catch(&err, method, of)
	return call()
}

// Named returns a recovered value as the error that Name made of it, nil for nil.
// What nobody named is our own bug, and panics again.
func Named(recovered any) *polytope.PanicError {
	if recovered == nil {
		return nil
	}
	p, ok := recovered.(*polytope.PanicError)
	if !ok {
		panic(recovered)
	}
	return p
}

// named leaves the name that a panic was given first, which is the closest one.
func named(call string, of, v any) *polytope.PanicError {
	if p, ok := v.(*polytope.PanicError); ok {
		return p
	}
	return &polytope.PanicError{
		Call:  fmt.Sprintf("%s of %T", call, of),
		Value: v,
		Stack: debug.Stack(),
	}
}
