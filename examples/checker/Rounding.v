(* How far rounded numbers are from exact ones, and rounded sums from exact sums. *)
From Coq Require Import ZArith List Bool Lia.
Require Import Spec Kernel.
Import ListNotations.
Open Scope Z_scope.

Lemma nearest_error : forall a b, 0 < b -> 2 * Z.abs (nearest a b * b - a) <= b.
Proof.
  intros a b Hb. unfold nearest. pose proof (Z.div_mod a b ltac:(lia)) as Hd.
  pose proof (Z.mod_pos_bound a b Hb) as Hm. set (q := a / b) in *. set (r := a mod b) in *. clearbody q r.
  replace (2 * (a - q * b)) with (2 * r) by lia.
  destruct (Z.compare_spec (2 * r) b); [destruct (Z.even q) | |]; nia.
Qed.
Lemma sgn_distance : forall n y, Z.abs (Z.sgn n * y - n) <= Z.abs (y - Z.abs n).
Proof. intros n y. destruct (Z.lt_trichotomy n 0) as [H | [H | H]]; [rewrite Z.sgn_neg | subst n | rewrite Z.sgn_pos]; lia. Qed.

Lemma round_error : forall p n, 1 <= p -> 2 ^ p * Z.abs (round p n - n) <= Z.abs n.
Proof.
  intros p n Hp. unfold round. set (e := Z.max 0 (Z.log2 (Z.abs n) + 1 - p)).
  destruct (Z.eq_dec n 0) as [E | E]; [subst n; simpl; lia|].
  assert (He : 0 <= e) by lia. assert (H2 : 0 < 2 ^ e) by (apply Z.pow_pos_nonneg; lia).
  assert (Hp2 : 0 < 2 ^ p) by (apply Z.pow_pos_nonneg; lia).
  pose proof (sgn_distance n (nearest (Z.abs n) (2 ^ e) * 2 ^ e)) as Hs.
  pose proof (nearest_error (Z.abs n) (2 ^ e) H2) as Hn.
  apply Z.le_trans with (2 ^ p * Z.abs (nearest (Z.abs n) (2 ^ e) * 2 ^ e - Z.abs n));
    [apply Z.mul_le_mono_nonneg_l; lia|].
  destruct (Z.le_gt_cases (Z.log2 (Z.abs n) + 1 - p) 0) as [L | L].
  - replace e with 0 in * by lia. change (2 ^ 0) with 1 in *. lia.
  - assert (H : 2 ^ p * 2 ^ e = 2 * 2 ^ Z.log2 (Z.abs n)).
    { rewrite <- Z.pow_add_r by lia. replace (p + e) with (Z.succ (Z.log2 (Z.abs n))) by lia.
      apply Z.pow_succ_r. apply Z.log2_nonneg. }
    pose proof (proj1 (Z.log2_spec (Z.abs n) ltac:(lia))) as Hl.
    set (d := Z.abs (nearest (Z.abs n) (2 ^ e) * 2 ^ e - Z.abs n)) in *. clearbody d. nia.
Qed.

Lemma quotient_error : forall k n d, 0 <= k -> 0 < d ->
  2 ^ 1075 * Z.abs (quotient k n d * d - n * 2 ^ (54 + Z.log2 d))
    <= (2 ^ 1022 * Z.abs n + d * 2 ^ k) * 2 ^ (54 + Z.log2 d).
