package subject

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// Output is a file that a command writes, or none if the path is empty.
type Output struct{ Flag, Path string }

// onlyFiles are flags whose files cannot be standard output, and why.
var onlyFiles = map[string]string{
	"examples":    "standard output is for text",
	"proofs":      "the model that they are about goes beside it",
	"certificate": "the rows that it is about go beside it",
}

// CheckOutputs refuses to write into a file that is read, by flag, or written too, or a folder that
// is missing.
func CheckOutputs(inputs map[string]string, outputs ...Output) error {
	for i, o := range outputs {
		if why := onlyFiles[o.Flag]; why != "" && outfile.IsStdout(o.Path) {
			return fmt.Errorf("--%s needs a file: %s", o.Flag, why)
		}
		for _, name := range slices.Sorted(maps.Keys(inputs)) {
			// else - is read and written, which are two
			if o.Path != outfile.Stdout && outfile.Same(o.Path, inputs[name]) {
				return fmt.Errorf("%s would overwrite the file of --%s", o.Path, name)
			}
		}
		for _, other := range outputs[:i] {
			if outfile.Same(o.Path, other.Path) {
				return fmt.Errorf("--%s and --%s are both %s", other.Flag, o.Flag, o.Path)
			}
		}
		if err := outfile.Check(o.Path); err != nil {
			return err
		}
	}
	return nil
}
