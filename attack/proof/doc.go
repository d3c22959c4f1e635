// Package proof checks proofs of what facet claims: that no input nearer than a bound is
// predicted a label that answers.
//
// A file of proofs is text. docs/proof-format.md says what it claims and how; this package
// is written from that page. It imports nothing but the standard library and shares no code
// with the searches: it reads the model's own file, or the training set, with readers of its
// own ([ReadModel], [ReadRows]), recomputes every bound from it, and believes nothing else.
//
//	model, err := proof.ReadModel(modelFile)
//	...
//	err = proof.Check(proofs, model, func(c proof.Claim) error {
//		fmt.Println(c.Name, "has no other label nearer than", c.Bound)
//		return nil
//	})
//
// # Exactness
//
// There is no tolerance. A float64 result decides only where a bound on its rounding error,
// stated beside it, shows that it may; what that leaves open is computed in integers times
// powers of two.
//
// # Trust
//
// Nothing in a file is trusted. A file that is not as the page says, or proves less than it
// claims, is an [*Error], which says where and why. Proofs are read as a stream, in memory of
// their depth; time is linear in their length, for one model.
//
// [CheckPruning] does the same for rows that adversarial pruning keeps. [Begin] is for
// those who write proofs.
package proof
