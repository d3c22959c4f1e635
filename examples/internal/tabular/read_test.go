package tabular_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// show prints the cells and names of a table on one line, and its notes.
func show(t *tabular.Table) string {
	text := fmt.Sprintf("%v %q", t.X, t.Labels)
	if t.Names != nil || t.LabelName != "" {
		text += fmt.Sprintf(" %q %q", t.Names, t.LabelName)
	}
	for _, note := range t.Notes {
		text += "\n" + note
	}
	return text
}

func read(t *testing.T, text string, o tabular.Options) (*tabular.Table, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	tables, err := tabular.Load(t.Context(), o, tabular.Model{}, tabular.Source{Path: "file"})
	if err != nil {
		return nil, err
	}
	return tables[0], nil
}

const indexed = "\nThe first column of file has no name: it was left out as an index of the rows " +
	"(pandas writes none with index=False)."

func TestRead(t *testing.T) {
	label := func(name string) tabular.Options { return tabular.Options{Label: name} }
	plain := `[1 2 3 4] ["x" "y"] ["a" "b"] "c"`
	for name, c := range map[string]struct {
		text string
		o    tabular.Options
		want string
	}{
		"commas":     {"a,b,c\n1,2,x\n3,4,y\n", tabular.Options{}, plain},
		"semicolons": {"a;b;c\n1;2;x\n3;4;y\n", tabular.Options{}, plain},
		"tabs":       {"a\tb\tc\n1\t2\tx\n3\t4\ty\n", tabular.Options{}, plain},
		"bars":       {"a|b|c\n1|2|x\n3|4|y\n", tabular.Options{}, plain},
		"spaces":     {"a b c\n1 2  x\n 3   4 y \n", tabular.Options{}, plain},
		"spaces in names": {"my a,my b,c\n1,2,x\n", tabular.Options{},
			`[1 2] ["x"] ["my a" "my b"] "c"`},
		"a separator": {"a:b:c\n1:2:x\n3:4:y\n", tabular.Options{Sep: ':'}, plain},
		"Windows":     {"\ufeffa,b,c\r\n1,2,x\r\n\r\n3,4,y", tabular.Options{}, plain},
		"quotes": {"\"a\",'b',\"c,\"\"d\"\"\"\n\"1\",2,\"x,\ny\"\n", tabular.Options{},
			`[1 2] ["x,\ny"] ["a" "'b'"] "c,\"d\""`},
		"no header":      {"1,2,x\n3,4,y\n", tabular.Options{}, `[1 2 3 4] ["x" "y"]`},
		"one row":        {"1,2,x", tabular.Options{}, `[1 2] ["x"]`},
		"one row below":  {"a,b,c\n1,2,x", tabular.Options{}, `[1 2] ["x"] ["a" "b"] "c"`},
		"numpy's header": {"# a,b,c\n1,2,3\n", tabular.Options{}, `[1 2] ["3"] ["a" "b"] "c"`},
		"label by name": {"a,b,c\nx,2,1\ny,4,3\n", label("a"),
			`[2 1 4 3] ["x" "y"] ["b" "c"] "a"`},
		"label by number": {"a,b,c\nx,2,1\ny,4,3\n", label("0"),
			`[2 1 4 3] ["x" "y"] ["b" "c"] "a"`},
		"label from the end": {"2,x,1\n4,y,3\n", label("-2"), `[2 1 4 3] ["x" "y"]`},
		"a number as a name": {"7,0,-1\n1,2,3\n", tabular.Options{}, `[7 0 1 2] ["-1" "3"]`},
		"ignored": {"id,a,b,note,c\nr1,1,2,good,x\nr2,3,4,?,y\n",
			tabular.Options{Ignore: []string{"id", "3"}}, plain},
		"an index": {",a,b,c\n17,1,2,x\n3,3,4,y\n", tabular.Options{}, plain + indexed},
		"an index of words": {"\"\",a,b,c\nMazda RX4,1,2,x\nFiat,3,4,y\n", tabular.Options{},
			plain + indexed},
		"an index twice": {"Unnamed: 0,a,b,c\n0,1,2,x\n1,3,4,y\n", tabular.Options{},
			plain + indexed},
		"pandas' numbers": {"0,1,2\n1.5,2,3\n", tabular.Options{},
			"[1.5 2] [\"3\"] [\"0\" \"1\"] \"2\"\nThe first line of file counts the columns and " +
				"was taken for their names."},
		"with an index": {",0,1,2\n0,1.5,2,3\n", tabular.Options{},
			"[1.5 2] [\"3\"] [\"0\" \"1\"] \"2\"\nThe first line of file counts the columns and " +
				"was taken for their names." + indexed},
		"numbers and a word": {"0,1,c\n1.5,2,3\n", tabular.Options{},
			"[1.5 2] [\"3\"] [\"0\" \"1\"] \"c\"\nThe first line of file counts the columns and " +
				"was taken for their names."},
		"a row of 0 and 1": {"0,1,x\n1,0,y\n", tabular.Options{}, `[0 1 1 0] ["x" "y"]`},
		"counting": {"id,a,c\n" + counting(10), tabular.Options{},
			show(counted()) + "\nColumn \"id\" of file counts the rows and was taken for a " +
				"feature: if it is an index, leave it out with --ignore id."},
		"dropped": {"a,b,c\n1,2,x\n1,,x\n2,3,NaN\n3,4,y\n", tabular.Options{Missing: tabular.Drop},
			plain + "\nfile: 2 of 4 rows have missing values and were left out; the others keep " +
				"their numbers."},
		"kept": {"a,b,c\n1,2,x\n?,4,y\n", tabular.Options{Missing: tabular.Keep},
			strings.Replace(plain, "3", "NaN", 1)},
		"LIBSVM": {"+1 1:0.5 3:2 # note\n-1 2:1\n", tabular.Options{},
			`[0.5 0 2 0 1 0] ["1" "-1"]`},
		"LIBSVM from 0": {"1 0:0.5\n2 1:1\n", tabular.Options{}, `[0.5 0 0 1] ["1" "2"]`},
		"zeros first":   {"1\n2 1:1\n", tabular.Options{}, `[0 1] ["1" "2"]`},
		"by name of format": {"1 1\n2 3\n", tabular.Options{Format: tabular.CSV},
			`[1 2] ["1" "3"]`},
		"names that are numbers": {"2019,2020,fruit\n" + strings.Repeat("1,2,a\n3,4,b\n", 3),
			tabular.Options{}, `[1 2 3 4 1 2 3 4 1 2 3 4] ["a" "b" "a" "b" "a" "b"] ["2019" ` +
				`"2020"] "fruit"` + "\n" + `The first line of file has a label, "fruit", that no ` +
				`other line has, and was taken for the names of the columns: --header no makes ` +
				`it a row.`},
		"names, as is said": {"2019,2020,fruit\n1,2,a\n", tabular.Options{Header: tabular.Yes},
			`[1 2] ["a"] ["2019" "2020"] "fruit"`},
		"no names, as is said": {"2019,2020,fruit\n1,2,a\n", tabular.Options{Header: tabular.No},
			`[2019 2020 1 2] ["fruit" "a"]`},
		"a rare class": {"5.1,3,rare\n" + strings.Repeat("1,2,a\n3,4,b\n", 2), tabular.Options{},
			`[5.1 3 1 2 3 4 1 2 3 4] ["rare" "a" "b" "a" "b"]`},
		"rare numbers": {"7,8,9\n1,2,3\n3,4,5\n5,6,7\n7,8,1\n", tabular.Options{},
			`[7 8 1 2 3 4 5 6 7 8] ["9" "3" "5" "7" "1"]`},
		"an identifier": {"user_id,c\n9,x\n7,x\n5,x\n3,x\n1,x\n0,x\n2,x\n4,x\n6,x\n8,x\n",
			tabular.Options{}, `[9 7 5 3 1 0 2 4 6 8] ["x" "x" "x" "x" "x" "x" "x" "x" "x" "x"] ` +
				`["user_id"] "c"` + "\n" + `Column "user_id" of file looks like an identifier ` +
				`and was taken for a feature: --ignore user_id leaves it out, --id keeps it ` +
				`beside the answers.`},
		"TSV with commas": {"a,b\tc\n1\tx\n", tabular.Options{Format: tabular.TSV},
			`[1] ["x"] ["a,b"] "c"`},
	} {
		got, err := read(t, c.text, c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if show(got) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, show(got), c.want)
		}
	}
}

