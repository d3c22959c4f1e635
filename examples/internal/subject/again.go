package subject

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// Again reads the rows of an earlier run once more: its flags by their names and values, and its
// files by flag. Flags that are not about rows are passed over. No classifier is trained: it is nil
// where one was.
func Again(ctx context.Context, values, files map[string]string) (*Subject, error) {
	s, set := new(Flags), pflag.NewFlagSet("again", pflag.ContinueOnError)
	s.Unlabeled = true
	s.AddRows(set)
	s.AddModel(set)
	s.AddTraining(set)
	s.AddSearch(set)
	for _, given := range []map[string]string{values, files} {
		for name, value := range given {
			if f := set.Lookup(name); f == nil || value == f.Value.String() {
				continue
			}
			if err := set.Set(name, value); err != nil {
				return nil, fmt.Errorf("--%s %s: %w", name, value, err)
			}
		}
	}
	if err := s.recall(values); err != nil {
		return nil, err
	}
	var m *Model
	if s.ModelIsFile() {
		var err error
		if m, err = s.readModel(ctx); err != nil {
			return nil, err
		}
	}
	data, err := s.Read(ctx, m, io.Discard)
	if err != nil || m == nil {
		return &Subject{Data: data}, err
	}
	return &Subject{data, m.Classifier, m.regressor}, nil
}
