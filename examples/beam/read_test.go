package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/parquet-go/parquet-go"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// allRows reads all rows of a test set, in shards of most rows.
func allRows(
	t *testing.T, path string, most int, model tabular.Model,
) (rows [][]string, shards []Shard) {
	t.Helper()
	source, err := openRows(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	columns, err := tabular.ReadColumns(source.beginning(), tabular.Options{}, model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if shards, err = source.divide(t.Context(), columns, most); err != nil {
		t.Fatal(err)
	}
	for i, s := range shards {
		if s.Index != i+1 || s.First != len(rows) || s.Rows < 1 || s.Rows > most {
			t.Fatalf("shards of %d rows: %+v", most, shards)
		}
		err := source.read(t.Context(), columns, s, func(cells []string, fault error) error {
			rows = append(rows, cells)
			return fault
		})
		if err != nil || len(rows) != s.First+s.Rows {
			t.Fatalf("shard %+v: %d rows, %v", s, len(rows), err)
		}
	}
	return rows, shards
}

// TestText: however a text is divided, its rows are the same.
func TestText(t *testing.T) {
	want := [][]string{{"1", "2", "x"}, {"3", "4", "y"}, {"5", "6", "x"}, {"7", "8", "y"},
		{"9", "10", "x"}}
	for name, text := range map[string]string{
		"plain":            "1,2,x\n3,4,y\n5,6,x\n7,8,y\n9,10,x\n",
		"no last newline":  "1,2,x\n3,4,y\n5,6,x\n7,8,y\n9,10,x",
		"header":           "a,b,c\n1,2,x\n3,4,y\n5,6,x\n7,8,y\n9,10,x\n",
		"carriage returns": "a,b,c\r\n1,2,x\r\n3,4,y\r\n5,6,x\r\n7,8,y\r\n9,10,x\r\n",
		"blank lines":      "\n1,2,x\n\n\n3,4,y\n  \n5,6,x\n7,8,y\n\n9,10,x\n\n\n",
		"mark and quotes":  "\ufeff\"a\",b,c\n\"1\",2,x\n3,4,y\n5,6,\"x\"\n7,8,y\n9,10,x\n",
	} {
		f := folder{t, t.TempDir()}
		path := f.write("rows.csv", text)
		for most := 1; most <= 6; most++ {
			rows, shards := allRows(t, path, most, tabular.Model{Dim: 2})
			if !reflect.DeepEqual(rows, want) || len(shards) != (len(want)+most-1)/most {
				t.Errorf("%s, shards of %d rows: %q in %d", name, most, rows, len(shards))
			}
		}
	}
}

// mixed is a row with columns of many kinds.
type mixed struct {
	First  float64   `parquet:"first"`
	Third  float32   `parquet:"third"`
	When   time.Time `parquet:"when"`
	Second *int64    `parquet:"second,optional"`
	Big    uint64    `parquet:"big"`
	Small  int32     `parquet:"small"`
	Kind   string    `parquet:"kind"`
	Tags   []string  `parquet:"tags"`
	Sure   bool      `parquet:"sure"`
}

// writeParquet writes rows in groups of some.
func writeParquet[T any](f folder, name string, rows []T, some int) string {
	f.t.Helper()
	file, err := os.Create(f.file(name))
	if err != nil {
		f.t.Fatal(err)
	}
	w := parquet.NewGenericWriter[T](file)
	for len(rows) > 0 {
		n := min(some, len(rows))
		if _, err := w.Write(rows[:n]); err != nil {
			f.t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			f.t.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		f.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		f.t.Fatal(err)
	}
	return f.file(name)
}

// TestParquet: the cells of a row read as a text would have them, for all kinds of columns and all
// divisions into groups.
func TestParquet(t *testing.T) {
	f := folder{t, t.TempDir()}
	three := int64(-3)
	rows := []mixed{
		{
			First:  0.1,
			Third:  0.1,
			Second: &three,
			Big:    1<<64 - 1,
			Small:  -7,
			Kind:   "yes",
			Tags:   []string{"a", "b"},
			Sure:   true,
		},
		{First: 1e300, Third: -2, Kind: "no"},
	}
	for len(rows) < 25 {
		rows = append(rows, rows[:2]...)
	}
	path := writeParquet(f, "rows.parquet", rows, 10)
	names := []string{"first", "third", "when", "second", "big", "small", "kind", "sure"}
	want := [][]string{
		{"0.1", "0.10000000149011612", "TIMESTAMP(isAdjustedToUTC=true,unit=NANOS)", "-3",
			"18446744073709551615", "-7", "yes", "true"},
		{"1e+300", "-2", "TIMESTAMP(isAdjustedToUTC=true,unit=NANOS)", "", "0", "0", "no", "false"},
	}
	for _, most := range []int{1, 3, 10, 1000} {
		got, shards := allRows(t, path, most, tabular.Model{Dim: len(names) - 1})
		for i, cells := range got {
			if !reflect.DeepEqual(cells, want[i%2]) {
				t.Fatalf("shards of %d rows, row %d: %q, want %q", most, i, cells, want[i%2])
			}
		}
		if groups := (len(rows) + 9) / 10; len(got) != len(rows) ||
			most >= 10 && len(shards) != groups {
			t.Errorf("shards of %d rows: %d rows in %d", most, len(got), len(shards))
		}
	}
}

// plain is a row of moons.
type plain struct {
	Third  float64 `parquet:"third"`
	First  float64 `parquet:"first"`
	Second float64 `parquet:"second"`
	Kind   string  `parquet:"kind"`
}

// TestParquetThroughPrism: the lines of rows in Parquet, its columns in any order, are those of the
// same rows in CSV.
func TestParquetThroughPrism(t *testing.T) {
	f := newFolder(t, 500)
	var rows []plain
	for line := range strings.Lines(strings.SplitAfterN(f.read("test.csv"), "\n", 2)[1]) {
		var r plain
		if _, err := fmt.Sscanf(
			strings.ReplaceAll(line, ",", " "), "%g %g %g %s",
			&r.First, &r.Second, &r.Third, &r.Kind,
		); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	path := writeParquet(f, "test.parquet", rows, 120)
	f.mustRun("shards", f.base("--test", path, "--shard-rows", "50")...)
	if n := len(f.shards("shards")); n != 13 { // three for each of four groups, and one
		t.Errorf("%d shards, want 13", n)
	}
	if f.mustMerge("shards") != f.single(f.base()...) {
		t.Error("the lines differ from those of CSV")
	}
}

// TestSplits: a section is divided before it is read and while it is, and all of its shards are
// read once.
func TestSplits(t *testing.T) {
	var shards []Shard
	for i := range 150 {
		shards = append(shards, Shard{Index: i + 1, First: 10 * i, Rows: 10})
	}
	fn, seen := &readFn{}, make(map[int]int)
	for _, element := range sections(shards) {
		s := element.(Section)
		whole := fn.CreateInitialRestriction(s)
		size := 0.0
		for _, r := range fn.SplitRestriction(s, whole) {
			size += fn.RestrictionSize(s, r)
		}
		if size != fn.RestrictionSize(s, whole) || size != float64(10*len(s.Shards)) {
			t.Errorf("parts of %v rows of %d shards", size, len(s.Shards))
		}
		for parts := []offsetrange.Restriction{whole}; len(parts) > 0; parts = parts[1:] {
			tracker := fn.CreateTracker(parts[0])
			for i := parts[0].Start; tracker.TryClaim(i); i++ {
				seen[s.Shards[i].Index]++
				if i%7 != 3 {
					continue
				}
				if _, rest, err := tracker.TrySplit(0.5); err != nil {
					t.Fatal(err)
				} else if rest != nil {
					parts = append(parts, rest.(offsetrange.Restriction))
				}
			}
			if err := tracker.GetError(); err != nil || !tracker.IsDone() {
				t.Errorf("%v, or it is not done", err)
			}
		}
	}
	for _, s := range shards {
		if seen[s.Index] != 1 {
			t.Errorf("shard %d was read %d times", s.Index, seen[s.Index])
		}
	}
}

// TestObject: an object of Google's store is read in ranges.
func TestObject(t *testing.T) {
	text := moons(200, 0)
	ranges := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/storage/v1/b/bucket/o/") &&
			r.URL.Query().Get("alt") != "media" {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w,
				`{"bucket":"bucket","name":"rows/test.csv","generation":"7","size":"%d"}`,
				len(text))
			return
		}
		if r.Header.Get("Range") == "" || !strings.Contains(r.URL.RequestURI(), "generation=7") {
			t.Errorf("%s %v reads all of it, or another generation", r.URL, r.Header)
		}
		ranges++
		w.Header().Set("X-Goog-Generation", "7")
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	defer server.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(server.URL, "http://"))
	file, err := openAt(t.Context(), "gs://bucket/rows/test.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	part := make([]byte, 100)
	if n, err := file.ReadAt(part, 500); n != 100 || err != nil || string(part) != text[500:600] {
		t.Errorf("%d bytes %q, %v", n, part, err)
	}
	if n, err := file.ReadAt(part, int64(len(text)-10)); n != 10 || err != io.EOF ||
		string(part[:n]) != text[len(text)-10:] {
		t.Errorf("at the end: %d bytes %q, %v, want 10 and %v", n, part[:n], err, io.EOF)
	}
	rows, _ := allRows(t, "gs://bucket/rows/test.csv", 30, tabular.Model{Dim: 3})
	if len(rows) != 200 || ranges < 9 {
		t.Errorf("%d rows by %d ranges", len(rows), ranges)
	}
}
