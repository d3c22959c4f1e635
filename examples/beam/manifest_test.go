package main

import (
	"slices"
	"strings"
	"testing"
)

// TestJoin: a shard that a runner does twice counts once, and a manifest is only of a whole.
func TestJoin(t *testing.T) {
	record := func(i, refused int) Record {
		return Record{
			Index:   i,
			Path:    "shard",
			First:   10 * (i - 1),
			Rows:    10,
			Lines:   10 - refused,
			Refused: refused,
			Sum:     "abc",
		}
	}
	good := []Record{record(3, 2), record(1, 0), record(2, 1)}
	other := record(2, 1)
	other.Sum = "def"
	lost := record(3, 2)
	lost.Lines--
	later := record(2, 1)
	later.First++
	for name, c := range map[string]struct {
		records []Record
		rows    int
		want    string
	}{
		"whole":     {good, 30, ""},
		"one twice": {append(slices.Clone(good), record(2, 1)), 30, ""},
		"another twice": {append(slices.Clone(good), other), 30,
			"shard 2/3 was done twice, and its files differ"},
		"the last missing": {good[1:], 30, "shard 3/3 is missing"},
		"first missing":    {[]Record{good[0], good[2]}, 30, "shard 1/3 is missing"},
		"one missing":      {good[:2], 30, "shard 2/3 is missing"},
		"a row lost": {[]Record{lost, good[1], good[2]}, 30,
			"shard 3/3 has 7 lines and 2 errors for 10 rows"},
		"a row skipped": {[]Record{good[0], good[1], later}, 30,
			"from 11 on, where 10 rows come before"},
		"other rows": {good, 31, "the shards have 30 rows together, the test set has 31"},
	} {
		var m Manifest
		m.Run.Rows = c.rows
		err := m.join(slices.Clone(c.records), 3)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err == nil &&
			(m.Lines != 27 || m.Refused != 3 || len(m.Shards) != 3 || m.Run.Lines != 27 ||
				m.Run.Refused != 3) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}
