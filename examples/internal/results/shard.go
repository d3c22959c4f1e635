package results

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode returns the file of lines that are all there, and what stands beside it, for who keeps
// files elsewhere than in folders: the second is to be there first.
func Encode(m *Meta, lines []Line) (text, meta []byte, err error) {
	var b bytes.Buffer
	for _, l := range lines {
		line, err := json.Marshal(l)
		if err != nil {
			return nil, nil, fmt.Errorf("row %d: %w", l.Row, err)
		}
		b.Write(append(line, '\n'))
	}
	meta, err = m.encode()
	return b.Bytes(), meta, err
}

// Continue reads what stands beside the file of a shard, and returns an error unless it is of the
// same run.
func Continue(m *Meta, text []byte) (*Meta, error) {
	old, err := decodeMeta(text)
	if err != nil {
		return nil, err
	}
	if err := m.differs(old); err != nil {
		return nil, err
	}
	if old.Shard == nil || m.Shard != nil && old.Shard.Count != m.Shard.Count {
		return nil, fmt.Errorf("it is for %s, not for %s", old.part(), m.part())
	}
	return old, nil
}
