package attacking

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// continueFrom takes up the complete lines of the file and cuts off a torn one at its
// end. It returns false for a file in which not even the first line is complete.
func (o *output) continueFrom(e *evaluation) (begun bool, err error) {
	wanted := make(map[int]bool, len(e.rows)) // rows to attack that were not seen yet
	for _, row := range e.rows {
		wanted[row] = true
	}
	complete := int64(0)
	r := bufio.NewReader(o.file)
	for number := 1; ; number++ {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return false, err
		}
		if number == 1 {
			err = o.readRecord(&e.record, text)
		} else {
			err = o.readLine(text, wanted)
		}
		if err != nil {
			return false, fmt.Errorf("line %d: %w", number, err)
		}
		complete += int64(len(text))
	}
	if err := o.file.Truncate(complete); err != nil {
		return false, err
	}
	_, err = o.file.Seek(complete, io.SeekStart)
	o.kept = len(o.lines)
	return complete > 0, err
}

func (o *output) readRecord(now *record, text []byte) error {
	var old record
	if err := json.Unmarshal(text, &old); err != nil || old.Program != recorder {
		return errors.New("it does not begin with the record of an evaluation")
	}
	o.begun = old.Version
	return now.differs(&old)
}

func (o *output) readLine(text []byte, wanted map[int]bool) error {
	var l line
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return fmt.Errorf("not the result of a row: %w", err)
	}
	if err := l.check(); err != nil {
		return err
	}
	if !wanted[l.Row] {
		return fmt.Errorf("row %d is not to be attacked, or appears twice", l.Row)
	}
	delete(wanted, l.Row)
	l.Adversarial = nil
	o.lines = append(o.lines, l)
	return nil
}

// remaining returns the rows that have no line yet, in order.
func (o *output) remaining(rows []int) []int {
	have := make(map[int]bool, len(o.lines))
	for _, l := range o.lines {
		have[l.Row] = true
	}
	left := append([]int{}, rows...) // not nil, which would stand for all
	return slices.DeleteFunc(left, func(row int) bool { return have[row] })
}
