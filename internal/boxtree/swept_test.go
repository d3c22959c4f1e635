package boxtree_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// swept is a question whose proof has sweeps, however small the ensemble is.
type swept struct {
	e     *classifier.Ensemble
	x     []float64
	o     attack.Options
	depth int     // at which potentials begin in the search
	truth float64 // the radius
}

// drawSwept draws votes of all kinds, domains, targets, and, of every eighth, prices.
func drawSwept(t *testing.T, number uint64) (q swept, ok bool) {
	rng := rand.New(rand.NewPCG(number, 830))
	if number%8 == 7 {
		in := instance.DrawRuled(t, rng,
			[]string{"prices", "directions", "frozen", "limits"}[number/8%4], polytope.LInf)
		e, ok := in.C.(*classifier.Ensemble)
		if !ok {
			return q, false
		}
		q = swept{e: e, x: in.X, o: in.Options()}
	} else {
		draw := [...]func(*testing.T, *rand.Rand) instance.Ensemble{
			func(t *testing.T, rng *rand.Rand) instance.Ensemble {
				return instance.DrawEnsemble(t, rng)
			}, drawScales, drawIntegers, drawForest,
		}[min(3, number%8)]
		in := draw(t, rng)
		q = swept{e: in.Ensemble, x: in.Query, o: attack.Options{Target: in.Target, Domain: in.Box}}
	}
	q.o.Workers, q.depth = 1, rng.IntN(2)*rng.IntN(3)
	plain, err := (&attack.RegionBased{Classifier: q.e, Options: q.o}).Perturb(t.Context(), q.x)
	q.truth = plain.Distance
	return q, err == nil
}

// TestSweptProofs: proofs with sweeps are accepted, by both checkers, and are true. Changed ones
// both take or both refuse, and both refuse false ones.
func TestSweptProofs(t *testing.T) {
	t.Parallel()
	checker := python.StartChecker(t, "../../tools/check_proofs")
	proofs, unproven, lies, changes, accepted := 0, 0, 0, 0, 0
	for number := range uint64(racetest.Scale(instance.Count(1000, 30000))) {
		q, ok := drawSwept(t, number)
		if !ok {
			continue
		}
		var model, body bytes.Buffer
		if err := classifier.Save(&model, q.e); err != nil {
			t.Fatal(err)
		}
		m, err := proof.ReadModel(bytes.NewReader(model.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		a := &attack.RegionBased{Classifier: large{q.e, q.depth}, Options: q.o}
		r, err := instance.Prove(t.Context(), a, q.x, &body)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if errors.Is(err, attack.ErrUnproven) {
			unproven++
			t.Log(number, err)
			continue
		}
		if err != nil {
			t.Fatalf("instance %d: %v", number, err)
		}
		if !strings.Contains(body.String(), "*") {
			continue
		}
		proofs++
		judge := func(text string) (holds bool) {
			var whole bytes.Buffer
			proof.NewWriter(&whole, m.SHA256).Write([]byte(text))
			file := whole.Bytes()
			err := proof.Check(bytes.NewReader(file), m, func(c proof.Claim) error {
				if !(c.Bound <= q.truth*(1+1e-12)) {
					return fmt.Errorf("the bound is %v", c.Bound)
				}
				return nil
			})
			if verdict := checker.Refuses(t, model.Bytes(), file); (verdict == "") != (err == nil) {
				t.Fatalf("instance %d: attack/proof says %v, check_proofs.py %q\n%s",
					number, err, verdict, file)
			}
			return err == nil
		}
		if !judge(body.String()) || !(r.Bound <= q.truth*(1+1e-12)) {
			t.Fatalf("instance %d: refused, or false: bound %v, truth %v\n%s",
				number, r.Bound, q.truth, body.Bytes())
		}
		rng := rand.New(rand.NewPCG(number, 831))
		for range 4 {
			changed := shuffle(rng, body.String())
			if changes++; judge(changed) {
				accepted++
			}
			if lie := claiming(
				changed, q.truth*(1+1e-6*math.Pow(1e6, rng.Float64()))+1e-9,
			); !math.IsInf(q.truth, 1) {
				if lies++; judge(lie) {
					t.Fatalf("instance %d: the truth is %v, and accepted is\n%s",
						number, q.truth, lie)
				}
			}
		}
	}
	t.Logf("%d proofs, %d unproven; %d lies; %d changed, still true %d",
		proofs, unproven, lies, changes, accepted)
	if proofs < 5*unproven {
		t.Errorf("%d proofs, %d unproven", proofs, unproven)
	}
}

var sweptToken = regexp.MustCompile(`[a-z]+[0-9]+|\.|\*[0-9]+`)

// shuffle changes one token of a proof with sweeps.
func shuffle(rng *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for {
		i := rng.IntN(len(lines))
		if i == 0 || !strings.HasPrefix(lines[i-1], "label") {
			continue
		}
		tokens := sweptToken.FindAllString(lines[i], -1)
		j := rng.IntN(len(tokens))
		switch rng.IntN(5) {
		case 0:
			tokens = slices.Delete(tokens, j, j+1)
		case 1:
			tokens = slices.Insert(tokens, j, "*"+strconv.Itoa(rng.IntN(3)))
		case 2:
			tokens = slices.Insert(tokens, j, tokens[rng.IntN(len(tokens))])
		case 3:
			tokens[j] = tokens[rng.IntN(len(tokens))]
		default:
			lines[i-1] = lines[i-1][:len(lines[i-1])-1] + strconv.Itoa(rng.IntN(4))
		}
		lines[i] = strings.Join(tokens, "")
		return strings.Join(lines, "\n")
	}
}

// claiming claims a larger bound.
func claiming(text string, bound float64) string {
	lines := strings.SplitAfter(text, "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "example") })
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "bound") })
	lines[i] = fmt.Sprintf("bound %x\n", bound)
	return strings.Join(lines, "")
}
