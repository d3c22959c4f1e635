package command_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

// program counts to -n and fails with an error.
func program(err error) *command.Program {
	return &command.Program{
		Name: "program", About: "Counts.", Stray: ": numbers are given by -n",
		Begin: func(f *pflag.FlagSet) command.Work {
			var n int
			command.Var(f, &n, "n", "2", command.Between(1, 5), "a `number`")
			return func(_ context.Context, stdout, stderr io.Writer) error {
				fmt.Fprintln(stdout, n)
				if errors.Is(err, command.ErrTold) {
					command.Complain(stderr, "program", errors.New("two\n\tlines"))
				}
				return err
			}
		},
	}
}

func TestRun(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	failure := errors.New("no\n\tspace  left")
	for name, c := range map[string]struct {
		ctx            context.Context
		args           string
		err            error
		status         int
		stdout, stderr string
	}{
		"done": {t.Context(), "-n 3", nil, command.Done, "3\n", ""},
		"failed": {t.Context(), "", failure, command.Failed, "2\n",
			"program: no space left\n"},
		"misused": {t.Context(), "", command.Misuse(failure), command.Misused, "2\n",
			"program: no space left\n"},
		"told": {t.Context(), "", command.ErrTold, command.Failed, "2\n",
			"program: two lines\n"},
		"interrupted": {ended, "", fmt.Errorf("point 3: %w", context.Canceled), command.Interrupted,
			"2\n", "program: interrupted\n"},
		"before": {ended, "", command.Misuse(failure), command.Interrupted, "2\n",
			"program: interrupted before the first point\n"},
		"wrong flag": {t.Context(), "-n 6", nil, command.Misused, "",
			"program: invalid value \"6\" for flag --n: \"6\" is no whole number from 1 to 5; " +
				"program --help lists the flags\n"},
		"no flag": {t.Context(), "-m 6", nil, command.Misused, "",
			"program: there is no flag -m: flags begin with two dashes; program --help lists the " +
				"flags\n"},
		"no value": {t.Context(), "-n", nil, command.Misused, "",
			"program: flag --n needs a value; program --help lists the flags\n"},
		"stray": {t.Context(), "7", nil, command.Misused, "",
			"program: \"7\" is not a flag: numbers are given by -n; program --help lists the " +
				"flags\n"},
		"help": {t.Context(), "-h", nil, command.Done,
			"Counts.\n\n  program [flags]\n\n  --n number\n      a number (default 2)\n  " +
				"--version\n      print the version and build\n", ""},
	} {
		var stdout, stderr bytes.Buffer
		status := program(c.err).Run(c.ctx, strings.Fields(c.args), &stdout, &stderr)
		if status != c.status || stdout.String() != c.stdout || stderr.String() != c.stderr {
			t.Errorf("%s: status %d, %q, %q, want %d, %q, %q",
				name, status, &stdout, &stderr, c.status, c.stdout, c.stderr)
		}
	}
}

// TestText: numbers are written in one way, so that they can be compared.
func TestText(t *testing.T) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	var radius float64
	var names []string
	command.Var(f, &radius, "radius", "0", command.Radius, "")
	command.Var(f, &names, "names", "", command.Each(command.OneOf("a", "b")), "")
	if err := f.Parse([]string{"--radius", "1e-1", "--names", "b, a"}); err != nil {
		t.Fatal(err)
	}
	if text := f.Lookup("radius").Value.String(); text != "0.1" || radius != 0.1 ||
		len(names) != 2 {
		t.Errorf("radius %v as %q, names %q, want 0.1 and two names", radius, text, names)
	}
	if list, err := command.Names(`"a, b",c`); err != nil || len(list) != 2 || list[0] != "a, b" {
		t.Errorf("%q, %v, want two names, of which one has a comma", list, err)
	}
	for _, wrong := range [][]string{
		{"--radius", "-1"}, {"--radius", "NaN"}, {"--radius", "inf"}, {"--names", "a,c"},
	} {
		f.SetOutput(io.Discard)
		if err := f.Parse(wrong); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
	if radius != 0.1 {
		t.Errorf("radius %v, want what it was before the wrong ones", radius)
	}
}

// TestRenamed: a flag by the name that it had is that of today, which is noted.
func TestRenamed(t *testing.T) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	out := f.String("out", "", "")
	command.Renamed(f, "junit", "out", "junit:")
	if err := f.Parse([]string{"--junit", "a.xml"}); err != nil || *out != "junit:a.xml" ||
		!f.Changed("out") {
		t.Errorf("--junit a.xml makes --out %q, %v", *out, err)
	}
	var said bytes.Buffer
	if command.SayRenamed(f, &said); said.String() != "note: --junit is --out junit:… now\n" {
		t.Errorf("it is noted as %q", &said)
	}
}
