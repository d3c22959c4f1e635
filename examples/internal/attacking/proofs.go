package attacking

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/proofs"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// checkProvable refuses rules of moves that proofs have no words for, in any row.
func (e *evaluation) checkProvable(a *attack.RegionBased) error {
	if e.rules == nil {
		return nil
	}
	moves := e.rules.From(a.Options, make([]float64, a.Classifier.Dim())).Moves()
	if j, what := moves.Unfollowed(rules.Prices | rules.Directions | rules.Categories); what != "" {
		if g := moves.Features[j].Group; g > 0 {
			what = fmt.Sprintf("belongs to the group %.40q", e.rules.Groups[g-1].Name)
		}
		return fmt.Errorf("--proofs: by --costs, feature %s %s, and proofs know features that "+
			"may be any number, and categories of the model, only: leave out --proofs, or the "+
			"rule", e.nameOf(j), what)
	}
	if len(e.rules.Linear) > 0 {
		return fmt.Errorf("--proofs: by --costs, %.60q, and proofs know no rules between "+
			"features: leave out --proofs, or the rule", e.rules.Linear[0].Text)
	}
	if _, j := moves.Codes(); j >= 0 {
		return fmt.Errorf("--proofs: by --costs, feature %s is a category, and proofs know those "+
			"only of which the model says how many codes they have: leave out --proofs, or "+
			"the rule", e.nameOf(j))
	}
	if c, ok := access.Searcher(a.Classifier); ok && c.Follows()&rules.Proofs != 0 {
		return nil
	}
	if j := slices.IndexFunc(
		e.rules.Features,
		func(f attack.Feature) bool { return !f.Frozen && (priced(f.Up) || priced(f.Down)) },
	); j >= 0 {
		return fmt.Errorf("--proofs: by --costs, feature %s has a price, which proofs know of "+
			"trees that test one feature at a time, not of %s: leave out --proofs, or the price",
			e.nameOf(j), e.Describe())
	}
	return nil
}

// priced reports whether a price is another than 1 and says more than that the feature may not move
// so.
func priced(price float64) bool { return price != 0 && price != 1 && !math.IsInf(price, 1) }

// proverOf makes an attack write proofs, whose model is the file of --model, if checkers read such
// files, or is written beside them.
func (e *evaluation) proverOf(a *attack.RegionBased, file string) (p *prover, err error) {
	if err := e.checkProvable(a); err != nil {
		return nil, err
	}
	path := ""
	if e.ModelIsFile() && e.Above == nil && e.Vote == nil {
		path = e.Model
	}
	p = &prover{RegionBased: a, name: file}
	err = p.models.add(path, file, ".model.json", e.data.Save)
	for i, of := range e.also.files {
		if err == nil { // that are to accept, too
			err = p.models.add(of.path, file, fmt.Sprintf(".also-%d.json", i+1),
				func(w io.Writer) error { return classifier.Save(w, of.Classifier) })
		}
	}
	if err != nil {
		return nil, err
	}
	return p, e.checkOutputs(p.models.outputs()...)
}

// provedModels are those that a file of proofs is about.
type provedModels []provedModel

// provedModel is a model that proofs are about.
type provedModel struct {
	path  string
	sum   [sha256.Size]byte
	saved []byte // to write there; nil if the file is there
}

// add adds the model of a file if there is one that checkers read; else the file of save is to
// stand beside the file of proofs, by its name with another ending.
func (l *provedModels) add(
	path, file, ending string, save func(w io.Writer) error,
) error {
	if path != "" {
		if read, err := proofs.ReadModel(path); err == nil {
			*l = append(*l, provedModel{path: path, sum: read.SHA256})
			return nil
		}
	}
	var text bytes.Buffer
	if err := save(&text); err != nil {
		return fmt.Errorf("--proofs: %w", err)
	}
	if _, err := proof.ReadModel(bytes.NewReader(text.Bytes())); err != nil {
		return fmt.Errorf("--proofs: checkers do not read this model, not even as facet "+
			"writes it: %w", err)
	}
	beside := strings.TrimSuffix(file, ".gz") + ending
	m := provedModel{beside, sha256.Sum256(text.Bytes()), text.Bytes()}
	if sum, err := outfile.Checksum(beside); err == nil && sum == fmt.Sprintf("%x", m.sum) {
		m.saved = nil
	}
	*l = append(*l, m)
	return nil
}

// outputs are the files that are written beside the proofs.
func (l provedModels) outputs() (list []outfile.Output) {
	for _, m := range l {
		if m.saved != nil {
			list = append(list, outfile.Output{Flag: "proofs", Path: m.path})
		}
	}
	return list
}

// write writes these files and returns the checksums of all models.
func (l provedModels) write() (sums [][sha256.Size]byte, err error) {
	for _, m := range l {
		if m.saved != nil {
			err = outfile.WriteText(m.path, m.saved)
		}
		if err != nil {
			return nil, fmt.Errorf("--proofs: %w", err)
		}
		sums = append(sums, m.sum)
	}
	return sums, nil
}

// named are the flags of facet check that name the models.
func (l provedModels) named() (flags string) {
	for _, m := range l {
		flags += " --model " + m.path
	}
	return flags
}

// prover is an attack whose proofs go to a file.
type prover struct {
	*attack.RegionBased
	models   provedModels
	name     string // of the file of proofs
	file     *proofs.File
	unproven atomic.Int64
}

// proving is the attack of one row, which keeps the proof.
type proving struct {
	*prover
	text bytes.Buffer
}

// Perturb implements attack.Attack. Answers that floating point has proven, and the proof does not,
// are counted; so is a row that no proof can be about, such as one with a missing value.
func (p *proving) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	a := *p.RegionBased
	a.Proof = proof.NewWriter(&p.text)
	r, err := a.Perturb(ctx, x)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		p.unproven.Add(1)
		return p.RegionBased.Perturb(ctx, x)
	case errors.Is(err, attack.ErrUnproven):
		p.unproven.Add(1)
		err = nil
	}
	return r, err
}

// open begins or continues the file.
func (p *prover) open(resume bool) (err error) {
	sums, err := p.models.write()
	if err != nil {
		return err
	}
	if p.file, err = proofs.Open(p.name, resume, sums...); err != nil {
		return fmt.Errorf("--proofs: %w", err)
	}
	return nil
}
