// Package python runs scripts that ask the machine-learning libraries themselves. Only
// tests need it: facet and its commands run without Python.
package python

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const missing = `FACET_PYTHON is not set: it names a python that has xgboost, lightgbm, catboost, scikit-learn, onnxruntime, onnx, skl2onnx, onnxmltools and pandas. To make one:
	python3 -m venv /tmp/libraries
	/tmp/libraries/bin/pip install xgboost lightgbm catboost scikit-learn onnxruntime onnx skl2onnx onnxmltools pandas
	export FACET_PYTHON=/tmp/libraries/bin/python`

// Run runs a script, the path of a file as seen from the test's folder, and returns what it
// prints. A script that fails, fails the test. Without the environment variable FACET_PYTHON,
// which names the interpreter, the test is skipped.
func Run(t testing.TB, script string, stdin []byte, arguments ...string) []byte {
	t.Helper()
	program := os.Getenv("FACET_PYTHON")
	if program == "" {
		t.Skip(missing)
	}
	// -B leaves no compiled files in the repository. One thread, since tests run beside one
	// another.
	c := exec.CommandContext(t.Context(), program, append([]string{"-B", script}, arguments...)...)
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
	var problems bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(stdin), &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", script, strings.Join(arguments, " "), err, problems.Bytes())
	}
	return out
}
