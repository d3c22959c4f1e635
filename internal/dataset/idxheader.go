package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

const (
	idxBytes = 0x08 // the code of unsigned bytes
	idxDims  = 3    // images × rows × columns
)

// readIDXShape reads everything before the values: two zeros, the code of their
// type, the number of dimensions, and the length of each.
func readIDXShape(r io.Reader) ([]int, error) {
	var magic [4]byte
	if err := readIDXHeader(r, &magic); err != nil {
		return nil, err
	}
	if err := checkIDXMagic(magic); err != nil {
		return nil, err
	}
	lengths := make([]uint32, magic[3])
	if err := readIDXHeader(r, lengths); err != nil {
		return nil, err
	}
	shape := make([]int, len(lengths))
	features := uint64(1) // of a row
	for i, length := range lengths {
		if i > 0 {
			features *= uint64(length)
		}
		// Checked at every step, or the product could overflow.
		if length > math.MaxInt32 || features > MaxFeatures {
			return nil, fmt.Errorf("%w: dimension %d of the array has length %d; at most %d rows of %d features are allowed",
				ErrTooLarge, i, length, math.MaxInt32, MaxFeatures)
		}
		shape[i] = int(length)
	}
	return shape, nil
}

// readIDXHeader reads a part of the header.
func readIDXHeader(r io.Reader, part any) error {
	err := binary.Read(r, binary.BigEndian, part)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends within its IDX header")
	}
	return err
}

func checkIDXMagic(magic [4]byte) error {
	switch {
	case magic[0] == 0x1f && magic[1] == 0x8b:
		return errors.New("the file is compressed by gzip; give it a name that ends in .gz")
	case magic[0] != 0 || magic[1] != 0:
		return fmt.Errorf("the file starts with %s, which is not the beginning of an IDX file", quote(string(magic[:])))
	case magic[2] != idxBytes:
		return fmt.Errorf("values of IDX type %#02x are not supported, only unsigned bytes, %#02x", magic[2], idxBytes)
	case magic[3] < 1 || magic[3] > idxDims:
		return fmt.Errorf("the array has %d dimensions; one to %d are supported", magic[3], idxDims)
	}
	return nil
}
