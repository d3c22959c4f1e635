(* Counting of rows that come first: why some row is the pivot, and how many rows come before it. *)
From Coq Require Import ZArith List Bool Lia Permutation.
Import ListNotations.

Definition count (f : nat -> bool) (l : list nat) : nat := length (filter f l).

Lemma count_le : forall f g l, (forall a, In a l -> f a = true -> g a = true) -> count f l <= count g l.
Proof.
  intros f g l H. induction l as [|a l IH]; unfold count in *; simpl; [lia|].
  specialize (IH (fun b Hb => H b (or_intror Hb))). pose proof (H a (or_introl eq_refl)) as Ha.
  destruct (f a), (g a); simpl; try discriminate (Ha eq_refl); lia.
Qed.
Lemma count_ext : forall f g l, (forall a, In a l -> f a = g a) -> count f l = count g l.
Proof. intros f g l H. apply Nat.le_antisymm; apply count_le; intros a Ha E; [rewrite <- H | rewrite H]; assumption. Qed.
Lemma count_lt : forall f g l b, (forall a, In a l -> f a = true -> g a = true) -> In b l -> f b = false -> g b = true ->
  count f l < count g l.
Proof.
  intros f g l b H Hb Ef Eg. induction l as [|a l IH]; [contradiction|].
  pose proof (count_le f g l (fun d Hd => H d (or_intror Hd))) as Hle. unfold count in *. simpl.
  pose proof (H a (or_introl eq_refl)) as Ha. destruct Hb as [E | Hb].
  - subst a. rewrite Ef, Eg. simpl. lia.
  - specialize (IH (fun d Hd => H d (or_intror Hd)) Hb). destruct (f a), (g a); simpl; try discriminate (Ha eq_refl); lia.
Qed.
Lemma count_split : forall f g l, count f l = count (fun a => f a && g a) l + count (fun a => f a && negb (g a)) l.
Proof.
  intros f g l. unfold count. induction l as [|a l IH]; simpl; [reflexivity|].
  destruct (f a), (g a); simpl; rewrite ?IH; lia.
Qed.
(* Different rows that are all counted. *)
Lemma count_distinct : forall f l s, NoDup s -> (forall a, In a s -> In a l /\ f a = true) -> length s <= count f l.
Proof. intros f l s Hs H. apply NoDup_incl_length; [exact Hs|]. intros a Ha. apply filter_In. auto. Qed.
Lemma count_within : forall f l s, NoDup l -> (forall a, In a l -> f a = true -> In a s) -> count f l <= length s.
Proof.
  intros f l s Hl H. apply NoDup_incl_length; [apply NoDup_filter, Hl|]. intros a Ha. apply filter_In in Ha.
  destruct Ha. auto.
Qed.

(* Rows in an order. The rank of a row is how many come before it. *)
Section Order.
  Variable l : list nat.
  Variable first : nat -> nat -> bool.
  Hypothesis once : NoDup l.
  Hypothesis irreflexive : forall a, first a a = false.
  Hypothesis transitive : forall a b c, first a b = true -> first b c = true -> first a c = true.
  Hypothesis total : forall a b, a <> b -> first a b = true \/ first b a = true.

  Lemma asymmetric : forall a b, first a b = true -> first b a = false.
  Proof.
    intros a b H. destruct (first b a) eqn:E; [|reflexivity].
    pose proof (transitive _ _ _ H E) as C. rewrite irreflexive in C. discriminate.
  Qed.
  Lemma not_first : forall a b, a <> b -> first a b = false -> first b a = true.
  Proof. intros a b N E. destruct (total a b N) as [H | H]; [congruence | exact H]. Qed.

  Definition rank (a : nat) : nat := count (fun b => first b a) l.
  Lemma rank_first : forall a b, In a l -> first a b = true -> rank a < rank b.
  Proof.
    intros a b Ha H. apply count_lt with a; auto. intros d _ Hd. exact (transitive _ _ _ Hd H).
  Qed.
  Lemma rank_bound : forall a, In a l -> rank a < length l.
  Proof.
    intros a Ha. replace (length l) with (count (fun _ => true) l).
    - apply count_lt with a; auto.
    - unfold count. clear. induction l as [|b m IH]; simpl; congruence.
  Qed.
  Lemma rank_inj : forall a b, In a l -> In b l -> rank a = rank b -> a = b.
  Proof.
    intros a b Ha Hb E. destruct (Nat.eq_dec a b) as [D | D]; [exact D|]. exfalso.
    destruct (total a b D) as [H | H]; apply rank_first in H; auto; lia.
  Qed.
  Lemma ranks : Permutation (map rank l) (seq 0 (length l)).
  Proof.
    apply NoDup_Permutation_bis.
    - assert (G : forall m, (forall a, In a m -> In a l) -> NoDup m -> NoDup (map rank m)).
      { induction m as [|a m IH]; intros Hm Hn; simpl; constructor; inversion Hn as [|? ? H1 H2]; subst.
        - intro H. apply in_map_iff in H. destruct H as [b [E Hb]]. apply rank_inj in E; [subst; contradiction | |]; apply Hm; simpl; auto.
        - apply IH; [|assumption]. intros b Hb. apply Hm. right. exact Hb. }
      apply G; auto.
    - rewrite map_length, seq_length. lia.
    - intros r Hr. apply in_map_iff in Hr. destruct Hr as [a [E Ha]]. subst r. apply in_seq.
      pose proof (rank_bound a Ha). lia.
  Qed.
  Lemma rank_some : forall i, i < length l -> exists a, In a l /\ rank a = i.
  Proof.
    intros i Hi. assert (H : In i (map rank l)).
    { apply (Permutation_in i (Permutation_sym ranks)). apply in_seq. lia. }
    apply in_map_iff in H. destruct H as [a [E Ha]]. exists a. auto.
  Qed.
  Lemma rank_below : forall k, k <= length l -> count (fun a => Nat.ltb (rank a) k) l = k.
  Proof.
    intros k Hk. assert (M : forall m, count (fun a => Nat.ltb (rank a) k) m = length (filter (fun r => Nat.ltb r k) (map rank m))).
    { unfold count. induction m as [|a m IH]; simpl; [reflexivity|]. destruct (Nat.ltb (rank a) k); simpl; rewrite IH; reflexivity. }
    rewrite M. clear M. assert (P : forall a b, Permutation a b ->
      length (filter (fun r => Nat.ltb r k) a) = length (filter (fun r => Nat.ltb r k) b)).
    { intros a b H. induction H; simpl; try reflexivity; try congruence.
      - destruct (Nat.ltb x k); simpl; congruence.
      - destruct (Nat.ltb x k), (Nat.ltb y k); reflexivity. }
    rewrite (P _ _ ranks). replace (length l) with (k + (length l - k)) by lia. rewrite seq_app, filter_app, app_length.
    assert (A : forall n s, s + n <= k -> length (filter (fun r => Nat.ltb r k) (seq s n)) = n).
    { induction n as [|n IH]; intros s Hs; simpl; [reflexivity|]. replace (Nat.ltb s k) with true by (symmetry; apply Nat.ltb_lt; lia).
      simpl. rewrite IH; lia. }
    assert (B : forall n s, k <= s -> length (filter (fun r => Nat.ltb r k) (seq s n)) = 0).
    { induction n as [|n IH]; intros s Hs; simpl; [reflexivity|]. replace (Nat.ltb s k) with false by (symmetry; apply Nat.ltb_ge; lia).
      apply IH. lia. }
    rewrite A, B by lia. lia.
  Qed.
