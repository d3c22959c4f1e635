package main

import (
	"bytes"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
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
		"h": {"-h", 0, "\nfacet COMMAND -h shows how to begin, facet COMMAND --help all " +
			"flags.\n", ""},
		"help of none": {"help", 0, "\n  facet attack ", ""},
		"help attack": {"help attack", 0,
			"\n\n  facet attack --train FILE --test FILE [flags]\n\n", ""},
		"help of what is not": {"help frobnicate", 2, "",
			"facet help: there is no command \"frobnicate\"; facet --help lists them\n"},
		"completes values": {"__complete attack --units r", 0, "range\n", ""},
		"completes models": {"__complete certify --model fo", 0,
			"\nforest\nboosted\noblique\n:0\n", ""},
		"completes help":    {"__complete help att", 0, "attack\t", ""},
		"version":           {"version", 0, "facet (devel)", ""},
		"version as a flag": {"--version", 0, "facet (devel)", ""},
		"completion":        {"completion bash", 0, "complete", ""},
		"no command":        {"", 2, "", "facet: no command is named; facet --help lists them\n"},
		"unknown command": {"frobnicate", 2, "",
			"facet: there is no command \"frobnicate\"; facet --help lists them\n"},
		"unknown flag": {"--frobnicate", 2, "",
			"facet: no command is named before --frobnicate; facet --help lists the commands\n"},
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
			!strings.HasPrefix(stdout, command.Wrap(c.Short, "")) ||
			!strings.Contains(stdout, "\n\n  facet "+c.Name()) {
			t.Errorf("%s -h = %d, %q, %q", c.Name(), status, stdout, stderr)
		}
		lines := strings.Split(stdout, "\n")
		if len(lines) > 31 || slices.ContainsFunc(lines, func(l string) bool {
			return utf8.RuneCountInString(l) > 80
		}) {
			t.Errorf("%s -h has %d lines, or one of more than 80 columns:\n%s",
				c.Name(), len(lines), stdout)
		}
	}
}

// TestHelpIsWhole: --help has each flag once, under a heading, in 80 columns, and the lines of the
// short help are among its lines.
func TestHelpIsWhole(t *testing.T) {
	const mostFlags = 55
	all, listed := map[string]bool{}, map[string]bool{}
	for _, c := range commands() {
		_, stdout, _ := callFacet(t, c.Name(), "--help")
		for line := range strings.SplitSeq(stdout, "\n") {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%s --help: more than 80 columns: %s", c.Name(), line)
			}
		}
		for _, found := range regexp.MustCompile(`(?m)^  --(\S+)`).FindAllStringSubmatch(stdout,
			-1) {
			listed[found[1]] = true
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			if n := len(regexp.MustCompile(`(^|\s)--`+f.Name+`\b`).FindAllString(stdout,
				-1)); n == 0 {
				t.Errorf("%s --help does not explain --%s", c.Name(), f.Name)
			}
			all[f.Name] = true
		})
		for _, f := range briefFlags(c) {
			if inBrief[f.Name] == "" {
				t.Errorf("%s -h says nothing of --%s", c.Name(), f.Name)
			}
		}
	}
	if len(listed) > mostFlags {
		t.Errorf("--help lists %d flags, more than fit a head: %v", len(listed),
			slices.Sorted(maps.Keys(listed)))
	}
	for _, g := range groups {
		for _, name := range g.names {
			if !all[name] {
				t.Errorf("no command has --%s", name)
			}
		}
	}
	for name := range inBrief {
		if !all[name] {
			t.Errorf("no command has --%s, of which the short help speaks", name)
		}
	}
}

// TestMoved: flags that were, and mistyped ones, are answered by a sentence that says how to write
// them now.
func TestMoved(t *testing.T) {
	for args, says := range map[string]string{
		"attack --above 2":           "ask with --target output:T",
		"explain --probability-of a": "ask with --target probability:LABEL:P",
		"attack --change 2":          "ask with facet attack --target change:D",
		"certify --prune 1":          "facet train --prune … --save FILE, and then --model FILE",
		"attack --attack direct":     "go run ./examples/paper attack --attack …",
		"attack --solver lpsolve":    "go run ./examples/paper attack --solver …",
		"report --train x":           "facet report takes results",
		"predict --norm 2":           "it is for --prune and --adversarial-training",
		"attack --tset x":            "there is no flag --tset, did you mean --test",
		"train --train x --out y":    "the model goes to --save FILE",
		"attack --robust-splits 1":   "facet train --robust … --save FILE",
		"train --robust-splits 1":    "it is --robust EPS",
		"attack --tune":              "facet train --tune … --save FILE",
		"attack --epsilon 1":         "it is --radius of facet certify, range, verify",
		"attack --time-limit 1s":     "it is --timeout",
		"check x --list":             "--out - prints a line for each proof",
		"verify --model x":           "the file follows the command: facet verify FILE",
		"verify x --probability":     "ask with --target probability",
		"certify --proofs x": "facet attack, explain, range, verify, gate, prune, report " +
			"have it",
		"verfy x":         `there is no command "verfy", did you mean verify?`,
		"atack --train x": `there is no command "atack", did you mean attack?`,
		"help atack":      `there is no command "atack", did you mean attack?`,
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), strings.Fields(args), &stdout, &stderr)
		checkComplaint(t, status, 2, stdout.String(), stderr.String(), says)
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
