package memory

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMemory(t *testing.T) {
	if got := peakResident("nowhere"); got != 0 {
		t.Errorf("peak %d of a file that does not exist", got)
	}
	status := filepath.Join(t.TempDir(), "status")
	if err := os.WriteFile(status, []byte("Name:\tx\nVmHWM:\t   12345 kB\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := peakResident(status); got != 12345<<10 {
		t.Errorf("peak %d, want 12345 KiB", got)
	}
	if got := mapped(); got < 1<<20 {
		t.Errorf("%d bytes mapped, want more than a MiB", got)
	}
	for what, p := range map[string]*Peak{
		"the work":                       {attacking: true},
		"reading, training and the work": {},
	} {
		if p.Of() != what || p.Bytes() < 1<<20 {
			t.Errorf("%d bytes of %q, want more than a MiB of %q", p.Bytes(), p.Of(), what)
		}
	}
	if p := New(); p.Bytes() < 1<<20 {
		t.Errorf("%d bytes, want more than a MiB", p.Bytes())
	}
}

// TestNewForgets: garbage of before is not counted once it is much.
func TestNewForgets(t *testing.T) {
	held := make([]byte, 8*little)
	for i := range held {
		held[i] = 1
	}
	if got := heap(); got < uint64(len(held)) {
		t.Errorf("a heap of %d bytes, which holds %d", got, len(held))
	}
	held = nil
	New()
	if got := heap(); got > 2*little {
		t.Errorf("a heap of %d bytes after what it held was forgotten", got)
	}
}
