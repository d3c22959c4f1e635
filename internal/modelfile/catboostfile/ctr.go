package catboostfile

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// statistic is a number that CatBoost makes of a category, or of several: of a table that says how
// often the category had each class in training. Its tests ask whether it is above a border.
type statistic struct {
	Borders  []float64 `json:"borders"`
	Type     string    `json:"ctr_type"`
	Elements []element `json:"elements"`
	Table    string    `json:"identifier"` // of ctr_data
	Weight   float64   `json:"prior_denomerator"`
	Prior    float64   `json:"prior_numerator"`
	Scale    float64   `json:"scale"`
	Shift    float64   `json:"shift"`
	Target   int       `json:"target_border_idx"`
}

// element is a feature that a statistic is about.
type element struct {
	_    struct{} `ignored:"border value float_feature_index ctr_border"`
	Kind string   `json:"combination_element"`
	Cat  int      `json:"cat_feature_index"`
}

// table holds a row for each category: its hash, as a string, and so many counts.
type table struct {
	Total  float64           `json:"counter_denominator"`
	Rows   []json.RawMessage `json:"hash_map"`
	Stride int               `json:"hash_stride"`
}

// counted is a statistic of a table, by the hashes of categories.
type counted struct {
	*statistic
	category int // the index of the feature among those of categories
	counts   map[uint64][]float32
	total    float32
}

// noCategory stands in a table where there is none.
const noCategory = math.MaxUint64

// counted reads the table of a statistic.
func (f *file) counted(s *statistic) (*counted, error) {
	if len(s.Elements) != 1 || s.Elements[0].Kind != "cat_feature_value" {
		return nil, models.Unsupported(fmt.Sprintf("statistics of several columns together (%s): "+
			"train with max_ctr_complexity=1", f.together(s.Elements)))
	}
	t, ok := f.Tables[s.Table]
	if !ok || t.Stride < 2 || len(t.Rows)%t.Stride != 0 {
		return nil, fmt.Errorf("ctr_data has no table %.80q of whole rows", s.Table)
	}
	c := &counted{statistic: s, category: s.Elements[0].Cat, total: float32(t.Total),
		counts: make(map[uint64][]float32)}
	for row := range slices.Chunk(t.Rows, t.Stride) {
		var text string
		counts := make([]float32, t.Stride-1)
		err := json.Unmarshal(row[0], &text)
		for i := range counts {
			if err == nil {
				err = json.Unmarshal(row[i+1], &counts[i])
			}
		}
		hash, notHash := strconv.ParseUint(text, 10, 64)
		if err != nil || notHash != nil {
			return nil, fmt.Errorf("a row of hash_map is no hash with %d counts", len(counts))
		}
		if hash != noCategory {
			c.counts[hash] = counts
		}
	}
	return c, c.check(t.Stride - 1)
}

// together names the columns of a statistic.
func (f *file) together(elements []element) string {
	var names []string
	for _, e := range elements {
		if e.Kind != "cat_feature_value" {
			names = append(names, "another test")
			continue
		}
		for _, c := range f.Features.Cat {
			if c.Index == e.Cat {
				names = append(names, strconv.Quote(c.ID))
			}
		}
	}
	return strings.Join(names, " with ")
}

// check checks that a table of so many counts is one of the statistic.
func (c *counted) check(counts int) error {
	ok := false
	switch c.Type {
	case "Borders":
		ok = counts >= 2 && c.Target >= 0 && c.Target < counts-1
	case "Buckets":
		ok = counts >= 2 && c.Target >= 0 && c.Target < counts
	case "Counter", "FeatureFreq":
		ok = counts == 1
	case "BinarizedTargetMeanValue", "FloatTargetMeanValue":
		ok = counts == 2
	default:
		return models.Unsupported(fmt.Sprintf("the ctr_type %.40q: Borders, Buckets, Counter, "+
			"FeatureFreq and BinarizedTargetMeanValue are read", c.Type))
	}
	if !ok {
		return fmt.Errorf("a ctr_type %s with %d counts and target_border_idx %d",
			c.Type, counts, c.Target)
	}
	return nil
}

// value returns the statistic of a category by its hash in tables, in float32 as CatBoost does.
func (c *counted) value(hash uint64) float32 {
	counts := c.counts[hash]
	good, total := float32(0), float32(0)
	switch c.Type {
	case "Counter", "FeatureFreq":
		if total = c.total; counts != nil {
			good = counts[0]
		}
	case "BinarizedTargetMeanValue", "FloatTargetMeanValue":
		if counts != nil {
			good, total = counts[0], counts[1]
		}
	default:
		for i, n := range counts {
			total += n
			if i == c.Target && c.Type == "Buckets" || i > c.Target && c.Type == "Borders" {
				good += n
			}
		}
	}
	share := (good + float32(c.Prior)) / (total + float32(c.Weight))
	return float32(share+float32(c.Shift)) * float32(c.Scale)
}

// inTables returns the hash that tables have for a category alone.
func inTables(hash uint32) uint64 {
	const magic = 0x4906ba494954cb65
	return magic * (magic * uint64(int64(int32(hash))))
}
