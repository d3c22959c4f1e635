package subject

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Label is a label as it stands in the user's files. All labels of a set are numbers, or none is.
type Label struct {
	Text   string
	Number bool
}

// NumberLabel is the label of a number.
func NumberLabel(v float64) Label { return Label{strconv.FormatFloat(v, 'g', -1, 64), true} }

func (l Label) String() string { return l.Text }

// MarshalJSON writes a number as a number and a word as a string.
func (l Label) MarshalJSON() ([]byte, error) {
	if l.Number {
		v, err := strconv.ParseFloat(l.Text, 64)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}
	return json.Marshal(l.Text)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (l *Label) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case float64:
		*l = NumberLabel(v)
	case string:
		*l = Label{Text: v}
	default:
		return fmt.Errorf("%s is no label", text)
	}
	return nil
}

// Class returns the class that a user calls by a label's text.
func Class(classes []Label, text string) (int, bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		if class := slices.Index(classes, NumberLabel(v)); class >= 0 {
			return class, true
		}
	}
	class := slices.Index(classes, Label{Text: text})
	return class, class >= 0
}
