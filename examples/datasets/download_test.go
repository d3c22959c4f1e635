package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

func TestDownload(t *testing.T) {
	t.Setenv("FACET_DATA", "")
	middle := content[:100_000]
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		part    []byte // there already
	}{
		"whole":             {whole, nil},
		"no parts":          {unranged, nil},
		"resumed":           {whole, middle},
		"resumed, no parts": {unranged, middle},
		"only to rename": {
			func(w http.ResponseWriter, r *http.Request) {
				http.Error(w, "gone", http.StatusGone)
			}, content,
		},
		"another file": {whole, []byte("something else")},
		"too long":     {whole, append(bytes.Clone(content), 'x')},
		"another part": {func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				w.Header().Set("Content-Range", "bytes 0-9/262144")
				w.WriteHeader(http.StatusPartialContent)
				w.Write(content[:10])
				return
			}
			w.Write(content)
		}, middle},
		"redirected": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/fourclass" {
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
				return
			}
			whole(w, r)
		}, middle},
		"as it is": {func(w http.ResponseWriter, r *http.Request) {
			if e := r.Header.Get("Accept-Encoding"); e != "identity" {
				http.Error(w, e, http.StatusBadRequest)
				return
			}
			whole(w, r)
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(t, serve(t, c.handler))
			if c.part != nil {
				in.put(t, partial, c.part)
			}
			status, stdout, stderr := in.download(t.Context())
			want := in.path + " is downloaded, SHA-256 checked\nset FACET_DATA=" + in.folder +
				" for the other programs to find the files there\n"
			if status != 0 || stdout != want || stderr != "" {
				t.Errorf("exit status %d with %q, %q, want 0, %q, nothing",
					status, stdout, stderr, want)
			}
			in.expect(t, map[string][]byte{"": content})
		})
	}
}

// TestResumeAsksForTheRest counts the bytes that are sent again.
func TestResumeAsksForTheRest(t *testing.T) {
	var asked []string
	in := newInstance(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("Range"))
		whole(w, r)
	}))
	in.put(t, partial, content[:1000])
	if status, _, stderr := in.download(t.Context()); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	if len(asked) != 1 || asked[0] != "bytes=1000-" {
		t.Errorf("asked for %q, want the bytes from 1000 on", asked)
	}
}

func TestDownloadFails(t *testing.T) {
	wrong := func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("wrong")) }
	notFound := func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		says    string
		files   map[string][]byte
	}{
		"not there": {notFound, "answers 404 Not Found", nil},
		"broken off": {half, "the connection ended early; 131.1 kB of it are kept in ",
			map[string][]byte{partial: content[:len(content)/2]}},
		"altered": {wrong, "sends an altered file, kept as ", map[string][]byte{
			".bad": []byte("wrong"),
		}},
		"loop": {
			func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, r.URL.Path, http.StatusFound)
			}, "redirect", nil,
		},
		"hanging": {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			"nothing came from http", nil},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(t, serve(t, c.handler))
			f := newFetcher(new(bytes.Buffer))
			if name == "hanging" {
				f.stall = 200 * time.Millisecond
			}
			done, err := f.provide(t.Context(), in.settings, in.file)
			if done != "" || err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q, %v, want an error that says %q", done, err, c.says)
			}
			in.expect(t, c.files)
		})
	}
	t.Run("no server", func(t *testing.T) {
		in := newInstance(t, "http://127.0.0.1:1")
		status, stdout, stderr := in.download(t.Context())
		if status != 1 || stdout != "" ||
			!strings.HasPrefix(stderr, "datasets: fourclass: http://127.0.0.1:1/fourclass: ") {
			t.Errorf("exit status %d with %q, %q", status, stdout, stderr)
		}
		in.expect(t, nil)
	})
}

func TestSecondPlace(t *testing.T) {
	in := newInstance(t, serve(t, half), serve(t, whole))
	if status, _, stderr := in.download(t.Context()); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	in.expect(t, map[string][]byte{"": content})

	in = newInstance(t, serve(t, http.NotFound), serve(t, http.NotFound))
	_, _, stderr := in.download(t.Context())
	if strings.Count(stderr, "404 Not Found") != 2 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("standard error %q, want a line about both places", stderr)
	}
}

