package onnxfile_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/onnxfile"
)

// isolation returns the file of an isolation forest that skl2onnx wrote.
func isolation(t *testing.T) []byte {
	t.Helper()
	packed, err := os.ReadFile("../testdata/onnx/isolation.onnx.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestIsolation: an isolation forest votes by the sum of its depths for the labels -1 and 1, in any
// order of its trees. What onnxruntime makes of rows is recorded beside the file.
func TestIsolation(t *testing.T) {
	m := read(t, isolation(t))
	if m.Dim != 4 || len(m.Trees) != 12 || !m.Vote.AnyOrder || !m.Vote.Single ||
		m.ClassValues[0] != -1 || m.ClassValues[1] != 1 {
		t.Errorf("%d features, %d trees, vote %+v, classes %v", m.Dim, len(m.Trees), m.Vote,
			m.ClassValues)
	}
	if start := m.Vote.Base[0]; !(start > 40 && start < 120) || float64(float32(start)) != start {
		t.Errorf("the last sum of an outlier is %v", start)
	}
}

// TestIsolationRefused: a graph that computes something else is no isolation forest.
func TestIsolationRefused(t *testing.T) {
	text := string(isolation(t))
	operator := func(name string) string { return "\x22" + string(rune(len(name))) + name }
	for _, c := range []struct{ old, new, reason string }{
		{operator("Log"), operator("Abs"), `the operator "Abs" of 1 numbers`},
		{operator("Equal"), operator("Equil"), `the operator "Equil" of 2 numbers`},
		{operator("Sum"), operator("Mum"), "a Mum of two trees"},
		{operator("Less"), operator("Loss"), `the operator "Loss" behind the sum`},
		{operator("Neg"), operator("Abs"), `the operator "Abs" behind the sum`},
		{"keys_int64s", "keys_int32s", `the attribute "keys_int32s" of LabelEncoder`},
		{operator("Gather"), operator("Gatter"), `the attribute "axis" of Gatter`},
	} {
		changed := strings.ReplaceAll(text, c.old, c.new)
		_, err := onnxfile.Read([]byte(changed))
		if changed == text || err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.reason)
		}
	}
}

// TestIsolationMalformed: for any changed byte there is a model whose numbers are finite, or an
// error.
func TestIsolationMalformed(t *testing.T) {
	text := isolation(t)
	for at := 0; at < len(text); at += 211 {
		changed := bytes.Clone(text)
		changed[at] ^= 0x15
		m, err := onnxfile.Read(changed)
		if err != nil {
			continue
		}
		for _, v := range m.Vote.Base {
			if math.IsNaN(v) {
				t.Errorf("byte %d: the sum starts from %v", at, m.Vote.Base)
			}
		}
	}
	if _, err := onnxfile.Read(text[:len(text)-9]); err == nil || errors.Is(err,
		errors.ErrUnsupported) {
		t.Errorf("a file that is cut off: %v", err)
	}
}
