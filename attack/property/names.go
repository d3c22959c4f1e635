package property

import (
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// match returns the number that each feature of b has in a: that of the feature of the same name if
// both have names, and else its own. It is nil if all numbers are the same.
func match(a, b Model) ([]int, error) {
	first, second := classifier.NamesOf(a), classifier.NamesOf(b)
	if first.Features == nil || second.Features == nil {
		if a.Dim() != b.Dim() {
			return nil, fmt.Errorf("%w: one has %d features, the other %d", errModels, a.Dim(),
				b.Dim())
		}
		return nil, sameWords(&first, &second, nil)
	}
	if err := sameFeatures(first.Features, second.Features); err != nil {
		return nil, err
	}
	var order []int
	for _, name := range second.Features {
		order = append(order, slices.Index(first.Features, name))
	}
	return order, sameWords(&first, &second, order)
}

// sameFeatures returns an error for features that only one of two models has.
func sameFeatures(a, b []string) error {
	missing := func(names, of []string) string {
		i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(of, name) })
		if i < 0 {
			return ""
		}
		return names[i]
	}
	switch one, other := missing(a, b), missing(b, a); {
	case one != "" && other != "":
		return fmt.Errorf("%w: only the first has a feature %q, and only the second %q", errModels,
			one, other)
	case one != "":
		return fmt.Errorf("%w: only the first has a feature %q", errModels, one)
	case other != "":
		return fmt.Errorf("%w: only the second has a feature %q", errModels, other)
	case len(a) != len(b):
		return fmt.Errorf("%w: several features have the same name", errModels)
	}
	return nil
}

// sameWords returns an error for classes, or categories, that stand for different words.
func sameWords(a, b *classifier.Names, order []int) error {
	if a.Classes != nil && b.Classes != nil && !slices.Equal(a.Classes, b.Classes) {
		return fmt.Errorf("%w: the classes of one are %q, of the other %q", errModels, a.Classes,
			b.Classes)
	}
	if a.Categories == nil || b.Categories == nil {
		return nil
	}
	for j, words := range b.Categories {
		to := j
		if order != nil {
			to = order[j]
		}
		if own := a.Categories[to]; own != nil && words != nil && !slices.Equal(own, words) {
			name := fmt.Sprint(to)
			if a.Features != nil {
				name = a.Features[to]
			}
			return fmt.Errorf("%w: the categories of feature %s of one are %q, of the other %q",
				errModels, name, own, words)
		}
	}
	return nil
}
