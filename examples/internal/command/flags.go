package command

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Var adds a flag whose text parse turns into *value. The default is that of the text, or *value
// itself if that is empty.
func Var[T any](
	f *pflag.FlagSet, value *T, name, text string, parse func(string) (T, error), usage string,
) {
	v := &parsed[T]{value: value, parse: parse}
	if text != "" {
		if err := v.Set(text); err != nil {
			panic(fmt.Sprintf("default of --%s: %v", name, err))
		}
	}
	f.Var(v, name, usage)
}

// parsed is a pflag.Value.
type parsed[T any] struct {
	value *T
	text  string
	parse func(string) (T, error)
}

// String returns a number as it prints, so that it can be compared, else the text.
func (v *parsed[T]) String() string { return v.text }

// Type stands in the help where the usage names no value.
func (v *parsed[T]) Type() string { return "value" }

// Set takes the value over only if it is a valid one.
func (v *parsed[T]) Set(text string) error {
	value, err := v.parse(text)
	if err != nil {
		return err
	}
	switch any(value).(type) {
	case int, uint32, float64, time.Duration, fmt.Stringer:
		text = fmt.Sprint(value)
	}
	*v.value, v.text = value, text
	return nil
}

// Between reads whole numbers from least to most, 1e6 among them.
func Between(least, most int) func(string) (int, error) {
	return func(text string) (int, error) {
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case err == nil && v == math.Trunc(v) && v >= float64(least) && v < float64(most)+1:
			return int(v), nil
		case most == math.MaxInt:
			return 0, fmt.Errorf("%q is no whole number from %d", text, least)
		}
		return 0, fmt.Errorf("%q is no whole number from %d to %d", text, least, most)
	}
}

// AtLeast reads whole numbers that are not less.
func AtLeast(least int) func(string) (int, error) { return Between(least, math.MaxInt) }

// Overwrite adds the flag that lets a command replace files.
func Overwrite(f *pflag.FlagSet, value *bool) {
	f.BoolVar(value, "overwrite", false, "replace files that hold something already; with "+
		"--resume, rows and proofs go on, and others are replaced")
}

// Optional reads a value of a flag that is nil unless it is given.
func Optional[T any](parse func(string) (T, error)) func(string) (*T, error) {
	return func(text string) (*T, error) {
		v, err := parse(text)
		return &v, err
	}
}

// Some reads a text that is not empty.
func Some(text string) (string, error) {
	if text == "" {
		return "", errors.New("it is empty")
	}
	return text, nil
}

// Limit reads a time, 0 for no limit.
func Limit(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no time such as 10s or 2m", text)
	}
	return d, nil
}

// Radius reads a distance: a finite number from 0.
func Radius(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 1) {
		return 0, fmt.Errorf("%q is no finite number from 0", text)
	}
	return v, nil
}

// Part reads a radius, or a percentage of something, which it says.
func Part(text string) (r float64, percent bool, err error) {
	number, percent := strings.CutSuffix(text, "%")
	if r, err = Radius(strings.TrimSpace(number)); percent {
		r /= 100
	}
	return r, percent, err
}

// Number reads a number, infinite ones too.
func Number(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

// OneOf reads one of the names.
func OneOf(names ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		if !slices.Contains(names, text) {
			return "", fmt.Errorf("want %s, not %q", Either(names), text)
		}
		return text, nil
	}
}

// Either lists names of which one is to be chosen.
func Either(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Each reads the words between commas.
func Each[T any](parse func(string) (T, error)) func(string) ([]T, error) {
	return func(text string) ([]T, error) {
		var list []T
		for field := range strings.SplitSeq(text, ",") {
			v, err := parse(strings.TrimSpace(field))
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	}
}

// values is the annotation of a flag that has the values it may have.
const values = "facet_values"

// Choose adds a flag that is one of the names, which shells complete.
func Choose(f *pflag.FlagSet, value *string, name, text, usage string, names ...string) {
	Var(f, value, name, text, OneOf(names...), usage)
	Offer(f, name, names...)
}

// Offer names values of a flag for shells to complete.
func Offer(f *pflag.FlagSet, name string, names ...string) {
	if err := f.SetAnnotation(name, values, names); err != nil {
		panic(fmt.Sprintf("values of --%s: %v", name, err))
	}
}

// Offered returns the values that shells complete, nil for any.
func Offered(f *pflag.Flag) []string { return f.Annotations[values] }

// Names reads the names between commas, in quotes if a comma is part of one, as in a line of CSV.
func Names(text string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	list, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf(
			"%q is no list: names with commas between them, in quotes if they have some", text,
		)
	}
	for i, name := range list {
		if list[i] = strings.TrimSpace(name); list[i] == "" {
			return nil, errors.New("a name is empty")
		}
	}
	return list, nil
}
