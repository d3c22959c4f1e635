package classifier

// Border is where the inputs that a threshold sends left end, and whether the end
// goes left.
func (c Comparison) Border(t float64) (end float64, closed bool) { return c.border(t) }
