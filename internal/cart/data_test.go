package cart_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// trainingData names generated rows. tools/record_training.py generates the same,
// bit for bit.
type trainingData struct {
	Form          string
	N, D          int
	Classes, Step int // labels are the multiples of Step below Step·Classes
	Draw          uint32
}

// forms turn a number of [0, 1) into a value of row i, feature j.
var forms = map[string]func(u float64, i, j int) float64{
	"uniform": func(u float64, i, j int) float64 { return u },
	"grid":    func(u float64, i, j int) float64 { return math.Floor(u * 5) },
	"zeros": func(u float64, i, j int) float64 {
		v := math.Floor(u*9) - 4
		if i%2 == 1 {
			return -v
		}
		return v
	},
	"copies": func(u float64, i, j int) float64 { return u },
	"constants": func(u float64, i, j int) float64 {
		switch j % 3 {
		case 1:
			return 2.5
		case 2:
			return math.Floor(u * 2)
		}
		return u
	},
	"close": func(u float64, i, j int) float64 {
		whole := math.Floor(u * 4)
		return whole + math.Floor((u*4-whole)*8)*0x1p-25
	},
	"scales": func(u float64, i, j int) float64 {
		return (u - 0.5) * []float64{1, 0x1p-20, 0x1p30, 0x1p-60, 0x1p126}[j%5]
	},
}

// rows returns the rows and their labels.
func (d trainingData) rows() (*mat.Dense, []int) {
	u := d.numbers()
	x, y := mat.NewDense(d.N, d.D, nil), make([]int, d.N)
	for i := range d.N {
		from := i
		if d.Form == "copies" {
			from = i % ((d.N + 2) / 3)
		}
		for j := range d.D {
			x.Set(i, j, forms[d.Form](u[from][j], i, j))
		}
		y[i] = d.label(u[i])
	}
	return x, y
}

// numbers draws the parts of the rows: per row the features, and two numbers for the noise.
func (d trainingData) numbers() [][]float64 {
	rng := numpyrand.New(d.Draw)
	u := make([][]float64, d.N)
	for i := range u {
		u[i] = make([]float64, d.D+2)
		for j := range u[i] {
			u[i][j] = rng.Float64()
		}
	}
	return u
}

// label follows the first and the last feature, but for a fifth of the rows.
func (d trainingData) label(u []float64) int {
	signal := (u[0] + u[d.D-1]) / 2
	if u[d.D] < 0.2 {
		signal = u[d.D+1]
	}
	return d.Step * min(int(signal*float64(d.Classes)), d.Classes-1)
}

// digest hashes the nodes of a tree as the recording script does.
func digest(t *classifier.Tree) string {
	var text []byte
	for _, n := range t.Nodes() {
		text = binary.LittleEndian.AppendUint32(text, uint32(int32(n.Feature)))
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(n.Threshold))
		text = binary.LittleEndian.AppendUint32(text, uint32(int32(n.Left)))
		text = binary.LittleEndian.AppendUint32(text, uint32(int32(n.Right)))
		for _, v := range n.Value {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
		}
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
