package main

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"
)

// TestRecourse: more forests accept answers that more of them were asked about, at a higher cost,
// and the cost of some of them lies between.
func TestRecourse(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"--rows", "300", "--trees", "9", "--depth", "4", "--points", "25", "--models",
		"1,4,3 of 4", "--retrainings", "8"}
	if status := program().Run(t.Context(), args, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d, %s", status, &stderr)
	}
	lines := regexp.MustCompile(`(?m)^ +(\d|3 of 4) +25 +25 +(\S+) % +\S+ % +(\S+)`).
		FindAllStringSubmatch(stdout.String(), -1)
	if len(lines) != 3 {
		t.Fatalf("%s\nwant three lines with 25 answers", &stdout)
	}
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if number(lines[1][2]) <= number(lines[0][2]) || number(lines[1][3]) < number(lines[0][3]) {
		t.Errorf("%s\nwant that four forests cost more, and more accept", &stdout)
	}
	if cost := number(lines[2][3]); cost < number(lines[0][3]) || cost > number(lines[1][3]) {
		t.Errorf("%s\nwant that three of four cost less than four, and more than one", &stdout)
	}
	for _, models := range []string{"0", "1.5", "3 of 2", "0 of 2", "a of b"} {
		args[9] = models
		if status := program().Run(t.Context(), args, &stdout, &stderr); status != 2 {
			t.Errorf("--models %s: status %d, want 2", models, status)
		}
	}
}
