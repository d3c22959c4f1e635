package classifier_test

import (
	"errors"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

func TestCriterionNames(t *testing.T) {
	for _, c := range []classifier.Criterion{classifier.Entropy, classifier.Gini} {
		if got, err := classifier.ParseCriterion(c.String()); got != c || err != nil {
			t.Errorf("ParseCriterion(%q) = %v, %v, want %v", c.String(), got, err, c)
		}
	}
	if got, want := classifier.Criterion(7).String(), "Criterion(7)"; got != want {
		t.Errorf("String = %q, want %q", got, want)
	}
	if _, err := classifier.ParseCriterion("Gini"); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("ParseCriterion(Gini): error = %v, want ErrOption", err)
	}
}
