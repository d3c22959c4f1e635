package proof_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawn is an attack on a random small classifier.
type drawn struct {
	c      classifier.Classifier
	x      []float64
	target *int
	box    polytope.Box
	rules  []attack.Feature
}

var many = flag.Int("instances", 1000, "how many random classifiers of each kind -full takes")

var kinds = map[string]func(t *testing.T, rng *rand.Rand) drawn{
	"tree": func(t *testing.T, rng *rand.Rand) drawn {
		in := instance.DrawTree(t, rng)
		return drawn{in.Tree, in.Query, in.Target, in.Box, nil}
	},
	"ensemble": func(t *testing.T, rng *rand.Rand) drawn {
		in := instance.DrawEnsemble(t, rng)
		return drawn{in.Ensemble, in.Query, in.Target, in.Box, nil}
	},
	"large": func(t *testing.T, rng *rand.Rand) drawn {
		in := instance.DrawLarge(t, rng)
		return drawn{in.Ensemble, in.Query, in.Target, nil, nil}
	},
	"sets": func(t *testing.T, rng *rand.Rand) drawn {
		in := instance.DrawRuled(t, rng, "sets", instance.Norms()[rng.IntN(3)])
		for j := range in.Rules {
			if f := &in.Rules[j]; f.Categorical {
				f.Missing, f.Codes = attack.KeepMissing, max(f.Codes, 3)
			}
		}
		return drawn{in.C, in.X, in.Target, in.Domain, in.Rules}
	},
	"oblique": func(t *testing.T, rng *rand.Rand) drawn {
		dim, classes := 1+rng.IntN(3), 2+rng.IntN(2)
		var trees []*classifier.ObliqueEnsemble
		for range 1 + rng.IntN(3) {
			trees = append(trees,
				instance.ObliqueTree(t, dim,
					instance.ObliqueNodes(rng, dim, classes, 1+rng.IntN(2))...))
		}
		in := drawn{c: instance.ObliqueVote(t, instance.DrawVote(rng, classes), trees...)}
		for range dim {
			in.x = append(in.x, rng.NormFloat64())
		}
		if rng.IntN(3) == 0 {
			in.target = new(rng.IntN(classes))
		}
		if rng.IntN(3) == 0 {
			in.box = polytope.Cube(dim, -1, 0.5)
			in.box[0].Hi = -1 + 2*float64(rng.IntN(2))
		}
		return in
	},
	"k-NN": func(t *testing.T, rng *rand.Rand) drawn {
		in := instance.DrawNeighbors(rng)
		if in.Target != nil && *in.Target > slices.Max(in.Y) {
			in.Target = nil
		}
		return drawn{in.KNN(t, min(1+2*rng.IntN(3), len(in.X))), in.Query, in.Target, in.Box, nil}
	},
}

// attack answers a question about an instance, and writes a proof.
func (in *drawn) prove(t *testing.T, m *proof.Model, norm polytope.Norm) (file string, ok bool) {
	var text bytes.Buffer
	if _, err := proof.NewWriter(&text, m.SHA256).Write(nil); err != nil {
		t.Fatal(err)
	}
	a := &attack.RegionBased{
		Classifier: in.c,
		Options: attack.Options{
			Norm: norm, Target: in.target, Domain: in.box, Features: in.rules, MaxNodes: 2000,
		},
	}
	_, err := instance.Prove(t.Context(), a, in.x, &text)
	return text.String(), err == nil
}

// TestDrawn: proofs about random classifiers are accepted, and whatever a change makes of them
// is refused, or true.
func TestDrawn(t *testing.T) {
	for kind, draw := range kinds {
		t.Run(kind, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 1))
			proofs, unproven, swept, mutants, accepted := 0, 0, 0, 0, map[string]int{}
			before := "" // the file of another model
			count := instance.Count(40, *many)
			if kind == "large" {
				count /= 4
			}
			for i := range count {
				in := draw(t, rng)
				m, norm := reread(t, in.c), instance.Norms()[i%3]
				if kind == "large" {
					norm = polytope.LInf // others have no sweeps
				}
				file, ok := in.prove(t, m, norm)
				if !ok || !strings.Contains(file, "proof\n") {
					unproven++
					continue
				}
				if proofs++; strings.Contains(file, "*") && kind == "large" {
					swept++
				}
				if err := proof.Check(
					strings.NewReader(file), m, func(proof.Claim) error { return nil },
				); err != nil {
					t.Fatalf("instance %d, norm %v: %v\n%s", i, norm, err, file)
				}
				_, claims, _ := strings.Cut(before, "\nproof")
				before = file
				for range 20 {
					mutant, how := mutate(rng, file)
					if mutants++; mutants%20 == 0 && claims != "" {
						own, _, _ := strings.Cut(file, "\nproof")
						mutant, how = own+"\nproof"+claims, "another model"
					}
					if mutant == file {
						continue
					}
					err := proof.Check(strings.NewReader(mutant), m,
						func(c proof.Claim) error { return in.holds(t, c) })
					if err == nil {
						accepted[how]++
					} else if !errors.Is(err, proof.ErrProof) {
						t.Fatalf("instance %d, norm %v, %s: %v\n%s\nfrom\n%s",
							i, norm, how, err, mutant, file)
					}
				}
			}
			t.Logf("%d proofs, %d with sweeps, %d instances without, %d mutants, still true: %v",
				proofs, swept, unproven, mutants, accepted)
			if kind == "large" && swept == 0 && !racetest.Enabled { // which draws few
				t.Error("no proof has sweeps")
			}
			if proofs < unproven {
				t.Errorf("%d proofs, and %d instances without one", proofs, unproven)
			}
		})
	}
}

