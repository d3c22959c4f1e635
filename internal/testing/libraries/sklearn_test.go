package libraries

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

// TestExporter runs the exporter's own tests with the scikit-learn that is installed.
func TestExporter(t *testing.T) {
	t.Parallel()
	python.Run(t, "../../../docs/test_export_sklearn.py", nil)
}
