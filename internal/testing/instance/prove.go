package instance

import (
	"context"
	"io"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
)

// Prove is Perturb of an attack that writes its proof.
func Prove(
	ctx context.Context, a *attack.RegionBased, x []float64, w io.Writer,
) (attack.Result, error) {
	b := *a
	b.Proof = proof.NewWriter(w)
	return b.Perturb(ctx, x)
}

// ProveRobustAt is RobustAt of an attack that writes its proof.
func ProveRobustAt(
	ctx context.Context, a *attack.RegionBased, x []float64, r float64, w io.Writer,
) (attack.Verdict, error) {
	b := *a
	b.Proof = proof.NewWriter(w)
	found, err := b.RobustAt(ctx, x, r)
	return found.Verdict(r), err
}
