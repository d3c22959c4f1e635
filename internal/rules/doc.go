// Package rules defines rules of moves: the cost of a move, and the values that features may take.
//
// # Terms
//
//   - [Rules]: those of a query as a caller gives them. They are compiled once, to [Moves]: prices
//     and a domain ([Moves.Real]) for a search in convex cells, the moves themselves for one over a
//     grid. Moves that freeze features besides, or keep to a box, are derived ([Moves.With]).
//   - [Move]: the rules about one feature that stands on its own, as seen from X.
//   - [Group]: those about a one-hot group, whose members move together.
//   - [Kinds]: which kinds of rules a classifier follows.
//   - price: the least cost of a move into an interval, rounded down. No move that the rules allow
//     is cheaper over the real numbers.
//
// attack.Feature has the meaning of each rule.
package rules
