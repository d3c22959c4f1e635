package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestApplicants: the rows are as the comments on names say, and some of them default.
func TestApplicants(t *testing.T) {
	x, y := applicants(2000, rand.New(rand.NewPCG(4, 4)))
	again, _ := applicants(2000, rand.New(rand.NewPCG(4, 4)))
	if !mat.Equal(x, again) {
		t.Error("the same seed draws others")
	}
	defaults := 0
	for i, label := range y {
		defaults += label
		row := x.RawRowView(i)
		age, months, loans, amount, duration := row[0], row[1], row[4], row[5], row[6]
		for j, v := range row[:7] {
			if v < 0 || v != math.Trunc(v) {
				t.Fatalf("row %d: %s = %v", i, names[j], v)
			}
		}
		if age < 18 || age > 75 || months > 12*(age-18) || loans > 6 || amount < 500 ||
			math.Mod(amount, 100) != 0 || duration < 12 || duration > 84 ||
			math.Mod(duration, 12) != 0 {
			t.Fatalf("row %d: %v", i, row)
		}
		if row[7]+row[8]+row[9]+row[10] != 1 {
			t.Fatalf("row %d: purposes %v", i, row[7:])
		}
	}
	if defaults < 400 || defaults > 1000 {
		t.Errorf("%d of 2000 default", defaults)
	}
}

// TestCredit: with rules no answer breaks one, without them many do, and the files are there.
func TestCredit(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	var stdout, stderr bytes.Buffer
	args := []string{"--rows", "400", "--trees", "15", "--depth", "6", "--points", "30", "--out",
		folder}
	if status := program().Run(t.Context(), args, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d, %s", status, &stderr)
	}
	text := stdout.String()
	row := func(name string) []string {
		m := regexp.MustCompile(regexp.QuoteMeta(name) +
			` +(\S+)(?: %)? +(\S+)`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no row %q in\n%s", name, text)
		}
		return m[1:]
	}
	if got := row("ways that nobody can go"); got[0] == "0" || got[1] != "0" {
		t.Errorf("shares of broken rules %v, want some without rules and none with them", got)
	}
	found, proven := row("a way to approval"), row("proven to be the cheapest")
	if found[0] != "30" || proven[0] != found[0] || proven[1] != found[1] {
		t.Errorf("found %v, proven %v", found, proven)
	}
	if !strings.Contains(text, "is refused, and would be accepted:\n1. at ") {
		t.Errorf("no applicant is explained:\n%s", text)
	}
	for _, name := range []string{
		"train.csv", "test.csv", "costs.json", "credit.txt", "credit-costs.png", "credit-costs.svg",
	} {
		if !strings.Contains(text, filepath.Join(folder, name)+"\n") {
			t.Errorf("%s is not named", name)
		}
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWrongUse: an impossible request is refused before the work.
func TestWrongUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--out", file}, {"--points", "0"}, {"--norm", "3"}, {"extra"},
	} {
		var stdout, stderr bytes.Buffer
		if status := program().Run(t.Context(), args, &stdout, &stderr); status != 2 ||
			stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: status %d, %q, %q", args, status, &stdout, &stderr)
		}
	}
}
