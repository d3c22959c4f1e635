package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// names are the features of an applicant, in the order of the columns. The last four are one
// purpose.
var names = []string{
	"age",      // in years, 18 to 75
	"months",   // as a customer, whole, never more than since the age of 18
	"income",   // a month, in euros
	"savings",  // in euros
	"loans",    // others that run, 0 to 6
	"amount",   // asked for, in euros, whole hundreds
	"duration", // of the loan, 12 to 84 months, whole years
	"purpose_car", "purpose_home", "purpose_study", "purpose_business",
}

// The labels: the forest refuses whom it predicts to default.
const (
	repaid    = 0
	defaulted = 1
)

var labels = []string{"repaid", "default"}

// applicants draws so many applicants and whether they repaid. Features depend on each other as in
// life: who is older earns and saves more, homes cost more than cars. Who defaults is decided by
// the score below, and by luck.
func applicants(n int, rng *rand.Rand) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, len(names), nil), make([]int, n)
	for i := range n {
		row := x.RawRowView(i)
		draw(row, rng)
		if score(row)+0.6*logistic(rng) < 0 {
			y[i] = defaulted
		}
	}
	return x, y
}

// draw fills in one applicant.
func draw(row []float64, rng *rand.Rand) {
	age := 18 + math.Floor(57*math.Pow(rng.Float64(), 1.4))
	months := math.Min(math.Floor(40*rng.ExpFloat64()), 12*(age-18))
	income := round(1900*math.Exp(0.45*rng.NormFloat64())*(1+0.012*math.Min(age-18, 30)), 10)
	savings := round(income*1.5*rng.ExpFloat64()*(0.3+0.02*(age-18)), 10)
	loans := math.Min(math.Floor(1.2*rng.ExpFloat64()), 6)
	purpose := choose(rng.Float64(), 0.4, 0.65, 0.85)
	typical := []float64{9000, 22000, 7000, 15000}[purpose]
	amount := math.Max(500, round(typical*math.Exp(0.5*rng.NormFloat64()), 100))
	years := math.Min(math.Max(math.Round(amount/income/1.6+rng.NormFloat64()), 1), 7)
	copy(row, []float64{age, months, income, savings, loans, amount, 12 * years, 0, 0, 0, 0})
	row[7+purpose] = 1
}

// score is above 0 for applicants who can be expected to repay. The rate is the payment of a
// month, and free the rest of the income.
func score(row []float64) float64 {
	age, months, income, savings := row[0], row[1], row[2], row[3]
	loans, amount, duration := row[4], row[5], row[6]
	rate := amount * (1 + 0.003*duration) / duration
	free := income - 950 - 140*loans - rate
	purpose := 0.2*row[7] + 0.5*row[8] - 0.1*row[9] - 0.4*row[10]
	return 1.1*free/900 - 0.9 + 0.25*math.Log1p(savings/1000) + 0.006*math.Min(months, 60) +
		0.01*math.Min(age-35, 20) - 0.25*loans + purpose
}

// logistic draws from the logistic distribution.
func logistic(rng *rand.Rand) float64 {
	u := (float64(rng.Uint64N(1<<53)) + 0.5) / (1 << 53)
	return math.Log(u / (1 - u))
}

func round(v, unit float64) float64 { return unit * math.Round(v/unit) }

// choose returns how many of the shares, which ascend, u is not below.
func choose(u float64, shares ...float64) int {
	n := 0
	for _, s := range shares {
		if u >= s {
			n++
		}
	}
	return n
}

// writeCSV writes applicants as facet reads them, the label last.
func writeCSV(w io.Writer, x *mat.Dense, y []int) error {
	c := csv.NewWriter(w)
	record := append(append([]string(nil), names...), "outcome")
	if err := c.Write(record); err != nil {
		return err
	}
	for i, label := range y {
		for j, v := range x.RawRowView(i) {
			record[j] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		record[len(names)] = labels[label]
		if err := c.Write(record); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	c.Flush()
	return c.Error()
}
