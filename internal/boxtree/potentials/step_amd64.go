//go:build !purego

package potentials

import "golang.org/x/sys/cpu"

// gather is gatherPlain.
func (k *step) gather() {
	if cpu.X86.HasAVX2 {
		gatherAVX2(k)
	} else {
		k.gatherPlain()
	}
}

// level is levelPlain.
func (k *step) level() (constant int64) {
	if cpu.X86.HasAVX2 {
		return levelAVX2(k)
	}
	return k.levelPlain()
}

// gatherAVX2 is gatherPlain for at least one user.
//
//go:noescape
func gatherAVX2(k *step)

// levelAVX2 is levelPlain for at least one user.
//
//go:noescape
func levelAVX2(k *step) (constant int64)
