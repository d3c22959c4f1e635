package command

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"
)

// Explain prints what a program does, how it is called, and its flags.
func Explain(w io.Writer, about string, forms []string, sets ...*pflag.FlagSet) {
	fmt.Fprintf(w, "%s\n\n", about)
	for _, form := range forms {
		fmt.Fprintf(w, "  %s\n", form)
	}
	fmt.Fprintln(w)
	for _, set := range sets {
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				explainFlag(w, f)
			}
		})
	}
}

func explainFlag(w io.Writer, f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" {
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	fmt.Fprintf(w, "  %s\n    \t%s\n", strings.TrimSpace("--"+f.Name+" "+value), usage)
}

// WrongUse puts an error of parsing flags into the words of all programs. The program is
// named as it is called, to point at its help.
func WrongUse(err error, program string) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		err = fmt.Errorf("there is no flag -%s: flags begin with two dashes",
			unknown.GetSpecifiedShortnames())
	case errors.As(err, &unknown):
		err = fmt.Errorf("there is no flag --%s", unknown.GetSpecifiedName())
	case errors.As(err, &invalid):
		err = fmt.Errorf("invalid value %q for flag --%s: %w",
			invalid.GetValue(), invalid.GetFlag().Name, invalid.Unwrap())
	case errors.As(err, &missing):
		err = fmt.Errorf("flag --%s needs a value", missing.GetSpecifiedName())
	}
	return Misuse(fmt.Errorf("%w; %s --help lists the flags", err, program))
}

// Stray is the error for what stands among the flags.
func Stray(arg, hint string) error { return fmt.Errorf("%q is not a flag%s", arg, hint) }

// Version is the version of the module, the commit it was built from and the Go that built it.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Release() + ", " + runtime.Version()
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	text := Release()
	if commit := settings["vcs.revision"]; commit != "" {
		text += ", commit " + commit[:min(12, len(commit))]
	}
	if settings["vcs.modified"] == "true" {
		text += " with changes"
	}
	if tags := settings["-tags"]; tags != "" {
		text += ", tags " + tags
	}
	return fmt.Sprintf("%s, %s %s/%s", text, info.GoVersion, runtime.GOOS, runtime.GOARCH)
}

// Release is the version of the module alone.
func Release() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
