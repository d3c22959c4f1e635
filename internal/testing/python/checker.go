package python

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// serve is a program that checks its standard input: a line with k, 0 for a model and more for a
// training set, and with the numbers of bytes of that file, or of several, and of proofs, then
// all. No proofs ask whether the file is one. It answers each with a line, empty if all is right.
const serve = `
import contextlib, hashlib, io, sys
sys.path.insert(0, sys.argv[1])
import check_proofs
models = {}
source, sink = sys.stdin.buffer, sys.stdout
def read(k, model):
    if (k, model) not in models:
        if len(models) > 50: models.clear()
        try:
            data, stored = check_proofs.content(io.BytesIO(model))
            if k:
                made = check_proofs.read_training(data, k, stored)
            else:
                made = check_proofs.read_model(data, stored)
            models[k, model] = made, hashlib.sha256(data).hexdigest()
        except Exception as fault:
            models[k, model] = fault, ""
    return models[k, model]
for line in source:
    k, *lengths = map(int, line.split())
    *subjects, proofs = map(source.read, lengths)
    made, digests = zip(*[read(k, model) for model in subjects])
    lines = None
    try:
        for one in made:
            if isinstance(one, Exception):
                raise check_proofs.Refused("model: %r" % one)
        if proofs:
            lines = check_proofs.Lines(check_proofs.unzipped(io.BytesIO(proofs)))
            with contextlib.redirect_stdout(io.StringIO()):
                check_proofs.check(lines, made, digests)
        verdict = ""
    except check_proofs.Refused as refusal:
        verdict = "%d: %s" % (lines.number if lines else 0, refusal)
    except Exception as fault:
        verdict = "CRASH %r" % fault
    print(verdict.replace("\n", " ").replace("\r", " "), file=sink, flush=True)
`

// NoChecker is the error without Python.
const NoChecker = "the second checker of proofs, check_proofs.py, needs python3, 3.9 or " +
	"later: "

// Checker is the checker of proofs in Python, at work.
type Checker struct {
	in  io.Writer
	out *bufio.Reader
}

// idle are checkers that no test uses. To start one takes as long as many proofs, so that tests
// leave theirs to others; they end with all tests, as their standard input does.
var idle struct {
	sync.Mutex
	checkers []*Checker
}

// StartChecker returns one for a test. The folder of check_proofs.py is as seen from the
// test's, the same for all tests of a package.
func StartChecker(t *testing.T, folder string) *Checker {
	t.Helper()
	idle.Lock()
	var p *Checker
	if last := len(idle.checkers) - 1; last >= 0 {
		p, idle.checkers = idle.checkers[last], idle.checkers[:last]
	}
	idle.Unlock()
	if p == nil {
		p = newChecker(t, folder)
	}
	t.Cleanup(func() {
		if t.Failed() {
			return // perhaps within an answer
		}
		idle.Lock()
		defer idle.Unlock()
		idle.checkers = append(idle.checkers, p)
	})
	return p
}

func newChecker(t *testing.T, folder string) *Checker {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(NoChecker, err)
	}
	docs, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-B", "-c", serve, docs)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return &Checker{in, bufio.NewReader(out)}
}

// Refuses returns the objection of Python to proofs about a model, "" if it has none. Without
// proofs it says whether the model is one.
func (p *Checker) Refuses(t *testing.T, model, proofs []byte) string {
	t.Helper()
	return p.RefusesRows(t, 0, model, proofs)
}

// RefusesRows is Refuses about a training set of which k rows vote.
func (p *Checker) RefusesRows(t *testing.T, k int, rows, proofs []byte) string {
	t.Helper()
	return p.refuses(t, k, [][]byte{rows}, proofs)
}

// RefusesProperties is Refuses about several models.
func (p *Checker) RefusesProperties(t *testing.T, models [][]byte, proofs []byte) string {
	t.Helper()
	return p.refuses(t, 0, models, proofs)
}

func (p *Checker) refuses(t *testing.T, k int, subjects [][]byte, proofs []byte) string {
	t.Helper()
	head, all := fmt.Appendf(nil, "%d", k), append(slices.Clone(subjects), proofs)
	for _, file := range all {
		head = fmt.Appendf(head, " %d", len(file))
	}
	written := make(chan error, 1)
	go func() {
		_, err := p.in.Write(slices.Concat(append(head, '\n'), slices.Concat(all...)))
		written <- err
	}()
	line, err := p.out.ReadString('\n')
	if err == nil {
		err = <-written
	}
	if err != nil {
		t.Fatalf("check_proofs.py ended: %v", err)
	}
	if strings.HasPrefix(line, "CRASH") {
		t.Errorf("check_proofs.py crashed: %s, on\n%.3000s", line, proofs)
	}
	return strings.TrimSuffix(line, "\n")
}
