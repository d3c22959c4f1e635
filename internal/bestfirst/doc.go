// Package bestfirst is the one search of all exact attacks: a parallel best-first
// branch and bound over the nodes that a classifier opens.
//
// Workers share a queue ordered by (bound, order) and the incumbent, the first
// answer in the same order. A node is opened only while it comes before the
// incumbent, so a finished search returns the answer that is first among all,
// whichever worker found it and whenever: neither its distance nor its example
// depends on the number of workers or on scheduling. A search that is cut short
// returns its incumbent and the smallest bound still open, below which no answer
// can lie.
//
// What waiting nodes have in their caches is counted in bytes, and those that would be opened last
// lose them when that is more than it may be: a search then takes longer, and its result is the
// same.
//
// A search with a radius looks for no first answer but for any within it, and ends with that.
package bestfirst
