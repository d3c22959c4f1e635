// Package proven runs facet-checked, the checker of proofs of examples/checker that is proven in
// Coq. Only tests use it.
package proven

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// Checker is facet-checked.
type Checker struct {
	program, folder string
	Asked, Beyond   int // how often it was asked, and had no kind that is proven
}

// Find returns it if the environment variable FACET_CHECKED names it, and otherwise nil.
func Find(t *testing.T) *Checker {
	t.Helper()
	program := os.Getenv("FACET_CHECKED")
	if program == "" {
		return nil
	}
	return &Checker{program: program, folder: t.TempDir()}
}

// Start returns it, and skips the test without it.
func Start(t *testing.T) *Checker {
	t.Helper()
	c := Find(t)
	if c == nil {
		t.Skip("FACET_CHECKED names no facet-checked: make -C examples/checker")
	}
	return c
}

// Refuses returns the objection of the checker to a file about models, "" if it has none. Without a
// file it says whether the models can be read. covered is false for files of a kind that is not
// proven.
func (c *Checker) Refuses(t *testing.T, file []byte, models ...[]byte) (says string, covered bool) {
	t.Helper()
	return c.RefusesRows(t, 0, file, models...)
}

// RefusesRows is the same of a training set of which k rows vote, or of models if k is 0.
func (c *Checker) RefusesRows(t *testing.T, k int, file []byte, subjects ...[]byte) (
	says string, covered bool,
) {
	t.Helper()
	var args []string
	write := func(name string, content []byte) string {
		path := filepath.Join(c.folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if file != nil {
		args = append(args, write("proofs", file))
	}
	flag := "--model"
	if k > 0 {
		flag, args = "--train", append(args, "--k", strconv.Itoa(k))
	}
	for i, s := range subjects {
		args = append(args, flag, write(fmt.Sprintf("model%d", i), s))
	}
	c.Asked++
	out, err := exec.Command(c.program, args...).CombinedOutput()
	var exit *exec.ExitError
	switch errors.As(err, &exit); {
	case err == nil:
		return "", true
	case exit != nil && exit.ExitCode() == 1:
		return string(out), true
	case exit != nil && exit.ExitCode() == 3:
		c.Beyond++
		return "", false
	}
	t.Fatalf("facet-checked: %v: %s", err, out)
	return "", false
}
