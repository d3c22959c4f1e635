package xgboostfile

import (
	"unicode/utf8"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// readNames reads the categories of each feature: words one after the other, with the places where
// they end, or numbers.
func (b *booster) readNames(d document.Reader, unknown *string) func() error {
	return func() error {
		return d.Array(func(int) error {
			var ends []int32
			var values []float64
			err := members{
				"offsets": &ends, "values": &values, "type": ignored{},
			}.read(d, "enc", unknown)
			names := numbered(values)
			if len(ends) > 0 {
				names = worded(ends, values)
			}
			b.names = append(b.names, names)
			return err
		})
	}
}

// numbered returns the names of categories that are numbers, nil if float64 does not hold them.
func numbered(values []float64) []string {
	names := make([]string, len(values))
	for i, v := range values {
		var err error
		if names[i], err = models.NumberWord(v); err != nil {
			return nil
		}
	}
	return names
}

// worded returns words of ASCII up to each of the ends; nil if others are among them. XGBoost, 3.2
// as tried, counts characters where it cuts bytes, so that words that follow one with an umlaut
// are shifted, and the end of the last is lost.
func worded(ends []int32, values []float64) []string {
	text := make([]byte, len(values))
	for i, v := range values {
		if !(v >= 0 && v < utf8.RuneSelf) {
			return nil
		}
		text[i] = byte(v)
	}
	names := make([]string, 0, len(ends)-1)
	for i, end := range ends[1:] {
		begin := ends[i]
		if begin < 0 || begin > end || int(end) > len(text) {
			return nil
		}
		names = append(names, string(text[begin:end]))
	}
	return names
}
