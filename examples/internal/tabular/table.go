package tabular

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Options say how files are to be read. The zero value reads files that need no explanation.
type Options struct {
	Format Format // "": told by the name and the contents
	Sep    rune   // between cells; 0: told by the contents
	// the name or number of the label's column, −1 the last; "": the last; None: none in files that
	// follow
	Label string
	// the name or number of a column that is kept as it is, and is no feature; "": none
	ID string
	// Yes or No: whether the first line names the columns; "": told by the contents
	Header    string
	Decimal   string    // what decimals follow: "," or else a point
	Ignore    []string  // names or numbers of columns to leave out
	Missing   string    // Drop leaves out rows with missing values, Keep takes NaN; else an error
	Unlabeled bool      // files may have no labels
	MaxValues int       // see dataset.Limits; 0: its default
	Stdin     io.Reader // the file of the path "-"; nil: os.Stdin
}

// None is the label of files without any.
const None = "none"

// What Options.Header may say.
const (
	Yes = "yes"
	No  = "no"
)

// What Options.Missing may say.
const (
	Refuse = "refuse"
	Drop   = "drop"
	Keep   = "keep"
)

// Source names the files of a table.
type Source struct {
	Path   string // "-" is standard input
	Labels string // of NPY and IDX matrices, which hold none: an array, or text with a label a line
}

// Model has the description of a model's rows, by its file; the zero value is that of no model.
type Model struct {
	Dim   int      // features
	Names []string // of the features; nil if the file has none
	Words Words    // of the categories; nil if the file has none
}

// Table is the content of a file.
type Table struct {
	Path      string // as in its Source
	X         []float64
	Rows, Dim int
	Labels    []string // of each row, as written; nil if the file has none
	Names     []string // of the features; nil if the file has none
	LabelName string   // of the label's column; "" if it has none
	Notes     []string // sentences that the user should read
	Numbers   []int    // of each row in the file, from 0; nil if none was left out
	IDs       []string // of each row, in the column of Options.ID; nil without one
	Truths    []int    // features that are True or False, which count as 1 and 0, wherever they are
	Sum       string   // SHA-256 of the file's bytes, hexadecimal
	LabelsSum string   // of the file of labels; "" without one
	columns   *layout  // nil if it is no text in columns
}

// Number returns the number of a row in the file, from 0.
func (t *Table) Number(i int) int {
	if t.Numbers == nil {
		return i
	}
	return t.Numbers[i]
}

// Index is the inverse of Number. A row that was left out has none.
func (t *Table) Index(number int) (i int, known bool) {
	if t.Numbers == nil {
		return number, number >= 0 && number < t.Rows
	}
	return slices.BinarySearch(t.Numbers, number)
}

// ID returns the value of the column of Options.ID in a row, nil without one.
func (t *Table) ID(i int) *string {
	if t.IDs == nil {
		return nil
	}
	return &t.IDs[i]
}

// Row returns row i as a part of X.
func (t *Table) Row(i int) []float64 { return t.X[i*t.Dim : (i+1)*t.Dim : (i+1)*t.Dim] }

// Matrix returns the rows, which are not copied.
func (t *Table) Matrix() *mat.Dense { return mat.NewDense(t.Rows, t.Dim, t.X) }

// Key returns a row as a key of maps: rows of the same numbers have the same.
func Key(row []float64) string {
	key := make([]byte, 0, 8*len(row))
	for _, v := range row {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0)) // −0 is 0
	}
	return string(key)
}
