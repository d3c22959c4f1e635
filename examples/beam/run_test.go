package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// full runs as many rows as docs/use/scale.md says, which takes minutes.
var full = flag.Bool("full", false, "attack 100,000 rows, for minutes")

// TestPrism: rows that a runner has attacked are, joined, the file of facet attack to the last
// byte, and so is the file beside it; the model was loaded once for all shards.
func TestPrism(t *testing.T) {
	rows := 5000
	if *full {
		rows = 100000
	}
	f := newFolder(t, rows)
	text := f.mustRun("shards", f.base("--shard-rows", "150")...)
	if !strings.Contains(text, "model loaded    1 times\n") {
		t.Errorf("%s, want the model loaded once", text)
	}
	want := f.single(f.base()...)
	if got := f.mustMerge("shards"); got != want || strings.Count(got, "\n") != rows {
		t.Error("the joined file is not that of facet attack")
	}
	if got, want := f.read("merged.meta.json"), f.read("single.meta.json"); got != want {
		t.Errorf("%s stands beside it, want %s", got, want)
	}
	var m Manifest
	if err := json.Unmarshal([]byte(f.read("shards/manifest.json")), &m); err != nil ||
		m.Lines != rows || m.Refused != 0 || len(m.Shards) != len(f.shards("shards")) {
		t.Errorf("%v, %d lines, %d errors, %d shards", err, m.Lines, m.Refused, len(m.Shards))
	}
}

// TestPoison: rows that cannot be attacked go to the errors with their reasons; the lines of the
// others stay the same.
func TestPoison(t *testing.T) {
	const rows = 400
	f := newFolder(t, rows)
	want := strings.SplitAfter(f.single(f.base()...), "\n")
	lines := strings.SplitAfter(f.read("test.csv"), "\n")
	poison := map[int]string{
		3:   "NaN,1,2,yes\n",
		4:   "1,2,yes\n",
		99:  "1,2,3,4,no\n",
		100: "1,2,3,perhaps\n",
		101: "1,two,3,no\n",
		250: "1,\"2,3,no\n",
		251: "1,,3,no\n",
		399: "1,2,1e999,no\n",
	}
	wantText := ""
	for i := range rows {
		if text, bad := poison[i]; bad {
			lines[i+1] = text
		} else {
			wantText += want[i]
		}
	}
	f.write("test.csv", strings.Join(lines, ""))
	text := f.mustRun("shards", f.base("--shard-rows", "100")...)
	if !strings.Contains(text, "lines           392 in 4 shards\nwithout a line  8, ") {
		t.Error(text)
	}
	if got := f.mustMerge("shards"); got != wantText {
		t.Error("the lines of the other rows have changed")
	}
	wantReasons := `{"row":3,"reason":"column \"first\" has no value: \"NaN\""}
{"row":4,"reason":"it has 3 cells where the first line has 4"}
{"row":99,"reason":"it has 5 cells where the first line has 4"}
{"row":100,"reason":"its label \"perhaps\" is none of the classes"}
{"row":101,"reason":"column \"second\": \"two\" is not a number"}
{"row":250,"reason":"extraneous or missing \" in quoted-field (cells are separated by ',')"}
{"row":251,"reason":"column \"second\" has no value: \"\""}
{"row":399,"reason":"column \"third\": \"1e999\" is beyond the range of a float64"}
`
	if got := f.reasons("shards"); got != wantReasons {
		t.Errorf("reasons\n%s", got)
	}
}

// start runs the program in a process of its own.
func (f folder) start(args ...string) *exec.Cmd {
	f.t.Helper()
	p := exec.Command(os.Args[0], args...)
	p.Env = append(os.Environ(), asProgram+"=1")
	if err := p.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		p.Process.Kill()
		p.Wait()
	})
	return p
}

// killHalfWay kills the process of a job when it has written a part of its shards.
func (f folder) killHalfWay(out string, shards int, args ...string) {
	f.t.Helper()
	for range 20 { // now and then a job ends before it is killed
		if err := os.RemoveAll(f.file(out)); err != nil {
			f.t.Fatal(err)
		}
		p := f.start(append(args, "--out", f.file(out))...)
		for deadline := time.Now().Add(time.Minute); len(f.shards(out)) <
			2; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				f.t.Fatal("no shard after a minute")
			}
		}
		p.Process.Kill()
		p.Wait()
		if n := len(f.shards(out)); n < shards {
			f.t.Logf("killed after %d of %d shards", n, shards)
			return
		}
	}
	f.t.Fatal("the job always ended before it was killed")
}

