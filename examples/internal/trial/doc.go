// Package trial measures what an exact attack costs: it attacks test points of one of
// the paper's sets within a time limit, writes a line for each, and sums up how many
// are proven, how far apart distance and bound are for the others, time and memory.
package trial
