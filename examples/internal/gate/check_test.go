package gate

import "testing"

// TestDecide: a bracket passes a limit, fails it, or leaves it open, and a number is printed on the
// side of the limit that the number is on.
func TestDecide(t *testing.T) {
	least, most := 0.8, 0.9
	for _, test := range []struct {
		limits    Limits
		low, high float64
		want      Status
		says      string
	}{
		{Limits{AtLeast: &least}, 0.8, 0.8, Pass, "0.8"},
		{Limits{AtLeast: &least}, 0.7, 0.79, Fail, "between 0.7 and 0.79"},
		{Limits{AtLeast: &least}, 0.79, 0.83, Open, "between 0.79 and 0.83"},
		{Limits{AtLeast: &least}, 0.7, 0.8, Open, "between 0.7 and 0.8"},
		{Limits{AtLeast: &least}, 0.79999, 0.79999, Fail, "0.79999"},
		{Limits{AtMost: &most}, 0.9, 0.9, Pass, "0.9"},
		{Limits{AtMost: &most}, 0.91, 1, Fail, "between 0.91 and 1"},
		{Limits{AtMost: &most}, 0.5, 0.91, Open, "between 0.5 and 0.91"},
		{Limits{AtMost: &most}, 0.90001, 0.90001, Fail, "0.90001"},
		{Limits{AtLeast: &least, AtMost: &most}, 0.8, 0.9, Pass, "between 0.8 and 0.9"},
		{Limits{AtLeast: &least, AtMost: &most}, 0.75, 0.95, Open, "between 0.75 and 0.95"},
		{Limits{AtLeast: &least, AtMost: &most}, 0.95, 0.95, Fail, "0.95"},
	} {
		var c Check
		if c.within(test.limits, test.low, test.high); c.Status != test.want ||
			c.Found != test.says {
			t.Errorf("[%v, %v], %v: %s, %q, want %s, %q", test.low, test.high, test.limits,
				c.Status, c.Found, test.want, test.says)
		}
	}
}

// TestWorst: one check that fails makes all fail, and one that is open leaves them open else.
func TestWorst(t *testing.T) {
	for _, test := range []struct {
		list []Status
		want Status
	}{
		{nil, Pass}, {[]Status{Pass, Open}, Open}, {[]Status{Open, Pass}, Open},
		{[]Status{Fail, Open}, Fail}, {[]Status{Open, Fail, Pass}, Fail},
	} {
		var checks []*Check
		for _, s := range test.list {
			checks = append(checks, &Check{Status: s})
		}
		if got := worst(checks); got != test.want {
			t.Errorf("%v make %s, want %s", test.list, got, test.want)
		}
	}
}