// holds reports whether a claim is true, by an attack of its own.
func (in *drawn) holds(t *testing.T, c proof.Claim) error {
	norm, err := polytope.ParseNorm(c.Norm)
	if err != nil {
		return err
	}
	for _, v := range c.X {
		if c.Bound == 0 || math.Abs(v) > 1e6 {
			return nil // nothing is nearer; or predictions round too much to tell
		}
	}
	var box polytope.Box
	for _, d := range c.Domain {
		box = append(box, polytope.Interval{Lo: d[0], Hi: d[1]})
	}
	rules := make([]attack.Feature, len(c.X))
	for j := range rules {
		if c.Prices != nil {
			rules[j].Up, rules[j].Down = c.Prices[j][0], c.Prices[j][1]
		}
		if c.Codes != nil && c.Codes[j] > 0 {
			rules[j].Categorical, rules[j].Codes, rules[j].Down = true, min(c.Codes[j], 1<<20), 0
		}
	}
	label := in.c.Predict(c.X)
	if c.Target >= in.c.Classes() {
		return errors.New("a target that the classifier has not")
	}
	a := &attack.RegionBased{
		Classifier: in.c,
		Options:    attack.Options{Norm: norm, Domain: box, Features: rules, MaxNodes: 500},
	}
	if c.Target >= 0 {
		a.Target = &c.Target
	}
	inside := true
	for j, i := range box {
		inside = inside && c.X[j] >= i.Lo && c.X[j] <= i.Hi
	}
	if answers := label == c.Target || (c.Target < 0 && label != c.From); answers {
		if inside {
			return fmt.Errorf("false: x itself answers, and the bound is %v", c.Bound)
		}
		return nil // the attack has no such question
	}
	r, err := a.Perturb(t.Context(), c.X)
	if err != nil {
		return err
	}
	if !(c.Bound <= r.Distance*(1+1e-12)) {
		return fmt.Errorf("false: the bound is %v, and an answer lies at %v", c.Bound, r.Distance)
	}
	return nil
}

// mutate changes a file in one of the ways that a wrong writer, or a liar, might.
func mutate(rng *rand.Rand, file string) (mutant, how string) {
	lines := strings.SplitAfter(file, "\n")
	i := 2 + rng.IntN(len(lines)-3) // never the last, which is empty
	one := func(change func(line string) string) string {
		changed := slices.Clone(lines)
		changed[i] = change(lines[i])
		return strings.Join(changed, "")
	}
	bound := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "bound") })
	value, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimPrefix(lines[bound], "bound ")),
		64)
	raised := func(to float64) string {
		changed := slices.Clone(lines)
		changed[bound] = fmt.Sprintf("bound %x\n", to)
		return strings.Join(
			slices.DeleteFunc(changed,
				func(l string) bool { return strings.HasPrefix(l, "example") }), "",
		)
	}
	switch rng.IntN(10) {
	case 0:
		return raised(value*(1+1e-6) + 1e-6), "bound raised"
	case 1:
		return raised(value * (1 + rng.Float64())), "bound raised much"
	case 2:
		return one(func(string) string { return "" }), "line dropped"
	case 3:
		return one(func(l string) string { return l + l }), "line repeated"
	case 4:
		return file[:rng.IntN(len(file))], "cut off"
	case 5:
		_, second, _ := strings.Cut(file, "\nproof")
		return file + "proof" + second + strings.Repeat(file, rng.IntN(2)), "glued"
	case 6:
		j := 2 + rng.IntN(len(lines)-3)
		changed := slices.Clone(lines)
		changed[i], changed[j] = changed[j], changed[i]
		return strings.Join(changed, ""), "lines exchanged"
	case 7:
		return one(func(l string) string {
			words := strings.Fields(l)
			if k := rng.IntN(len(words)); rng.IntN(2) == 0 {
				words = slices.Delete(words, k, k+1)
			} else {
				words = slices.Insert(words, k, words[rng.IntN(len(words))])
			}
			return strings.Join(words, " ") + "\n"
		}), "word dropped or repeated"
	}
	return one(func(l string) string {
		text := []byte(l)
		k := rng.IntN(len(text))
		text[k] = l[rng.IntN(len(l))]
		if rng.IntN(2) == 0 {
			text[k] = "0123456789.-abs@#<*rqmo"[rng.IntN(23)]
		}
		if rng.IntN(3) == 0 {
			return string(slices.Delete(text, k, k+1))
		}
		return string(text)
	}), "character changed"
}
