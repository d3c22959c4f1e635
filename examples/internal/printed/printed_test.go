package printed_test

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
)

func TestLoad(t *testing.T) {
	for n := 1; n <= printed.Tables; n++ {
		table, err := printed.Load(n)
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Columns) < 5 {
			t.Errorf("table %d has the columns %q", n, table.Columns)
		}
	}
	if _, err := printed.Load(8); err == nil {
		t.Error("there is a table 8")
	}
}

func TestCell(t *testing.T) {
	for _, c := range []struct {
		table       int
		set, column string
		want        string // "" for no number
	}{
		{1, "halfmoon", "1nn_rba_exact", ".058"},
		{2, "australian", "1nn_at", ".64"},
		{2, "covtype", "1nn_ap", "4.38"},
		{3, "mnist17", "train", "13007"},
		{4, "diabetes", "er_r0.5", ".375"},
		{4, "fourclass", "er_r0.5", ""},
		{7, "diabetes", "defscore_r0.5", "3.859"},
		{7, "diabetes", "defscore", ""},
		{7, "moons", "er", ""},
	} {
		table, err := printed.Load(c.table)
		if err != nil {
			t.Fatal(err)
		}
		n := table.Cell(c.set, c.column)
		if (n != nil) != (c.want != "") || n != nil && n.String() != c.want {
			t.Errorf("table %d, %s, %s: %v, want %q", c.table, c.set, c.column, n, c.want)
		}
	}
}

func TestEquals(t *testing.T) {
	n := printed.Number{Value: .151, Digits: 3}
	for value, want := range map[float64]bool{
		.1506: true,
		.1514: true,
		.1516: false,
		.1504: false,
		.151:  true,
	} {
		if n.Equals(value) != want {
			t.Errorf("Equals(%v) = %v", value, !want)
		}
	}
}
