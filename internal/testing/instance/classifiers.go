package instance

import (
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// Opaque hides everything but the classifier.
type Opaque struct{ classifier.Classifier }

// Listed hides every upgrade of a classifier.
type Listed struct{ classifier.Decomposable }
