(* What facet-checked proves of adversarial pruning: of rows that are kept, and of how much any others could weigh. Whether
   two rows conflict is a matter of their labels and of a distance in floating point, which is taken as given here. *)
From Coq Require Import ZArith QArith List.
Require Import Spec.
Import ListNotations.

(* Rows count from 1, as features do. Each stands for a number of rows, its weight. *)
Record pruning := { row_count : nat; conflict : positive -> positive -> bool; stands_for : positive -> Z }.
Definition separated (p : pruning) (s : list positive) : Prop :=
  NoDup s /\ (forall a, In a s -> In a (features (row_count p))) /\
  forall a b, In a s -> In b s -> a <> b -> conflict p a b = false.
Definition weigh (p : pruning) (s : list positive) : Z := fold_right (fun a n => stands_for p a + n)%Z 0%Z s.

(* The claim: these rows are separated and weigh so much, and no separated rows weigh more than the bound. *)
Definition holds_pruning (p : pruning) (keep : list positive) (kept : Z) (most : number) : Prop :=
  separated p keep /\ weigh p keep = kept /\ forall s, separated p s -> (inject_Z (weigh p s) <= real most)%Q.
