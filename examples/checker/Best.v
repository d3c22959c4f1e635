(* The best leaves of trees. *)
From Coq Require Import ZArith List Bool Lia.
Require Import Spec Kernel.
Import ListNotations.
Open Scope Z_scope.

Section Best.
  Context {A : Type}.
  Variable g : A -> Z.

  (* The greatest of something over the leaves of a tree; none if it is gone. *)
  Fixpoint best (t : ktree A) : option Z :=
    match t with
    | Gone => None
    | KLeaf a => Some (g a)
    | KNode _ _ l r => match best l, best r with Some a, Some b => Some (Z.max a b) | None, b => b | a, None => a end
    end.
  Definition total_best (ts : list (ktree A)) : Z :=
    fold_right (fun t s => match best t with Some n => n + s | None => s end) 0 ts.

  Variable V : Type.
  Variable below : V -> cut -> bool.
  Lemma best_walk : forall t z a, kwalk V below t z = Some a -> exists n, best t = Some n /\ g a <= n.
  Proof.
    induction t as [|b|f cuts l IHl r IHr]; intros z a H; simpl in *; [discriminate | |].
    - inversion H. exists (g a). split; [reflexivity | lia].
    - destruct (goes V below (z f) cuts).
      + destruct (IHl _ _ H) as [n [E Hn]]. rewrite E. destruct (best r) as [b|]; eexists; split; try reflexivity; lia.
      + destruct (IHr _ _ H) as [n [E Hn]]. rewrite E. destruct (best l) as [b|]; eexists; split; try reflexivity; lia.
  Qed.
  Lemma total_best_walk : forall ts z leaves, reached V below A ts z leaves -> sum_of g leaves <= total_best ts.
  Proof.
    unfold reached. induction ts as [|t ts IH]; intros z [|a leaves] H; try discriminate. simpl.
    injection H as H1 H2. destruct (best_walk _ _ _ H1) as [n [E Hn]]. rewrite E. specialize (IH _ _ H2).
    unfold total_best, sum_of in *. lia.
  Qed.
End Best.

(* The only leaf of a tree, and those of all trees, if each has one. *)
Section Only.
  Context {A : Type}.
  Fixpoint only (t : ktree A) : option A :=
    match t with
    | Gone => None
    | KLeaf a => Some a
    | KNode _ _ l Gone => only l
    | KNode _ _ Gone r => only r
    | _ => None
    end.
  Fixpoint all_only (ts : list (ktree A)) : option (list A) :=
    match ts with
    | [] => Some []
    | t :: ts => match only t, all_only ts with Some a, Some leaves => Some (a :: leaves) | _, _ => None end
    end.
  Variable V : Type.
  Variable below : V -> cut -> bool.
  Lemma only_walk : forall t z a b, kwalk V below t z = Some a -> only t = Some b -> a = b.
  Proof.
    induction t as [|c|f cuts l IHl r IHr]; intros z a b H E; simpl in *; [discriminate | congruence |].
    assert (C : (r = Gone /\ only l = Some b) \/ (l = Gone /\ only r = Some b))
      by (destruct l, r; try discriminate E; auto).
    destruct C as [[G C] | [G C]]; subst; destruct (goes V below (z f) cuts); simpl in H; try discriminate H.
    - exact (IHl _ _ _ H C).
    - exact (IHr _ _ _ H C).
  Qed.
  Lemma all_only_walk : forall ts z leaves found, reached V below A ts z leaves -> all_only ts = Some found -> leaves = found.
  Proof.
    unfold reached. induction ts as [|t ts IH]; intros z [|a leaves] found H E; try discriminate; simpl in *; [congruence|].
    injection H as H1 H2. destruct (only t) as [b|] eqn:Eo; [|discriminate].
    destruct (all_only ts) as [found'|]; [|discriminate]. inversion E.
    rewrite (only_walk _ _ _ _ H1 Eo), (IH _ _ _ H2 eq_refl). reflexivity.
  Qed.
End Only.
