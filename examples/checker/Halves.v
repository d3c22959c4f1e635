(* Half-spaces of displacements, and sums of them that leave nothing near. Displacements w of x are integers: D times so many
   units, D > 0; a half-space (a, b, open) holds those of a.w <= b D, and those of a.w < b D if it is open. *)
From Coq Require Import ZArith QArith Qpower Qabs List Bool Lia PArith.
Require Import Spec SpecNeighbors Kernel Claims.
Import ListNotations.
Open Scope Z_scope.

Fixpoint plus (a b : list Z) : list Z :=
  match a, b with [], _ => b | _, [] => a | v :: a, w :: b => (v + w) :: plus a b end.
Fixpoint dot (a w : list Z) : Z := match a, w with v :: a, u :: w => v * u + dot a w | _, _ => 0 end.
Definition times (n : Z) (a : list Z) : list Z := if n =? 1 then a else map (Z.mul n) a.
Definition longest (w : list Z) : Z := fold_right (fun v n => Z.max (Z.abs v) n) 0 w.
Definition summed (w : list Z) : Z := sum_of Z.abs w.
Definition squares (w : list Z) : Z := sum_of (fun v => v * v) w.
Definition zero (a : list Z) : bool := forallb (fun v => v =? 0) a.

Lemma dot_plus : forall a b w, dot (plus a b) w = dot a w + dot b w.
Proof.
  induction a as [|v a IH]; intros b w; simpl; [reflexivity|].
  destruct b as [|u b], w as [|t w]; simpl; try lia. rewrite IH. ring.
Qed.
Lemma dot_times : forall n a w, dot (times n a) w = n * dot a w.
Proof.
  intros n a w. unfold times. destruct (Z.eqb_spec n 1) as [E | E]; [subst; ring|]. clear E. revert w.
  induction a as [|v a IH]; intros [|t w]; simpl; try ring. rewrite IH. ring.
Qed.
Lemma dot_comm : forall a w, dot a w = dot w a.
Proof. induction a as [|v a IH]; intros [|t w]; simpl; try reflexivity. rewrite IH. ring. Qed.
Lemma dot_zero : forall a w, zero a = true -> dot a w = 0.
Proof.
  unfold zero. induction a as [|v a IH]; intros [|t w] H; cbn [dot forallb] in *; try reflexivity.
  apply andb_true_iff in H. destruct H as [H1 H2]. apply Z.eqb_eq in H1. subst v. rewrite IH by exact H2. ring.
Qed.
Lemma summed_nonneg : forall w, 0 <= summed w.
Proof. unfold summed. induction w; simpl; lia. Qed.
Lemma longest_nonneg : forall w, 0 <= longest w.
Proof. unfold longest. induction w; simpl; lia. Qed.
Lemma squares_nonneg : forall w, 0 <= squares w.
Proof. unfold squares. induction w; simpl; nia. Qed.

