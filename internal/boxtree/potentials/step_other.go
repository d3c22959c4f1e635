//go:build !amd64 || purego

package potentials

func (k *step) gather() { k.gatherPlain() }

func (k *step) level() (constant int64) { return k.levelPlain() }
