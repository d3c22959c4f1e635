package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

// makeModel makes the model that proofs are about from the training set: as it stands, if that is
// the file that they name, or else as facet attack and facet prune make it.
func (c *checking) makeModel(
	ctx context.Context, about subjectOf, stderr io.Writer,
) (*proof.Model, error) {
	if len(about.sums) == 0 {
		return nil, c.fits(about, nil)
	}
	if m := c.asItStands(); m != nil && fmt.Sprintf("%x", m.SHA256) == about.sums[0] {
		return m, nil
	}
	text, err := c.rewrite(ctx, about, stderr)
	if err != nil {
		return nil, err
	}
	m, err := proof.ReadModel(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Train.Path, err)
	}
	if sum := fmt.Sprintf("%x", m.SHA256); sum != about.sums[0] {
		return nil, fmt.Errorf("%s is about a model with the SHA-256 %.64s, and that made of %s "+
			"with these flags has %s: give all flags of facet attack, or facet prune, that say "+
			"how rows are read, --k, --scale, --prune and --test too. (Models other than k-NN "+
			"are named by --model)", c.proofs, about.sums[0], c.Train.Path, sum)
	}
	return m, nil
}

// asItStands reads the training set with the checker's own reader, nil if it cannot.
func (c *checking) asItStands() *proof.Model {
	if info, err := os.Stat(c.Train.Path); err != nil || !info.Mode().IsRegular() {
		return nil // a pipe can be read once
	}
	file, err := os.Open(c.Train.Path)
	if err != nil {
		return nil
	}
	defer file.Close()
	m, err := proof.ReadRows(file, c.K)
	if err != nil {
		return nil
	}
	return m
}

// rewrite returns the file of the model that facet attack, or facet prune, writes beside the
// proofs.
func (c *checking) rewrite(
	ctx context.Context, about subjectOf, stderr io.Writer,
) ([]byte, error) {
	if about.pruning {
		data, err := c.Read(ctx, nil, stderr)
		if err != nil {
			return nil, err
		}
		return rowsFile(data)
	}
	c.Model = "knn"
	s, err := c.Load(ctx, stderr)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = s.Save(&text)
	return text.Bytes(), err
}

// rowsFile returns the file of the rows that a certificate of pruning is about: as they are
// compared, scaled and numbered.
func rowsFile(d *subject.Data) ([]byte, error) {
	knn, err := classifier.TrainKNN(context.Background(), d.Train.Matrix(), d.Train.Y,
		classifier.KNNOptions{K: 1})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = classifier.Save(&text, knn)
	return text.Bytes(), err
}