// TestInterrupt breaks off in the middle, and goes on.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var in *instance
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "" {
			whole(w, r)
			return
		}
		half(w, r)
		w.(http.Flusher).Flush()
		for !in.begun() {
			time.Sleep(time.Millisecond)
		}
		cancel()
		<-r.Context().Done()
	}
	in = newInstance(t, serve(t, handler))
	in.catalogue = append(in.catalogue, &file{base: "diabetes"}) // to which it does not come
	in.sets = append(in.sets, "diabetes")
	status, stdout, stderr := in.download(ctx)
	if status != 3 || stdout != "" ||
		!strings.HasPrefix(stderr, "datasets: fourclass: interrupted") ||
		strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit status %d with %q, %q", status, stdout, stderr)
	}
	in.catalogue, in.sets = in.catalogue[:1], in.sets[:1]
	if status, _, stderr := in.download(t.Context()); status != 0 {
		t.Errorf("exit status %d: %s", status, stderr)
	}
	in.expect(t, map[string][]byte{"": content})
}

// TestGoesOn: a file that cannot be had does not keep the next from being
// downloaded.
func TestGoesOn(t *testing.T) {
	in := newInstance(t)
	in.mirror = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/sub/fashion-mnist/train-images-idx3-ubyte.gz" {
			http.NotFound(w, r)
			return
		}
		whole(w, r)
	}) + "/sub/"
	in.catalogue = append(in.catalogue,
		&file{
			base:   "fashion-mnist/train-images-idx3-ubyte",
			suffix: ".gz",
			known:  published(content),
		}, &file{base: "diabetes"})
	in.sets = []string{"fourclass", "f-mnist35"}
	status, stdout, stderr := in.download(t.Context())
	if status != 1 || !strings.Contains(stderr, "fourclass answers 404") ||
		strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit status %d with %q on standard error", status, stderr)
	}
	if !strings.Contains(stdout, "train-images-idx3-ubyte.gz is downloaded, SHA-256 checked\n") {
		t.Errorf("standard output %q", stdout)
	}
}

// zipped compresses b by gzip, with the least effort, unlike a publisher.
func zipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.HuffmanOnly)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(b)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCompressed downloads files that are compressed, of which the checksum of the content or that
// of the compressed file is known.
func TestCompressed(t *testing.T) {
	packed := zipped(t, content)
	for name, c := range map[string]struct {
		sent, part []byte
		known      checksum
		says       string // on standard error
	}{
		"by what it holds": {packed, nil, sum(content), ""},
		"resumed":          {packed, packed[:1000], sum(content), ""},
		"only to rename":   {nil, packed, sum(content), ""},
		"as published":     {packed, nil, published(packed), ""},
		"compressed otherwise": {packed, nil, published(content),
			"its SHA-256 is "},
		"holds something else": {zipped(t, content[1:]), nil, sum(content),
			"its SHA-256 is "},
		"not what was published": {content, nil, published(packed),
			"its SHA-256 is "},
		"cut off": {packed[:1000], nil, sum(content),
			"it cannot be uncompressed: unexpected EOF"},
		"the first bytes are missing": {packed[1:], nil, sum(content),
			"its SHA-256 is "},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(c.sent))
			}))
			in.file.suffix, in.file.known = ".gz", c.known
			if c.part != nil {
				in.put(t, ".gz"+partial, c.part)
			}
			status, _, stderr := in.download(t.Context())
			if c.says != "" {
				if status != 1 || !strings.Contains(stderr, "sends an altered file, kept as ") ||
					!strings.Contains(stderr, c.says) {
					t.Errorf("exit status %d with %q, want an error that says %q",
						status, stderr, c.says)
				}
				in.expect(t, map[string][]byte{".gz.bad": c.sent})
				return
			}
			if status != 0 || stderr != "" {
				t.Errorf("exit status %d with %q", status, stderr)
			}
			in.expect(t, map[string][]byte{".gz": packed})
		})
	}
}

