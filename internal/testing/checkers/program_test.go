package checkers

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/proven"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// folder holds the checker in Python.
const folder = "../../../tools/check_proofs"

// TestProgram runs the tests of check_proofs.py, and the program itself on files.
func TestProgram(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(python.NoChecker, err)
	}
	// NumPy keeps the numbers of sweeps alone.
	for program, tests := range map[string][]string{
		program: nil, os.Getenv("FACET_PYTHON"): {"TestBoxes", "TestPotentials"},
	} {
		if program == "" {
			continue
		}
		if out, err := exec.Command(
			program, append([]string{"-B", folder + "/check_proofs_test.py"}, tests...)...,
		).CombinedOutput(); err != nil {
			t.Errorf("check_proofs_test.py in %s: %v\n%s", program, err, out)
		}
	}
	run := func(arguments ...string) string {
		out, err := exec.Command(program,
			append([]string{"-B", folder + "/check_proofs.py"},
				arguments...)...).CombinedOutput()
		return fmt.Sprintf("%s%v", out, err)
	}
	c, dir := fixture.Halfmoon(t), t.TempDir()
	train := filepath.Join(dir, "train.csv")
	data := writeTrain(t, train, c)
	rows, err := proof.ReadRows(bytes.NewReader(data), 3)
	if err != nil {
		t.Fatal(err)
	}

	var proofs bytes.Buffer
	zipped := gzip.NewWriter(&proofs)
	zipped.Write(header(data))
	rba := &attack.RegionBased{
		Classifier: instance.Voters(t, c, 3),
		Options:    attack.Options{Norm: polytope.L2},
	}
	for _, x := range c.Points(t)["3nn"].X[:2] {
		if _, err := instance.Prove(t.Context(), rba, x, zipped); err != nil {
			t.Fatal(err)
		}
	}
	zipped.Close()
	path := filepath.Join(dir, "proofs.gz")
	writeFile(t, path, proofs.Bytes())
	if err := proof.Check(
		bytes.NewReader(proofs.Bytes()), rows, func(proof.Claim) error { return nil },
	); err != nil {
		t.Error(err)
	}
	if out := run(
		path, "--train", train, "-k", "3",
	); !strings.Contains(out, "2 proofs hold, 2 are settled") || !strings.HasSuffix(out, "<nil>") {
		t.Error(out)
	}
	if out := run(path, "--train", train, "-k", "1"); !strings.Contains(out, "refused: ") ||
		!strings.HasSuffix(out, "exit status 1") {
		t.Error(out)
	}
	if out := run(path, "--model", train); !strings.HasSuffix(out, "exit status 2") {
		t.Error(out)
	}
	writeFile(t, path, pruned(t, c, train))
	if out := run(path, "--train", train); !strings.Contains(out, "1 proofs hold") {
		t.Error(out)
	}
}

// pruned prunes the first rows of a set, which it writes as CSV, gives the certificates to all
// checkers, and returns one. Python compares every two rows.
func pruned(t *testing.T, c fixture.Case, train string) (certificate []byte) {
	p, third := python.StartChecker(t, folder), proven.Find(t)
	few := *c.Set
	few.TrainY = few.TrainY[:400]
	few.Train = few.Train.Slice(0, len(few.TrainY), 0, few.Train.RawMatrix().Cols).(*mat.Dense)
	c.Set = &few
	data := writeTrain(t, train, c)
	rows, err := proof.ReadRows(bytes.NewReader(data), 1)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]int, len(c.Set.TrainY))
	for i := range weights {
		weights[i] = i % 7
	}
	for i, norm := range instance.Norms() {
		a := prune.Adversarial{Radius: 0.1, Norm: norm}
		for _, w := range [][]int{nil, weights}[:1+i%2] {
			r, err := a.Solve(t.Context(), c.Set.Train, c.Set.TrainY, w)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := a.Write(&b, sha256.Sum256(data), w, r); err != nil {
				t.Fatal(err)
			}
			if _, err := proof.CheckPruning(bytes.NewReader(b.Bytes()), rows); err != nil {
				t.Error(err)
			}
			certificate = b.Bytes()
			if says := p.RefusesRows(t, 1, data, certificate); says != "" {
				t.Errorf("%v, weighted %t: %s", norm, w != nil, says)
			}
			if third != nil {
				if says, _ := third.RefusesRows(t, 1, certificate, data); says != "" {
					t.Errorf("%v, weighted %t: facet-checked: %s", norm, w != nil, says)
				}
			}
			wrong := bytes.Replace(b.Bytes(), []byte("\nclique"), []byte("\nclique 0.5 0\nclique"),
				1)
			wrong = bytes.Replace(wrong, []byte("\nkeep "), []byte("\nkeep 0 "), 1)
			if _, err := proof.CheckPruning(bytes.NewReader(wrong), rows); err == nil {
				t.Error("attack/proof accepts a row twice")
			}
			if p.RefusesRows(t, 1, data, wrong) == "" {
				t.Error("check_proofs.py accepts a row twice")
			}
		}
	}
	return certificate
}

// writeTrain writes the training part of a set as CSV.
func writeTrain(t *testing.T, path string, c fixture.Case) []byte {
	var b bytes.Buffer
	for i, label := range c.Set.TrainY {
		for _, v := range c.Set.Train.RawRowView(i) {
			fmt.Fprintf(&b, "%v,", v)
		}
		fmt.Fprintf(&b, "%d\n", label)
	}
	writeFile(t, path, b.Bytes())
	return b.Bytes()
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}
