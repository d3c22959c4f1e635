package subject

import (
	"fmt"
	"strings"
)

// Describe names the model.
func (s *Flags) Describe() string {
	splits := s.Criterion
	if s.Robust > 0 {
		splits = fmt.Sprintf("%v, robust to %v", s.Criterion, s.Robust)
	}
	switch s.Model {
	case "knn":
		if s.weighted() {
			return fmt.Sprintf("%d-nearest neighbours, weighted by distance", s.K)
		}
		return fmt.Sprintf("%d-nearest neighbours", s.K)
	case "tree":
		return fmt.Sprintf("decision tree, depth %d, %s", s.Depth, splits)
	case "forest":
		return fmt.Sprintf("random forest, %d trees, depth %d, %s", s.Trees, s.Depth, splits)
	case "boosted":
		text := fmt.Sprintf("boosted trees, %d rounds, depth %d", s.Trees, s.boosted().Depth)
		if s.Robust > 0 {
			text += fmt.Sprintf(", robust to %v", s.Robust)
		}
		return text
	case "oblique":
		return fmt.Sprintf("oblique trees, %d of them, depth %d, %v", s.Trees, s.Depth, s.Criterion)
	}
	return s.Model
}

// NormName names the norm as papers do.
func (m *Measure) NormName() string {
	return map[string]string{"inf": "ℓ∞", "1": "ℓ1", "2": "ℓ2", "0": "ℓ0"}[m.Name()]
}

// DescribeNorm names the norm, and the unit of distances if it is not that of the files.
func (s *Flags) DescribeNorm() string {
	if s.Scale == "minmax" {
		return s.NormName() + ", features scaled to [0,1]"
	}
	return s.NormName()
}

// DescribeDefence says how the training rows are defended; "" if they are not.
func (s *Flags) DescribeDefence() string {
	var parts []string
	if s.Prune > 0 {
		parts = append(parts, fmt.Sprintf(", pruned with radius %v", s.Prune))
	}
	if s.Local > 0 {
		parts = append(parts, fmt.Sprintf(" at most, %v times the distance to another label",
			s.Local))
	}
	if s.Adversarial > 0 {
		parts = append(parts, fmt.Sprintf(", with adversarial examples within %v", s.Adversarial))
	}
	return strings.Join(parts, "")
}