Proof.
  intros k n d Hk Hd. unfold quotient. set (j := 54 + Z.log2 d).
  assert (Hj : 0 <= j) by (pose proof (Z.log2_nonneg d); lia).
  assert (Hj2 : 0 < 2 ^ j) by (apply Z.pow_pos_nonneg; lia).
  assert (Hk2 : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
  destruct (Z.eq_dec n 0) as [E | E].
  { subst n. rewrite Z.sgn_0, !Z.mul_0_l, Z.abs_0. simpl Z.abs. nia. }
  set (a := Z.abs n * 2 ^ j). set (e := Z.max (Z.log2 (a / d) - 52) (k + j - 1074)).
  assert (Hq : 2 ^ 53 <= a / d).
  { apply Z.div_le_lower_bound; [lia|]. pose proof (proj2 (Z.log2_spec d Hd)) as Hl.
    assert (J : 2 ^ j = 2 ^ 53 * 2 ^ Z.succ (Z.log2 d)).
    { unfold j. rewrite <- Z.pow_add_r; [f_equal; lia | lia | pose proof (Z.log2_nonneg d); lia]. }
    unfold a. rewrite J. assert (0 < 2 ^ 53) by (apply Z.pow_pos_nonneg; lia). nia. }
  assert (Hlog : 53 <= Z.log2 (a / d)) by (apply Z.log2_le_pow2; [assert (0 < 2 ^ 53) by (apply Z.pow_pos_nonneg; lia); lia | exact Hq]).
  assert (He : 1 <= e) by lia. assert (H2 : 0 < 2 ^ e) by (apply Z.pow_pos_nonneg; lia).
  pose proof (nearest_error a (d * 2 ^ e) ltac:(nia)) as Hn. set (y := nearest a (d * 2 ^ e) * 2 ^ e).
  replace (nearest a (d * 2 ^ e) * (d * 2 ^ e)) with (y * d) in Hn by (unfold y; ring).
  assert (Hs : Z.abs (Z.sgn n * y * d - n * 2 ^ j) <= Z.abs (y * d - a)).
  { unfold a. clearbody y. destruct (Z.lt_trichotomy n 0) as [H | [H | H]]; [rewrite Z.sgn_neg | | rewrite Z.sgn_pos];
      try lia; rewrite ?(Z.abs_neq n), ?(Z.abs_eq n) by lia; lia. }
  assert (Hb : 2 ^ 1074 * (d * 2 ^ e) <= 2 ^ 1022 * Z.abs n * 2 ^ j + d * 2 ^ k * 2 ^ j).
  { destruct (Z.max_spec (Z.log2 (a / d) - 52) (k + j - 1074)) as [[_ M] | [_ M]]; fold e in M.
    - assert (X : 2 ^ 1074 * 2 ^ e = 2 ^ k * 2 ^ j).
      { rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
      assert (0 <= 2 ^ 1022 * Z.abs n * 2 ^ j) by (apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; [apply Z.pow_nonneg|]|]; lia).
      replace (2 ^ 1074 * (d * 2 ^ e)) with (d * (2 ^ 1074 * 2 ^ e)) by ring. rewrite X. lia.
    - assert (X : 2 ^ 1074 * 2 ^ e = 2 ^ 1022 * 2 ^ Z.log2 (a / d)).
      { rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
      replace (2 ^ 1074 * (d * 2 ^ e)) with (2 ^ 1074 * 2 ^ e * d) by ring. rewrite X.
      assert (Y : 2 ^ Z.log2 (a / d) * d <= a).
      { pose proof (proj1 (Z.log2_spec (a / d) ltac:(assert (0 < 2 ^ 53) by (apply Z.pow_pos_nonneg; lia); lia))).
        pose proof (Z.mul_div_le a d Hd). nia. }
      unfold a in Y. assert (Z1 : 2 ^ 1022 * (2 ^ Z.log2 (a / d) * d) <= 2 ^ 1022 * (Z.abs n * 2 ^ j))
        by (apply Z.mul_le_mono_nonneg_l; [apply Z.pow_nonneg; lia | exact Y]).
      assert (0 <= d * 2 ^ k * 2 ^ j) by nia. lia. }
  clearbody y e. fold j. change (2 ^ 1075) with (2 ^ (1 + 1074)). rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2.
  assert (P : 0 <= 2 ^ 1074) by (apply Z.pow_nonneg; lia).
  set (w := Z.abs (y * d - a)) in *. set (w' := Z.abs (Z.sgn n * y * d - n * 2 ^ j)) in *. clearbody w w'.
  generalize dependent (2 ^ 1074). generalize dependent (2 ^ 1022). intros B T Hb P.
  assert (T * (2 * w') <= T * (d * 2 ^ e)) by (apply Z.mul_le_mono_nonneg_l; lia).
  lia.
Qed.

(* ------------------------------------------------------------------------------------------------- sums *)
Definition exact (leaves : list (list Z)) (c : nat) : Z := sum_of (value c) leaves.
Definition sizes (leaves : list (list Z)) (c : nat) : Z := sum_of (fun leaf => Z.abs (value c leaf)) leaves.
Lemma sizes_nonneg : forall leaves c, 0 <= sizes leaves c.
Proof. induction leaves as [|v leaves IH]; intro c; [apply Z.le_refl|].
  specialize (IH c). unfold sizes, sum_of in *. cbn [fold_right]. lia.
Qed.

Lemma sum_error_from : forall p c leaves i s e a, 1 <= p -> 0 <= i -> Z.abs e <= a ->
  i + Z.of_nat (length leaves) <= 2 ^ p -> (2 ^ p - i) * Z.abs (s - e) <= i * a ->
  (2 ^ p - (i + Z.of_nat (length leaves))) * Z.abs (sum p s leaves c - (e + exact leaves c))
    <= (i + Z.of_nat (length leaves)) * (a + sizes leaves c).
Proof.
  intros p c leaves. induction leaves as [|v leaves IH]; intros i s e a Hp Hi Ha Hl Hd.
  - unfold sum, exact, sizes. cbn [fold_left sum_of fold_right length Z.of_nat]. rewrite !Z.add_0_r. exact Hd.
  - unfold sum in *. cbn [fold_left]. unfold exact, sizes in *. cbn [sum_of fold_right].
    set (w := value c v) in *. cbn [length] in *. rewrite Nat2Z.inj_succ in *.
    specialize (IH (i + 1) (round p (s + w)) (e + w) (a + Z.abs w) Hp ltac:(lia) ltac:(lia) ltac:(lia)).
    replace (i + Z.succ (Z.of_nat (length leaves))) with (i + 1 + Z.of_nat (length leaves)) by lia.
    rewrite !Z.add_assoc. apply IH. clear IH.
    pose proof (round_error p (s + w) Hp) as Hr. assert (HP : 0 < 2 ^ p) by (apply Z.pow_pos_nonneg; lia).
    generalize dependent (2 ^ p). intros P Hl Hd Hr HP. assert (HkP : i + 1 <= P) by lia. clear Hl.
    set (d := Z.abs (s - e)) in *. assert (Hd0 : 0 <= d) by (unfold d; lia).
    set (d' := Z.abs (round p (s + w) - (e + w))).
    set (a' := a + Z.abs w) in *. assert (Ha' : 0 <= a <= a') by (unfold a'; lia).
    assert (H1 : P * d' <= P * d + (a' + d)).
    { assert (Hx : Z.abs (s + w) <= a' + d) by (unfold a', d; lia).
      assert (Hy : d' <= Z.abs (round p (s + w) - (s + w)) + d) by (unfold d', d; lia). nia. }
    assert (Hd'0 : 0 <= d') by (unfold d'; lia). clearbody d d' a'.
    assert (Hx : (P - i) * (P * d') <= (P - i) * ((P + 1) * d + a')) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (Hy : (P + 1) * ((P - i) * d) <= (P + 1) * (i * a')).
    { apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.le_trans with (i * a); [exact Hd|]. apply Z.mul_le_mono_nonneg_l; lia. }
    replace ((P - i) * ((P + 1) * d + a')) with ((P + 1) * ((P - i) * d) + (P - i) * a') in Hx by ring.
    replace ((P + 1) * (i * a')) with (P * ((i + 1) * a') - (P - i) * a') in Hy by ring.
    assert (Hz : (P - i) * d' <= (i + 1) * a').
    { apply Z.mul_le_mono_pos_l with P; [lia|]. replace (P * ((P - i) * d')) with ((P - i) * (P * d')) by ring. lia. }
    replace ((P - (i + 1)) * d') with ((P - i) * d' - d') by ring. lia.
Qed.
Lemma sum_error : forall p c leaves b, 1 <= p -> Z.of_nat (length leaves) <= 2 ^ p ->
  (2 ^ p - Z.of_nat (length leaves)) * Z.abs (sum p b leaves c - (b + exact leaves c))
    <= Z.of_nat (length leaves) * (Z.abs b + sizes leaves c).
Proof.
  intros p c leaves b Hp Hl.
  pose proof (sum_error_from p c leaves 0 b b (Z.abs b) Hp ltac:(lia) ltac:(lia) ltac:(lia)) as H.
  rewrite Z.sub_diag, Z.add_0_l in H. apply H. simpl. lia.
Qed.

