package gate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/report"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Gate asks the questions of a policy about a model.
type Gate struct {
	Policy   *Policy
	Model    string
	Baseline string   // the model in service; "" for none
	Test     string   // the test rows; "" where no check is about any
	Train    string   // the rows whose ranges percentages go by; "": the test rows
	Rows     []string // flags that say how rows are read
	Timeout  time.Duration
	Proofs   string // the folder of proofs; "" for none
	// Run runs a command of facet in this process and returns its exit status.
	Run func(ctx context.Context, args []string, stdout, stderr io.Writer) int

	stderr io.Writer
	folder string   // for the files of the commands
	files  int      // in it
	names  []string // of the features
	noted  []string
	rows   *report.Source // the first output of facet certify; nil without a certified check
	report Report
}

// Report is the outcome of the checks.
type Report struct {
	Status   Status    `json:"status"`
	Policy   string    `json:"policy"`
	Model    string    `json:"model"`
	Test     string    `json:"test,omitempty"`
	Rows     int       `json:"rows"`
	Checks   []*Check  `json:"checks"`
	Baseline *Compared `json:"baseline,omitempty"`
	Seconds  float64   `json:"seconds"`
}

// Ask asks all checks, those of rows first, in the order of a policy's keys.
func (g *Gate) Ask(ctx context.Context, stderr io.Writer) (*Report, error) {
	begun := time.Now()
	g.stderr = stderr
	g.report = Report{Policy: g.Policy.path, Model: g.Model, Test: g.Test}
	err := g.Policy.check(g.Baseline)
	if err != nil {
		return nil, command.Misuse(fmt.Errorf("%s: %w", g.Policy.path, err))
	}
	if g.folder, err = os.MkdirTemp("", "facet-gate"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(g.folder)
	ctx = subject.Reusing(ctx)
	model, _, err := subject.ReadFile[classifier.Model](ctx, g.Model, dataset.Limits{}, nil)
	if err != nil {
		return nil, command.Misuse(err)
	}
	g.names = classifier.NamesOf(model).Features
	for _, ask := range []func(context.Context) error{g.askRows, g.askInputs, g.compare} {
		if err := ask(ctx); err != nil {
			return nil, err
		}
	}
	g.report.Status = worst(g.report.Checks)
	g.report.Seconds = time.Since(begun).Seconds()
	return &g.report, nil
}

// Page returns the page of the rows that were certified first, with the checks on top; nil without
// any.
func (g *Gate) Page() *report.Source {
	if g.rows != nil {
		g.rows.First = g.report.Sections()
	}
	return g.rows
}

// add adds a check that took so long.
func (g *Gate) add(c *Check, begun time.Time) {
	c.Seconds = time.Since(begun).Seconds()
	g.report.Checks = append(g.report.Checks, c)
}

// call runs a command, whose lines go to a file, and returns these. about names the question.
func call[L any](
	ctx context.Context, g *Gate, about string, args []string, fine ...int,
) ([]L, error) {
	path, err := g.call(ctx, about, args, fine...)
	if err != nil {
		return nil, err
	}
	return readLines[L](path)
}

// call runs a command and returns the path of the file of its lines.
func (g *Gate) call(
	ctx context.Context, about string, args []string, fine ...int,
) (string, error) {
	g.files++
	out := filepath.Join(g.folder, fmt.Sprintf("%d.jsonl", g.files))
	var said bytes.Buffer
	done := progress.Busy(g.stderr, about)
	status := g.Run(ctx, append(args, "--out="+out), io.Discard, &said)
	done()
	g.note(said.String())
	if status != command.Done && !slices.Contains(fine, status) {
		return "", &refusal{about, sentence(said.String()), status}
	}
	return out, nil
}

// refusal is the sentence of a command that could not answer.
type refusal struct {
	about, says string
	status      int
}

func (r *refusal) Error() string {
	return r.about + ": " + strings.TrimPrefix(r.says, r.about+": ")
}

// Status returns the exit status that a gate ends with.
func (r *refusal) Status() int {
	if r.status == command.Misused || r.status == command.Interrupted {
		return r.status
	}
	return Unfinished
}

// Exit statuses of a gate, besides those of wrong use and of an interruption.
const (
	Passes, Fails, IsOpen = 0, 1, 4
	Unfinished            = 5
)

// Exit returns how a gate ends that could not ask everything.
func Exit(err error) error {
	var r *refusal
	if errors.As(err, &r) {
		return command.Failing(r.Status(), err)
	}
	return err
}

// note passes on the notes of commands, once each.
func (g *Gate) note(said string) {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "note: ") && !slices.Contains(g.noted, line) {
			g.noted = append(g.noted, line)
			fmt.Fprint(g.stderr, line)
		}
	}
}

// sentence returns the last thing that a command said, without its name.
func sentence(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last, _, _ := strings.Cut(lines[len(lines)-1], "; facet ") // the help of another command
	if name, rest, ok := strings.Cut(last, ": "); ok && strings.HasPrefix(name, "facet ") {
		return rest
	}
	return last
}

// readLines reads JSON objects, one a line.
func readLines[L any](path string) (lines []L, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for d := json.NewDecoder(bufio.NewReader(file)); d.More(); {
		var l L
		if err := d.Decode(&l); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// shell writes a command as one types it.
func shell(args ...string) string {
	quoted := []string{"facet"}
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		quoted = append(quoted, arg)
	}
	return strings.Join(quoted, " ")
}
