package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

// content is the server's file: longer than any buffer on the way.
var content = bytes.Repeat([]byte("0123456789abcde\n"), 1<<14)

func sum(b []byte) checksum {
	s := sha256.Sum256(b)
	return checksum{hex: hex.EncodeToString(s[:])}
}

func published(b []byte) checksum {
	c := sum(b)
	c.compressed = true
	return c
}

// serve serves files by handler.
func serve(t *testing.T, handler http.HandlerFunc) (url string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// whole serves content, in parts too.
func whole(w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// unranged serves content, but never a part.
func unranged(w http.ResponseWriter, r *http.Request) { w.Write(content) }

// half begins like content, and breaks off.
func half(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", "262144")
	w.Write(content[:len(content)/2])
}

// instance is a set of one file, with a folder for it.
type instance struct {
	*settings
	file *file
	path string // of the file
}

// newInstance expects content for fourclass at these places.
func newInstance(t *testing.T, places ...string) *instance {
	t.Helper()
	for i := range places {
		places[i] += "/"
	}
	f := &file{base: "fourclass", places: places, known: sum(content)}
	folder := filepath.Join(t.TempDir(), "data")
	return &instance{
		settings: &settings{
			catalogue: []*file{f},
			sets:      []string{"fourclass"},
			folder:    folder,
			folders:   []string{folder},
		},
		file: f,
		path: filepath.Join(folder, "fourclass"),
	}
}

// put writes a file beside, or instead of, the one to download.
func (in *instance) put(t *testing.T, suffix string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(in.folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in.path+suffix, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// download runs the program on the instance.
func (in *instance) download(ctx context.Context) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	status = in.run(ctx, &out, &errs)
	return status, out.String(), errs.String()
}

func (in *instance) run(ctx context.Context, stdout, stderr io.Writer) int {
	program := &command.Program{Name: "datasets", Begin: func(*pflag.FlagSet) command.Work {
		return func(ctx context.Context, stdout, stderr io.Writer) error {
			return fetchAll(ctx, in.settings, stdout, stderr)
		}
	}}
	return program.Run(ctx, nil, stdout, stderr)
}

// begun reports whether anything is there of the file.
func (in *instance) begun() bool {
	info, err := os.Stat(in.path + partial)
	return err == nil && info.Size() > 0
}

// expect checks which files are there, by suffix, and that there are no others.
func (in *instance) expect(t *testing.T, files map[string][]byte) {
	t.Helper()
	entries, err := os.ReadDir(in.folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(files) {
		t.Errorf("%v in the folder, want %d files", entries, len(files))
	}
	for suffix, want := range files {
		if got, err := os.ReadFile(in.path + suffix); err != nil || !bytes.Equal(got, want) {
			t.Errorf("fourclass%s holds %d bytes, %v, want %d", suffix, len(got), err, len(want))
		}
	}
}
