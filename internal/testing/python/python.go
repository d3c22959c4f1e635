// Package python runs scripts that ask the machine-learning libraries themselves. Only
// tests need it: facet and its commands run without Python.
package python

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const missing = `FACET_PYTHON is not set: it names a python that has xgboost, lightgbm, catboost, scikit-learn, onnxruntime, onnx, skl2onnx, onnxmltools and pandas. To make one:
	python3 -m venv /tmp/libraries
	/tmp/libraries/bin/pip install xgboost lightgbm catboost scikit-learn onnxruntime onnx skl2onnx onnxmltools pandas
	export FACET_PYTHON=/tmp/libraries/bin/python`

//go:embed serve.py
var serveScripts string

// Run runs a script, the path of a file as seen from the test's folder, and returns its output. A
// script that fails, fails the test. Without the environment variable FACET_PYTHON, which names the
// interpreter, the test is skipped.
func Run(t testing.TB, script string, stdin []byte, arguments ...string) []byte {
	t.Helper()
	if os.Getenv("FACET_PYTHON") == "" {
		t.Skip(missing)
	}
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.run(t.Context(), append([]string{script}, arguments...), stdin)
	if err != nil {
		t.Fatalf("%s %q: %v", script, arguments, err)
	}
	return out
}

// server is the process that runs scripts. It ends with the tests, as its standard input does.
type server struct {
	address string
	stdin   io.Closer // kept, since a collected file is closed
}

// start starts the server once.
var start = sync.OnceValues(func() (s server, err error) {
	folder, err := os.MkdirTemp("", "facet-python")
	if err != nil {
		return s, err
	}
	s.address = filepath.Join(folder, "socket")
	// -B leaves no compiled files in the repository. One thread, since tests run beside one
	// another.
	c := exec.Command(os.Getenv("FACET_PYTHON"), "-B", "-c", serveScripts, s.address)
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
	var problems bytes.Buffer
	c.Stderr = &problems
	if s.stdin, err = c.StdinPipe(); err != nil {
		return s, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return s, err
	}
	if err := c.Start(); err != nil {
		return s, err
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		return s, fmt.Errorf("FACET_PYTHON: %w, %v\n%s", err, c.Wait(), &problems)
	}
	return s, nil
})

// run has the server run a script.
func (s server) run(ctx context.Context, arguments []string, stdin []byte) ([]byte, error) {
	connection, err := new(net.Dialer).DialContext(ctx, "unix", s.address)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	request, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(connection, "%s\n%s", request, stdin); err != nil {
		return nil, err
	}
	if err := connection.(*net.UnixConn).CloseWrite(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(connection)
	if err != nil {
		return nil, err
	}
	out, problems, ended := bytes.Cut(text, []byte{0})
	if !ended {
		return nil, fmt.Errorf("it broke off after %q", out)
	}
	if len(problems) > 0 {
		return nil, errors.New(string(problems))
	}
	return out, nil
}
