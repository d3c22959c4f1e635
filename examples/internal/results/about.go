package results

import (
	"fmt"
	"path/filepath"
	"strings"
)

// About names the inputs that all answers are about: no sentence about a run goes beyond them.
func (m *Meta) About() string {
	where, rules := m.where(), filepath.Base(m.Inputs["costs"].Path)
	ruled := m.Inputs["costs"].Path != ""
	switch {
	case where != "" && ruled:
		return fmt.Sprintf("inputs that %s allows %s", rules, where)
	case where != "":
		return "inputs " + where
	case ruled:
		return fmt.Sprintf("inputs that %s allows", rules)
	case len(m.Limits) > 0:
		return "all inputs of known categories"
	}
	return "all inputs"
}

// AboutAll is About with the limits in the files, and says once that categories are known ones.
func (m *Meta) AboutAll() string {
	if len(m.Limits) == 0 {
		return m.About()
	}
	const known = "of known categories"
	return strings.Replace(m.About()+": "+strings.Join(m.Limits, "; "), known+": "+known, known, 1)
}

// where says in which box the inputs lie, if they lie in one.
func (m *Meta) where() string {
	lo, hi, cube := strings.Cut(m.Flags["domain"], ",")
	feature := "feature"
	if m.Scaling != nil {
		feature = "scaled feature"
	}
	switch path := m.Inputs["domain"].Path; {
	case path != "":
		return "within the box of " + filepath.Base(path)
	case cube:
		return fmt.Sprintf("within [%s, %s] in every %s", strings.TrimSpace(lo),
			strings.TrimSpace(hi), feature)
	}
	return ""
}

// None begins a sentence about none of these inputs.
func (m *Meta) None() string {
	if about := m.About(); about != "all inputs" {
		return "none of " + strings.Replace("the "+about, "the all ", "all ", 1)
	}
	return "no input"
}

// Sought names the label, or output, that an attack looks for.
func (m *Meta) Sought() string {
	switch target, change := strings.TrimSpace(m.Flags["target"]), m.Flags["change"]; {
	case target != "":
		return "label " + target
	case change != "":
		return "an output that differs by more than " + change
	}
	return "another prediction"
}

// Proves reports whether bounds are proven.
func (m *Meta) Proves() bool {
	method := m.Flags["attack"]
	return method == "" || method == "exact"
}

// Targeted reports whether distances are to one label, which do not count for the others.
func (m *Meta) Targeted() bool { return strings.TrimSpace(m.Flags["target"]) != "" }
