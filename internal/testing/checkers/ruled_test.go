package checkers

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

var ruled = flag.Int("ruled", 0, "how many random models under rules of moves; 0 means a few")

// TestRulesAgainstEnumeration: both checkers accept proofs under rules of moves, and of models that
// test sets of categories, and refuse greater bounds; an enumeration confirms the bounds.
func TestRulesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	p, rng := python.StartChecker(t, folder), rand.New(rand.NewPCG(*seed, 8))
	kinds := []string{"sets", "sets", "category", "prices", "directions", "frozen", "limits"}
	total, proven, coded, priced, forged := *ruled, 0, 0, 0, 0
	if total == 0 {
		total = instance.Count(1050, 14_000)
	}
	for number := range total {
		kind := kinds[number%len(kinds)]
		in := instance.DrawRuled(t, rng, kind, instance.Norms()[rng.IntN(3)])
		limitCodes(rng, in)
		truth := in.Nearest(func([]int) bool { return true })
		var text bytes.Buffer
		a := &attack.RegionBased{Classifier: in.C, Options: in.Options()}
		r, err := instance.Prove(t.Context(), a, in.X, &text)
		if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, attack.ErrUnproven) ||
			err == nil && r.Bound == 0 {
			continue // a value is missing, or may be, or there is nowhere to go
		}
		if err != nil {
			t.Fatalf("instance %d: %v\n%+v", number, err, in)
		}
		s := newSubject(t, kind, in.C, nil)
		proven++
		if strings.Contains(text.String(), "\ncodes") {
			coded++
		}
		file := append(header(s.file), text.Bytes()...)
		claim := checkBoth(t, p, s, file, true)
		if claim.Prices != nil {
			priced++
		}
		if claim.Bound > truth+1e-12*max(1, truth) || !math.IsInf(truth, 1) && !claim.Settled {
			t.Fatalf("instance %d: %+v, the nearest is at %v\n%+v", number, claim, truth, in)
		}
		if greater := truth*(1+1e-6) + 1e-9; !math.IsInf(greater, 1) {
			forged++
			before, rest, _ := bytes.Cut(file, []byte("\nbound "))
			_, body, _ := bytes.Cut(rest, []byte("\nlabel "))
			line := "\nbound " + strconv.FormatFloat(greater, 'x', -1, 64) + "\nlabel "
			checkBoth(t, p, s, bytes.Join([][]byte{before, []byte(line), body}, nil), false)
		}
		if t.Failed() {
			t.Fatalf("instance %d: %+v", number, in)
		}
	}
	t.Logf("%d models, %d proofs, %d with codes, %d with prices, %d forged",
		total, proven, coded, priced, forged)
	if proven < total/3 || coded == 0 || priced == 0 || forged == 0 {
		t.Error("too few")
	}
}

// limitCodes gives categories without a number of codes one, mostly.
func limitCodes(rng *rand.Rand, in *instance.Ruled) {
	for j := range in.Rules {
		if f := &in.Rules[j]; f.Categorical && f.Codes == 0 && rng.IntN(20) > 0 {
			f.Codes = 1 + rng.IntN(12)
		}
	}
}

// checkBoth gives a file of one proof to both checkers, and returns its claim.
func checkBoth(
	t *testing.T, p *python.Checker, s *subject, file []byte, holds bool,
) (claim proof.Claim) {
	t.Helper()
	err := proof.Check(bytes.NewReader(file), s.model, func(c proof.Claim) error {
		claim = c
		return nil
	})
	if (err == nil) != holds {
		t.Errorf("attack/proof: %v, want that it holds is %t\n%.3000s\n%s",
			err, holds, s.file, file)
	}
	if verdict := p.Refuses(t, s.file, file); (verdict == "") != holds {
		t.Errorf("check_proofs.py: %q, want that it holds is %t\n%.3000s\n%s",
			verdict, holds, s.file, file)
	}
	return claim
}
