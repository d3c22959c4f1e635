package main

import (
	"strings"
	"testing"
)

// The first hour of a new user: they work with files of their own.

// TestFinishedFilesStay: a run does not destroy the results of another one, and says how it may.
func TestFinishedFilesStay(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base("--untimed")...)
	want, meta := f.read("out"), f.read("out.meta.json")
	again := func(flags ...string) (status int, stderr string) {
		var out, errs strings.Builder
		status = run(t.Context(),
			append([]string{"attack"}, f.base(append(flags, "--untimed")...)...), &out, &errs)
		return status, errs.String()
	}
	for says, flags := range map[string][]string{
		"holds the 5 rows of a run that has finished: --resume": nil,
		"--overwrite begins anew":                               {"--k", "3"},
		`it was made with --k "1", not "3"`:                     {"--k", "3", "--resume"},
		"it is for all rows, not for shard 1/2":                 {"--shard", "1/2", "--resume"},
	} {
		status, stderr := again(flags...)
		checkComplaint(t, status, 2, "", stderr, says)
		if f.read("out") != want || f.read("out.meta.json") != meta {
			t.Fatalf("%v: the file has changed", flags)
		}
	}
	if status, stderr := again("--k", "3", "--overwrite"); status != 0 || f.read("out") == want {
		t.Errorf("--overwrite: status %d, %s, or the file is as before", status, stderr)
	}
	f.write("out", strings.Join(strings.SplitAfter(want, "\n")[:2], ""))
	f.write("out.meta.json", meta)
	status, stderr := again()
	checkComplaint(t, status, 2, "", stderr, "holds 2 of the 5 rows of a run that has not "+
		"finished: --resume goes on with it, --overwrite begins anew")
	if status, stderr := again("--resume", "--overwrite"); status != 0 || f.read("out") != want {
		t.Errorf("the file of an unfinished run: status %d, %s, or it is not continued",
			status, stderr)
	}
	f.write("out", "my notes\n")
	f.write("out.meta.json", "{}")
	status, stderr = again()
	checkComplaint(t, status, 2, "", stderr, "is there already, and is no file of results",
		"--overwrite replaces it")
}

// TestUnits: each summary says the unit of distances, and a model of rows as they are in the file
// is not asked about scaled ones in silence.
func TestUnits(t *testing.T) {
	f := newFolder(t)
	mustCall(t, "train",
		"--train", f.file("train"), "--model", "tree", "--save", f.file("tree.json"))
	attack := []string{"attack", "--train", f.file("train"), "--test", f.file("test"), "--out",
		f.file("out"), "--summary", f.file("summary")}
	for _, c := range []struct {
		flags, units, first, note string
	}{
		{"--model " + f.file("tree.json"), "in the units of the file", `"distance":1`, ""},
		{"--model " + f.file("tree.json") + " --units range", "in parts of each feature's range",
			`"distance":0.25`, ""},
		{"--model tree --scale minmax", "of features scaled to [0,1]", `"distance":0.25`, ""},
		{"--model " + f.file("tree.json") + " --scale minmax", "of features scaled to [0,1]", "",
			"1 of the 1 thresholds of " + f.file("tree.json") + " are not between 0 and 1"},
		{"--model tree --norm 0", "changes of features, counted", `"distance":1`, ""},
		{"--k 1 --units range", "in parts of each feature's range", `"distance":0.2`, ""},
	} {
		status, stdout, stderr := callFacet(t, append(attack, strings.Fields(c.flags)...)...)
		if status != 0 || !strings.Contains(f.read("summary"), `"units":"`+c.units+`"`) ||
			!strings.Contains(stdout, c.units) {
			t.Errorf("%s: status %d, %s, %s", c.flags, status, stderr, stdout)
		}
		if !strings.Contains(strings.SplitN(f.read("out"), "\n", 2)[0], c.first) {
			t.Errorf("%s: the first row is %s, want %s",
				c.flags, strings.SplitN(f.read("out"), "\n", 2)[0], c.first)
		}
		if (c.note == "") == strings.Contains(stderr, "thresholds") ||
			!strings.Contains(stderr, c.note) {
			t.Errorf("%s: %q, want the note %q", c.flags, stderr, c.note)
		}
	}
	certify := []string{"certify", "--model", f.file("tree.json"), "--train", f.file("train"),
		"--test", f.file("test"), "--out", f.file("out")}
	if status, stdout, stderr := callFacet(
		t, append(certify, "--radius", "20%, 0.3", "--units", "range")...,
	); status != 0 || !strings.Contains(stdout, "\n0.2 ") || !strings.Contains(stdout, "\n0.3 ") {
		t.Errorf("20 %%: status %d, %s, %s", status, stderr, stdout)
	}
	refused(t, "--radius 5%: parts of what? --units range", append(certify, "--radius", "5%")...)
}

