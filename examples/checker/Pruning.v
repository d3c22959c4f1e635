(* The checker of claims about pruning: of a clique of rows that conflict, each with each, one can be kept at most. *)
From Coq Require Import ZArith QArith Qpower List Bool Lia PArith FMapPositive.
Require Import Spec SpecPruning Kernel Claims.
Import ListNotations.
Open Scope Z_scope.

(* Amounts count halves. *)
Definition clique := (Z * list positive)%type.
Definition member (a : positive) (s : list positive) : bool := existsb (Pos.eqb a) s.
Fixpoint each_with_each (f : positive -> positive -> bool) (s : list positive) : bool :=
  match s with [] => true | a :: s => forallb (fun b => negb (Pos.eqb a b) && f a b) s && each_with_each f s end.
Definition amount_at (t : M.t Z) (a : positive) : Z := match M.find a t with Some n => n | None => 0 end.
Definition add_clique (c : clique) (t : M.t Z) : M.t Z :=
  fold_right (fun a t => M.add a (fst c + amount_at t a) t) t (snd c).
Definition loads (l : list clique) : M.t Z := fold_right add_clique (M.empty Z) l.

Section Pruning.
  Variable p : pruning.
  Notation all := (features (row_count p)).
  Definition conflicts (a b : positive) : bool := conflict p a b || conflict p b a.
  Definition is_row (a : positive) : bool := Pos.leb a (Pos.of_nat (row_count p)) && Nat.ltb 0 (row_count p).
  Definition accepts_pruning (keep : list positive) (kept : Z) (most : number) (cliques : list clique) : bool :=
    let table := loads cliques in
    forallb is_row keep && each_with_each (fun a b => negb (conflicts a b)) keep && (weigh p keep =? kept) &&
    forallb (fun c => (0 <=? fst c) && each_with_each conflicts (snd c)) cliques &&
    forallb (fun a => amount_at table a <=? 2 * stands_for p a) all &&
    let k := Z.max 0 (- expo most) in
    ((2 * weigh p all - sum_of (fun c => fst c * (Z.of_nat (length (filter is_row (snd c))) - 1)) cliques) * 2 ^ k <=?
     2 * units k most).

  Lemma member_in : forall a s, member a s = true <-> In a s.
  Proof.
    intros a s. unfold member. rewrite existsb_exists. split.
    - intros [b [H E]]. apply Pos.eqb_eq in E. subst b. exact H.
    - intro H. exists a. split; [exact H | apply Pos.eqb_refl].
  Qed.
  Lemma each_once : forall f s, each_with_each f s = true -> NoDup s.
  Proof.
    induction s as [|a s IH]; intro H; [constructor|]. simpl in H. apply andb_true_iff in H. destruct H as [H1 H2].
    constructor; [|exact (IH H2)]. intro I. rewrite forallb_forall in H1. specialize (H1 a I). rewrite Pos.eqb_refl in H1. discriminate.
  Qed.
  Lemma each_pair : forall f s a b, (forall a b, f a b = f b a) -> each_with_each f s = true -> In a s -> In b s -> a <> b -> f a b = true.
  Proof.
    intros f s a b Hf. induction s as [|d s IH]; intros H Ha Hb N; [contradiction|]. simpl in H. apply andb_true_iff in H.
    destruct H as [H1 H2]. rewrite forallb_forall in H1. destruct Ha as [Ha | Ha], Hb as [Hb | Hb]; subst.
    - contradiction.
    - specialize (H1 b Hb). apply andb_true_iff in H1. tauto.
    - specialize (H1 a Ha). apply andb_true_iff in H1. rewrite Hf. tauto.
    - exact (IH H2 Ha Hb N).
  Qed.

  (* What is taken from rows by cliques, row by row and clique by clique. *)
  Definition taken (l : list clique) (a : positive) : Z := sum_of (fun c => if member a (snd c) then fst c else 0) l.
  Lemma loads_taken : forall l a, (forall c, In c l -> NoDup (snd c)) -> amount_at (loads l) a = taken l a.
  Proof.
    intros l a. induction l as [|c l IH]; intro H; [unfold amount_at; simpl; rewrite M.gempty; reflexivity|].
    specialize (IH (fun d Hd => H d (or_intror Hd))). pose proof (H c (or_introl eq_refl)) as N.
    unfold taken, loads, sum_of in *. cbn [fold_right]. rewrite <- IH. clear IH H. unfold add_clique. destruct c as [n s]. cbn [fst snd] in *.
    set (t := fold_right add_clique (M.empty Z) l) in *. clearbody t. induction s as [|b s IH]; [reflexivity|].
    inversion N as [|? ? N1 N2]; subst. cbn [fold_right member existsb]. unfold amount_at at 1. destruct (Pos.eqb_spec a b) as [E | E].
    - subst b. rewrite M.gss. specialize (IH N2). destruct (member a s) eqn:Em; [apply member_in in Em; contradiction|].
      cbn [orb]. rewrite IH. lia.
    - rewrite M.gso by exact E. cbn [orb]. exact (IH N2).
  Qed.
  Lemma sum_taken : forall l s, sum_of (taken l) s = sum_of (fun c => fst c * Z.of_nat (length (filter (fun a => member a (snd c)) s))) l.
  Proof.
    intros l s. induction l as [|c l IH].
    - unfold taken. simpl. induction s as [|a s IH]; simpl; lia.
    - unfold sum_of in *. cbn [fold_right]. rewrite <- IH. clear IH. induction s as [|a s IH]; cbn [fold_right filter].
      + simpl. lia.
      + rewrite IH. unfold taken, sum_of at 1. cbn [fold_right]. unfold taken, sum_of. destruct (member a (snd c)); cbn [length]; lia.
  Qed.
  Lemma sum_within : forall (g : positive -> Z) s t, NoDup s -> NoDup t -> (forall a, In a s -> In a t) -> (forall a, In a t -> 0 <= g a) ->
    sum_of g s <= sum_of g t.
  Proof.
    intros g s. induction s as [|a s IH]; intros t Hs Ht Hin H0.
    - clear Hin Ht. induction t as [|b t IHt]; simpl; [lia|]. specialize (IHt (fun d Hd => H0 d (or_intror Hd))).
      pose proof (H0 b (or_introl eq_refl)). simpl in IHt. lia.
    - inversion Hs as [|? ? H1 H2]; subst. destruct (in_split a t (Hin a (or_introl eq_refl))) as [u [v E]]. subst t.
      assert (S : sum_of g (u ++ a :: v) = g a + sum_of g (u ++ v)).
      { clear. unfold sum_of. induction u as [|b u IHu]; simpl; [reflexivity | rewrite IHu; lia]. }
      rewrite S. simpl. apply NoDup_remove in Ht. destruct Ht as [Ht Na]. specialize (IH (u ++ v) H2 Ht).
      assert (I : sum_of g s <= sum_of g (u ++ v)); [|lia]. apply IH.
      + intros b Hb. specialize (Hin b (or_intror Hb)). apply in_app_iff in Hin. apply in_app_iff. destruct Hin as [Hin | [Hin | Hin]]; auto.
        subst b. contradiction.
      + intros b Hb. apply H0. apply in_app_iff in Hb. apply in_app_iff. simpl. tauto.
  Qed.
  Lemma weigh_sum : forall s, weigh p s = sum_of (stands_for p) s.
  Proof. reflexivity. Qed.
  Lemma in_count : forall n f a, In a (count_from f n) <-> (f <= a)%positive /\ (Pos.to_nat a < Pos.to_nat f + n)%nat.
  Proof.
    induction n as [|n IH]; intros f a; simpl; [lia|]. rewrite IH. lia.
  Qed.
  Lemma is_row_in : forall a, is_row a = true <-> In a all.
  Proof.
    intro a. unfold is_row, features. rewrite in_count, andb_true_iff, Nat.ltb_lt, Pos.leb_le. split; [|]; intros [H1 H2]; lia.
  Qed.

  Theorem accepts_pruning_sound : forall keep kept most cliques,
    accepts_pruning keep kept most cliques = true -> holds_pruning p keep kept most.
  Proof.
    intros keep kept most cliques H. unfold accepts_pruning in H. rewrite !andb_true_iff, Z.eqb_eq in H.
    destruct H as [[[[[Hrows Hkeep] Hkept] Hc] Hload] Hmost]. rewrite forallb_forall in Hrows, Hc, Hload.
    assert (Sym : forall a b, conflicts a b = conflicts b a) by (intros; unfold conflicts; apply orb_comm).
    split; [|split; [exact Hkept|]].
    - split; [exact (each_once _ _ Hkeep)|]. split; [intros a Ha; apply is_row_in, Hrows, Ha|]. intros a b Ha Hb N.
      pose proof (each_pair _ _ a b (fun a b => f_equal negb (Sym a b)) Hkeep Ha Hb N) as E. apply negb_true_iff, orb_false_iff in E. tauto.
    - intros s [Hs [Hin Hsep]]. set (k := Z.max 0 (- expo most)) in *. apply Z.leb_le in Hmost.
      assert (Once : forall c, In c cliques -> NoDup (snd c)).
      { intros c Ic. specialize (Hc c Ic). apply andb_true_iff in Hc. exact (each_once _ _ (proj2 Hc)). }
      assert (All : NoDup all) by apply features_once.
      set (slack := fun a => 2 * stands_for p a - taken cliques a).
      assert (P : sum_of slack s <= sum_of slack all).
      { apply sum_within; auto. intros a Ha. specialize (Hload a Ha). rewrite loads_taken in Hload by exact Once.
        apply Z.leb_le in Hload. unfold slack. lia. }
      assert (D : forall l, sum_of slack l = 2 * weigh p l - sum_of (taken cliques) l).
      { intro l. unfold slack, weigh, sum_of. induction l as [|a l IH]; cbn [fold_right]; [reflexivity | rewrite IH; lia]. }
      rewrite !D in P.
      assert (T : sum_of (taken cliques) s + sum_of (fun c => fst c * (Z.of_nat (length (filter is_row (snd c))) - 1)) cliques <=
                  sum_of (taken cliques) all).
      { rewrite !sum_taken. clear Hload Hmost P D Once. induction cliques as [|c l IH]; [simpl; lia|].
        specialize (IH (fun d Hd => Hc d (or_intror Hd))). unfold sum_of in *. cbn [fold_right].
        specialize (Hc c (or_introl eq_refl)). rewrite andb_true_iff, Z.leb_le in Hc. destruct Hc as [Ha He].
        assert (One : (length (filter (fun a => member a (snd c)) s) <= 1)%nat).
        { assert (F : NoDup (filter (fun a => member a (snd c)) s)) by (apply NoDup_filter, Hs).
          destruct (filter (fun a => member a (snd c)) s) as [|a [|b r]] eqn:E; simpl; try lia. exfalso.
          assert (Ia : In a (a :: b :: r)) by (left; reflexivity). assert (Ib : In b (a :: b :: r)) by (right; left; reflexivity).
          rewrite <- E in Ia, Ib. apply filter_In in Ia, Ib. rewrite member_in in Ia, Ib.
          assert (N : a <> b) by (intro; subst b; inversion F as [|? ? F1 _]; apply F1; left; reflexivity).
          pose proof (each_pair _ _ a b Sym He (proj2 Ia) (proj2 Ib) N) as C. unfold conflicts in C.
          rewrite (Hsep a b), (Hsep b a) in C; try tauto; try discriminate. intro X. apply N. auto. }
        assert (Len : (length (filter is_row (snd c)) <= length (filter (fun a => member a (snd c)) all))%nat).
        { apply NoDup_incl_length; [apply NoDup_filter, (each_once _ _ He)|]. intros a Ia. apply filter_In in Ia. apply filter_In.
          rewrite member_in. split; [apply is_row_in; tauto | tauto]. }
        assert (G : fst c * Z.of_nat (length (filter (fun a => member a (snd c)) s)) + fst c * (Z.of_nat (length (filter is_row (snd c))) - 1) <=
                    fst c * Z.of_nat (length (filter (fun a => member a (snd c)) all))).
        { rewrite <- Z.mul_add_distr_l. apply Z.mul_le_mono_nonneg_l; lia. }
        lia. }
      assert (B : weigh p s * 2 ^ k <= units k most).
      { assert (0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
        assert (2 * weigh p s <= 2 * weigh p all - sum_of (fun c => fst c * (Z.of_nat (length (filter is_row (snd c))) - 1)) cliques) by lia.
        nia. }
      rewrite (real_units k most) by (unfold whole; apply Z.leb_le; lia).
      apply Qle_trans with (real (Number (weigh p s * 2 ^ k) (- k))); [|apply real_le, B].
      unfold real. cbn [mant expo]. rewrite inject_Z_mult, Zpower_Qpower by lia. change (inject_Z 2) with 2%Q.
      rewrite <- Qmult_assoc, <- Qpower_plus by discriminate. replace (k + - k) with 0 by lia. change (Qpower 2 0) with 1%Q.
      rewrite Qmult_1_r. apply Qle_refl.
  Qed.
End Pruning.
