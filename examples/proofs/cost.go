package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// cost is what the proofs of some points come to.
type cost struct {
	proofs, settled      int
	bytes, zipped        int
	search, prove, check float64 // seconds
}

// notary checks proofs about a model as facet saves it.
type notary struct {
	model *proof.Model
	head  []byte // of a file of proofs
	all   bytes.Buffer
}

func newNotary(c classifier.Classifier) (*notary, error) {
	saver, ok := c.(interface{ Save(io.Writer) error })
	if !ok {
		return nil, errors.New("this classifier cannot be saved")
	}
	var file, head bytes.Buffer
	if err := saver.Save(&file); err != nil {
		return nil, err
	}
	if _, err := proof.NewWriter(&head, sha256.Sum256(file.Bytes())); err != nil {
		return nil, err
	}
	n := &notary{head: head.Bytes()}
	n.all.Write(n.head)
	var err error
	n.model, err = proof.ReadModel(&file)
	return n, err
}

// tries is how often each step is done for a point; the fastest counts.
const tries = 3

// add attacks a point, with and without a proof, and checks that.
func (n *notary) add(ctx context.Context, total *cost, a *attack.RegionBased, x []float64) error {
	var text bytes.Buffer
	search, err := fastest(func() error { _, err := a.Perturb(ctx, x); return err })
	if err != nil {
		return err
	}
	prove, err := fastest(func() error { text.Reset(); _, err := a.Prove(ctx, x, proof.Continue(&text)); return err })
	if err != nil || text.Len() == 0 {
		return err // a bound of 0 has no proof
	}
	settled := false
	check, err := fastest(func() error {
		file := io.MultiReader(bytes.NewReader(n.head), bytes.NewReader(text.Bytes()))
		return proof.Check(file, n.model, func(c proof.Claim) error { settled = c.Settled; return nil })
	})
	if err != nil {
		return fmt.Errorf("the proof is refused: %w", err)
	}
	total.proofs++
	if settled {
		total.settled++
	}
	total.bytes += text.Len()
	total.search, total.prove, total.check = total.search+search, total.prove+prove, total.check+check
	n.all.Write(text.Bytes())
	return nil
}

// fastest returns the seconds of the fastest of some tries.
func fastest(do func() error) (float64, error) {
	best := math.Inf(1)
	for range tries {
		start := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start).Seconds())
	}
	return best, nil
}

// zip finds out how long the file of all proofs is when gzipped.
func (n *notary) zip(total *cost) error {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err := w.Write(n.all.Bytes())
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	total.zipped = zipped.Len()
	return nil
}
