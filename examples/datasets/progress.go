package main

import (
	"io"
	"path"

	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
)

// newBar shows a file of which have bytes are there and the given number, −1 if
// nobody knows, are to come.
func newBar(w io.Writer, url string, have, missing int64) *progress.Bar {
	total := missing
	if missing >= 0 {
		total += have
	}
	bar := progress.New(w, progress.Options{Description: path.Base(url), Unit: progress.Bytes, Total: int(total)})
	bar.Add(int(have))
	return bar
}
