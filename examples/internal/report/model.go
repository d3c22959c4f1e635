package report

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// kindOf names the kind of a model, and its size.
func kindOf(m classifier.Model) string {
	switch m := m.(type) {
	case *classifier.KNN:
		return fmt.Sprintf("%d-nearest neighbours of %d training rows", m.K(), m.Len())
	case *classifier.WeightedKNN:
		return fmt.Sprintf("%d-nearest neighbours of %d training rows, weighted by distance",
			m.K(), m.Len())
	case *classifier.Tree:
		leaves, depth := measure(m)
		return fmt.Sprintf("a decision tree of %s, %s deep", many(leaves, "leaf", "leaves"),
			many(depth, "split", "splits"))
	case *classifier.Ensemble:
		leaves, depth := 0, 0
		for i := range m.Len() {
			l, d := measure(m.Tree(i))
			leaves, depth = leaves+l, max(depth, d)
		}
		return fmt.Sprintf("%s of %s together, up to %s deep",
			many(m.Len(), "decision tree", "decision trees"), many(leaves, "leaf", "leaves"),
			many(depth, "split", "splits"))
	case *classifier.ObliqueEnsemble:
		return many(m.Len(), "oblique decision tree", "oblique decision trees")
	case *classifier.Regressor:
		return "a regressor"
	}
	return ""
}

// many counts things.
func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// measure counts the leaves of a tree, and the splits on its longest path. Children come after
// their parents.
func measure(t *classifier.Tree) (leaves, depth int) {
	nodes := t.Nodes()
	above := make([]int, len(nodes))
	for i, n := range nodes {
		if n.Left < 0 {
			leaves++
			depth = max(depth, above[i])
			continue
		}
		above[n.Left], above[n.Right] = above[i]+1, above[i]+1
	}
	return leaves, depth
}
