package results

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// Record is the line of a file about a row: a Line or an Explanation.
type Record[L any] interface {
	// number is that of the row.
	number() int
	// check returns an error for a line that no run writes.
	check() error
	// kept returns it as it is kept in memory.
	kept() L
}

// File is a results file that is being written, and its lines.
type File[L Record[L]] struct {
	Lines []L    // as finished, as far as they are kept in memory
	Begun string // the version that began it
	Kept  int    // lines that were in it before

	ctx    context.Context
	path   string
	file   *os.File // nil keeps lines in memory alone
	stream bool
	lock   *lock
	spans  []span // of the lines
	end    int64
}

// span is where a line stands in a file, with its newline.
type span struct {
	file  *os.File
	row   int
	start int64
	size  int
}

// How says how a file that is there is treated.
type How struct {
	Resume    bool // it is continued
	Overwrite bool // it is replaced, even if it is no file of results
}

// Open begins the file of a run with one line for each of the rows, or continues it. An empty path
// keeps lines in memory. Once Open has returned without an error, the old contents are gone,
// unless it is continued: a file that holds something is only replaced if that is said.
func Open[L Record[L]](
	ctx context.Context, path string, meta *Meta, rows []int, how How,
) (*File[L], error) {
	f := &File[L]{ctx: ctx, path: path, Begun: meta.Version}
	var err error
	switch {
	case path == "":
		return f, nil
	case outfile.IsStream(path):
		if f.stream = true; how.Resume {
			return nil, fmt.Errorf("--resume: %s is no file that could be continued", path)
		}
		f.file, err = openStream(ctx, path)
	default:
		err = f.openRegular(meta, rows, how)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// openRegular locks the file, then reads or empties it.
func (f *File[L]) openRegular(meta *Meta, rows []int, how How) (err error) {
	f.path = outfile.Real(f.path)
	if f.lock, err = takeLock(f.path); err != nil {
		return err
	}
	if f.file, err = os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	if info, err := f.file.Stat(); err != nil {
		return err
	} else if how.Resume && info.Size() > 0 {
		return f.resume(meta, rows)
	} else if !how.Overwrite {
		if err := Free(f.path); err != nil {
			return err
		}
	}
	// Emptied before Meta is written: rows of an older run must never stand beside the Meta of this
	// one.
	if err := f.file.Truncate(0); err != nil {
		return err
	}
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return meta.write(f.path)
}

// Rows are those that have a line.
func (f *File[L]) Rows() map[int]bool {
	rows := make(map[int]bool, len(f.Lines))
	for _, l := range f.Lines {
		rows[l.number()] = true
	}
	return rows
}

// Regular reports whether the lines are kept in a file that can be continued.
func (f *File[L]) Regular() bool { return f.file != nil && !f.stream }

// Add takes up the line of a row that has finished.
func (f *File[L]) Add(l L) error {
	if f.file != nil {
		text, err := json.Marshal(l)
		if err == nil {
			_, err = (&stream{f.ctx, f.file}).Write(append(text, '\n'))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		f.spans = append(f.spans, span{f.file, l.number(), f.end, len(text) + 1})
		f.end += int64(len(text) + 1)
	}
	f.Lines = append(f.Lines, l.kept())
	return nil
}

// Finish puts the lines in the order of the rows, once all of them are there.
func (f *File[L]) Finish() error {
	byRow := func(a, b span) int { return cmp.Compare(a.row, b.row) }
	if !f.Regular() || slices.IsSortedFunc(f.spans, byRow) {
		return nil
	}
	slices.SortFunc(f.spans, byRow)
	err := replace(f.path, func(w io.Writer) error {
		for _, s := range f.spans {
			if err := s.copy(w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s holds all rows, but not in their order, into which the same "+
			"command with --resume puts them: %w", f.path, err)
	}
	return nil
}

// copy copies the line from where it stands.
func (s span) copy(w io.Writer) error {
	_, err := io.Copy(w, io.NewSectionReader(s.file, s.start, int64(s.size)))
	return err
}

// Close ends the work on the file.
func (f *File[L]) Close() error {
	var errs []error
	if f.file != nil {
		errs = append(errs, closeStream(f.file))
	}
	if f.lock != nil {
		errs = append(errs, f.lock.release())
	}
	return errors.Join(errs...)
}

// resume takes up the complete lines of the file and cuts off a torn one at its end.
func (f *File[L]) resume(meta *Meta, rows []int) error {
	old, err := readMeta(f.path)
	if err == nil {
		err = meta.differs(old)
	}
	if err == nil {
		err = meta.partDiffers(old)
	}
	if err == nil {
		err = f.readAll(rows)
	}
	if err != nil {
		return fmt.Errorf("--resume: %s: %w", f.path, err)
	}
	f.Begun, f.Kept = old.Version, len(f.Lines)
	if err := f.file.Truncate(f.end); err != nil {
		return err
	}
	_, err = f.file.Seek(f.end, io.SeekStart)
	return err
}

// readAll reads the complete lines, of these rows and no others.
func (f *File[L]) readAll(rows []int) error {
	wanted := make(map[int]bool, len(rows)) // those not seen yet
	for _, row := range rows {
		wanted[row] = true
	}
	return eachLine(f.file, func(l L, s span) error {
		if !wanted[s.row] {
			return fmt.Errorf("row %d is none of this run, or appears twice", s.row)
		}
		delete(wanted, s.row)
		f.Lines, f.spans = append(f.Lines, l.kept()), append(f.spans, s)
		f.end = s.start + int64(s.size)
		return nil
	})
}
