package proof

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// uncompressed undoes the work of gzip if the first two bytes say that it is there.
func uncompressed(r io.Reader) *bufio.Reader {
	plain := bufio.NewReaderSize(r, 1<<16)
	if !isZipped(plain) {
		return plain // a fault of reading comes again
	}
	return bufio.NewReaderSize(&unzip{from: plain}, 1<<16)
}

func isZipped(r *bufio.Reader) bool {
	magic, _ := r.Peek(2)
	return string(magic) == "\x1f\x8b"
}

// unzip reads the members of a file one after the other. Nothing else follows them.
type unzip struct {
	from   *bufio.Reader
	member *gzip.Reader
}

func (u *unzip) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil {
		if u.member == nil {
			if err = u.next(); err != nil {
				return 0, err
			}
		}
		if n, err = u.member.Read(p); err == io.EOF {
			if _, end := u.from.Peek(1); end != nil {
				return n, end
			}
			u.member, err = nil, nil
		}
	}
	return n, err
}

// next begins a member.
func (u *unzip) next() (err error) {
	if head, _ := u.from.Peek(4); len(head) == 4 && head[3] >= 0x20 {
		return errors.New("gzip: a flag that is reserved")
	}
	if u.member, err = gzip.NewReader(u.from); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		u.member.Multistream(false)
	}
	return err
}

// content reads a whole file, and returns how long it is as it is stored. A file that gzip packed
// to less than a quarter is read only if it is short.
func content(r io.Reader) (text []byte, stored int) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	demand(err == nil && len(text) <= mostBytes, "after %d bytes, of at most %d: %w",
		len(text), mostBytes, err)
	stored = len(text)
	packed := bufio.NewReaderSize(bytes.NewReader(text), 1<<16)
	if !isZipped(packed) {
		return text, stored
	}
	most := max(mostUnpacked, 4*stored)
	text, err = io.ReadAll(io.LimitReader(&unzip{from: packed}, int64(most)+1))
	demand(err == nil, "%w", err)
	demand(len(text) <= most, "gzip packs more than %d bytes: unpack the file first", most)
	return text, stored
}