// TestKilled: a job whose process was killed half-way goes on by the same command, without lost or
// double lines; shards that were there are left alone.
func TestKilled(t *testing.T) {
	f := newFolder(t, 3000)
	args := f.base("--shard-rows", "50", "--workers", "1")
	f.killHalfWay("shards", 60, args...)
	kept := make(map[string]time.Time)
	for _, path := range f.shards("shards") {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		kept[path] = info.ModTime()
	}
	f.mustRun("shards", args...)
	if f.mustMerge("shards") != f.single(f.base()...) {
		t.Error("the joined file is not that of facet attack")
	}
	for path, when := range kept {
		if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(when) {
			t.Errorf("%s was written again, or %v", path, err)
		}
	}
	if left, _ := filepath.Glob(f.file("shards/.*")); len(left) > 0 {
		t.Errorf("%q were left behind", left)
	}
}

// TestTwice: a job that is done is done again without a change; a shard that is lost is made again,
// the same.
func TestTwice(t *testing.T) {
	f := newFolder(t, 300)
	args := f.base("--shard-rows", "100")
	f.mustRun("shards", args...)
	want, manifest := f.mustMerge("shards"), f.read("shards/manifest.json")
	f.mustRun("shards", args...)
	if err := os.Remove(f.shards("shards")[1]); err != nil {
		t.Fatal(err)
	}
	f.mustRun("shards", args...)
	if f.mustMerge("shards") != want || f.read("shards/manifest.json") != manifest {
		t.Error("the files have changed")
	}
	f.write("shards/"+filepath.Base(f.shards("shards")[1]), "")
	status, stdout, stderr := call(t, append(args, "--out", f.file("shards"))...)
	if status != 1 || stdout != "" ||
		!strings.Contains(stderr, "it has 0 of its 100 lines: remove it") {
		t.Errorf("status %d, %q, %q, want a word about the shard that was emptied",
			status, stdout, stderr)
	}
}

// TestOtherFlags: shards of two runs never stand in one folder, and are not joined.
func TestOtherFlags(t *testing.T) {
	f := newFolder(t, 300)
	f.mustRun("shards", f.base("--shard-rows", "100")...)
	for want, flags := range map[string][]string{
		`it was made with --trees "10", not "11"`: {"--trees", "11", "--shard-rows", "100"},
		"it is for shard 1/3, not for shard 1/2":  {"--shard-rows", "200"},
		"it was made from another file than --train ": {"--train",
			f.write("other.csv", moons(299, 0)), "--shard-rows", "100"},
	} {
		status, stdout, stderr := call(t, append(f.base("--out", f.file("shards")), flags...)...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, want) ||
			!strings.Contains(stderr, "name another folder") {
			t.Errorf("status %d, %q, %q, want %q", status, stdout, stderr, want)
		}
	}
	f.mustRun("others", f.base("--trees", "11", "--shard-rows", "100")...)
	mixed := append(f.shards("shards")[:2:2], f.shards("others")[2])
	if _, err := f.merge(mixed); err == nil ||
		!strings.Contains(err.Error(), `it was made with --trees "11", not "10"`) {
		t.Errorf("%v, want a word about --trees", err)
	}
	twice := append(f.shards("shards"), f.shards("shards")[1])
	if _, err := f.merge(twice); err == nil ||
		!strings.Contains(err.Error(), "are both shard 2/3") {
		t.Errorf("%v, want a word about the shard that is there twice", err)
	}
}

// TestChangedMeanwhile: a test set that changes while the job runs ends it with a sentence.
func TestChangedMeanwhile(t *testing.T) {
	f := newFolder(t, 300)
	w, err := workerOf(t.Context(), append(f.base(), "--out="+f.file("o")), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	shards, err := w.source.divide(t.Context(), w.pieces.Text(), 100)
	if err != nil {
		t.Fatal(err)
	}
	shards[1].End = (shards[1].Start + shards[1].End) / 2
	if _, err := w.read(t.Context(), shards[1]); err == nil ||
		!strings.HasPrefix(err.Error(), "rows from 100 on: it has ") ||
		!strings.HasSuffix(err.Error(),
			" rows where it had 100: the test set has changed since the job began") {
		t.Error(err)
	}
}
