package protocol

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestPick: rows are those of the numbers, in their order, with the classes of UCI's file.
func TestPick(t *testing.T) {
	text := uciText(3000)
	known, lines := ofText(t, text), strings.Split(text, "\n")
	numbers := []int{2999, 0, 17, 1234}
	s, err := known.pick(t.Context(), write(t, "covtype.data", text), numbers)
	if err != nil {
		t.Fatal(err)
	}
	for place, number := range numbers {
		got := ""
		for _, v := range s.Row(place) {
			got += fmt.Sprintf("%v,", v)
		}
		if got += fmt.Sprint(s.Labels[place]); got != lines[number] {
			t.Errorf("row %d is %s, want %s", number, got, lines[number])
		}
	}
	for name, text := range map[string]string{
		"has no classes from 1 to 7": covtypeText(3000), "is cut off": text[:len(text)/2],
	} {
		_, err := known.pick(t.Context(), write(t, "covtype.data", text), numbers)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want an error that says %q", err, name)
		}
	}
}

// TestCovtype500: of the whole file, the rows are those that others compare on, which have been
// scaled to [0,1] and rounded to six digits, with 0 for class 7.
func TestCovtype500(t *testing.T) {
	data := os.Getenv("FACET_DATA")
	if data == "" {
		t.Skip("FACET_DATA is not set: it names the folder of the data sets")
	}
	if racetest.Count(0, 1) == 0 {
		return // ten seconds, and minutes under the race detector
	}
	want, err := dataset.Load(t.Context(), filepath.Join(data, "covtype500.scale01"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	low, high := uciOf(t, filepath.Join(data, "covtype.libsvm.binary.bz2"), want.Labels,
		filepath.Join(folder, "covtype.data"))
	got, err := LoadCovtype500(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Rows {
		if got.Labels[i] != want.Labels[i] && got.Labels[i]-7 != want.Labels[i] {
			t.Errorf("row %d has class %v, want %v", i, got.Labels[i], want.Labels[i])
		}
		for j, v := range got.Row(i) {
			scaled := (v - low[j]) / (high[j] - low[j])
			if math.Abs(scaled-want.Row(i)[j+1]) > 5e-7 { // the first feature of the file is 0
				t.Fatalf("row %d, feature %d: %v, want %v", i, j, scaled, want.Row(i)[j+1])
			}
		}
	}
}

// uciOf writes rows of the LIBSVM page's file as UCI does. Its two labels leave the classes to
// those of the picked rows; 1 is one of the six others. It returns the ends of the features.
func uciOf(t *testing.T, from string, classes []float64, to string) (low, high []float64) {
	t.Helper()
	class := map[int]int{}
	for place, text := range strings.Fields(covtype500) {
		var number int
		if _, err := fmt.Sscan(text, &number); err != nil {
			t.Fatal(err)
		}
		if class[number] = int(classes[place]); class[number] == 0 {
			class[number] = 7
		}
	}
	low = slices.Repeat([]float64{math.Inf(1)}, 54)
	high = slices.Repeat([]float64{math.Inf(-1)}, 54)
	in, err := dataset.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, number := bufio.NewWriter(out), 0
	err = dataset.EachRow(bufio.NewReader(in), from,
		func(label float64, index []int, value []float64) error {
			values := make([]float64, 54)
			for i, j := range index {
				values[j-1] = value[i]
			}
			for j, v := range values {
				low[j], high[j] = min(low[j], v), max(high[j], v)
				w.Write(append(strconv.AppendInt(w.AvailableBuffer(), int64(v), 10), ','))
			}
			c := int(label)
			if picked, ok := class[number]; ok {
				c = picked
			}
			fmt.Fprintln(w, c)
			number++
			return nil
		})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return low, high
}
