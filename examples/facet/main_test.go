package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestUse: all commands are called, explained and refused in one way.
func TestUse(t *testing.T) {
	for name, c := range map[string]struct {
		args   string
		status int
		stdout string // contained
		stderr string
	}{
		"help": {"--help", 0, "\n  facet attack ", ""},
		"h": {"-h", 0, "\nfacet help COMMAND lists the flags of a command, and " +
			"so does facet COMMAND --help.\n", ""},
		"help of none": {"help", 0, "\n  facet attack ", ""},
		"help attack": {"help attack", 0,
			"\n\n  facet attack --train FILE --test FILE [flags]\n\n", ""},
		"help of what is not": {"help frobnicate", 2, "",
			"facet help: there is no command \"frobnicate\"; facet --help lists them\n"},
		"completes values": {"__complete attack --attack ker", 0, "\nkernel\n", ""},
		"completes models": {"__complete certify --model fo", 0,
			"\nforest\nboosted\noblique\n:0\n", ""},
		"completes units":   {"__complete attack --units r", 0, "range\n", ""},
		"completes help":    {"__complete help att", 0, "attack\t", ""},
		"version":           {"version", 0, "facet (devel)", ""},
		"version as a flag": {"--version", 0, "facet (devel)", ""},
		"completion":        {"completion bash", 0, "complete", ""},
		"no command":        {"", 2, "", "facet: no command is named; facet --help lists them\n"},
		"unknown command": {"frobnicate", 2, "",
			"facet: there is no command \"frobnicate\"; facet --help lists them\n"},
		"unknown flag": {"--frobnicate", 2, "",
			"facet: there is no flag --frobnicate; facet --help lists the flags\n"},
		"unknown shell": {"completion tcsh", 2, "",
			"facet completion: name one shell: bash, zsh, fish, powershell\n"},
		"one dash": {"attack -train x", 2, "",
			"facet attack: there is no flag -train: flags begin with two dashes; facet attack " +
				"--help lists the flags\n"},
		"no value": {"attack --train", 2, "",
			"facet attack: flag --train needs a value; facet attack --help lists the flags\n"},
		"wrong value": {"attack --k 0", 2, "",
			"facet attack: invalid value \"0\" for flag --k: \"0\" is no whole number from 1; " +
				"facet attack --help lists the flags\n"},
		"stray argument": {"version now", 2, "",
			"facet version: \"now\" is not a flag: files are named by flags; facet version " +
				"--help lists the flags\n"},
		"completes commands": {"__complete att", 0, "attack\t", ""},
		"completes flags":    {"__complete attack --inc", 0, "--include-misclassified\t", ""},
	} {
		status, stdout, stderr := callFacet(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(stdout, c.stdout) ||
			(c.stdout == "") != (stdout == "") {
			t.Errorf("%s: status %d, %q, want %d, %q", name, status, stdout, c.status, c.stdout)
		}
		if !strings.HasPrefix(c.args, "__") && stderr != c.stderr {
			t.Errorf("%s: standard error %q, want %q", name, stderr, c.stderr)
		}
	}
}

// TestHelpOfCommands: each command explains itself and its flags.
func TestHelpOfCommands(t *testing.T) {
	for _, c := range commands() {
		status, stdout, stderr := callFacet(t, c.Name(), "-h")
		if status != 0 || stderr != "" ||
			!strings.HasPrefix(stdout, strings.TrimSuffix(c.Short, ".")) ||
			!strings.Contains(stdout, "\n\n  facet "+c.Name()) ||
			!strings.Contains(stdout, "\n  --help\n") {
			t.Errorf("%s -h = %d, %q, %q", c.Name(), status, stdout, stderr)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFullOutput(t *testing.T) {
	f := newFolder(t)
	for _, args := range [][]string{{"version"}, append([]string{"attack"}, f.base()...)} {
		var stderr bytes.Buffer
		if status := run(t.Context(), args, full{}, &stderr); status != 1 ||
			!strings.HasPrefix(stderr.String(), "facet "+args[0]+": no space left") {
			t.Errorf("%s: status %d, %q", args[0], status, &stderr)
		}
	}
}
