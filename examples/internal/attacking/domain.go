package attacking

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// domain is where examples may lie: between two numbers in every feature, as distances are
// measured, or as a file says of each feature, in its own units.
type domain struct {
	text string
	cube *polytope.Interval // nil for a file
	file []limit
	sum  string // SHA-256 of the file
}

// limit is a line of the file.
type limit struct {
	name     string // "" for the next feature
	interval polytope.Interval
}

// path returns that of the file, if it is one.
func (d *domain) path() string {
	if d == nil || d.cube != nil {
		return ""
	}
	return d.text
}

// parseDomain reads LO,HI or the name of a file.
func parseDomain(text string) (*domain, error) {
	if _, err := os.Stat(text); err == nil {
		return &domain{text: text}, nil
	}
	interval, err := parseInterval(strings.Split(text, ","))
	if err != nil {
		return nil, fmt.Errorf("%w, and there is no file of this name", err)
	}
	return &domain{text: fmt.Sprintf("[%v,%v]^d", interval.Lo, interval.Hi), cube: &interval}, nil
}

func parseInterval(fields []string) (polytope.Interval, error) {
	ends, err := command.Each(command.Number)(strings.Join(fields, ","))
	if err != nil {
		return polytope.Interval{}, err
	}
	if len(ends) != 2 {
		return polytope.Interval{}, fmt.Errorf("got %d numbers, want 2", len(ends))
	}
	interval := polytope.Interval{Lo: ends[0], Hi: ends[1]}
	if geometry.Empty(interval) {
		return polytope.Interval{}, fmt.Errorf("no number lies between %v and %v", ends[0], ends[1])
	}
	return interval, nil
}

// read reads the file: lines LO,HI of the features in their order, or NAME,LO,HI of some.
func (d *domain) read(ctx context.Context, limits dataset.Limits) error {
	text, err := subject.ReadAll(ctx, d.text, limits)
	if err != nil {
		return fmt.Errorf("--domain: %w", err)
	}
	d.sum = fmt.Sprintf("%x", sha256.Sum256(text))
	lines := csv.NewReader(bytes.NewReader(text))
	lines.Comment, lines.FieldsPerRecord, lines.TrimLeadingSpace = '#', -1, true
	records, err := lines.ReadAll()
	if err != nil {
		return fmt.Errorf("--domain %s: %w", d.text, err)
	}
	for i, fields := range records {
		var l limit
		if len(fields) == 3 {
			l.name, fields = strings.TrimSpace(fields[0]), fields[1:]
		}
		if l.interval, err = parseInterval(fields); err != nil {
			return fmt.Errorf("--domain %s: entry %d: %w", d.text, i+1, err)
		}
		d.file = append(d.file, l)
	}
	return nil
}

// box returns the domain of so many features of these names, in the units of the files; nil for
// none.
func (d *domain) box(names []string, dim int) (polytope.Box, error) {
	if d == nil || d.cube != nil {
		return nil, nil
	}
	box := polytope.NewBox(dim)
	bare := 0
	for _, l := range d.file {
		at := slices.Index(names, l.name)
		if l.name == "" {
			at = bare
			bare++
		}
		if at < 0 {
			return nil, fmt.Errorf("--domain %s: no feature is named %q", d.text, l.name)
		}
		if at < dim {
			box[at] = l.interval
		}
	}
	if bare > 0 && bare != dim {
		return nil, errors.New("--domain " + d.text +
			fmt.Sprintf(": %d lines without a name, and %d features", bare, dim))
	}
	return box, nil
}

// checkCodes returns an error for numbers that would leave out categories.
func (d *domain) checkCodes(data *subject.Data) error {
	for j, codes := range data.Categories {
		if codes > 0 && !(d.cube.Contains(0) && d.cube.Contains(float64(codes-1))) {
			return fmt.Errorf("--domain %s: feature %s is a category, which lies between no "+
				"numbers: name a file with the limits of the features that are numbers", d.given(),
				costs.Quoted(data.Names, j))
		}
	}
	return nil
}

// given returns the words of the user.
func (d *domain) given() string { return fmt.Sprintf("%v,%v", d.cube.Lo, d.cube.Hi) }

// scaled returns the domain in the units of distances.
func (d *domain) scaled(data *subject.Data, dim int) (polytope.Box, error) {
	if d != nil && d.cube != nil {
		return polytope.Cube(dim, d.cube.Lo, d.cube.Hi), d.checkCodes(data)
	}
	box, err := d.box(data.Names, dim)
	if data.Scaling != nil {
		for j := range box {
			i := &box[j]
			i.Lo, i.Hi = data.Scaling.At(j, i.Lo), data.Scaling.At(j, i.Hi)
		}
	}
	return box, err
}
