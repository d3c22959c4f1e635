(* The theorems, and what they assume. *)
Require Import Spec SpecNeighbors Kernel Claims Examples Pairs Neighbors SpecPruning Pruning.

(* What facet-checked accepts is true: of every model, claim and proof, in whatever units they are counted. *)
Theorem accepted_claims_hold : forall m q c kp parts,
  get_ready (unit q) m = Some q -> accepts m q c kp parts = true -> holds m c.
Proof.
  intros m q c kp parts Hq Ha. apply (checked_holds (unit q) kp m c parts). unfold checked. rewrite Hq. exact Ha.
Qed.
Print Assumptions accepted_claims_hold.

Theorem accepted_properties_hold : forall m q p kw together proofs,
  get_ready (unit q) m = Some q -> accepts_property m q None p kw together proofs = true -> always true m m p.
Proof. intros m q p kw together proofs Hq Ha. exact (checks_sound m m q q true p Hq Hq (fun _ => eq_refl) kw together proofs Ha). Qed.
Print Assumptions accepted_properties_hold.

Theorem accepted_properties_of_two_hold : forall m n q r p kw together proofs,
  get_ready (unit q) m = Some q -> get_ready (unit r) n = Some r ->
  accepts_property m q (Some (n, r)) p kw together proofs = true -> always false m n p.
Proof.
  intros m n q r p kw together proofs Hq Hr Ha.
  refine (checks_sound m n q r false p Hq Hr _ kw together proofs Ha). discriminate.
Qed.
Print Assumptions accepted_properties_of_two_hold.

(* An example that stands lies in the domain, has no label but its own, which answers, and is not nearer than the bound. *)
Print Assumptions stands_inside.
Print Assumptions stands_labels.
Print Assumptions no_nearer_sound.

(* The same of nearest neighbours: of every set of rows, claim and proof. *)
Theorem accepted_claims_about_neighbours_hold : forall m k in_units c seats reasons,
  is_ready m k in_units = true -> accepts_near m k in_units c seats reasons = true -> holds_near m c.
Proof. exact accepts_near_sound. Qed.
Print Assumptions accepted_claims_about_neighbours_hold.
Print Assumptions stands_near_inside.
Print Assumptions stands_near_labels.

(* Of pruning, whatever rows conflict. *)
Theorem accepted_pruning_holds : forall p keep kept most cliques,
  accepts_pruning p keep kept most cliques = true -> holds_pruning p keep kept most.
Proof. exact accepts_pruning_sound. Qed.
Print Assumptions accepted_pruning_holds.