// TestRowsKeepTheirNumbers: with any rows left out, a row has the number that it has in the file,
// and its identifier.
func TestRowsKeepTheirNumbers(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", "a,b,y\n0,0,no\n0,1,no\n4,0,yes\n4,1,yes\n")
	f.write("test.csv", "name,a,b,y\nAnn,1,0,no\nBob,?,1,no\nCy,3,1,yes\nDee,3.5,0,no\n")
	args := []string{"--train", f.file("train.csv"), "--test", f.file("test.csv"), "--missing",
		"drop", "--id", "name", "--out", f.file("out")}
	for _, command := range []string{"attack", "certify --radius 0.5", "predict"} {
		status, _, stderr := callFacet(t, append(strings.Fields(command), args...)...)
		text := f.read("out")
		for _, want := range []string{
			`"row":0,"id":"Ann"`, `"row":2,"id":"Cy"`, `"row":3,"id":"Dee"`,
		} {
			if status != 0 || strings.Count(text, "\n") != 3 || !strings.Contains(text, want) {
				t.Errorf("%s: status %d, %s, want %s in\n%s", command, status, stderr, want, text)
			}
		}
	}
	one := append(args, "--rows", f.write("rows", "2\n"))
	if status, _, stderr := callFacet(t, append([]string{"attack"}, one...)...); status != 0 ||
		!strings.HasPrefix(f.read("out"), `{"row":2,"id":"Cy"`) {
		t.Errorf("row 2 alone: status %d, %s, %s", status, stderr, f.read("out"))
	}
	f.write("rows", "1\n")
	refused(t, "rows:1: row 1 has missing values and was left out",
		append([]string{"attack"}, one...)...)
	refused(t, `train.csv: --id: there is no column "name"`,
		"attack", "--train", f.file("train.csv"), "--test", f.file("train.csv"), "--id", "name")
}

// TestNoLabels: applicants whose label nobody knows are attacked with the label that is predicted.
func TestNoLabels(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", "a,b,y\n0,0,no\n0,1,no\n4,0,yes\n4,1,yes\n")
	model := mustCall(t, "train",
		"--train", f.file("train.csv"), "--model", "tree", "--save", f.file("tree.json"))
	if model == "" {
		t.Fatal("nothing was said about the training")
	}
	f.write("bare.csv", "a,b\n1,0\n3,1\n")
	f.write("none.csv", "a,b,y\n1,0,?\n3,1,\n")
	f.write("order.csv", "1,0\n3,1\n")
	for _, from := range []string{
		"--model " + f.file("tree.json"), "--train " + f.file("train.csv"),
	} {
		for _, test := range []string{"bare.csv", "none.csv --label none", "order.csv"} {
			args := append(strings.Fields(from+" --test "+f.path+"/"+test), "--out",
				f.file("out"), "--summary", f.file("summary"))
			status, stdout, stderr := callFacet(t, append([]string{"attack"}, args...)...)
			if status != 0 || strings.Count(f.read("out"), `"label":null`) != 2 ||
				strings.Count(f.read("out"), `"status":"optimal"`) != 2 ||
				!strings.Contains(f.read("summary"), `"accuracy":null`) ||
				!strings.Contains(stdout, "2, without labels") ||
				!strings.Contains(stderr, "has no labels") {
				t.Errorf("attack %s %s: status %d, %s, %s, %s",
					from, test, status, stderr, stdout, f.read("out"))
			}
			status, stdout, stderr = callFacet(t,
				append([]string{"certify", "--radius", "0.5"}, args...)...)
			if status != 0 || !strings.Contains(stdout, "proven robust") ||
				!strings.Contains(f.read("summary"), `"yes":2`) {
				t.Errorf("certify %s %s: status %d, %s, %s", from, test, status, stderr, stdout)
			}
		}
	}
	f.write("labelled.csv", "a,b,y\n1,0,no\n3,1,yes\n")
	if status, _, stderr := callFacet(t, "attack", "--model", f.file("tree.json"), "--test",
		f.file("labelled.csv"), "--target", "probability:yes:0.5"); status != 0 || stderr != "" {
		t.Errorf("a probability of rows with labels: status %d, %s", status, stderr)
	}
	refused(t, "--attack direct goes by the labels of training rows, and ",
		"attack", "--train", f.file("bare.csv"), "--test", f.file("bare.csv"), "--model",
		f.file("tree.json"), "--attack", "direct")
}

