package instance

import (
	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// Explainer returns an explainer about the inputs that an attack is about, with its limits.
func Explainer(c classifier.Classifier, o attack.Options) *explain.Explainer {
	return &explain.Explainer{Classifier: c, Options: explain.Options{
		Target: o.Target, Domain: o.Domain, Features: o.Features, Linear: o.Linear,
		Solver: o.Solver, Timeout: o.Timeout, MaxNodes: o.MaxNodes, MaxOpen: o.MaxOpen,
		MaxBytes: o.MaxBytes, Proof: o.Proof,
	}}
}
