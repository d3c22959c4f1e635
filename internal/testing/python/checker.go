package python

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// serve is a program that checks what comes in: a line with the numbers of bytes of a model and of
// proofs, then both; it answers each with a line, which is empty if all proofs hold.
const serve = `
import contextlib, hashlib, io, sys
sys.path.insert(0, sys.argv[1])
import check_proofs
models = {}
source, sink = sys.stdin.buffer, sys.stdout
for line in source:
    model, proofs = (source.read(int(n)) for n in line.split())
    if model not in models:
        if len(models) > 50: models.clear()
        try:
            models[model] = check_proofs.read_model(model)
        except Exception as fault:
            models[model] = fault
    lines = check_proofs.Lines(io.BytesIO(proofs))
    try:
        if isinstance(models[model], Exception):
            raise check_proofs.Refused("model: %r" % models[model])
        with contextlib.redirect_stdout(io.StringIO()):
            check_proofs.check(lines, models[model], hashlib.sha256(model).hexdigest())
        verdict = ""
    except check_proofs.Refused as refusal:
        verdict = "%d: %s" % (lines.number, refusal)
    except Exception as fault:
        verdict = "CRASH %r" % fault
    print(verdict.replace("\n", " "), file=sink, flush=True)
`

// NoChecker says what is needed.
const NoChecker = "the second checker of proofs, docs/check_proofs.py, needs python3, 3.9 or " +
	"later: "

// Checker is the checker of proofs in Python, at work.
type Checker struct {
	in  io.Writer
	out *bufio.Reader
}

// StartChecker starts it. The folder of docs/check_proofs.py is as seen from the test's.
func StartChecker(t *testing.T, folder string) *Checker {
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
	t.Cleanup(func() {
		in.Close()
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &Checker{in, bufio.NewReader(out)}
}

// Refuses returns what Python says against proofs about a model, "" if nothing.
func (p *Checker) Refuses(t *testing.T, model, proofs []byte) string {
	t.Helper()
	written := make(chan error, 1)
	go func() {
		_, err := fmt.Fprintf(p.in, "%d %d\n%s%s", len(model), len(proofs), model, proofs)
		written <- err
	}()
	line, err := p.out.ReadString('\n')
	if err == nil {
		err = <-written
	}
	if err != nil {
		t.Fatalf("docs/check_proofs.py ended: %v", err)
	}
	if strings.HasPrefix(line, "CRASH") {
		t.Errorf("docs/check_proofs.py crashed: %s, on\n%.3000s", line, proofs)
	}
	return strings.TrimSuffix(line, "\n")
}