// counting returns rows that begin with their number.
func counting(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf("%d,%d,x\n", i, i*i)
	}
	return text
}

func counted() *tabular.Table {
	t := &tabular.Table{Names: []string{"id", "a"}, LabelName: "c"}
	for i := range 10 {
		t.X, t.Labels = append(t.X, float64(i), float64(i*i)), append(t.Labels, "x")
	}
	return t
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		text string
		o    tabular.Options
		want string
	}{
		{"", tabular.Options{}, "file: no data: there are no rows"},
		{" \n\n", tabular.Options{}, "there are no rows"},
		{"a,b,c\n", tabular.Options{}, "there are no rows"},
		{"a,b,c\n1,,\n", tabular.Options{Missing: tabular.Keep},
			`1 of 1 rows have missing values, 1 in all, first an empty cell in line 2, column "c"`},
		{"a,b,c\n1,,x\n", tabular.Options{Missing: tabular.Drop},
			"there are no rows without missing values"},
		{"\xff\xfea\x00", tabular.Options{}, "file: it is UTF-16 text: save it as UTF-8"},
		{"\xfe\xff\x00a", tabular.Options{}, "it is UTF-16 text"},
		{"a\x00,\x00b\x00\n\x00", tabular.Options{}, "UTF-16 without a mark"},
		{"PK\x03\x04", tabular.Options{}, ".xlsx"},
		{"PAR1", tabular.Options{}, "read_parquet"},
		{"\x80\x04\x95", tabular.Options{}, "a Python pickle"},
		{"<!DOCTYPE html>", tabular.Options{}, "it is a web page"},
		{"@RELATION iris", tabular.Options{}, "ARFF"},
		{"{\"a\": 1}", tabular.Options{}, "JSON"},
		{"a,gr\xf6\xdfe,c\n1,2,3\n", tabular.Options{},
			"line 1: the name of column 1 is not UTF-8"},
		{"a,c\n1,gr\xf6n\n", tabular.Options{}, "line 2: the label is not UTF-8"},
		{"a,b,a\n1,2,3\n", tabular.Options{},
			`line 1: columns 0 and 2, counted from 0, are both named "a"`},
		{"a,,c\n1,2,3\n", tabular.Options{}, "column 1, counted from 0, has no name"},
		{",a,c\n1,2,3\n1,3,4\n", tabular.Options{}, "column 0 has no name and repeats values"},
		{"a,b\n1,2,x\n", tabular.Options{}, "line 1: it names 2 columns and the next has 3 cells"},
		{"a,b,c\n1,2,x\n3,y\n", tabular.Options{},
			"line 3 has 2 cells where the lines before have 3"},
		{"a,b,c\n1,\"2,x\n", tabular.Options{},
			"line 2: extraneous or missing \" in quoted-field (cells are separated by ',')"},
		{"a\n1\n", tabular.Options{}, "the file has 1 column and no feature besides the label"},
		{"a;b\n1;2\n", tabular.Options{Sep: ','}, "is --sep right?"},
		{"Mean,class\n1,2\n", tabular.Options{Label: "Class"},
			`--label: there is no column "Class"; the columns are "Mean" and "class". Is "class" ` +
				`meant?`},
		{"a,b\n1,2\n", tabular.Options{Label: "diagnosis"},
			`there is no column "diagnosis"; the columns are "a" and "b"`},
		{"1,2\n3,4\n", tabular.Options{Label: "diagnosis"},
			"no line names the columns; give its number, 0 to 1, or −1 for the last"},
		{"a,b\n1,2\n", tabular.Options{Label: "2"},
			"there is no column 2: the 2 columns are 0 to 1"},
		{"a,b\n1,2\n", tabular.Options{Ignore: []string{"x"}}, `--ignore: there is no column "x"`},
		{"a,b\n1,2\n", tabular.Options{Ignore: []string{"b"}},
			`column "b" is left out by --ignore: say with --label where`},
		{"a,b,c\n1,NA,x\n?,null,y\n2,3,z\n", tabular.Options{},
			`2 of 3 rows have missing values, 3 in all, first "NA" in line 2, column "b". Fill ` +
				`them in, leave these rows out with --missing drop, or keep them with --missing ` +
				`keep`},
		{"1,2,\n3,4,y\n", tabular.Options{}, "1 of 2 rows have missing values, 1 in all, first " +
			"an empty cell in line 1, column 2 (from 0)"},
		{"a,b,c\n1,2,x\n1,2o,x\n3,4,y\n", tabular.Options{},
			`line 3, column "b": "2o" is not a number`},
		{"a,b,c\n1,2,x\n1,2o,x\n3x,4,y\n", tabular.Options{},
			`line 3, column "b": "2o" is not a number (2 such cells in all)`},
		{"t,y\n" + strings.Repeat("12,x\nA/5 7,y\n", 10), tabular.Options{},
			`words where numbers are needed: column "t" ("A/5 7" in line 3)`},
		{"a;b\n1,5;x\n2;y\n", tabular.Options{}, `"1,5" has a decimal comma; write a point`},
		{"a,b\n1,x\n1e999,y\n", tabular.Options{},
			`line 3, column "a": "1e999" is beyond the range of a float64`},
		{"a,b\n1,x\n-inf,y\n", tabular.Options{},
			`line 3, column "a": "-inf" is not a finite number`},
		{"sex,age,y\nm,1,0\nf,2,1\n", tabular.Options{},
			`words where numbers are needed: column "sex" ("m" in line 2). Turn them into ` +
				`numbers (for a model whose file has no words for its categories into their ` +
				`codes, else pandas.get_dummies), ` +
				`or leave them out with --ignore sex, or, if the labels are there, say ` +
				`--label sex`},
		{"my sex,city,y\nm,NY,0\n", tabular.Options{},
			`column "my sex" ("m" in line 2), column "city" ("NY" in line 2). Turn them into ` +
				`numbers (for a model whose file has no words for its categories into their ` +
				`codes, else pandas.get_dummies), ` +
				`or leave them out with --ignore 'my sex',city, or say with --label in which of ` +
				`them`},
		{"sex,age,y\nm,1,0\n", tabular.Options{Label: "y"}, "leave them out with --ignore sex"},
		{"\"city, state\",size,y\nNY,1,a\nLA,9,c\n", tabular.Options{},
			`--ignore '"city, state"'`},
		{"size,y\n\"1,234\",a\n1,b\n", tabular.Options{}, "commas between thousands"},
		{"a,b,y\n1,red,p\n,blue,q\ninf,red,p\n1,2\n", tabular.Options{},
			`4 kinds of faults: (1) words where numbers are needed: column "b" ("red" in line 2)`},
		{"1 1:0.5\n", tabular.Options{Label: "y"}, "--label chooses a column of CSV"},
		{"1 1:0.5\n", tabular.Options{Ignore: []string{"y"}},
			"--ignore leaves out a column of CSV"},
		{"1 1:0.5\n2 1:nan\n", tabular.Options{},
			`file:2: value of feature 1: "nan" is not a finite number`},
		{"a,b\n1,2\n1,2\n1,2\n", tabular.Options{MaxValues: 8}, "--max-values raises the limit"},
		{strings.Repeat("1,2\n", 50), tabular.Options{MaxValues: 4},
			"--max-values raises the limit"},
		{"\x1f\x8b\x08nothing", tabular.Options{}, "it begins as a file of gzip does"},
		{strings.Repeat(",", 1<<21), tabular.Options{}, "a line of more than"},
		{"\x93NUMPY", tabular.Options{}, "NPY header"},
	} {
		got, err := read(t, c.text, c.o)
		if err == nil {
			t.Errorf("%q is read: %s", c.text, show(got))
		} else if !strings.HasPrefix(err.Error(), "file:") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestSum: the sum is that of the file's bytes, compressed or not.
func TestSum(t *testing.T) {
	text := "a,b,c\n1,2,x\n"
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{text, zipped.String()} {
		got, err := read(t, file, tabular.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(file))
		if want := hex.EncodeToString(sum[:]); got.Sum != want ||
			show(got) != `[1 2] ["x"] ["a" "b"] "c"` {
			t.Errorf("%s with sum %s, want %s", show(got), got.Sum, want)
		}
	}
}

// array is an NPY file.
func array(values []float64, shape string) string {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	text := []byte("\x93NUMPY\x01\x00")
	text = binary.LittleEndian.AppendUint16(text, uint16(len(header)))
	text, err := binary.Append(append(text, header...), binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// folder writes files to a folder and returns its path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	path := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestMatrix: an array has its labels in another file, of numbers or of words.
func TestMatrix(t *testing.T) {
	files := folder(t, map[string]string{
		"x.npy":        array([]float64{1, 2, 3, 4}, "2, 2"),
		"gaps.npy":     array([]float64{1, math.NaN(), 3, 4}, "2, 2"),
		"infinite.npy": array([]float64{1, 2, 3, math.Inf(1)}, "2, 2"),
		"vector.npy":   array([]float64{1, 2}, "2,"),
		"y.npy":        array([]float64{3, 5}, "2,"), "column.npy": array([]float64{3, 5}, "2, 1"),
		"wide.npy": array([]float64{3, 5, 6, 7}, "2, 2"),
		"y.txt":    "good\nbad\n", "named.txt": "label\n\"good\"\nbad", "short.txt": "good\n",
		"images-ubyte": "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01" +
			"\x00\x00\x00\x02\x01\x02\x03\x04",
		"labels-ubyte": "\x00\x00\x08\x01\x00\x00\x00\x02\x03\x05", "rows.csv": "1,2,x\n",
		"missing.txt": "good\nnan\n",
	})
	for _, c := range []struct {
		x, y string
		o    tabular.Options
		want string
	}{
		{"x.npy", "y.npy", tabular.Options{}, `[1 2 3 4] ["3" "5"]`},
		{"x.npy", "column.npy", tabular.Options{}, `[1 2 3 4] ["3" "5"]`},
		{"x.npy", "y.txt", tabular.Options{}, `[1 2 3 4] ["good" "bad"]`},
		{"x.npy", "named.txt", tabular.Options{}, `[1 2 3 4] ["good" "bad"] [] "label"`},
		{"images-ubyte", "labels-ubyte", tabular.Options{}, `[1 2 3 4] ["3" "5"]`},
		{"x.npy", "labels-ubyte", tabular.Options{}, `[1 2 3 4] ["3" "5"]`},
		{"x.npy", "", tabular.Options{Unlabeled: true}, `[1 2 3 4] []`},
		{"x.npy", "", tabular.Options{}, "x.npy: the file holds no labels"},
		{"x.npy", "wide.npy", tabular.Options{}, "wide.npy: the array has shape [2 2]"},
		{"x.npy", "short.txt", tabular.Options{},
			"short.txt: there are 1 labels for the 2 rows of "},
		{"x.npy", "none.npy", tabular.Options{}, "none.npy: no such file or directory"},
		{".", "y.npy", tabular.Options{}, "it is a folder, not a file of rows"},
		{"vector.npy", "y.npy", tabular.Options{}, "vector.npy: the array has shape [2]"},
		{"rows.csv", "y.npy", tabular.Options{}, "rows.csv: the file holds its labels itself"},
		{"gaps.npy", "y.npy", tabular.Options{}, `gaps.npy: 1 of 2 rows have missing values, 1 ` +
			`in all, first "NaN" in row 0, column 1, both from 0`},
		{"gaps.npy", "y.npy", tabular.Options{Missing: tabular.Drop}, "[3 4] [\"5\"]\n"},
		{"gaps.npy", "y.npy", tabular.Options{Missing: tabular.Keep}, "[1 NaN 3 4] [\"3\" \"5\"]"},
		{"x.npy", "missing.txt", tabular.Options{Missing: tabular.Keep}, `first "nan" in label 1`},
		{"x.npy", "missing.txt", tabular.Options{}, `first "nan" in label 1`},
		{"x.npy", "missing.txt", tabular.Options{Missing: tabular.Drop}, "[1 2] [\"good\"]\n"},
		{"infinite.npy", "y.npy", tabular.Options{},
			"row 1, column 1, both from 0: +Inf is not a finite number"},
	} {
		source := tabular.Source{Path: filepath.Join(files, c.x)}
		if c.y != "" {
			source.Labels = filepath.Join(files, c.y)
		}
		tables, err := tabular.Load(t.Context(), c.o, tabular.Model{}, source)
		got := fmt.Sprint(err)
		if err == nil {
			got = show(tables[0])
		}
		if !strings.Contains(got, c.want) ||
			strings.HasPrefix(c.want, "[") && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s and %s: %s, want %s", c.x, c.y, got, c.want)
		}
	}
}

// records is an NPY file of float64 columns with names.
func records(values []float64, rows int, names ...string) string {
	descr := ""
	for _, name := range names {
		descr += fmt.Sprintf("('%s', '<f8'), ", name)
	}
	text := array(values, fmt.Sprintf("%d,", rows))
	header, rest := text[10:len(text)-8*len(values)], text[len(text)-8*len(values):]
	header = strings.Replace(header, "'<f8'", "["+descr+"]", 1)
	return string(
		binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header))),
	) + header + rest
}

