package attacking

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// listing is a command that writes its lines once all are there: facet range.
type listing interface {
	check() error
	// prepare reads the files and chooses the rows.
	prepare(ctx context.Context, stderr io.Writer) error
	// find does the work.
	find(ctx context.Context, stderr io.Writer) error
	writeLines(w io.Writer) error
	// printTable sums the lines up where they go to a file.
	printTable(w io.Writer, took *clock) error
}

// list runs a listing whose lines go to a file, to standard output for "".
func list(ctx context.Context, l listing, out string, stdout, stderr io.Writer) error {
	if err := l.check(); err != nil {
		return command.Misuse(err)
	}
	if err := l.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	clock := startClock()
	if err := l.find(ctx, stderr); err != nil {
		return err
	}
	clock.stop()
	if out == "" {
		return l.writeLines(stdout)
	}
	if err := outfile.Write(out, l.writeLines); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return l.printTable(stdout, clock)
}

// eachRow makes the lines of test rows.
func eachRow[L any](
	ctx context.Context, f *subject.Flags, test *subject.Part, numbers []int, bar *progress.Bar,
	line func(ctx context.Context, row int) (L, error),
) ([]L, error) {
	defer bar.Close()
	lines := make([]L, len(numbers))
	err := rows.Each(ctx, f.Workers, len(numbers), func(i int) (err error) {
		defer bar.Add(1)
		if lines[i], err = line(ctx, numbers[i]); err != nil {
			return fmt.Errorf("row %d: %w", test.Number(numbers[i]), err)
		}
		return nil
	})
	if err == nil {
		err = ctx.Err()
	}
	return lines, err
}

// encodeLines writes a JSON object a line.
func encodeLines[L any](w io.Writer, lines []L) error {
	encoder := json.NewEncoder(w)
	for i := range lines {
		if err := encoder.Encode(&lines[i]); err != nil {
			return err
		}
	}
	return nil
}
