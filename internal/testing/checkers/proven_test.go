package checkers

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/proven"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// TestProvenConformance: the proven checker gives each file the verdict of the table, if it is of a
// kind that is proven. It lets gzip unpack, which takes zeros behind the last member for padding.
func TestProvenConformance(t *testing.T) {
	t.Parallel()
	p := proven.Start(t)
	for _, c := range cases(t) {
		if strings.HasSuffix(c.name, "gzip-padding") {
			continue
		}
		if c.others != nil { // models that are asked together
			says, _ := p.Refuses(t, c.file, c.subject, c.others[0])
			if !strings.Contains(says, "about one model") {
				t.Errorf("%s: facet-checked: %q, want that it knows no other models", c.name, says)
			}
			continue
		}
		says, covered := p.RefusesRows(t, c.k, c.file, c.subject)
		if covered && (says == "") != (c.verdict == "accept") {
			t.Errorf("%s: facet-checked: %q, want %s: %s", c.name, says, c.verdict, c.reason)
		}
	}
	t.Logf("%d files, of which %d are of a kind that is not proven", p.Asked, p.Beyond)
}

// TestProvenSays: the proven checker names the fault of files that are neither proofs nor models.
func TestProvenSays(t *testing.T) {
	t.Parallel()
	p, table := proven.Start(t), []byte("height,width\n1,2\n")
	for _, c := range cases(t) {
		if c.verdict != "accept" || c.k > 0 || c.what == "pruning" {
			continue
		}
		says, _ := p.Refuses(t, table, c.subject)
		if !strings.Contains(says, "begins with facet-proofs, facet-properties or") {
			t.Errorf("a table for proofs: %q", says)
		}
		break
	}
	if says, _ := p.Refuses(t, nil, table); !strings.Contains(says, "byte 0 is none") {
		t.Errorf("a table for a model: %q", says)
	}
}

// TestProvenFresh: the proven checker accepts fresh proofs of the engines, of small random models
// and of large ones.
func TestProvenFresh(t *testing.T) {
	t.Parallel()
	p, rng, checked := proven.Start(t), rand.New(rand.NewPCG(*seed, 7)), map[string]int{}
	subjects := append(recordedSubjects(t, rng, 3), largeSubjects(t, rng, 1)...)
	for range instance.Count(12, 500) {
		subjects = append(subjects, drawSubjects(t, rng)...)
	}
	for _, s := range subjects {
		if len(s.proofs) == 0 {
			continue
		}
		says, covered := p.Refuses(t, append(header(s.file), bytes.Join(s.proofs, nil)...), s.file)
		if says != "" {
			t.Errorf("%s: facet-checked: %s\n%.2000s", s.name, says, s.file)
		}
		s.all(t, func(c proof.Claim) {
			if c.Covered != covered {
				t.Errorf("%s: a claim is covered: %v, want %v", s.name, c.Covered, covered)
			}
		})
		if covered {
			checked[s.name] += len(s.proofs)
		}
	}
	t.Logf("proofs that are checked, by model: %v", checked)
	if len(checked) < 8 {
		t.Errorf("%d kinds of models are checked: %v", len(checked), checked)
	}
}

// all visits the claims of the subject's proofs, which attack/proof accepts.
func (s *subject) all(t *testing.T, each func(proof.Claim)) {
	t.Helper()
	file := append(header(s.file), bytes.Join(s.proofs, nil)...)
	err := proof.Check(bytes.NewReader(file), s.model, func(c proof.Claim) error {
		each(c)
		return nil
	})
	if err != nil {
		t.Errorf("%s: %v", s.name, err)
	}
}

