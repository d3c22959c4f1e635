// Package lu factorises the small basis matrices of package closest's simplex methods, of which
// many rows may hold a single number.
package lu
