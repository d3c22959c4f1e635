package main

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// checksum is what is known of a file: of what it holds, whatever compressed it, or,
// where nothing else is on record, of the compressed file as it is published. MD5
// keeps accidents away, though no attacker; it is used where nothing better is known.
type checksum struct {
	kind       string
	new        func() hash.Hash
	hex        string
	compressed bool // of the file as it is published
}

func sha256sum(hex string) checksum { return checksum{kind: "SHA-256", new: sha256.New, hex: hex} }

func md5sum(hex string) checksum { return checksum{kind: "MD5", new: md5.New, hex: hex} }

// ofCompressed says that the checksum is that of the compressed file.
func (c checksum) ofCompressed() checksum {
	c.compressed = true
	return c
}

// mismatch is the error about a file that is not the one known: its checksum is
// another, or it cannot be uncompressed.
type mismatch struct {
	got  string
	want checksum
	err  error
}

func (e *mismatch) Error() string {
	if e.err != nil {
		return fmt.Sprintf("it cannot be uncompressed: %v", e.err)
	}
	return fmt.Sprintf("its %s is %s, where %s is known", e.want.kind, e.got, e.want.hex)
}

// check reads a file, and returns a *mismatch when it is not the one known. How an
// unfinished file is compressed its name says once partial is cut off.
func (c checksum) check(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var r io.Reader = bytes.NewReader(content)
	if !c.compressed {
		r, err = dataset.Uncompressed(r, strings.TrimSuffix(path, partial))
	}
	h := c.new()
	if err == nil {
		_, err = io.Copy(h, r)
	}
	if err != nil {
		return &mismatch{want: c, err: err}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != c.hex {
		return &mismatch{got: got, want: c}
	}
	return nil
}
