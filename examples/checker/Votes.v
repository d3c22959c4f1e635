(* Labels and leads. The lead of a label over a rival is the exact difference of their sums. If a model may give the label,
   rounding included, its lead is no less than [first_open]: that is all the checker needs to know of votes. *)
From Coq Require Import ZArith List Bool Lia Arith.
Require Import Spec Kernel Rounding.
Import ListNotations.
Open Scope Z_scope.

(* ------------------------------------------------------------------------------------------------- the first of the greatest *)
Lemma argmax_from_spec : forall l i best v, (best < i)%nat ->
  let a := argmax_from l i best v in
  (a = best /\ forall j, (j < length l)%nat -> nth j l 0 <= v) \/
  (exists k, (k < length l)%nat /\ a = (i + k)%nat /\ v < nth k l 0 /\
     (forall j, (j < length l)%nat -> nth j l 0 <= nth k l 0) /\ (forall j, (j < k)%nat -> nth j l 0 < nth k l 0)).
Proof.
  induction l as [|w l IH]; simpl; intros i best v Hb.
  - left. split; [reflexivity|]. intros j Hj. lia.
  - destruct (v <? w) eqn:E; [apply Z.ltb_lt in E | apply Z.ltb_ge in E].
    + destruct (IH (S i) i w ltac:(lia)) as [[Ha Hm] | [k [Hk [Ha [Hv [Hm Hs]]]]]]; right.
      * exists O. repeat split; [lia | lia | exact E | | intros j Hj; lia].
        intros [|j] Hj; simpl; [lia | apply Hm; lia].
      * exists (S k). repeat split; [lia | lia | lia | |]; intros [|j] Hj; try lia; [apply Hm | apply Hs]; lia.
    + destruct (IH (S i) best v ltac:(lia)) as [[Ha Hm] | [k [Hk [Ha [Hv [Hm Hs]]]]]].
      * left. split; [exact Ha|]. intros [|j] Hj; simpl; [lia | apply Hm; lia].
      * right. exists (S k). repeat split; [lia | lia | lia | |]; intros [|j] Hj; try lia; [apply Hm | apply Hs]; lia.
Qed.
Lemma argmax_spec : forall l, l <> [] ->
  (argmax l < length l)%nat /\ (forall j, (j < length l)%nat -> nth j l 0 <= nth (argmax l) l 0) /\
  (forall j, (j < argmax l)%nat -> nth j l 0 < nth (argmax l) l 0).
Proof.
  intros [|v l] H; [contradiction|]. simpl argmax.
  destruct (argmax_from_spec l 1 0 v ltac:(lia)) as [[Ha Hm] | [k [Hk [Ha [Hv [Hm Hs]]]]]]; rewrite Ha.
  - repeat split; [simpl; lia | intros [|j] Hj; [simpl; lia | apply Hm; simpl in Hj; lia] | intros j Hj; lia].
  - replace (1 + k)%nat with (S k) by lia. repeat split; [simpl; lia | |]; intros [|j] Hj; try (simpl; lia).
    + apply Hm. simpl in Hj. lia.
    + apply Hs. lia.
Qed.
Lemma argmax_map : forall (f : nat -> Z) n L r, argmax (map f (seq 0 n)) = L -> (L < n)%nat -> (r < n)%nat ->
  f r <= f L /\ ((r < L)%nat -> f r < f L).
