(* Inputs that answer. A proof may name one, which shows how close its bound is. *)
From Coq Require Import ZArith List Bool.
Require Import Spec Kernel Votes Claims.
Import ListNotations.
Open Scope Z_scope.

(* The same as for rational inputs, of integers in the units of borders. *)
Definition below_whole (v : Z) (b : cut) : bool := if snd b then v <=? fst b else v <? fst b.
Definition reach (trees : list (ktree (list Z))) (z : feature -> Z) : list (list Z) :=
  flat_map (fun t => match kwalk Z below_whole t z with Some leaf => [leaf] | None => [] end) trees.

Section Example.
  Variable m : model.
  Variable q : ready.
  Variable c : claim.
  Variable kp : Z.
  Notation k := (unit q).
  Definition moved (f : feature) (v : Z) : Z :=
    let x := units k (x c f) in
    if is_category c f then (if v =? x then 0 else units kp (price_up c f) * 2 ^ k)
    else if x <=? v then units kp (price_up c f) * (v - x) else units kp (price_down c f) * (x - v).
  Definition fits (f : feature) (v : Z) : bool :=
    match lower c f with Some l => units k l <=? v | None => true end &&
    match upper c f with Some h => v <=? units k h | None => true end &&
    (negb (is_category c f) || (v =? units k (x c f)) ||
     ((0 <=? v) && (v <? codes c f * 2 ^ k) && (v mod 2 ^ k =? 0))).
  Definition gives (z : feature -> Z) (label : nat) : bool :=
    forallb (fun r => Bool.eqb (Nat.eqb r label)
      (may_give (votes m) (bits m) (places m) (classes m) (r_base q) (reach (r_trees q) z) r)) (seq 0 (classes m)).
  (* How far it is, as the norm adds it up. *)
  Definition distance_of (z : feature -> Z) : Z :=
    match the_norm c with
    | LInf => fold_right (fun f n => Z.max (moved f (z f)) n) 0 (features (dim m))
    | _ => sum_of (fun f => power c (moved f (z f))) (features (dim m))
    end.
  Definition stands (z : feature -> number) (label : nat) : bool :=
    let v f := units k (z f) in
    forallb (fun f => whole k (z f) && fits f (v f)) (features (dim m)) && answers c label && Nat.ltb label (classes m) &&
    gives v label.
  Definition no_nearer (z : feature -> number) (b : number) : bool :=
    power c (units (k + kp) b) <=? distance_of (fun f => units k (z f)).
  Definition no_farther (z : feature -> number) (b : number) : bool :=
    distance_of (fun f => units k (z f)) <=? power c (units (k + kp) b).
End Example.
