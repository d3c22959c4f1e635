package subject

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// Output is a file that a command writes, or none if the path is empty.
type Output struct{ Flag, Path string }

// CheckOutputs refuses to write into a file that is read, by flag, or written too, or a folder that
// is missing.
func CheckOutputs(inputs map[string]string, outputs ...Output) error {
	for i, o := range outputs {
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
