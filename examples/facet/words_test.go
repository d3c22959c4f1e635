package main

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// patients is a table as people have it: names, words, and labels that do not come last. Its border
// is at a size of 2000 by 1-NN.
const patients = `size,diagnosis,age
0,benign,30
0,benign,31
4000,malignant,30
4000,malignant,31
`

// objects reads lines whose labels are words.
func (f folder) objects(name string) (list []map[string]any) {
	f.t.Helper()
	return linesOf[map[string]any](f.t, f, name)
}

// TestWords: labels stay the words they are, and examples have the units of the file.
func TestWords(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", patients)
	f.write("test.csv", "age,size,diagnosis\n30,1000,benign\n30,3500,malignant\n31,3500,benign\n")
	base := []string{"--train", f.file("train.csv"), "--test", f.file("test.csv"), "--out",
		f.file("out"), "--label", "diagnosis"}
	status, stdout, stderr := call(t, append(base, "--scale", "minmax", "--norm", "1")...)
	if status != 0 || withoutNotes(stderr) != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if !strings.Contains(stdout, "0.6667, of 3 rows") {
		t.Errorf("output %s, want the accuracy", stdout)
	}
	for row, want := range []struct {
		label, predicted, other string
		distance, size, age     float64
	}{
		{"benign", "benign", "malignant", .25, 2000, 30},
		{"malignant", "malignant", "benign", .375, 2000, 30},
		{"benign", "malignant", "", 0, 0, 0},
	} {
		l := f.objects("out")[row]
		if l["label"] != want.label || l["predicted"] != want.predicted {
			t.Errorf("row %d: %v", row, l)
		}
		if want.other == "" {
			if l["status"] != "misclassified" || l["optimal"] != false || l["distance"] != nil ||
				l["bound"] != nil || l["adversarial"] != nil || l["adversarial_label"] != nil {
				t.Errorf("row %d: %v, want it misclassified and nothing else", row, l)
			}
			continue
		}
		example, _ := l["adversarial"].([]any)
		if l["adversarial_label"] != want.other ||
			math.Abs(l["distance"].(float64)-want.distance) > 1e-7 || len(example) != 2 ||
			math.Abs(example[0].(float64)-want.size) > 1e-3 || example[1] != want.age {
			t.Errorf("row %d: %v, want (%v, %v) at distance %v",
				row, l, want.size, want.age, want.distance)
		}
	}
	m := f.meta("out")
	scaling, _ := m["scaling"].(map[string]any)
	if !reflect.DeepEqual(m["classes"], []any{"benign", "malignant"}) ||
		!reflect.DeepEqual(m["features"], []any{"size", "age"}) ||
		!reflect.DeepEqual(scaling["scale"], []any{1. / 4000, 1.}) {
		t.Errorf("meta %v, want classes, features and scaling", m)
	}
	status, _, stderr = call(t, append(base, "--target", "malignant")...)
	if l := f.objects("out"); status != 0 || l[0]["status"] != "optimal" ||
		l[1]["status"] != "reached" ||
		l[2]["status"] != "misclassified" && l[2]["status"] != "reached" {
		t.Errorf("status %d, %s, %v", status, stderr, l)
	}
}

var inf = math.Inf(1)

// TestUnknownLabels: a label that training never saw is refused by its name, or counts as an error
// of the classifier.
func TestUnknownLabels(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", patients)
	f.write("test.csv", "size,diagnosis,age\n1000,benign,30\n1000,unclear,30\n")
	base := []string{"--train", f.file("train.csv"), "--test", f.file("test.csv"), "--out",
		f.file("out"), "--label", "diagnosis"}
	status, stdout, stderr := call(t, base...)
	checkComplaint(t, status, 2, stdout, stderr, "test.csv: ", "unclear",
		`"benign" and "malignant"`)
	status, stdout, stderr = call(t, append(base, "--unknown-labels", "wrong")...)
	if l := f.objects("out"); status != 0 || l[1]["status"] != "misclassified" ||
		l[1]["label"] != "unclear" || !strings.Contains(stdout, "0.5, of 2 rows") {
		t.Errorf("status %d, %s%s, %v", status, stdout, stderr, l)
	}
	status, stdout, stderr = call(t,
		append(base, "--unknown-labels", "wrong", "--include-misclassified")...)
	if l := f.objects("out"); status != 0 || l[1]["status"] != "optimal" ||
		l[1]["label"] != "unclear" || l[1]["predicted"] != "benign" {
		t.Errorf("status %d, %s%s, %v", status, stdout, stderr, l)
	}
}

