package main

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
)

// checksum is what is known of a file's contents. MD5 keeps accidents away, though
// no attacker; it is used where nothing better is known.
type checksum struct {
	kind string
	new  func() hash.Hash
	hex  string
}

func sha256sum(hex string) checksum { return checksum{"SHA-256", sha256.New, hex} }

func md5sum(hex string) checksum { return checksum{"MD5", md5.New, hex} }

// mismatch is the error about a file with another checksum.
type mismatch struct {
	got  string
	want checksum
}

func (e *mismatch) Error() string {
	return fmt.Sprintf("its %s is %s, where %s is known", e.want.kind, e.got, e.want.hex)
}

// check reads a file, and returns a *mismatch when it is not the one known.
func (c checksum) check(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := c.new()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != c.hex {
		return &mismatch{got, c}
	}
	return nil
}
