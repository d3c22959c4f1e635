(* Inputs that answer. A proof may name one, which shows how close its bound is. *)
From Coq Require Import ZArith QArith List Bool Lia PArith.
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
  Definition inside (z : feature -> number) : bool := forallb (fun f => whole k (z f) && fits f (units k (z f))) (features (dim m)).
  Definition stands (z : feature -> number) (label : nat) : bool :=
    inside z && answers c label && Nat.ltb label (classes m) && gives (fun f => units k (z f)) label.
  Definition no_nearer (z : feature -> number) (b : number) : bool :=
    power c (units (k + kp) b) <=? distance_of (fun f => units k (z f)).
  Definition no_farther (z : feature -> number) (b : number) : bool :=
    distance_of (fun f => units k (z f)) <=? power c (units (k + kp) b).
End Example.

(* ------------------------------------------------------------------------------------------------- why it holds *)
Section Sound.
  Variable m : model.
  Variable q : ready.
  Variable c : claim.
  Variable kp : Z.
  Hypothesis Hready : get_ready (unit q) m = Some q.
  Hypothesis Husable : usable m q c kp = true.
  Notation k := (unit q).
  Variable z : feature -> number.
  Notation point := (fun f => real (z f)).

  Lemma real_order : forall a b, whole k a = true -> whole k b = true -> Qle_bool (real a) (real b) = (units k a <=? units k b).
  Proof.
    intros a b Ha Hb. destruct (units k a <=? units k b) eqn:E; [apply Z.leb_le in E | apply Z.leb_gt in E].
    - apply Qle_bool_iff. rewrite (real_units k a Ha), (real_units k b Hb). apply real_le, E.
    - destruct (Qle_bool (real a) (real b)) eqn:F; [exfalso | reflexivity]. apply Qle_bool_iff in F.
      rewrite (real_units k a Ha), (real_units k b Hb) in F. apply (Qle_not_lt _ _ F). unfold real. simpl.
      apply Qmult_lt_compat_r; [apply two_power | rewrite <- Zlt_Qlt; exact E].
  Qed.
  Lemma whole_walk : forall places t, whole_tree k places t = true -> (forall f, whole k (z f) = true) ->
    kwalk Z below_whole (tree_of k places t) (fun f => units k (z f)) = Some (map (units places) (walk t point)).
  Proof.
    intros places t H Hz. induction t as [values | f borders l IHl r IHr]; simpl in *; [reflexivity|].
    rewrite !andb_true_iff in H. destruct H as [[H1 H2] H3].
    replace (goes Z below_whole (units k (z f)) (map (cut_of k) borders)) with (goes_left (real (z f)) borders).
    - destruct (goes_left (real (z f)) borders); auto.
    - clear - H1 Hz. induction borders as [|[b closed] rest IH]; simpl in *; [reflexivity|].
      apply andb_true_iff in H1. destruct H1 as [Hb H1]. rewrite IH by exact H1. f_equal.
      unfold Spec.below, below_whole. simpl. destruct closed; rewrite real_order by auto; [reflexivity|].
      rewrite Z.ltb_antisym. reflexivity.
  Qed.
  (* An example that stands has its label, whatever of the allowed is given, which answers. *)
  Theorem stands_labels : forall label, (forall f, whole k (z f) = true) -> stands m q c z label = true ->
    answers c label = true /\ (label < classes m)%nat /\
    forall r, (r < classes m)%nat -> may_predict m point r = Nat.eqb r label.
  Proof.
    intros label Hz H. unfold stands in H. rewrite !andb_true_iff in H. destruct H as [[[_ Ha] Hl] Hg].
    apply Nat.ltb_lt in Hl. split; [exact Ha|]. split; [exact Hl|]. intros r Hr. unfold gives in Hg. rewrite forallb_forall in Hg.
    specialize (Hg r (proj2 (in_seq _ 0 r) (conj (Nat.le_0_l r) Hr))). apply eqb_prop in Hg. rewrite Hg.
    destruct (ready_parts m q Hready) as [_ [W [_ [Et [Eb _]]]]]. unfold may_predict. rewrite Eb. f_equal.
    unfold reach. rewrite Et. rewrite forallb_forall in W. revert W. generalize (trees m). intro ts.
    induction ts as [|t ts IH]; intro W; [reflexivity|]. simpl. rewrite whole_walk by (auto; apply W; left; reflexivity).
    simpl. f_equal. apply IH. intros u Hu. apply W. right. exact Hu.
  Qed.
  Theorem inside_domain : inside m q c z = true -> in_domain (dim m) c point.
  Proof.
    intros Hfit f Hf. unfold inside in Hfit. rewrite forallb_forall in Hfit. specialize (Hfit f Hf). apply andb_true_iff in Hfit. destruct Hfit as [Hw Hfit].
    destruct (usable_feature m q c kp Husable f Hf) as [Wx [_ [_ [_ [_ [_ [Wl Wh]]]]]]].
    unfold fits in Hfit. rewrite !andb_true_iff in Hfit. destruct Hfit as [[Hl Hh] Hc]. split; [split|].
    - destruct (lower c f) as [l|]; [|exact I]. apply Qle_bool_iff. rewrite real_order; assumption.
    - destruct (upper c f) as [h|]; [|exact I]. apply Qle_bool_iff. rewrite real_order; assumption.
    - intro Hcat. unfold is_category in Hc. apply Z.ltb_lt in Hcat. rewrite Hcat in Hc. simpl in Hc. apply orb_true_iff in Hc.
      pose proof (usable_k m q c kp Husable) as Hk. destruct Hc as [Hc | Hc].
      + left. apply Z.eqb_eq in Hc. rewrite (real_units k (z f) Hw), (real_units k (x c f) Wx), Hc. reflexivity.
      + right. rewrite !andb_true_iff in Hc. destruct Hc as [[H0 H1] H2]. apply Z.leb_le in H0. apply Z.ltb_lt in H1. apply Z.eqb_eq in H2.
        assert (P : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
        pose proof (Z.div_mod (units k (z f)) (2 ^ k) ltac:(lia)) as D. rewrite H2, Z.add_0_r in D.
        exists (units k (z f) / 2 ^ k). split; [split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]|].
        rewrite (real_units k (z f) Hw). rewrite D at 1. rewrite Z.mul_comm. unfold real. cbn [mant expo].
        rewrite inject_Z_mult, Qpower.Zpower_Qpower by exact Hk. change (inject_Z 2) with 2%Q.
        rewrite <- Qmult_assoc, <- Qpower.Qpower_plus by discriminate. replace (k + - k) with 0 by lia.
        change (Qpower 2 0) with 1%Q. ring.
  Qed.

  Theorem stands_inside : forall label, stands m q c z label = true -> in_domain (dim m) c point.
  Proof. intros label H. unfold stands in H. rewrite !andb_true_iff in H. apply inside_domain. tauto. Qed.

  (* What moves cost, as they are added up, is what the specification has. *)
  Lemma moved_cost : forall f, In f (features (dim m)) -> whole k (z f) = true ->
    0 <= moved q c kp f (units k (z f)) /\
    (real (Number (moved q c kp f (units k (z f))) (- (k + kp))) <= cost c f (real (z f)))%Q.
  Proof.
    intros f Hf Hz. destruct (usable_feature m q c kp Husable f Hf) as [Wx [Wu [Wd [Pu [Pd _]]]]].
    pose proof (cost_nonneg m q c kp Husable f (real (z f)) Hf) as H0. pose proof (usable_k m q c kp Husable) as Hk.
    assert (U : forall n, 0 <= mant n -> 0 <= units kp n) by (intros; apply Z.mul_nonneg_nonneg; [assumption | apply Z.pow_nonneg; lia]).
    unfold moved, cost in *. destruct (is_category c f) eqn:C; unfold is_category in C; rewrite C in *.
    - destruct (Z.eqb_spec (units k (z f)) (units k (x c f))) as [E | E].
      + split; [lia|]. rewrite real_0. exact H0.
      + split; [apply Z.mul_nonneg_nonneg; [apply U, Pu | apply Z.pow_nonneg; lia]|].
        destruct (Qeq_bool (real (z f)) (real (x c f))) eqn:Q.
        * exfalso. apply E. apply Qeq_bool_iff in Q.
          pose proof (real_order (z f) (x c f) Hz Wx) as A. pose proof (real_order (x c f) (z f) Wx Hz) as B.
          rewrite Q in A, B. assert (R : Qle_bool (real (x c f)) (real (x c f)) = true) by (apply Qle_bool_iff, Qle_refl).
          assert (A' : Qle_bool (real (z f)) (real (x c f)) = true) by (apply Qle_bool_iff; rewrite Q; apply Qle_refl).
          assert (B' : Qle_bool (real (x c f)) (real (z f)) = true) by (apply Qle_bool_iff; rewrite Q; apply Qle_refl).
          rewrite (real_order (z f) (x c f) Hz Wx) in A'. rewrite (real_order (x c f) (z f) Wx Hz) in B'.
          apply Z.leb_le in A', B'. lia.
        * rewrite (real_units kp (price_up c f) Wu). unfold real. cbn [mant expo].
          rewrite inject_Z_mult, Qpower.Zpower_Qpower by exact Hk. change (inject_Z 2) with 2%Q.
          rewrite <- Qmult_assoc, <- Qpower.Qpower_plus by discriminate. replace (k + - (k + kp)) with (- kp) by lia. apply Qle_refl.
    - rewrite <- (real_order (x c f) (z f) Wx Hz). destruct (Qle_bool (real (x c f)) (real (z f))) eqn:L.
      + rewrite real_order in L by assumption. apply Z.leb_le in L.
        split; [apply Z.mul_nonneg_nonneg; [apply U, Pu | lia]|].
        rewrite (priced q kp) by assumption. rewrite <- (real_units k (z f) Hz). apply Qle_refl.
      + rewrite real_order in L by assumption. apply Z.leb_gt in L.
        split; [apply Z.mul_nonneg_nonneg; [apply U, Pd | lia]|].
        rewrite (priced_down q kp) by assumption. rewrite <- (real_units k (z f) Hz). apply Qle_refl.
  Qed.
  Theorem no_nearer_sound : forall b, bound c = Some b -> (forall f, In f (features (dim m)) -> whole k (z f) = true) ->
    no_nearer m q c kp z b = true -> ~ nearer (dim m) c point.
  Proof.
    intros b Hb Hz H Hn. unfold no_nearer in H. apply Z.leb_le in H.
    pose proof (nearer_near m q c kp Husable point Hn) as [N1 N2].
    assert (A : forall f, In f (features (dim m)) ->
      atleast m q c kp f (power c (moved q c kp f (units k (z f)))) (real (z f))).
    { intros f Hf _. destruct (moved_cost f Hf (Hz f Hf)) as [M0 M1]. apply power_spent; assumption. }
    assert (P : 0 < units (k + kp) b).
    { unfold nearer in Hn. rewrite Hb in Hn. destruct Hn as [Hn _]. unfold usable in Husable. rewrite Hb, !andb_true_iff in Husable.
      destruct Husable as [[_ W] _]. rewrite (real_units _ _ W) in Hn.
      apply (real_lt 0 _ (- (k + kp))). rewrite real_0. exact Hn. }
    unfold distance_of, budget, limit in *. rewrite Hb in *. cbn [option_map] in *. destruct (the_norm c) eqn:E.
    - assert (F : fold_right (fun f n => Z.max (moved q c kp f (units k (z f))) n) 0 (features (dim m)) < units (k + kp) b).
      { clear H. assert (G : forall l, (forall f, In f l -> In f (features (dim m))) ->
          fold_right (fun f n => Z.max (moved q c kp f (units k (z f))) n) 0 l < units (k + kp) b).
        { induction l as [|f l IH]; intro Hl; simpl; [exact P|].
          specialize (IH (fun g Hg => Hl g (or_intror Hg))). pose proof (Hl f (or_introl eq_refl)) as Hf.
          specialize (N1 f _ Hf (A f Hf)). unfold power in N1. rewrite E in N1. simpl in N1. apply Z.leb_gt in N1. lia. }
        apply G. auto. }
      unfold power in H. rewrite E in H. lia.
    - specialize (N2 (fun f => power c (moved q c kp f (units k (z f)))) A). simpl in N2. apply Z.leb_gt in N2. lia.
    - specialize (N2 (fun f => power c (moved q c kp f (units k (z f)))) A). simpl in N2. apply Z.leb_gt in N2. lia.
  Qed.
End Sound.
