(* The program that is proven, as OCaml. Integers are those of whole.ml, counts machine integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ZArith.
Require Import Spec SpecNeighbors Kernel Claims Examples Pairs Halves Neighbors SpecPruning Pruning.
Extraction Language OCaml.

Extract Inductive positive => "Whole.positive" [ "Whole.XI" "Whole.XO" "Whole.XH" ].
Extract Inductive Z => "Whole.t" [ "Whole.zero" "Whole.of_positive" "Whole.of_negative" ] "Whole.cases".
Extract Inlined Constant Z.add => "Whole.add".
Extract Inlined Constant Z.sub => "Whole.sub".
Extract Inlined Constant Z.mul => "Whole.mul".
Extract Inlined Constant Z.opp => "Whole.neg".
Extract Inlined Constant Z.abs => "Whole.abs".
Extract Inlined Constant Z.max => "Whole.max".
Extract Inlined Constant Z.min => "Whole.min".
Extract Inlined Constant Z.leb => "Whole.leq".
Extract Inlined Constant Z.ltb => "Whole.lt".
Extract Inlined Constant Z.eqb => "Whole.equal".
Extract Inlined Constant Z.even => "Whole.is_even".
Extract Constant Z.compare => "fun a b -> let c = Whole.compare a b in if c = 0 then Eq else if c < 0 then Lt else Gt".
Extract Inlined Constant Z.sgn => "Whole.signum".
Extract Inlined Constant Z.of_nat => "Whole.of_int".
Extract Inlined Constant Z.to_nat => "Whole.count".
Extract Inlined Constant Z.log2 => "Whole.log2".
Extract Inlined Constant Z.pow => "Whole.power".
Extract Inlined Constant Z.div => "Whole.quotient".
Extract Inlined Constant Z.modulo => "Whole.remainder".
Extract Inlined Constant Nat.ltb => "(<)".
Extract Inlined Constant Nat.leb => "(<=)".

Extraction "kernel.ml" get_ready accepts accepts_property stands no_nearer no_farther
  is_ready distant accepts_near stands_near accepts_pruning.
