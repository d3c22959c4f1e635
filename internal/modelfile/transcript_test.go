package modelfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/testing/transcript"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// small is a file of each format that is text. FuzzRead starts from them, here and, by
// testdata/transcript.txt, in package classifier.
var small = []string{
	smallModel, boostedModel, boosterModel,
	lightgbmModel[:strings.Index(lightgbmModel, "\nfeature_importances")], catboostModel,
	obliqueModel, treeModel, knnModel,
}

// TestTranscript compares the models in them with testdata/transcript.txt.
func TestTranscript(t *testing.T) {
	var out strings.Builder
	for _, text := range small {
		m, err := modelfile.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n\n", strings.TrimSpace(text))
		describe(&out, m)
		fmt.Fprintf(&out, "\n%s\n\n", strings.Repeat("-", 80))
	}
	transcript.Compare(t, "testdata/transcript.txt", out.String())
}

// describe prints a model.
func describe(out *strings.Builder, m *models.Model) {
	fmt.Fprintf(out, "Format %s, kind %s, %d features, class values %v.\n",
		m.Format, m.Kind, m.Dim, m.ClassValues)
	for i, row := range m.Rows {
		fmt.Fprintf(out, "Row %d is %v, label %d; %d neighbours vote.\n", i, row, m.Labels[i], m.K)
	}
	if len(m.Trees) > 0 {
		fmt.Fprintf(out, "Comparison %d, vote %d, base %v, single precision %v.\n",
			m.Comparison, m.Vote.Rule, m.Vote.Base, m.Vote.Single)
	}
	m.Each(func(i int, nodes trees.Plain) error {
		for k := range nodes.Len() {
			n := trees.At(nodes, k)
			test := fmt.Sprintf("feature %d", n.Feature)
			if n.Weights != nil {
				test = fmt.Sprintf("weights %v", n.Weights)
			}
			if n.Left < 0 {
				fmt.Fprintf(out, "Tree %d, node %d: a leaf of value %v.\n", i, k, n.Value)
			} else {
				threshold := fmt.Sprintf("threshold %v", n.Threshold)
				if n.Thresholds != nil {
					threshold = fmt.Sprintf("thresholds %v", n.Thresholds)
				}
				fmt.Fprintf(out, "Tree %d, node %d: %s, %s, children %d and %d, "+
					"missing goes left: %v, value %v.\n",
					i, k, test, threshold, n.Left, n.Right, n.MissingLeft, n.Value)
			}
		}
		return nil
	})
}
