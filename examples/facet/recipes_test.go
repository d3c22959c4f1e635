//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// recipe runs a script of docs/use/scale in the folder, where the test binary is called facet.
func (f folder) recipe(name string, env []string, args ...string) {
	f.t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", "docs", "use", "scale", name))
	if err != nil {
		f.t.Fatal(err)
	}
	program := fmt.Sprintf("#!/bin/sh\nexec env %s=1 %q \"$@\"\n", asProgram, os.Args[0])
	if err := os.WriteFile(f.file("facet"), []byte(program), 0o777); err != nil {
		f.t.Fatal(err)
	}
	c := exec.Command("bash", append([]string{script}, args...)...)
	c.Dir, c.Env = f.path, append(os.Environ(),
		append(env, "PATH="+f.path+":"+os.Getenv("PATH"))...)
	if text, err := c.CombinedOutput(); err != nil {
		f.t.Fatalf("%s: %v\n%s", name, err, text)
	}
}

// recipeFolder has the files that the recipes name, and in out the files that they are to give.
func recipeFolder(t *testing.T) (f folder, want string) {
	f = newFolder(t)
	withWrong(f)
	if status, _, stderr := callFacet(
		t, "train", "--train", f.file("train"), "--model", "tree", "--save", f.file("model.json"),
	); status != 0 {
		t.Fatal(stderr)
	}
	f.write("rows.csv", "0,0,-1\n4,1,1\n3,2,1\n1,2,-1\n1,1,1\n3.5,3,1\n0.5,1,-1\n")
	f.mustRun("--model", f.file("model.json"), "--test", f.file("rows.csv"), "--untimed",
		"--max-nodes", "100000", "--out", f.file("out"))
	return f, f.read("out")
}

// TestSyntaxOfRecipes: the shell can read all of them.
func TestSyntaxOfRecipes(t *testing.T) {
	scripts, err := filepath.Glob("../../docs/use/scale/*.sh")
	if err != nil || len(scripts) < 2 {
		t.Fatalf("%q, %v", scripts, err)
	}
	for _, script := range scripts {
		if text, err := exec.Command("bash", "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, text)
		}
	}
}

// TestParallel: by GNU parallel, or xargs where there is none, shards are done and joined; a shard
// that is lost is done again.
func TestParallel(t *testing.T) {
	f, want := recipeFolder(t)
	for range 2 {
		f.recipe("parallel.sh", nil, "rows.jsonl", "5", "--model", "model.json", "--test",
			"rows.csv", "--max-nodes", "100000")
		if f.read("rows.jsonl") != want {
			t.Errorf("%s, want %s", f.read("rows.jsonl"), want)
		}
		if err := os.Remove(f.file("rows.jsonl.shards/3.jsonl")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSlurm: the tasks of an array, as Slurm numbers them, do all shards.
func TestSlurm(t *testing.T) {
	f, want := recipeFolder(t)
	var files []string
	for i := 1; i <= 3; i++ {
		f.recipe("slurm.sh",
			[]string{fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i), "SLURM_ARRAY_TASK_COUNT=3",
				"SLURM_CPUS_PER_TASK=2"})
		files = append(files, f.file(fmt.Sprintf("shards/%d.jsonl", i)))
	}
	if status, _, stderr := callFacet(
		t, append([]string{"merge", "--out", f.file("rows.jsonl")}, files...)...,
	); status != 0 || f.read("rows.jsonl") != want {
		t.Errorf("status %d, %s%s, want %s", status, stderr, f.read("rows.jsonl"), want)
	}
	text, err := os.ReadFile("../../docs/use/scale/slurm.sh")
	// tasks count from 1, as shards do
	if err != nil || !strings.Contains(string(text), "#SBATCH --array=1-") {
		t.Error(err, "the array does not begin with 1")
	}
}
