package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// writer is a flag of a command that names a file to write.
type writer struct {
	name  string // of the command
	flag  string
	args  []string // all but the flag
	reads []string // the files that args name
	file  string   // a name that the flag takes
}

// words are the command and all its arguments.
func (w writer) words(path string) []string {
	return slices.Concat([]string{w.name}, w.args, []string{"--" + w.flag, path})
}

// writers are the flags that write of all commands.
func writers(f folder) (list []writer) {
	f.write("domain", "-9,9\n-9,9\n")
	f.write("costs", `{"features": {"1": {"up": 1}}}`)
	f.write("rows", "0\n1\n2\n")
	mustCall(f.t, "train", "--train", f.file("train"), "--model", "tree", "--save",
		f.file("tree.json"))
	mustCall(f.t, "train", "--train", f.file("train"), "--model", "tree", "--depth", "1",
		"--save", f.file("other.json"))
	for i, shard := range []string{"shard1", "shard2"} {
		f.mustRun(f.base("--shard", []string{"1/2", "2/2"}[i], "--out", f.file(shard))...)
	}
	f.mustRun(f.base("--out", f.file("results"), "--proofs", f.file("made"))...)
	model, test := f.file("tree.json"), f.file("test")
	rows := []string{"--model", model, "--test", test, "--domain", f.file("domain"), "--costs",
		f.file("costs"), "--rows", f.file("rows")}
	ofRows := []string{model, test, f.file("domain"), f.file("costs"), f.file("rows")}
	trained := []string{"--train", f.file("train"), "--test", test}
	ofTrained := []string{f.file("train"), test}
	add := func(name string, args, reads []string, flags ...string) {
		for _, flag := range flags {
			file := map[string]string{"plot": "new.png"}[flag]
			if name == "gate" && flag == "out" {
				file = "new.json"
			} else if file == "" {
				file = "new"
			}
			list = append(list,
				writer{name: name, flag: flag, args: args, reads: reads, file: file})
		}
	}
	add("attack", rows, ofRows, "out", "summary", "csv", "plot", "proofs", "examples")
	add("certify", append([]string{"--radius", "1"}, rows...), ofRows, "out", "summary", "csv",
		"plot")
	add("explain", rows, ofRows, "out", "proofs")
	add("report", []string{f.file("results"), "--proofs", f.file("made")},
		append([]string{f.file("results"), f.file("results.meta.json"), f.file("made"),
			f.file("made.model.json")}, ofTrained...), "out")
	add("range", []string{"--model", houses, "--test", f.write("districts", string(read(f.t,
		districts))), "--radius", "0.1", "--points", "2"}, []string{f.file("districts")},
		"out", "proofs")
	add("verify", []string{model, "--same-as", f.file("other.json"), "--domain",
		f.file("domain"), "--near", test, "--radius", "9"},
		[]string{model, f.file("other.json"), f.file("domain"), test}, "out", "proofs")
	add("predict", trained, ofTrained, "out")
	add("train", append([]string{"--model", "tree"}, trained...), ofTrained, "save")
	add("train", append([]string{"--model", "boosted", "--save", "/dev/null"}, trained...),
		ofTrained, "save-xgboost")
	add("prune", []string{"--train", f.file("train"), "--prune", "0.3"},
		[]string{f.file("train")}, "out", "proofs")
	add("info", []string{model}, []string{model}, "save")
	policy := f.write("policy", "accuracy: {at_least: 0}\nsame_as: {model: other.json, "+
		"differs_at_most: 1}\n"+
		"certified: {radius: 1, at_least: 0}\n")
	add("gate", []string{policy, "--model", model, "--test", test},
		[]string{policy, model, test, f.file("other.json")}, "out", "markdown", "junit",
		"json", "report")
	add("check", []string{f.file("made"), "--model", f.file("made.model.json")},
		[]string{f.file("made"), f.file("made.model.json")}, "out")
	add("merge", []string{f.file("shard1"), f.file("shard2")},
		[]string{f.file("shard1"), f.file("shard2.meta.json")}, "out")
	return list
}

