// Package exact decides in integer arithmetic whether linear inequalities leave
// room: whether some point satisfies all of a_i·u < b_i.
//
// Searches ask it where floating point cannot know: a cell that touches a point
// without having an interior there, or rows that seem to contradict each other,
// may be discarded only if that is so over the real numbers.
package exact
