// Package bits holds a test and a benchmark of all engines at once: the answers of their searches,
// to the last bit, and their cost. Run it after a change that is to leave the answers as they are.
package bits
