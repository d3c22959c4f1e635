//go:build !(lpsolve && cgo)

package attacking

import (
	"errors"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

func newLPSolve() (polytope.Solver, error) {
	return nil, errors.New("--solver lpsolve: this program was built without lp_solve; build it " +
		"with cgo and -tags lpsolve, or use --solver native")
}