// TestFilesBesideStay: nor are files replaced, or removed, that stand where a run has its own.
func TestFilesBesideStay(t *testing.T) {
	f := newFolder(t)
	for _, name := range []string{"out.meta.json", "out.lock"} {
		f.write(name, "my notes\n")
		status, stderr := asIs(t, append([]string{"attack"}, f.base()...)...)
		checkComplaint(t, status, 2, "", stderr, name)
		if f.read(name) != "my notes\n" || f.exists("out") && f.read("out") != "" {
			t.Errorf("%s, or the rows, have changed", name)
		}
		os.Remove(f.file(name))
		os.Remove(f.file("out"))
	}
	f.write("out.tmp", "my notes\n")
	f.mustRun(f.base()...)
	if f.read("out.tmp") != "my notes\n" {
		t.Error("out.tmp has changed")
	}
	f.write("p.model.json", "my notes\n")
	status, stderr := asIs(t, "attack", "--proofs", f.file("p"), "--train", f.file("train"),
		"--test", f.file("test"))
	checkComplaint(t, status, 2, "", stderr, "p.model.json is there already")
	if f.read("p.model.json") != "my notes\n" || f.exists("p") {
		t.Error("p.model.json, or the proofs, have changed")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asIs runs facet with the words as they are.
func asIs(t *testing.T, words ...string) (status int, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	status = run(t.Context(), words, &out, &errs)
	return status, withoutNotes(errs.String())
}

// TestWriters: the table has every flag of every command whose file is not one that is read.
func TestWriters(t *testing.T) {
	reads := []string{"train", "train-labels", "test", "test-labels", "model", "rows", "costs",
		"domain", "near", "same-as", "vote", "baseline"}
	have := map[string]bool{}
	for _, w := range writers(newFolder(t)) {
		have[w.name+" --"+w.flag] = true
	}
	for _, c := range commands() {
		c.Flags().VisitAll(func(flag *pflag.Flag) {
			value, _ := pflag.UnquoteUsage(flag)
			name := c.Name() + " --" + flag.Name
			readToo := name == "report --proofs"
			if value == "file" && !readToo && !slices.Contains(reads, flag.Name) && !have[name] {
				t.Errorf("%s is not in the table", name)
			}
		})
	}
	for name := range have {
		c, flag, _ := strings.Cut(name, " --")
		at := slices.IndexFunc(commands(), func(o *cobra.Command) bool { return o.Name() == c })
		if commands()[at].Flags().Lookup("overwrite") == nil {
			t.Errorf("%s has no --overwrite for --%s", c, flag)
		}
	}
}

// TestInputsStay: no command writes over its input, under any name.
func TestInputsStay(t *testing.T) {
	f := newFolder(t)
	if err := os.Symlink(f.path, f.file("folder")); err != nil {
		t.Fatal(err)
	}
	for _, w := range writers(f) {
		for _, path := range w.reads {
			before := f.read(filepath.Base(path))
			for _, name := range f.names(path, filepath.Ext(w.file)) {
				for _, how := range [][]string{nil, {"--overwrite"}} {
					words := append(w.words(name), how...)
					status, stderr := asIs(t, words...)
					checkComplaint(t, status, 2, "", stderr, "would overwrite", "which this "+
						"command reads")
					if got := f.read(filepath.Base(path)); got != before {
						t.Fatalf("%v: %s has changed to %.100q", words, path, got)
					}
				}
			}
		}
	}
}

// names are other names of a file, and, unless an ending is asked for, its own.
func (f folder) names(path, ending string) []string {
	f.t.Helper()
	link, hard := f.file("link"+ending), f.file("hard"+ending)
	os.Remove(link)
	os.Remove(hard)
	if err := errors.Join(os.Symlink(path, link), os.Link(path, hard)); err != nil {
		f.t.Fatal(err)
	}
	if ending != "" {
		return []string{link, hard}
	}
	spelled := f.path + "/./folder/../folder/" + filepath.Base(path)
	return []string{link, hard, path, spelled}
}

// TestFilesStay: no command replaces a file that holds something, unless it is told to.
func TestFilesStay(t *testing.T) {
	f := newFolder(t)
	for _, w := range writers(f) {
		for _, mine := range []string{"my notes\n", f.read("results")} {
			path := f.write(w.file, mine)
			status, stderr := asIs(t, w.words(path)...)
			checkComplaint(t, status, 2, "", stderr, w.file, "is there already", "--overwrite")
			if got := f.read(w.file); got != mine {
				t.Fatalf("%s --%s: the file has changed to %.100q", w.name, w.flag, got)
			}
			if status, stderr = asIs(t, append(w.words(path), "--overwrite")...); status != 0 &&
				w.name != "verify" || status == 2 {
				t.Errorf("%s --%s --overwrite: status %d, %s", w.name, w.flag, status, stderr)
			}
			if _, err := os.Stat(path); err == nil && f.read(w.file) == mine {
				t.Errorf("%s --%s --overwrite: the file is as before", w.name, w.flag)
			}
			os.Remove(path)
			os.Remove(path + ".meta.json")
			os.Remove(path + ".model.json")
			os.Remove(path + ".other.json")
			os.Remove(path + ".rows.json")
		}
	}
}
