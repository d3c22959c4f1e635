// Package bits holds a test and a benchmark of all engines at once: what their searches
// answer, to the last bit, and what they cost. It is what to run after a change that is to
// leave the answers as they are.
package bits