// TestTableAndFigure: --csv is a table for spreadsheets, --plot a picture, and the summary names
// the nearest rows and counts those of each label.
func TestTableAndFigure(t *testing.T) {
	f := newFolder(t)
	status, stdout, stderr := call(t,
		f.base("--csv", f.file("rows.csv"), "--plot", f.file("curve.svg"), "--untimed", "--summary",
			f.file("summary"))...)
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	want := "row,label,predicted,status,distance,bound,adversarial_label,nodes,solves,seconds\n0," +
		"-1,-1,optimal,1.0"
	if text := f.read("rows.csv"); !strings.HasPrefix(text, want) ||
		!strings.Contains(text, "\n3,-1,1,misclassified,,,,0,0,0\n") ||
		strings.Count(text, "\n") != 6 {
		t.Errorf("the table is\n%s", text)
	}
	if picture := f.read("curve.svg"); !strings.Contains(picture, "<svg") ||
		!strings.Contains(picture, "5 test rows") {
		t.Errorf("the picture begins %.200s", picture)
	}
	checkTable(t, stdout, map[string]string{
		"nearest rows": "4 (0.5), 0 (1), 1 (1), 2 (1.5)", "predicted -1": "2, 1 median; " +
			"2 of the 3 rows with this label are right",
		"predicted 1": "2, 0.5 median; 2 of the 2 rows with this label are right",
		"figure":      "written to " + f.file("curve.svg"),
		"table":       "written to " + f.file("rows.csv"),
	})
	if text := f.read("summary"); !strings.Contains(
		text, `"labels":[{"label":-1,"rows":3,"right":2,"points":2,"median_distance":1`,
	) {
		t.Errorf("the summary is %s", text)
	}
	status, _, stderr = callFacet(t,
		append([]string{"certify", "--radius", "0.7,2", "--csv", f.file("rows.csv")},
			f.base()...)...)
	if text := f.read("rows.csv"); status != 0 ||
		!strings.Contains(text, ",robust at 0.7,robust at 2\n") ||
		!strings.Contains(text, ",yes,no\n") {
		t.Errorf("status %d, %s: the table of certify is\n%s", status, stderr, text)
	}
	for says, flags := range map[string][]string{
		"--plot: ":                  {"--plot", f.file("curve.txt")},
		"--csv and --plot are both": {"--csv", f.file("a.png"), "--plot", f.file("a.png")},
	} {
		status, stdout, stderr := call(t, f.base(flags...)...)
		if status != 2 || stdout != "" ||
			!strings.Contains(stderr,
				strings.Replace(says, "--csv and --plot are both", "are both", 1)) {
			t.Errorf("%v: status %d, %s", flags, status, stderr)
		}
	}
}