// TestRecords: the columns of an array of records are those of a table with a header.
func TestRecords(t *testing.T) {
	both := []float64{1, 2, 7, 3, 4, 8}
	files := folder(t, map[string]string{
		"train.npy":  records(both, 2, "a", "b", "c"),
		"turned.npy": records([]float64{7, 2, 1}, 1, "c", "b", "a"),
		"x.npy":      records([]float64{1, 2, 3, 4}, 2, "a", "b"),
		"y.npy":      array([]float64{7, 8}, "2,"), "y.txt": "good\nbad\n",
		"gaps.npy":    records([]float64{1, math.NaN(), 7, 3, 4, 8}, 2, "a", "b", "c"),
		"twice.npy":   records(both, 2, "a", "a ", "c"),
		"unnamed.npy": records([]float64{1, 2, 3, 4}, 2, "Unnamed: 0", "b"),
	})
	model := tabular.Model{Dim: 2, Names: []string{"b", "a"}}
	id := tabular.Options{ID: "a", Missing: tabular.Drop}
	for _, c := range []struct {
		x, y  string
		o     tabular.Options
		model tabular.Model
		want  string
	}{
		{"train.npy", "", tabular.Options{}, tabular.Model{}, `[1 2 3 4] ["7" "8"] ["a" "b"] "c"`},
		{"train.npy", "", tabular.Options{Label: "a"}, tabular.Model{},
			`[2 7 4 8] ["1" "3"] ["b" "c"] "a"`},
		{"train.npy", "", tabular.Options{Unlabeled: true}, model,
			`[2 1 4 3] ["7" "8"] ["b" "a"] "c"`},
		{"x.npy", "", tabular.Options{Unlabeled: true}, model, `[2 1 4 3] [] ["b" "a"] ""`},
		{"x.npy", "y.npy", tabular.Options{}, tabular.Model{}, `[1 2 3 4] ["7" "8"] ["a" "b"] ""`},
		{"x.npy", "y.txt", tabular.Options{}, model, `[2 1 4 3] ["good" "bad"] ["b" "a"] ""`},
		{"unnamed.npy", "y.npy", tabular.Options{}, tabular.Model{},
			`[1 2 3 4] ["7" "8"] ["Unnamed: 0" "b"] ""`},
		{"x.npy", "", tabular.Options{Unlabeled: true}, tabular.Model{Dim: 2},
			`[1 2 3 4] [] ["a" "b"] ""`},
		{"gaps.npy", "", tabular.Options{Missing: tabular.Keep}, tabular.Model{},
			`[1 NaN 3 4] ["7" "8"]`},
		{"gaps.npy", "", id, tabular.Model{}, `[4] ["8"] ["b"] "c"`},
		{"twice.npy", "", tabular.Options{}, tabular.Model{},
			`columns 0 and 1, counted from 0, are both named "a"`},
		{"x.npy", "", tabular.Options{}, tabular.Model{Dim: 3, Names: []string{"a", "b", "d"}},
			`lacks column "d" of the model`},
		{"x.npy", "y.npy", tabular.Options{}, tabular.Model{Dim: 1},
			"the rows have 2 features where the model has 1"},
	} {
		source := tabular.Source{Path: filepath.Join(files, c.x)}
		if c.y != "" {
			source.Labels = filepath.Join(files, c.y)
		}
		tables, err := tabular.Load(t.Context(), c.o, c.model, source)
		got := fmt.Sprint(err)
		if err == nil {
			got = show(tables[0])
		}
		if !strings.Contains(got, c.want) ||
			strings.HasPrefix(c.want, "[") && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s and %s: %s, want %s", c.x, c.y, got, c.want)
		}
		if err == nil && c.o.ID != "" && !slices.Equal(tables[0].IDs, []string{"3"}) {
			t.Errorf("%s: identifiers %q", c.x, tables[0].IDs)
		}
	}
	tables, err := tabular.Load(t.Context(), tabular.Options{}, tabular.Model{},
		tabular.Source{Path: filepath.Join(files, "train.npy")}, tabular.Source{
			Path: filepath.Join(files, "turned.npy"),
		})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(tables[1]); !strings.HasPrefix(got, `[1 2] ["7"] ["a" "b"] "c"`) {
		t.Error(got)
	}
}

