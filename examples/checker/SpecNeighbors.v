(* What facet-checked proves of nearest neighbours. Numbers, inputs, claims and the first of the greatest are those of
   Spec.v; an auditor reads both files. *)
From Coq Require Import ZArith QArith List Bool.
Require Import Spec.
Import ListNotations.

(* Rows of as many numbers as there are features, each with a label. Of the rows so many vote: the nearest ones. *)
Record neighbours := {
  width : nat; labels : nat; rows : nat; row : nat -> list number; label_of : nat -> nat; voters : nat
}.
Definition all_rows (m : neighbours) : list nat := seq 0 (rows m).

(* The square of the distance of a row from an input, exactly. *)
Definition squared (m : neighbours) (z : input) (p : nat) : Q :=
  total (fun v : feature * number => (z (fst v) - real (snd v)) * (z (fst v) - real (snd v)))%Q
    (combine (features (width m)) (row m p)).

(* Nearer rows come first, and of rows that are equally far the one that stands first. *)
Definition comes_first (m : neighbours) (z : input) (p q : nat) : bool :=
  Qle_bool (squared m z p) (squared m z q) && (negb (Qle_bool (squared m z q) (squared m z p)) || Nat.ltb p q).

(* A row votes if fewer rows than vote come before it; the label that most of them have is predicted, the first of those
   that tie. *)
Definition ahead (m : neighbours) (z : input) (p : nat) : nat :=
  length (filter (fun q => comes_first m z q p) (all_rows m)).
Definition is_near (m : neighbours) (z : input) (p : nat) : bool := Nat.ltb (ahead m z p) (voters m).
Definition votes_for (m : neighbours) (z : input) (l : nat) : nat :=
  length (filter (fun p => is_near m z p && Nat.eqb (label_of m p) l) (all_rows m)).
Definition predicted (m : neighbours) (z : input) : nat :=
  argmax (map (fun l => Z.of_nat (votes_for m z l)) (seq 0 (labels m))).

(* The claim of a proof: no input of the domain nearer to x than the bound is given a label that answers. *)
Definition holds_near (m : neighbours) (c : claim) : Prop :=
  forall z, in_domain (width m) c z -> nearer (width m) c z -> answers c (predicted m z) = false.