// TestThere leaves alone the files that are there already and whole.
func TestThere(t *testing.T) {
	t.Setenv("FACET_DATA", "")
	there := func(in *instance) string { return in.path }
	packed := zipped(t, content)
	for name, c := range map[string]struct {
		suffix string
		text   []byte
		status int
		says   func(in *instance) string
		files  map[string][]byte
	}{
		"as published": {"", content, 0,
			func(in *instance) string {
				return in.path + " is there, SHA-256 checked"
			}, map[string][]byte{"": content}},
		"compressed": {".gz", packed, 0,
			func(in *instance) string {
				return in.path + ".gz is there, SHA-256 checked"
			}, map[string][]byte{".gz": packed}},
		"altered": {"", []byte("any"), 0,
			func(in *instance) string {
				return "what was there, altered, is now " + in.path + ".bad"
			},
			map[string][]byte{"": content, ".bad": []byte("any")}},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(t, serve(t, whole))
			in.put(t, c.suffix, c.text)
			status, stdout, stderr := in.download(t.Context())
			if status != c.status || !strings.Contains(stdout, c.says(in)) {
				t.Errorf("exit status %d with %q, %q, want %d, %q",
					status, stdout, stderr, c.status, c.says(in))
			}
			in.expect(t, c.files)
		})
	}
	t.Run("compressed, where the published file is known", func(t *testing.T) {
		in := newInstance(t, serve(t, whole))
		in.file.known.compressed = true
		in.put(t, ".gz", packed)
		status, stdout, stderr := in.download(t.Context())
		if status != 0 ||
			!strings.Contains(stdout, in.path+".gz is there, not as published and not checked") {
			t.Errorf("exit status %d with %q, %q", status, stdout, stderr)
		}
	})
	t.Run("compressed and altered", func(t *testing.T) {
		in := newInstance(t, serve(t, whole))
		in.put(t, ".gz", packed[:1000])
		status, _, stderr := in.download(t.Context())
		if status != 1 ||
			!strings.Contains(stderr, in.path+".gz was altered: it cannot be uncompressed: ") {
			t.Errorf("exit status %d with %q", status, stderr)
		}
	})
	t.Run("in another folder", func(t *testing.T) {
		in := newInstance(t, serve(t, whole))
		in.put(t, "", content)
		in.folder = t.TempDir()
		status, stdout, stderr := in.download(t.Context())
		if want := in.path + " is there, SHA-256 checked\n"; status != 0 || stdout != want {
			t.Errorf("exit status %d with %q, %q, want %q and no word about a folder without files",
				status, stdout, stderr, want)
		}
	})
	t.Run("altered, in another folder", func(t *testing.T) {
		in := newInstance(t, serve(t, whole))
		in.put(t, "", []byte("any"))
		in.folder = t.TempDir()
		status, _, stderr := in.download(t.Context())
		if status != 1 || !strings.Contains(stderr, there(in)+" was altered: its SHA-256 is ") {
			t.Errorf("exit status %d with %q", status, stderr)
		}
	})
	t.Run("altered, and not to be had", func(t *testing.T) {
		in := newInstance(t, serve(t, http.NotFound))
		in.put(t, "", []byte("any"))
		status, _, stderr := in.download(t.Context())
		if status != 1 || !strings.Contains(stderr, "is now "+in.path+".bad; ") ||
			!strings.Contains(stderr, "404") {
			t.Errorf("exit status %d with %q", status, stderr)
		}
		in.expect(t, map[string][]byte{".bad": []byte("any")})
	})
}

func TestBadFolder(t *testing.T) {
	in := newInstance(t, serve(t, whole))
	if err := os.WriteFile(in.folder, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := in.download(t.Context())
	if status != 1 || !strings.Contains(stderr, in.folder) || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit status %d with %q", status, stderr)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }

func TestFullOutput(t *testing.T) {
	in := newInstance(t, serve(t, whole))
	var stderr strings.Builder
	if status := in.run(t.Context(), full{}, &stderr); status != 1 ||
		stderr.String() != "datasets: no space left\n" {
		t.Errorf("exit status %d with %q", status, &stderr)
	}
	in.expect(t, map[string][]byte{"": content})
}
