package plotting

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

func TestRuns(t *testing.T) {
	for line, want := range map[string][]run{
		"":             nil,
		"r = 0.3":      {{"r = 0.3", 0}},
		"x₁₀ (scaled)": {{"x", 0}, {"10", sunkenScript}, {" (scaled)", 0}},
		"ℓ∞ and ℓ2, 2": {{"ℓ", 0}, {"∞", sunkenScript}, {" and ℓ", 0}, {"2", sunkenScript},
			{", 2", 0}},
		"2·10⁻³, n⁰·⁷⁵": {{"2·10", 0}, {"-3", raisedScript}, {", n", 0}, {"0.75", raisedScript}},
		"a_b^c ∞":       {{"a_b^c ∞", 0}},
	} {
		if got := runs(line); !slices.Equal(got, want) {
			t.Errorf("%q is divided into %v, want %v", line, got, want)
		}
	}
	if got := Superscript("-0.75"); got != "⁻⁰·⁷⁵" {
		t.Errorf("above the line: %q", got)
	}
}

// TestScripts: a line takes the room that its runs take, and is told whole.
func TestScripts(t *testing.T) {
	s := style(10)
	plain, small := s, s
	small.Font.Size *= scriptSize
	want := plain.Width("10") + small.Width("3")
	if got := s.Width("10³"); got != want || s.Height("10³") != s.Height("10") {
		t.Errorf("width %v, want %v; height %v, want %v",
			got, want, s.Height("10³"), s.Height("10"))
	}
	c := &outlined{Canvas: vgsvg.New(100, 100)}
	handler.Draw(c, "10³ of\nℓ∞", s, vg.Point{X: 10, Y: 50})
	if want := []string{"10³ of", "ℓ∞"}; !slices.Equal(c.words, want) || c.failed != nil {
		t.Errorf("told %q (%v), want %q", c.words, c.failed, want)
	}
}
