package attack_test

import (
	"math/big"
	"math/rand/v2"
)

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func normals(rng *rand.Rand, dim int, scale float64) []float64 {
	p := make([]float64, dim)
	for j := range p {
		p[j] = scale * rng.NormFloat64()
	}
	return p
}