(* Hölder's inequalities, and that of Cauchy and Schwarz. *)
Lemma holder : forall a w, Z.abs (dot a w) <= summed a * longest w.
Proof.
  induction a as [|v a IH]; intros w; [simpl; destruct w; simpl; lia|].
  destruct w as [|t w]; [simpl; nia|]. specialize (IH w).
  pose proof (summed_nonneg a). pose proof (longest_nonneg w). unfold summed, longest in *. simpl in *.
  fold (sum_of Z.abs a) in *. set (s := sum_of Z.abs a) in *. set (m := fold_right (fun v n => Z.max (Z.abs v) n) 0 w) in *.
  assert (Z.abs (v * t + dot a w) <= Z.abs v * Z.abs t + Z.abs (dot a w)) by (rewrite <- Z.abs_mul; lia).
  assert (Z.abs v * Z.abs t <= Z.abs v * Z.max (Z.abs t) m) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (s * m <= s * Z.max (Z.abs t) m) by (apply Z.mul_le_mono_nonneg_l; lia).
  rewrite Z.mul_add_distr_r. lia.
Qed.
Lemma cauchy : forall a w, dot a w * dot a w <= squares a * squares w.
Proof.
  induction a as [|v a IH]; intros w; [destruct w; simpl; lia|].
  destruct w as [|t w]; [simpl; lia|]. specialize (IH w). pose proof (squares_nonneg a) as X0. pose proof (squares_nonneg w) as Y0.
  unfold squares in *. simpl. fold (sum_of (fun v => v * v) a). fold (sum_of (fun v => v * v) w).
  set (X := sum_of (fun v => v * v) a) in *. set (Y := sum_of (fun v => v * v) w) in *. set (S := dot a w) in *.
  assert (P : 2 * (v * t * S) <= v * v * Y + t * t * X).
  { apply Z.square_le_simpl_nonneg; [apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; nia|].
    apply Z.le_trans with (4 * (v * v * (t * t)) * (X * Y)).
    - replace (2 * (v * t * S) * (2 * (v * t * S))) with (4 * (v * v * (t * t)) * (S * S)) by ring.
      apply Z.mul_le_mono_nonneg_l; [|exact IH]. pose proof (Z.square_nonneg v). pose proof (Z.square_nonneg t). nia.
    - pose proof (Z.square_nonneg (v * v * Y - t * t * X)). nia. }
  nia.
Qed.

Definition is_closer (n : norm) (w : list Z) (reach : Z) : Prop :=
  0 < reach /\ match n with LInf => longest w < reach | L1 => summed w < reach | L2 => squares w < reach * reach end.
(* Whether the half-space a.w <= b holds nothing nearer than the bound, in units. *)
Definition beyond (n : norm) (reach : Z) (a : list Z) (b : Z) : bool :=
  (b <? 0) &&
  match n with
  | LInf => reach * summed a <=? - b
  | L1 => reach * longest a <=? - b
  | L2 => reach * reach * squares a <=? b * b
  end.
Lemma beyond_sound : forall n reach a b w d, 0 < d -> is_closer n w (d * reach) -> beyond n reach a b = true -> ~ dot a w <= b * d.
Proof.
  intros n reach a b w d Hd [Hr Hw] H Hdot. unfold beyond in H. apply andb_true_iff in H. destruct H as [Hb H].
  apply Z.ltb_lt in Hb. pose proof (summed_nonneg a). pose proof (longest_nonneg a). pose proof (squares_nonneg a) as Sa.
  assert (R : 0 < reach) by nia. assert (B : b * d < 0) by nia. destruct n; apply Z.leb_le in H.
  - pose proof (holder a w) as P. assert (summed a * longest w <= summed a * (d * reach - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (d * (reach * summed a) <= d * - b) by (apply Z.mul_le_mono_nonneg_l; lia). assert (summed a <= 0) by nia.
    assert (summed a = 0) as E by lia. rewrite E in P. lia.
  - pose proof (holder w a) as P. rewrite dot_comm in P. assert (summed w * longest a <= (d * reach - 1) * longest a)
      by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (d * (reach * longest a) <= d * - b) by (apply Z.mul_le_mono_nonneg_l; lia). assert (longest a <= 0) by nia.
    assert (longest a = 0) as E by lia. rewrite E in P. lia.
  - pose proof (cauchy a w) as P. assert (Q : squares a * squares w <= squares a * (d * reach * (d * reach) - 1))
      by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (T : b * d * (b * d) <= dot a w * dot a w) by nia.
    assert (U : d * d * (reach * reach * squares a) <= d * d * (b * b)) by (apply Z.mul_le_mono_nonneg_l; nia).
    assert (squares a <= 0) by nia. assert (E : squares a = 0) by lia. rewrite E in P. nia.
Qed.

(* ------------------------------------------------------------------------------------------------- rows *)
(* Where row p comes before row q. *)
Fixpoint slope (p q : list Z) : list Z := match p, q with a :: p, b :: q => 2 * (b - a) :: slope p q | _, _ => [] end.
Fixpoint offset (p q x : list Z) : Z :=
  match p, q, x with a :: p, b :: q, v :: x => (b - a) * (b + a - 2 * v) + offset p q x | _, _, _ => 0 end.
Fixpoint away (d : Z) (n p : list Z) : Z :=
  match n, p with v :: n, a :: p => (v - d * a) * (v - d * a) + away d n p | _, _ => 0 end.
Fixpoint moves (d : Z) (n x : list Z) : list Z := match n, x with v :: n, a :: x => (v - d * a) :: moves d n x | _, _ => [] end.
Lemma halves : forall d n p q x, length p = length n -> length q = length n -> length x = length n ->
  away d n q - away d n p = d * (offset p q x * d - dot (slope p q) (moves d n x)).
Proof.
  induction n as [|v n IH]; intros [|a p] [|b q] [|u x] Hp Hq Hx; try discriminate; [simpl; ring|].
  injection Hp as Hp. injection Hq as Hq. injection Hx as Hx. specialize (IH p q x Hp Hq Hx).
  cbn [away slope offset moves dot]. replace (away d n q) with (away d n p + d * (offset p q x * d - dot (slope p q) (moves d n x))) by lia. ring.
Qed.

(* ------------------------------------------------------------------------------------------------- combinations *)
Definition half := (list Z * Z * bool)%type.
Definition lies (w : list Z) (d : Z) (h : half) : Prop :=
  let '(a, b, open) := h in dot a w <= b * d /\ (open = true -> dot a w < b * d).
Fixpoint added (l : list (Z * half)) : half :=
  match l with
  | [] => ([], 0, false)
  | (n, (a, b, open)) :: l => let '(a', b', open') := added l in (plus (times n a) a', n * b + b', open || open')
  end.
Lemma added_lies : forall w d l, Forall (fun t => 0 < fst t /\ lies w d (snd t)) l -> lies w d (added l).
Proof.
  intros w d l H. induction H as [|[n [[a b] open]] l [Hn [H1 H2]] _ IH]; [simpl; split; [lia | discriminate]|].
  cbn [fst snd] in *. cbn [added]. destruct (added l) as [[a' b'] open']. destruct IH as [I1 I2].
  unfold lies. rewrite dot_plus, dot_times. split; [nia|]. intro O. apply orb_true_iff in O. destruct O as [O | O].
  - specialize (H2 O). nia.
  - specialize (I2 O). nia.
Qed.
Definition empty (n : norm) (reach : option Z) (h : half) : bool :=
  let '(a, b, open) := h in
  match reach with Some r => beyond n r a b | None => (b <? 0) && zero a end || ((b =? 0) && open && zero a).
Lemma empty_sound : forall n reach h w d, 0 < d -> match reach with Some r => is_closer n w (d * r) | None => True end ->
  empty n reach h = true -> ~ lies w d h.
Proof.
  intros n reach [[a b] open] w d Hd Hw H [L1 L2]. unfold empty in H. apply orb_true_iff in H. destruct H as [H | H].
  - destruct reach as [r|]; [exact (beyond_sound n r a b w d Hd Hw H L1)|].
    apply andb_true_iff in H. destruct H as [Hb Hz]. apply Z.ltb_lt in Hb. rewrite (dot_zero a w Hz) in L1. nia.
  - rewrite !andb_true_iff in H. destruct H as [[Hb Ho] Hz]. apply Z.eqb_eq in Hb. specialize (L2 Ho).
    rewrite (dot_zero a w Hz) in L2. nia.
Qed.

(* ------------------------------------------------------------------------------------------------- inputs in units *)
Lemma common : forall (v : feature -> Q) l, exists d n, 0 < d /\ forall f, In f l -> (v f * inject_Z d == inject_Z (n f))%Q.
Proof.
  intros v l. induction l as [|g l [d [n [Hd H]]]]; [exists 1, (fun _ => 0); split; [lia | contradiction]|].
  exists (d * Zpos (Qden (v g))), (fun f => if Pos.eqb f g then Qnum (v g) * d else n f * Zpos (Qden (v g))).
  split; [lia|]. intros f Hf. destruct (Pos.eqb_spec f g) as [E | E].
  - subst g. rewrite !inject_Z_mult. destruct (v f) as [a b]. unfold Qeq. simpl. lia.
  - destruct Hf as [Hf | Hf]; [congruence|]. rewrite !inject_Z_mult, Qmult_assoc, (H f Hf). reflexivity.
Qed.
Lemma in_units : forall k n, whole k n = true -> (real n * Qpower 2 k == inject_Z (units k n))%Q.
Proof.
  intros k n H. rewrite (real_units k n H). unfold real. simpl.
  rewrite <- Qmult_assoc, <- Qpower_plus by discriminate. replace (- k + k) with 0 by lia. simpl. ring.
Qed.
