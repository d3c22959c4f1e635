(* The theorems, and what they assume. *)
Require Import Spec Claims.

(* What facet-checked accepts is true: of every model, claim and proof, whatever the units they are counted in. *)
Theorem accepted_claims_hold : forall k kp m q c parts,
  get_ready k m = Some q -> accepts m q c kp parts = true -> holds m c.
Proof.
  intros k kp m q c parts Hq Ha. apply (checked_holds k kp m c parts). unfold checked. rewrite Hq. exact Ha.
Qed.
Print Assumptions accepted_claims_hold.
