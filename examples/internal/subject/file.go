package subject

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// modelFile is a model and the file that it was read from.
type modelFile struct {
	model classifier.Model
	sum   string // SHA-256
}

// filesKey is that of the models that a context knows.
type filesKey struct{}

// Reusing returns a context in which the file of each model is read once.
func Reusing(ctx context.Context) context.Context {
	return context.WithValue(ctx, filesKey{}, new(sync.Map))
}

// ReadFile reads the file of a model, whose vote is the one given where the file does not say it.
// It returns the SHA-256 of the file, too. Errors begin with the path.
func ReadFile[M classifier.Model](
	ctx context.Context, path string, limits dataset.Limits, vote *classifier.Vote,
) (m M, sum string, err error) {
	known, reuses := ctx.Value(filesKey{}).(*sync.Map)
	key := path
	if vote != nil {
		key += fmt.Sprint("\x00", *vote)
	}
	if reuses {
		if found, ok := known.Load(key); ok {
			if m, ok := found.(modelFile).model.(M); ok {
				return m, found.(modelFile).sum, nil
			}
		}
	}
	hash := sha256.New()
	var fault error // of the file's contents
	err = ReadWith(ctx, path, limits, func(r io.Reader) {
		m, fault = readModel[M](io.TeeReader(r, hash), vote)
	})
	if err == nil && fault != nil {
		err = fmt.Errorf("%s: %w", path, fault)
		if tabular.IsTable(path) {
			err = fmt.Errorf("%w (by its name it is a table, which --train and --test take)", err)
		}
	}
	if err != nil {
		return m, "", err
	}
	sum = fmt.Sprintf("%x", hash.Sum(nil))
	if reuses {
		known.Store(key, modelFile{m, sum})
	}
	return m, sum, nil
}

// readModel reads a model, whose vote is the one given where the file does not say it.
func readModel[M classifier.Model](r io.Reader, vote *classifier.Vote) (M, error) {
	if vote == nil {
		return classifier.Read[M](r, classifier.ReadOptions{})
	}
	m, err := classifier.Read[M](r, classifier.ReadOptions{Vote: *vote})
	if err != nil {
		return m, fmt.Errorf("--vote: %w", err)
	}
	return m, nil
}