// TestProvenChanged changes proofs, and models: the proven checker says the same of the changed
// ones as attack/proof does.
func TestProvenChanged(t *testing.T) {
	t.Parallel()
	p, rng := proven.Start(t), rand.New(rand.NewPCG(*seed, 8))
	all, accepted := cases(t), 0
	compare := func(name string, err error, k int, file, subject []byte) {
		t.Helper()
		says, covered := p.RefusesRows(t, k, file, subject)
		if covered && (says == "") != (err == nil) {
			t.Errorf("%s: attack/proof says %v, facet-checked %q\n%.1500q\n%.1500q",
				name, err, says, file, subject)
		}
		if covered && err == nil {
			accepted++
		}
	}
	for range instance.Count(1000, 10_000) {
		c := all[rng.IntN(len(all))]
		at := &c.subject
		if c.file != nil {
			at = &c.file
		}
		if c.others != nil || bytes.HasPrefix(*at, []byte("\x1f\x8b")) || len(*at) == 0 ||
			len(*at) > 1<<16 {
			continue
		}
		*at = slices.Clone(*at)
		for range 1 + rng.IntN(2) {
			*at = oddly(rng, *at)
		}
		compare(c.name, c.inGo(), c.k, c.file, c.subject)
	}
	subjects := corpusSubjects(t)
	if subjects == nil {
		subjects = recordedSubjects(t, rng, 3)
		for range instance.Count(40, 400) {
			subjects = append(subjects, drawSubjects(t, rng)...)
		}
	}
	for range instance.Count(1500, 25_000) {
		s := subjects[rng.IntN(len(subjects))]
		if len(s.proofs) == 0 {
			continue
		}
		c := changes[rng.IntN(len(changes))]
		model, file := c.do(rng, s, s.proofs[rng.IntN(len(s.proofs))])
		if file == nil {
			continue
		}
		m, err := proof.ReadModel(bytes.NewReader(model))
		if err == nil {
			err = proof.Check(bytes.NewReader(file), m,
				func(proof.Claim) error { return nil })
		}
		compare(s.name+", "+c.kind, err, 0, file, model)
	}
	t.Logf("%d files, of which %d are of a kind that is not proven, and %d are accepted",
		p.Asked, p.Beyond, accepted)
}

// TestProvenPruning: the proven checker accepts certificates of pruned rows, and says the same of
// changed ones as attack/proof.
func TestProvenPruning(t *testing.T) {
	t.Parallel()
	p, rng := proven.Start(t), rand.New(rand.NewPCG(*seed, 10))
	files, accepted := 0, 0
	for range instance.Count(20, 600) {
		in := instance.DrawPoints(rng, 2+rng.IntN(20), 2+rng.IntN(2))
		var data bytes.Buffer
		for i, row := range in.X {
			fmt.Fprintf(&data, "%v,%v,%v\n", row[0], row[1], in.Y[i])
		}
		rows, err := proof.ReadRows(bytes.NewReader(data.Bytes()), 1)
		if err != nil {
			t.Fatal(err)
		}
		var weights []int
		for range in.Y[:len(in.Y)*rng.IntN(2)] {
			weights = append(weights, rng.IntN(4))
		}
		a := prune.Adversarial{
			Radius: float64(rng.IntN(9)) / 4, Norm: instance.Norms()[rng.IntN(3)],
		}
		r, err := a.Solve(t.Context(), instance.Dense(in.X), in.Y, weights)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := a.Write(&text, rows.SHA256, weights, r); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			file := text.Bytes()
			switch {
			case i > 4:
				file = oddly(rng, slices.Clone(file))
			case i > 0:
				head, body, _ := strings.Cut(text.String(), "\nnorm ")
				file = []byte(head + "\nnorm " + shift(rng, body))
			}
			_, err := proof.CheckPruning(bytes.NewReader(file), rows)
			says, covered := p.RefusesRows(t, 1, file, data.Bytes())
			if !covered || (says == "") != (err == nil) || i == 0 && err != nil {
				t.Errorf("attack/proof says %v, facet-checked %q\n%s\n%s", err, says, file, &data)
			}
			if files++; err == nil {
				accepted++
			}
		}
	}
	t.Logf("%d files, of which %d are accepted", files, accepted)
}
