package command

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// columns are those of a terminal.
const columns = 80

// Wrap breaks a text into lines that begin with an indent.
func Wrap(text, indent string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			b.WriteString(indent)
			width = len(indent)
		case width+1+n > columns:
			b.WriteString("\n" + indent)
			width = len(indent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String()
}

// Explain prints a description of a program, how it is called, and its flags.
func Explain(w io.Writer, about string, forms []string, f *pflag.FlagSet) {
	ExplainUse(w, about, "", forms...)
	fmt.Fprintln(w)
	f.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			ExplainFlag(w, f)
		}
	})
}

// ExplainUse prints a description of a program, more about it unless that is empty, and how it is
// called.
func ExplainUse(w io.Writer, about, more string, forms ...string) {
	fmt.Fprintln(w, Wrap(about, ""))
	if more != "" {
		fmt.Fprintf(w, "\n%s\n", Wrap(more, ""))
	}
	fmt.Fprintln(w)
	for _, form := range forms {
		fmt.Fprintf(w, "  %s\n", form)
	}
}

// ExplainFlag prints a flag and its purpose.
func ExplainFlag(w io.Writer, f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	fmt.Fprintf(w, "  %s\n%s\n", strings.TrimSpace("--"+f.Name+" "+value), Wrap(usage, "      "))
}

// WrongUse puts an error of parsing flags into the words of all programs. The program is named as
// it is called, to point at its help. What became of flags that were, and are no more, is in moved.
func WrongUse(err error, program string, f *pflag.FlagSet, moved map[string]string) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		err = fmt.Errorf("there is no flag -%s: flags begin with two dashes",
			unknown.GetSpecifiedShortnames())
	case errors.As(err, &unknown) && moved[unknown.GetSpecifiedName()] != "":
		name := unknown.GetSpecifiedName()
		return Misuse(fmt.Errorf("there is no flag --%s here: %s", name, moved[name]))
	case errors.As(err, &unknown):
		err = fmt.Errorf("there is no flag --%s%s", unknown.GetSpecifiedName(),
			Meant(unknown.GetSpecifiedName(), "--", namesOf(f)))
	case errors.As(err, &invalid):
		err = fmt.Errorf("invalid value %q for flag --%s: %w",
			invalid.GetValue(), invalid.GetFlag().Name, invalid.Unwrap())
	case errors.As(err, &missing):
		err = fmt.Errorf("flag --%s needs a value", missing.GetSpecifiedName())
	}
	return Misuse(fmt.Errorf("%w; %s --help lists the flags", err, program))
}

// namesOf are the flags of a set.
func namesOf(f *pflag.FlagSet) (names []string) {
	f.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// Meant asks whether one of the names was meant that are near to a text, each with a text before
// it; it is "" if none is.
func Meant(text, before string, names []string) string {
	near := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range names {
		near.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	list := near.SuggestionsFor(text)
	if len(list) == 0 {
		return ""
	}
	const most = 3
	list = list[:min(len(list), most)]
	for i, name := range list {
		list[i] = before + name
	}
	return fmt.Sprintf(", did you mean %s?", strings.Join(list, " or "))
}

// Stray is the error for a word among the flags.
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