// TestNotes: decisions on the user's behalf stand on standard error, and the work is done.
func TestNotes(t *testing.T) {
	f := newFolder(t)
	f.write("one.csv", "a,b\n1,no\n2,no\n")
	f.write("two.csv", "a,b\n1,no\n2,yes\n")
	status, _, stderr := call(t, "--train", f.file("one.csv"), "--test", f.file("one.csv"))
	if status != 0 || withoutNotes(stderr) != "" ||
		!strings.HasPrefix(stderr, "note: All rows of ") ||
		!strings.Contains(stderr, "have the label no") {
		t.Errorf("status %d, %q, want a note about the only label", status, stderr)
	}
	f.write("odd.csv", "a,b\n"+strings.Repeat("1,yes\n1,yes\n1,no\n", 10))
	_, _, stderr = call(t, "--train", f.file("two.csv"), "--test", f.file("odd.csv"))
	if want := "the accuracy is 0.3333, and to predict the most frequent label always would be " +
		"right for 0.6667 of the rows"; !strings.Contains(stderr, want) {
		t.Errorf("%q, want a note that %s", stderr, want)
	}
	status, _, stderr = call(t, "--train",
		f.file("two.csv"), "--test", f.file("two.csv"), "--prune", "1")
	if status != 0 || !strings.Contains(stderr, "note: --prune 1 leaves rows of one label only") {
		t.Errorf("status %d, %q, want a note about what pruning leaves", status, stderr)
	}
}

// TestDomainOfAFile: a file limits features in their own units, by name or in order.
func TestDomainOfAFile(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", patients)
	f.write("test.csv", "age,size,diagnosis\n30.5,1000,benign\n")
	base := []string{"--train", f.file("train.csv"), "--test", f.file("test.csv"), "--out",
		f.file("out"), "--label", "diagnosis", "--domain", f.file("domain")}
	for name, c := range map[string]struct {
		domain       string
		flags        []string
		status       string
		distance     float64
		low, high    float64 // of the age
		size, within float64
	}{
		"free": {"age,-inf,inf\n", nil, "optimal", 1000, -inf, inf, 2000, 1e-3},
		"frozen age": {"# the age is what it is\n\nage, 30.5, 30.5\n", nil, "optimal", 1000,
			30.5, 30.5, 2000, 1e-3},
		"frozen age scaled": {"age,30.5,30.5\n", []string{"--scale", "minmax"}, "optimal", .25,
			30.5, 30.5, 2000, 1e-3},
		"age scaled": {"age,30.4,30.6\n", []string{"--scale", "minmax"}, "optimal", .25, 30.4, 30.6,
			2000, 1e-3},
		"in order": {"3000,inf\n-inf,inf\n", []string{"--scale", "minmax"}, "optimal", .5, -inf,
			inf, 3000, 1e-3},
		"too small": {"size,0,1500\n", []string{"--scale", "minmax"}, "none", 0, 0, 0, 0, 0},
	} {
		f.write("domain", c.domain)
		status, _, stderr := call(t, append(base, c.flags...)...)
		if status != 0 || withoutNotes(stderr) != "" {
			t.Fatalf("%s: status %d, %s", name, status, stderr)
		}
		l := f.objects("out")[0]
		if l["status"] != c.status {
			t.Errorf("%s: %v, want %s", name, l, c.status)
		}
		if c.status == "none" {
			continue
		}
		example := l["adversarial"].([]any)
		size, age := example[0].(float64), example[1].(float64)
		if math.Abs(l["distance"].(float64)-c.distance) > 1e-6 ||
			math.Abs(size-c.size) > c.within || age < c.low || age > c.high {
			t.Errorf("%s: %v, want a size of %v at distance %v, an age from %v to %v",
				name, l, c.size, c.distance, c.low, c.high)
		}
	}
	for domain, says := range map[string]string{
		"sise,0,1\n": `no feature is named "sise"`, "0,1\n": "1 lines without a name, and 2 " +
			"features", "1,0\n2,3\n": "no number lies between 1 and 0",
		"age,old,older\n": `"old" is not a number`, "1\n": "got 1 numbers, want 2",
	} {
		f.write("domain", domain)
		status, stdout, stderr := call(t, base...)
		checkComplaint(t, status, 2, stdout, stderr, "--domain ", says)
	}
	f.write("domain", "size,0,9000\n")
	if status, _, stderr := call(t, base...); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	f.write("domain", "size,0,1400\n")
	status, stdout, stderr := call(t, append(base, "--resume")...)
	checkComplaint(t, status, 2, stdout, stderr, "--resume: ",
		"made from another file than --domain")
}
