package libraries

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestProbabilities: probabilities that the command prints are predict_proba of every kind of
// model, and the libraries confirm on which side of one its examples are, and inputs nearer than
// its bounds.
func TestProbabilities(t *testing.T) {
	t.Parallel()
	facet := filepath.Join(t.TempDir(), "facet")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-o", facet,
		"github.com/seed-1a7dc1f9/facet/examples/facet").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, built)
	}
	kinds := []string{", 3 classes", ", 2 classes", ", 10 classes"}
	for _, some := range kinds[:racetest.Count(1, 3)] {
		t.Logf("%s", python.Run(t, "../../../tools/check_probabilities.py", nil, facet, some))
	}
}