End Order.

(* Of rows in an order k are near, of which at least s support an answer: the s-th supporting row, the pivot, is near, s - 1
   supporting rows come before it, and k - s others at most. *)
Section Pivot.
  Variable l : list nat.
  Variable first : nat -> nat -> bool.
  Hypothesis once : NoDup l.
  Hypothesis irreflexive : forall a, first a a = false.
  Hypothesis transitive : forall a b c, first a b = true -> first b c = true -> first a c = true.
  Hypothesis total : forall a b, a <> b -> first a b = true \/ first b a = true.
  Variable k s : nat.
  Hypothesis enough : k <= length l.
  Hypothesis some : 1 <= s.
  Variable supports : nat -> bool.
  Notation near a := (Nat.ltb (rank l first a) k).
  Hypothesis seats : s <= count (fun a => near a && supports a) l.

  Lemma near_first : forall a b, In a l -> near a = true -> In b l -> near b = false -> first a b = true.
  Proof.
    clear enough some seats. intros a b Ha Na Hb Nb. apply Nat.ltb_lt in Na. apply Nat.ltb_ge in Nb.
    destruct (Nat.eq_dec a b) as [E | E]; [subst; lia|].
    destruct (total a b E) as [H | H]; [exact H|]. apply rank_first with (l := l) in H; auto. lia.
  Qed.
  Lemma first_near : forall a b, In a l -> first a b = true -> near b = true -> near a = true.
  Proof.
    clear enough some seats. intros a b Ha H Nb. apply Nat.ltb_lt in Nb. apply Nat.ltb_lt. apply rank_first with (l := l) in H; auto. lia.
  Qed.

  Theorem some_pivot : exists p, In p l /\ supports p = true /\ near p = true /\
    count (fun a => supports a && first a p) l = s - 1 /\ count (fun a => negb (supports a) && first a p) l <= k - s.
  Proof.
    set (t := filter supports l).
    assert (Ht : NoDup t) by (apply NoDup_filter, once).
    assert (Hs : s <= length t).
    { eapply Nat.le_trans; [exact seats|]. apply (count_le (fun a => near a && supports a) supports).
      intros a _ H. apply andb_true_iff in H. tauto. }
    destruct (rank_some t first Ht irreflexive transitive total (s - 1)) as [p [Hp Er]]; [lia|].
    apply filter_In in Hp. destruct Hp as [Hp Sp]. exists p.
    assert (Ec : count (fun a => supports a && first a p) l = s - 1).
    { rewrite <- Er. unfold rank, count, t. clear. induction l as [|a m IH]; simpl; [reflexivity|].
      destruct (supports a); simpl; [destruct (first a p); simpl; congruence | exact IH]. }
    assert (Np : near p = true).
    { destruct (near p) eqn:N; [reflexivity | exfalso].
      assert (C : count (fun a => near a && supports a) l <= count (fun a => supports a && first a p) l).
      { apply count_le. intros a Ha H. apply andb_true_iff in H. destruct H as [Na Sa]. rewrite Sa. simpl.
        exact (near_first a p Ha Na Hp N). }
      lia. }
    repeat split; auto.
    pose proof (rank_below l first once irreflexive transitive total k enough) as K.
    rewrite (count_split _ supports) in K.
    assert (C : count (fun a => negb (supports a) && first a p) l <= count (fun a => near a && negb (supports a)) l).
    { apply count_le. intros a Ha H. apply andb_true_iff in H. destruct H as [Sa Fa]. rewrite Sa, andb_true_r.
      exact (first_near a p Ha Fa Np). }
    lia.
  Qed.
End Pivot.