Proof.
  intros f n L r H HL Hr.
  assert (Hlen : length (map f (seq 0 n)) = n) by (rewrite map_length, seq_length; reflexivity).
  assert (Hne : map f (seq 0 n) <> []) by (intro E; rewrite E in Hlen; simpl in Hlen; lia).
  destruct (argmax_spec _ Hne) as [_ [Hm Hs]]. rewrite H in *.
  assert (Hn : forall j, (j < n)%nat -> nth j (map f (seq 0 n)) 0 = f j).
  { intros j Hj. rewrite nth_indep with (d' := f O) by lia. rewrite map_nth, seq_nth by lia. reflexivity. }
  rewrite <- (Hn r), <- (Hn L) by lia. rewrite Hlen in Hm. auto.
Qed.

(* ------------------------------------------------------------------------------------------------- leads *)
(* The sizes of two classes, and the lead where rounded sums differ by no more than t the other way. *)
Definition size_of (base : list Z) (leaves : list (list Z)) (L r : nat) : Z :=
  Z.abs (value L base) + Z.abs (value r base) + sizes leaves L + sizes leaves r.
Lemma sums_lead : forall p leaves base L r t, 1 <= p -> Z.of_nat (length leaves) < 2 ^ p ->
  sum p (value r base) leaves r - sum p (value L base) leaves L <= t ->
  - (Z.of_nat (length leaves) * size_of base leaves L r)
    <= (2 ^ p - Z.of_nat (length leaves)) * (value L base - value r base + (exact leaves L - exact leaves r) + t).
Proof.
  intros p leaves base L r t Hp Hl Ht. unfold size_of.
  pose proof (sum_error p L leaves (value L base) Hp ltac:(lia)) as HL.
  pose proof (sum_error p r leaves (value r base) Hp ltac:(lia)) as Hr.
  generalize dependent (2 ^ p). intros P Hl HL Hr.
  set (n := Z.of_nat (length leaves)) in *. set (bL := value L base) in *. set (br := value r base) in *.
  set (sL := sum p bL leaves L) in *. set (sr := sum p br leaves r) in *.
  set (eL := exact leaves L) in *. set (er := exact leaves r) in *.
  set (zL := sizes leaves L) in *. set (zr := sizes leaves r) in *. clearbody sL sr eL er zL zr n bL br.
  assert (H1 : (P - n) * (sL - (bL + eL)) <= n * (Z.abs bL + zL)).
  { apply Z.le_trans with ((P - n) * Z.abs (sL - (bL + eL))); [apply Z.mul_le_mono_nonneg_l; lia | exact HL]. }
  assert (H2 : (P - n) * ((br + er) - sr) <= n * (Z.abs br + zr)).
  { apply Z.le_trans with ((P - n) * Z.abs (sr - (br + er))); [apply Z.mul_le_mono_nonneg_l; lia | exact Hr]. }
  assert (H3 : (P - n) * (sr - sL) <= (P - n) * t) by (apply Z.mul_le_mono_nonneg_l; lia).
  replace ((P - n) * (bL - br + (eL - er) + t)) with
    (- ((P - n) * (sL - (bL + eL))) - (P - n) * ((br + er) - sr) - (P - n) * (sr - sL) + (P - n) * t) by ring.
  lia.
Qed.
(* A sum is at most twice what is added, of fewer than 2^p/2 trees. *)
Lemma sum_size : forall p c leaves b, 1 <= p -> 2 * Z.of_nat (length leaves) < 2 ^ p ->
  Z.abs (sum p b leaves c) <= 2 * (Z.abs b + sizes leaves c).
Proof.
  intros p c leaves b Hp Hl. pose proof (sum_error p c leaves b Hp ltac:(lia)) as H.
  assert (He : Z.abs (exact leaves c) <= sizes leaves c).
  { clear. unfold exact, sizes. induction leaves as [|v leaves IH]; simpl; lia. }
  generalize dependent (2 ^ p). intros P Hl H. set (n := Z.of_nat (length leaves)) in *.
  assert (Hn : 0 <= n) by (unfold n; lia). clearbody n.
  set (z := sizes leaves c) in *. set (s := sum p b leaves c) in *. set (x := exact leaves c) in *. clearbody z s x.
  assert (Z.abs (s - (b + x)) <= Z.abs b + z) by nia. lia.
Qed.

Definition hit (c : nat) (leaf : list Z) : Z := if Nat.eqb (argmax leaf) c then 1 else 0.
Definition gain (v : vote) (L r : nat) (leaf : list Z) : Z :=
  match v with Hard => hit L leaf - hit r leaf | _ => value L leaf - value r leaf end.
Definition base_lead (v : vote) (base : list Z) (L r : nat) : Z :=
  match v with Hard => 0 | _ => value L base - value r base end.
Definition lead (v : vote) (base : list Z) (L r : nat) (leaves : list (list Z)) : Z :=
  base_lead v base L r + sum_of (gain v L r) leaves.

(* How much less than its rival's the rounded sum of a label may be that the model gives, of sums of this size. *)
Definition behind (v : vote) (p k size : Z) : Z :=
  match v with
  | Soft d => (2 ^ 1022 * size + d * 2 ^ k) / 2 ^ 1074
  | Logistic | Softmax => 2 ^ k / 2 ^ (p - 3)
  | _ => 0
  end.
(* The least lead with which the model may give the label, of n trees. *)
Definition first_open (v : vote) (p k n size : Z) (L r : nat) : option Z :=
  match v with
  | Hard => Some (if Nat.ltb r L then 1 else 0)
  | _ => if 2 * n <? 2 ^ p then Some (- (n * size / (2 ^ p - n) + behind v p k size)) else None
  end.

Definition proper (v : vote) (p k : Z) (classes : nat) : bool :=
  (4 <=? p) && (0 <=? k) && Nat.ltb 0 classes &&
  match v with Soft d => 0 <? d | Logistic => Nat.eqb classes 2 | _ => true end.

Lemma sum_of_sub : forall (A : Type) (g h : A -> Z) l, sum_of (fun a => g a - h a) l = sum_of g l - sum_of h l.
Proof. induction l as [|a l IH]; simpl; lia. Qed.
Lemma hits_sum : forall leaves c, hits leaves c = sum_of (hit c) leaves.
Proof. intros. induction leaves as [|v leaves IH]; [reflexivity|]. simpl. rewrite <- IH. reflexivity. Qed.

Lemma logistic_behind : forall x q k, 0 < q -> 0 < k ->
  ((3 * k <? 16 * q * round 53 x) = true -> q * - x <= k) /\ ((3 * k <? 16 * q * round 53 x) = false -> q * x <= k).
Proof.
  intros x q k Hq Hk. pose proof (round_error 53 x ltac:(lia)) as Hx. change (2 ^ 53) with 9007199254740992 in Hx.
  set (y := round 53 x) in *. clearbody y. split; intro E; [apply Z.ltb_lt in E | apply Z.ltb_ge in E].
  - assert (0 < y) by nia. assert (0 <= x) by lia. nia.
  - destruct (Z.le_gt_cases x 0) as [N | N]; [nia|].
    assert (Hy : q * (9007199254740991 * x) <= q * (9007199254740992 * y)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(* Rounded sums of a label that the model may give. *)
Lemma may_give_behind : forall v p k classes base leaves L r, proper v p k classes = true ->
  may_give v p k classes base leaves L = true -> (L < classes)%nat -> (r < classes)%nat -> L <> r -> v <> Hard ->
  2 * Z.of_nat (length leaves) < 2 ^ p ->
  sum p (value r base) leaves r - sum p (value L base) leaves L <= behind v p k (size_of base leaves L r).
Proof.
  intros v p k classes base leaves L r Hv H HL Hr HLr Hard Hn. unfold proper in Hv.
  apply andb_true_iff in Hv. destruct Hv as [Hv Hd]. apply andb_true_iff in Hv. destruct Hv as [Hv _].
  apply andb_true_iff in Hv. destruct Hv as [Hp Hk]. apply Z.leb_le in Hp, Hk.
  assert (Hk2 : 0 < 2 ^ k) by (apply Z.pow_pos_nonneg; lia).
  assert (Hp3 : 0 < 2 ^ (p - 3)) by (apply Z.pow_pos_nonneg; lia).
  unfold may_give in H. set (s := fun c => sum p (value c base) leaves c) in *.
  change (s r - s L <= behind v p k (size_of base leaves L r)).
  destruct v as [|d| | |]; cbn [behind]; [contradiction | | | |].
  - apply Z.ltb_lt in Hd. apply Nat.eqb_eq in H. destruct (argmax_map _ _ L r H HL Hr) as [Hq _].
    change (quotient k (s r) d <= quotient k (s L) d) in Hq.
    pose proof (quotient_error k (s r) d Hk Hd) as Er. pose proof (quotient_error k (s L) d Hk Hd) as EL.
    assert (Hs : Z.abs (s L) + Z.abs (s r) <= 2 * size_of base leaves L r).
    { pose proof (sum_size p L leaves (value L base) ltac:(lia) Hn). pose proof (sum_size p r leaves (value r base) ltac:(lia) Hn).
      unfold s, size_of. lia. }
    assert (Hj : 0 < 2 ^ (54 + Z.log2 d)) by (apply Z.pow_pos_nonneg; pose proof (Z.log2_nonneg d); lia).
    apply Z.div_le_lower_bound; [apply Z.pow_pos_nonneg; lia|].
    change (2 ^ 1075) with (2 ^ (1 + 1074)) in *. rewrite Z.pow_add_r in Er, EL by lia. change (2 ^ 1) with 2 in *.
    assert (P : 0 <= 2 ^ 1074) by (apply Z.pow_nonneg; lia). assert (B : 0 <= 2 ^ 1022) by (apply Z.pow_nonneg; lia).
    generalize dependent (2 ^ 1074). generalize dependent (2 ^ 1022). intros B HB T Er EL HT.
    generalize dependent (2 ^ (54 + Z.log2 d)). intros J HJ Er EL.
    assert (Hqd : quotient k (s r) d * d <= quotient k (s L) d * d) by (apply Z.mul_le_mono_nonneg_r; lia).
    generalize dependent (quotient k (s r) d * d). generalize dependent (quotient k (s L) d * d). intros x EL y Er Hxy.
    generalize dependent (size_of base leaves L r). intros z Hz. clearbody s.
    assert (D : (s r - s L) * J <= Z.abs (y - s r * J) + Z.abs (x - s L * J)) by lia.
    assert (E : 2 * T * ((s r - s L) * J) <= 2 * T * (Z.abs (y - s r * J) + Z.abs (x - s L * J)))
      by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (F : 2 * T * ((s r - s L) * J) <= (B * (2 * z) + 2 * (d * 2 ^ k)) * J).
    { assert (G : B * (Z.abs (s L) + Z.abs (s r)) * J <= B * (2 * z) * J)
        by (apply Z.mul_le_mono_nonneg_r; [lia|]; apply Z.mul_le_mono_nonneg_l; lia). lia. }
    apply Z.mul_le_mono_pos_r with J; [exact HJ|]. lia.
  - apply Nat.eqb_eq in H. destruct (argmax_map _ _ L r H HL Hr) as [Hq _].
    change (s r <= s L) in Hq. lia.
  - apply Nat.eqb_eq in Hd. apply Nat.eqb_eq in H. apply Z.div_le_lower_bound; [exact Hp3|].
    replace (2 ^ (p + 1)) with (16 * 2 ^ (p - 3)) in H
      by (change 16 with (2 ^ 4); rewrite <- Z.pow_add_r by lia; f_equal; lia).
    change (sum p (value 1 base) leaves 1) with (s 1%nat) in H. change (sum p (value 0 base) leaves 0) with (s 0%nat) in H.
    clearbody s. destruct (logistic_behind (s 1%nat - s 0%nat) (2 ^ (p - 3)) (2 ^ k) Hp3 Hk2) as [H1 H0].
    destruct (3 * 2 ^ k <? 16 * 2 ^ (p - 3) * round 53 (s 1%nat - s 0%nat)); subst L.
    + replace r with 0%nat by lia. specialize (H1 eq_refl). lia.
    + replace r with 1%nat by lia. exact (H0 eq_refl).
  - apply Z.div_le_lower_bound; [exact Hp3|]. rewrite forallb_forall in H.
    specialize (H r (proj2 (in_seq classes 0 r) (conj (Nat.le_0_l r) Hr))). apply negb_true_iff, orb_false_iff in H.
    destruct H as [H _]. apply Z.ltb_ge in H. exact H.
Qed.

Theorem lead_open : forall v p k classes base leaves L r size g, proper v p k classes = true ->
  may_give v p k classes base leaves L = true -> (L < classes)%nat -> (r < classes)%nat -> L <> r ->
  size_of base leaves L r <= size -> first_open v p k (Z.of_nat (length leaves)) size L r = Some g ->
  g <= lead v base L r leaves.
Proof.
  intros v p k classes base leaves L r size g Hv H HL Hr HLr Hsize Hg.
  assert (Hard : v = Hard \/ v <> Hard) by (destruct v; auto; right; discriminate).
  destruct Hard as [Hard | Hard].
  - subst v. simpl in Hg, H. apply Nat.eqb_eq in H. destruct (argmax_map _ _ L r H HL Hr) as [Hge Hgt].
    rewrite !hits_sum in *. unfold lead, base_lead.
    change (gain Spec.Hard L r) with (fun leaf => hit L leaf - hit r leaf). rewrite sum_of_sub.
    destruct (Nat.ltb_spec r L) as [Hlt | Hlt]; inversion Hg; [specialize (Hgt Hlt)|]; lia.
  - set (n := Z.of_nat (length leaves)) in *.
    assert (Hg' : 2 * n < 2 ^ p /\ g = - (n * size / (2 ^ p - n) + behind v p k size)).
    { destruct v; [contradiction | | | |]; cbn [first_open] in Hg; destruct (2 * n <? 2 ^ p) eqn:E; try discriminate;
        apply Z.ltb_lt in E; inversion Hg; auto. }
    destruct Hg' as [Hn Eg]. clear Hg.
    pose proof (may_give_behind v p k classes base leaves L r Hv H HL Hr HLr Hard Hn) as Hb.
    assert (Hp : 4 <= p /\ 0 <= k) by (unfold proper in Hv; rewrite !andb_true_iff, !Z.leb_le in Hv; tauto).
    assert (Hmono : behind v p k (size_of base leaves L r) <= behind v p k size).
    { destruct v; cbn [behind]; try lia. apply Z.div_le_mono; [apply Z.pow_pos_nonneg; lia|].
      assert (0 <= 2 ^ 1022) by (apply Z.pow_nonneg; lia). nia. }
    pose proof (sums_lead p leaves base L r (behind v p k size) ltac:(lia) ltac:(fold n; lia) ltac:(lia)) as Hlead.
    fold n in Hlead.
    assert (El : lead v base L r leaves = value L base - value r base + (exact leaves L - exact leaves r)).
    { unfold lead, base_lead, exact. rewrite <- sum_of_sub. destruct v; [contradiction | | | |]; reflexivity. }
    rewrite El. set (D := value L base - value r base + (exact leaves L - exact leaves r)) in *. clearbody D.
    assert (Hn0 : 0 <= n) by (unfold n; lia). clearbody n. subst g. generalize dependent (behind v p k size). intros t _ Hlead.
    set (P := 2 ^ p) in *. clearbody P.
    assert (X : - (D + t) <= n * size / (P - n)) by (apply Z.div_le_lower_bound; nia). lia.
Qed.
