package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// set is a data set and what identifies its contents.
type set struct {
	*protocol.Set
	checksum string
}

// Set returns a set of the paper by its name.
func (l *Lab) Set(ctx context.Context, name string) (*protocol.Set, error) {
	s, err := l.set(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.Set, nil
}

func (l *Lab) set(ctx context.Context, name string) (*set, error) {
	if s := l.sets[name]; s != nil {
		return s, nil
	}
	loaded, err := protocol.LoadContext(ctx, name, l.options.Folders...)
	if err != nil {
		return nil, err
	}
	s := &set{loaded, checksum(loaded)}
	l.sets[name] = s
	return s, nil
}

// checksum identifies the prepared rows, and so the files, the split and the
// scaling behind them.
func checksum(s *protocol.Set) string {
	h := sha256.New()
	for _, x := range []*mat.Dense{s.Train, s.Test} {
		x.MarshalBinaryTo(h) // a hash takes all
	}
	for _, y := range slices.Concat(s.TrainY, s.TestY) {
		binary.Write(h, binary.LittleEndian, uint64(y))
	}
	return hex.EncodeToString(h.Sum(nil))
}
