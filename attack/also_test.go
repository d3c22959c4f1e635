package attack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestAlsoAgainstEnumeration compares distances of inputs that up to six classifiers accept with
// those of all joint cells, under rules of moves.
func TestAlsoAgainstEnumeration(t *testing.T) {
	t.Parallel()
	for k, kind := range instance.RuleKinds {
		if kind == "shares" { // which are refused
			continue
		}
		for _, norm := range instance.Measures() {
			t.Run(fmt.Sprintf("%s/norm=%v", kind, norm), func(t *testing.T) {
				t.Parallel()
				answered := 0
				n := racetest.Count(25, 500)
				for number := range uint64(n) {
					in := instance.DrawJoint(t,
						rand.New(rand.NewPCG(number, uint64(1000+10*k)+uint64(norm))), kind, norm)
					truth := in.Nearest(func([]int) bool { return true })
					if truth < math.Inf(1) {
						answered++
					}
					checkRuled(t, in, number, truth)
				}
				if answered < n/10 && !racetest.Enabled { // which draws few
					t.Errorf("%d of %d instances have an answer", answered, n)
				}
			})
		}
	}
}
