package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// TestKubernetes: the manifests are Jobs without a field that Kubernetes does not know, and each
// pod does a shard of its own.
func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile("../../docs/use/scale/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var jobs []batch.Job
	for _, document := range strings.Split(string(text), "\n---\n") {
		var job batch.Job
		if err := yaml.UnmarshalStrict([]byte(document), &job); err != nil {
			t.Fatal(err)
		}
		pod := job.Spec.Template.Spec
		if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Name == "" ||
			len(pod.Containers) != 1 ||
			pod.Containers[0].VolumeMounts[0].Name != pod.Volumes[0].Name {
			t.Errorf("%+v", job)
		}
		jobs = append(jobs, job)
	}
	if len(jobs) != 2 || *jobs[0].Spec.CompletionMode != batch.IndexedCompletion {
		t.Fatalf("%d jobs", len(jobs))
	}
	n := int(*jobs[0].Spec.Completions)
	for _, i := range []int{0, 1, n - 1} {
		want := fmt.Sprintf("--shard %d/%d --out DATA/shards/%d.jsonl --resume\n", i+1, n, i+1)
		if got := podCommand(
			t, jobs[0], fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i),
		); !strings.HasPrefix(got, "attack --model DATA/model.json ") ||
			!strings.HasSuffix(got, want) {
			t.Errorf("pod %d runs facet %s, want %s", i, got, want)
		}
	}
	if got := podCommand(
		t, jobs[1], "",
	); got != "merge DATA/shards/*.jsonl --out DATA/rows.jsonl --overwrite\n" {
		t.Errorf("the other runs facet %s", got)
	}
}

// podCommand returns the arguments by which a pod calls facet, its volume called DATA.
func podCommand(t *testing.T, job batch.Job, env string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(
		filepath.Join(folder, "facet"), []byte("#!/bin/sh\necho \"$@\"\n"), 0o777,
	); err != nil {
		t.Fatal(err)
	}
	c := job.Spec.Template.Spec.Containers[0]
	shell := exec.Command(c.Command[0], c.Command[1],
		strings.ReplaceAll(c.Args[0], "/data", folder))
	shell.Env = []string{"PATH=" + folder + ":" + os.Getenv("PATH"), env}
	text, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return strings.ReplaceAll(string(text), folder, "DATA")
}
