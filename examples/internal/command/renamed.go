package command

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// renamed is the value of a flag that has another name now.
type renamed struct {
	now    *pflag.Flag
	before string // put before the value
}

func (r *renamed) String() string { return "" }

func (r *renamed) Type() string { return "value" }

// Set gives the value to the flag of today.
func (r *renamed) Set(text string) error {
	r.now.Changed = true
	return r.now.Value.Set(r.before + text)
}

// Renamed adds the name that a flag had, which is taken for the flag of today and for a value that
// begins so. Helps do not list it.
func Renamed(f *pflag.FlagSet, old, now, before string) {
	f.AddFlag(&pflag.Flag{
		Name: old, Value: &renamed{f.Lookup(now), before}, Hidden: true,
	})
}

// SayRenamed notes the new names of flags that were given by old ones.
func SayRenamed(f *pflag.FlagSet, stderr io.Writer) {
	f.Visit(func(flag *pflag.Flag) {
		if r, ok := flag.Value.(*renamed); ok {
			fmt.Fprintf(stderr, "note: --%s is --%s %s… now\n", flag.Name, r.now.Name, r.before)
		}
	})
}
