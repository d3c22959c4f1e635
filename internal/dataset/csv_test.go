package dataset

import (
	"strings"
	"testing"
)

func TestReadCSV(t *testing.T) {
	data, labels := []float64{1, -2.5, 3e2, 4}, []float64{0, 1}
	for _, test := range []struct{ name, text string }{
		{"plain", "1,-2.5,0\n300,4,1\n"},
		{"header", "height,weight,label\n1,-2.5,0\n300,4,1\n"},
		{"unnamed column in the header", ",weight,label\n1,-2.5,0\n300,4,1\n"},
		{"quoted header with a comma", "\"height, cm\",\"a \"\"b\"\"\",label\n1,-2.5,0\n300,4,1\n"},
		{"quoted numbers", "\"1\", \"-2.5\",0\n300,4,\"1\"\n"},
		{"spaces, CRLF, blank lines, no newline at the end", "\ufeff 1 ,\t-2.5, 0\r\n\r\n 300,4,1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := ReadCSV(strings.NewReader(test.text), "a.csv", Limits{})
			if err != nil {
				t.Fatal(err)
			}
			checkSet(t, s, 2, data, labels)
		})
	}
}

func TestReadCSVRefuses(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"a.csv: no data"}},
		{"header only", "x,y\n", []string{"a.csv: no data"}},
		{"blank", "\n\n", []string{"a.csv: no data"}},
		{"one column", "1\n2\n", []string{"a.csv:1:", "at least two cells"}},
		{"other separator", "1;2;0\n", []string{"a.csv:1:", "at least two cells"}},
		{"short row", "1,2,0\n\n1,0\n", []string{"a.csv:3:", "2 cells where the lines before have 3"}},
		{"long row", "1,2,0\n1,0,3,4\n", []string{"a.csv:2:", "4 cells where the lines before have 3"}},
		{"ragged after the header", "x,y\n1,0,3\n", []string{"a.csv:2:", "3 cells where the lines before have 2"}},
		{"not a number", "1,0\nx,1\n", []string{"a.csv:2:", `column 1: "x" is not a number`}},
		{"number in the header", "0,1,label\n1,2,0\n", []string{"a.csv:1:", `column 3: "label" is not a number`}},
		{"not finite in the first line", "inf,x,y\n1,2,0\n", []string{"a.csv:1:", `column 1: "inf" is not a finite`}},
		{"second header", "x,y\nx,y\n1,2\n", []string{"a.csv:2:", `column 1: "x"`}},
		{"empty cell", "1,,0\n", []string{"a.csv:1:", `column 2: "" is not a number`}},
		{"empty cells", ",,\n1,2,3\n", []string{"a.csv:1:", `column 1: "" is not a number`}},
		{"missing label", "1,2,\n", []string{"a.csv:1:", `column 3: "" is not a number`}},
		{"label NaN", "1,nan\n", []string{"a.csv:1:", `column 2: "nan" is not a finite`}},
		{"Inf", "1,0\n+Inf,0\n", []string{"a.csv:2:", `column 1: "+Inf" is not a finite`}},
		{"overflow", "1,0\n-1e400,0\n", []string{"a.csv:2:", `"-1e400" is beyond the range`}},
		{"open quote", "1,0\n\"1,0\n", []string{"a.csv:2:", "quotes in"}},
		{"bare quote", "1,0\n1\"2,0\n", []string{"a.csv:2:", "quotes in"}},
		{"too many columns", strings.Repeat(",", MaxFeatures+1), []string{"a.csv:1:", "too large"}},
		{"long line", "1,0\n" + strings.Repeat("1", maxLine+1), []string{"a.csv:2:", "too large"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := ReadCSV(strings.NewReader(test.text), "a.csv", Limits{})
			checkError(t, err, test.want...)
			if s != nil {
				t.Errorf("rows were returned with the error: %v", s)
			}
		})
	}
}
