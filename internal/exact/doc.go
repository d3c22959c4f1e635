// Package exact decides in rational arithmetic whether linear inequalities, strict ones among them,
// have a solution.
//
// Searches ask it where floating point cannot know: which inputs a half-open cell holds, or whether
// it holds any, is decided over the real numbers.
package exact