// TestStandardInput: one file may come from there.
func TestStandardInput(t *testing.T) {
	o := tabular.Options{Stdin: strings.NewReader("a,b,c\n1,2,x\n")}
	tables, err := tabular.Load(t.Context(), o, tabular.Model{}, tabular.Source{Path: "-"})
	if err != nil || show(tables[0]) != `[1 2] ["x"] ["a" "b"] "c"` ||
		tables[0].Path != "standard input" {
		t.Errorf("%v, %v", tables, err)
	}
	if _, err := tabular.Load(
		t.Context(), o, tabular.Model{}, tabular.Source{Path: "-"}, tabular.Source{Path: "-"},
	); err == nil || !strings.Contains(err.Error(), "only one of the files") {
		t.Error(err)
	}
}

// TestParse: names of formats and separators.
func TestParse(t *testing.T) {
	if f, err := tabular.ParseFormat("CSV"); f != tabular.CSV || err != nil {
		t.Error(f, err)
	}
	if _, err := tabular.ParseFormat("xls"); err == nil {
		t.Error("xls is a format")
	}
	for name, want := range map[string]rune{
		"tab":   '\t',
		`\t`:    '\t',
		"space": ' ',
		";":     ';',
		"·":     '·',
	} {
		if sep, err := tabular.ParseSeparator(name); sep != want || err != nil {
			t.Error(name, sep, err)
		}
	}
	for _, name := range []string{"", "ab", "\"", "\n", "\xff"} {
		if sep, err := tabular.ParseSeparator(name); err == nil {
			t.Errorf("%q is separator %q", name, sep)
		}
	}
}

// TestEveryPlaceOfTheLabel: wherever the label's column is, the features are the others.
func TestEveryPlaceOfTheLabel(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	for i, label := range names {
		rows := []string{"1", "2", "3", "4"}
		rows[i] = "word"
		got, err := read(t, strings.Join(names, ",")+"\n"+strings.Join(rows, ",")+"\n",
			tabular.Options{Label: label})
		if err != nil {
			t.Fatal(err)
		}
		if want := slices.Delete(slices.Clone(names), i, i+1); !slices.Equal(got.Names, want) ||
			got.LabelName != label || got.Dim != 3 {
			t.Errorf("label %s: %s", label, show(got))
		}
	}
}
