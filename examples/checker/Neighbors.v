(* The checker of claims about nearest neighbours, and why what it accepts holds. At an input that answers a number of rows,
   the seats, support that among those that vote. The last of so many supporting rows is the pivot: each row is shown to be
   none, by asking which rows come before it and which ones vote, until sums of half-spaces or counts leave nothing. *)
From Coq Require Import ZArith QArith Qpower Qabs List Bool Lia PArith.
Require Import Spec SpecNeighbors Kernel Votes Claims Examples Ranks Halves.
Import ListNotations.
Open Scope Z_scope.

(* Half-spaces: row p comes before row q; a side of the domain. *)
Inductive term := First (p q : nat) | Side (is_upper : bool) (f : feature).
Definition combination := list (Z * term).

(* Does a row come before the pivot? Does it vote? *)
Inductive question := Before (r : nat) | Near (r : nat).
Inductive asked := Ask (q : question) (yes no : asked) | Counted | Few | Outnumbered (r : nat) (nearby : list nat)
                 | Refuted (sum : combination).
(* Why a row is not the pivot: it does not support; too many rivals always come before it; it is asked. Candidates are rows
   that may come before it. *)
Inductive reason := Rival | Crowded (rivals : list nat) | Pivot (candidates : list nat) (a : asked).

Definition mem (r : nat) (l : list nat) : bool := existsb (Nat.eqb r) l.
Definition insert (r : nat) (l : list nat) : list nat := if mem r l then l else r :: l.
Fixpoint distinct (l : list nat) : bool := match l with [] => true | r :: l => negb (mem r l) && distinct l end.
Fixpoint same_units (a b : list Z) : bool :=
  match a, b with [], [] => true | v :: a, w :: b => (v =? w) && same_units a b | _, _ => false end.

(* What the checker of claims about trees knows of features serves here, too. *)
Definition as_model (m : neighbours) : model :=
  {| dim := width m; classes := labels m; trees := []; base := []; votes := Hard; single := false; places := 0 |}.
Definition frame (k : Z) : ready := {| unit := k; r_trees := []; r_base := []; r_sizes := [] |}.

Section Check.
  Variable m : neighbours.
  Variable k : Z.                                               (* numbers are whole in units of 2^-k *)
  Variable in_units : nat -> list Z.                            (* the rows, in units *)
  Notation fs := (features (width m)).
  Definition is_ready : bool :=
    Nat.ltb 0 (voters m) && Nat.leb (voters m) (rows m) &&
    forallb (fun p => Nat.eqb (length (row m p)) (width m) && forallb (whole k) (row m p) &&
                      same_units (in_units p) (map (units k) (row m p)) && Nat.ltb (label_of m p) (labels m)) (all_rows m).

  Variable c : claim.
  Variable at_x : list Z.                                       (* x, in units *)
  Definition is_one (n : number) : bool := (mant n =? 1) && (expo n =? 0).
  Definition plain : bool := forallb (fun f => (codes c f <=? 0) && is_one (price_up c f) && is_one (price_down c f)) fs.
  Definition reach : option Z := option_map (units k) (bound c).

  Definition side (f : feature) (sign limit : Z) : half :=
    (map (fun g => if Pos.eqb g f then sign else 0) fs, sign * (limit - units k (x c f)), false).
  Definition half_of (t : term) : option half :=
    match t with
    | First p q => Some (slope (in_units p) (in_units q), offset (in_units p) (in_units q) at_x, Nat.ltb q p)
    | Side is_upper f =>
        if existsb (Pos.eqb f) fs then option_map (fun n => side f (if is_upper then 1 else -1) (units k n))
          (if is_upper then upper c f else lower c f)
        else None
    end.
  Definition distant (p q : nat) : bool :=
    match half_of (First p q) with Some h => empty (the_norm c) reach h | None => false end.

  Variable seats : nat.
  Definition supports (r : nat) : bool := answers c (label_of m r).
  Definition allowed : nat := voters m - seats.

  (* No answer has fewer seats. Sizes are of labels, and how many rows have them. *)
  Definition sizes : list (nat * nat) := map (fun l => (l, count (fun p => Nat.eqb (label_of m p) l) (all_rows m))) (seq 0 (labels m)).
  Definition others (sizes : list (nat * nat)) (t v : nat) : nat :=
    list_sum (map (fun s => if Nat.eqb (fst s) t then 0 else Nat.min (snd s) (if Nat.ltb t (fst s) then v else v - 1))%nat sizes).
  Definition needs_seats : bool :=
    let sizes := sizes in
    Nat.ltb 0 seats &&
    match target c with
    | Some t => Nat.ltb t (labels m) && forallb (fun v => Nat.ltb (others sizes t v + v) (voters m)) (seq 0 seats)
    | None => Nat.ltb (from c) (labels m) && forallb (fun s : nat * nat =>
        let tie := if Nat.ltb (from c) (fst s) then 1%nat else 0%nat in
        Nat.eqb (fst s) (from c) || Nat.eqb (snd s) 0 ||
        Nat.leb (Nat.min (Nat.div (voters m - tie) 2) (snd s - tie) + seats) (voters m)) sizes
    end.

  Record decided := { before : list nat; after : list nat; ins : list nat; outs : list nat }.
  Section Pivot.
    Variable p : nat.
    Variable candidates : list nat.
    Definition known (s : decided) (a b : nat) : bool :=
      (mem a (before s) && Nat.eqb b p) || (Nat.eqb a p && mem b (after s)) || (mem a (ins s) && mem b (outs s)).
    Fixpoint halves_of (s : decided) (l : combination) : option (list (Z * half)) :=
      match l with
      | [] => Some []
      | (n, t) :: l =>
          if (0 <? n) && match t with First a b => known s a b | Side _ _ => true end then
            match half_of t, halves_of s l with Some h, Some l => Some ((n, h) :: l) | _, _ => None end
          else None
      end.
    Definition winner (l : list nat) : nat :=
      argmax (map (fun c => Z.of_nat (count (fun r => Nat.eqb (label_of m r) c) l)) (seq 0 (labels m))).
    Definition counted (s : decided) : bool :=
      Nat.ltb (seats - 1) (count supports (before s)) || Nat.ltb allowed (count (fun r => negb (supports r)) (before s)) ||
      Nat.ltb (voters m) (length (ins s)) ||
      (Nat.eqb (length (ins s)) (voters m) && negb (answers c (winner (ins s)))).
    Fixpoint check_asked (s : decided) (a : asked) : bool :=
      match a with
      | Ask (Before r) yes no =>
          Nat.ltb r (rows m) && negb (Nat.eqb r p) &&
          check_asked {| before := insert r (before s); after := after s; ins := insert r (ins s); outs := outs s |} yes &&
          check_asked {| before := before s; after := insert r (after s); ins := ins s; outs := outs s |} no
      | Ask (Near r) yes no =>
          Nat.ltb r (rows m) &&
          check_asked {| before := before s; after := after s; ins := insert r (ins s); outs := outs s |} yes &&
          check_asked {| before := before s; after := after s; ins := ins s; outs := insert r (outs s) |} no
      | Counted => counted s
      | Few => Nat.ltb (count (fun r => negb (mem r (after s))) candidates) (seats - 1)
      | Outnumbered r nearby =>
          mem r (outs s) && Nat.ltb (length nearby) (voters m) &&
          forallb (fun q => mem q nearby || mem q (outs s) || distant q r) (all_rows m)
      | Refuted l => match halves_of s l with Some l => empty (the_norm c) reach (added l) | None => false end
      end.
  End Pivot.

  Definition check_crowded (w : nat * reason) : bool :=
    match snd w with
    | Crowded l => distinct l && Nat.ltb allowed (length l) &&
        forallb (fun r => Nat.ltb r (rows m) && negb (supports r) && negb (Nat.eqb r (fst w)) && distant (fst w) r) l
    | _ => true
    end.
  Definition is_candidate (p : nat) (candidates : list nat) (w : nat * reason) : bool :=
    negb (supports (fst w)) || Nat.eqb (fst w) p || match snd w with Crowded _ => true | _ => false end ||
    mem (fst w) candidates || distant (fst w) p.
  Definition check_pivot (reasons : list (nat * reason)) (w : nat * reason) : bool :=
    match snd w with
    | Rival => negb (supports (fst w))
    | Crowded _ => true
    | Pivot candidates a =>
        (Nat.eqb seats 1 || forallb (is_candidate (fst w) candidates) reasons) &&
        check_asked (fst w) candidates {| before := []; after := []; ins := [fst w]; outs := [] |} a
    end.
  Definition check_near (reasons : list reason) : bool :=
    usable (as_model m) (frame k) c 0 && plain && needs_seats && Nat.eqb (length reasons) (rows m) &&
    let reasons := combine (all_rows m) reasons in
    forallb check_crowded reasons && forallb (check_pivot reasons) reasons.
End Check.
(* An example, and rows that are said to vote for its label. *)
Definition stands_near (m : neighbours) (k : Z) (in_units : nat -> list Z) (c : claim) (z : feature -> number) (nearest : list nat) : bool :=
  let at_z := map (fun f => units k (z f)) (features (width m)) in
  let voting := map (fun p => (p, away 1 at_z (in_units p))) nearest in
  inside (as_model m) (frame k) c z && answers c (winner m nearest) && distinct nearest && Nat.eqb (length nearest) (voters m) &&
  forallb (fun p => Nat.ltb p (rows m)) nearest &&
  forallb (fun q => mem q nearest || let u := away 1 at_z (in_units q) in
    forallb (fun p : nat * Z => (snd p <? u) || ((snd p =? u) && Nat.ltb (fst p) q)) voting) (all_rows m).
Definition accepts_near (m : neighbours) (k : Z) (in_units : nat -> list Z) (c : claim) (seats : nat) (reasons : list reason) : bool :=
  check_near m k in_units c (map (fun f => units k (x c f)) (features (width m))) seats reasons.

(* ------------------------------------------------------------------------------------------------- small things *)
Lemma mem_in : forall r l, mem r l = true <-> In r l.
Proof.
  intros r l. unfold mem. rewrite existsb_exists. split.
  - intros [s [H E]]. apply Nat.eqb_eq in E. subst s. exact H.
  - intro H. exists r. split; [exact H | apply Nat.eqb_refl].
Qed.
Lemma in_insert : forall r s l, In s (insert r l) -> s = r \/ In s l.
Proof. intros r s l H. unfold insert in H. destruct (mem r l); [right; exact H|]. destruct H; auto. Qed.
Lemma insert_once : forall r l, NoDup l -> NoDup (insert r l).
Proof.
  intros r l H. unfold insert. destruct (mem r l) eqn:E; [exact H|]. constructor; [|exact H].
  intro I. apply mem_in in I. congruence.
Qed.
Lemma distinct_once : forall l, distinct l = true -> NoDup l.
Proof.
  induction l as [|r l IH]; intro H; [constructor|]. simpl in H. apply andb_true_iff in H. destruct H as [H1 H2].
  constructor; [|exact (IH H2)]. intro I. apply mem_in in I. rewrite I in H1. discriminate.
Qed.
Lemma same_units_eq : forall a b, same_units a b = true -> a = b.
Proof.
  induction a as [|v a IH]; intros [|w b] H; simpl in H; try discriminate; [reflexivity|].
  apply andb_true_iff in H. destruct H as [H1 H2]. apply Z.eqb_eq in H1. f_equal; auto.
Qed.
Lemma in_rows : forall m p, In p (all_rows m) <-> (p < rows m)%nat.
Proof. intros m p. unfold all_rows. rewrite in_seq. lia. Qed.
Lemma rows_once : forall m, NoDup (all_rows m).
Proof. intro m. apply seq_NoDup. Qed.

(* Rows are in an order. *)
Lemma first_irreflexive : forall m z a, comes_first m z a a = false.
Proof.
  intros m z a. unfold comes_first. rewrite Nat.ltb_irrefl, orb_false_r. destruct (Qle_bool _ _); reflexivity.
Qed.
Lemma first_transitive : forall m z a b c, comes_first m z a b = true -> comes_first m z b c = true -> comes_first m z a c = true.
Proof.
  intros m z a b c H G. unfold comes_first in *. apply andb_true_iff in H. apply andb_true_iff in G.
  destruct H as [H1 H2], G as [G1 G2]. rewrite Qle_bool_iff in H1, G1. apply andb_true_iff. rewrite Qle_bool_iff.
  split; [eapply Qle_trans; eassumption|]. apply orb_true_iff.
  destruct (Qle_bool (squared m z c) (squared m z a)) eqn:E; [right | left; reflexivity].
  rewrite Qle_bool_iff in E.
  assert (B : Qle_bool (squared m z b) (squared m z a) = true) by (apply Qle_bool_iff; eapply Qle_trans; eassumption).
  assert (C : Qle_bool (squared m z c) (squared m z b) = true) by (apply Qle_bool_iff; eapply Qle_trans; eassumption).
  rewrite B in H2. rewrite C in G2. simpl in *. apply Nat.ltb_lt in H2, G2. apply Nat.ltb_lt. lia.
Qed.
Lemma first_total : forall m z a b, a <> b -> comes_first m z a b = true \/ comes_first m z b a = true.
Proof.
  intros m z a b N. unfold comes_first.
  destruct (Qle_bool (squared m z a) (squared m z b)) eqn:E, (Qle_bool (squared m z b) (squared m z a)) eqn:F; simpl; auto.
  - destruct (Nat.ltb a b) eqn:L; [left; reflexivity | right]. apply Nat.ltb_ge in L. apply Nat.ltb_lt. lia.
  - exfalso. apply Qle_bool_false in E, F. exact (Qlt_not_le _ _ E (Qlt_le_weak _ _ F)).
Qed.

(* ------------------------------------------------------------------------------------------------- seats *)
Lemma sum_counts : forall (f : nat -> bool) (lab : nat -> nat) l n, (forall a, In a l -> (lab a < n)%nat) ->
  count f l = list_sum (map (fun i => count (fun a => f a && Nat.eqb (lab a) i) l) (seq 0 n)).
Proof.
  intros f lab l n. induction l as [|a l IH]; intro H.
  - unfold count. simpl. clear. induction (seq 0 n) as [|i s IH]; simpl; auto.
  - specialize (IH (fun b Hb => H b (or_intror Hb))). specialize (H a (or_introl eq_refl)).
    assert (E : forall s b, (lab a < b + s)%nat ->
      list_sum (map (fun i => count (fun a => f a && Nat.eqb (lab a) i) (a :: l)) (seq b s)) =
      ((if f a && Nat.leb b (lab a) then 1 else 0) + list_sum (map (fun i => count (fun a => f a && Nat.eqb (lab a) i) l) (seq b s)))%nat).
    { induction s as [|s IHs]; intros b Hb; cbn [seq map list_sum fold_right].
      - replace (Nat.leb b (lab a)) with false by (symmetry; apply Nat.leb_gt; lia). rewrite andb_false_r. reflexivity.
      - unfold list_sum in IHs. rewrite IHs by lia. unfold count at 1. cbn [filter].
        destruct (f a); [|simpl; reflexivity]. cbn [andb].
        destruct (Nat.eqb_spec (lab a) b) as [D | D].
        + replace (Nat.leb b (lab a)) with true by (symmetry; apply Nat.leb_le; lia).
          replace (Nat.leb (S b) (lab a)) with false by (symmetry; apply Nat.leb_gt; lia). cbn [length]. unfold count. lia.
        + destruct (Nat.leb_spec b (lab a)).
          * replace (Nat.leb (S b) (lab a)) with true by (symmetry; apply Nat.leb_le; lia). unfold count. lia.
          * replace (Nat.leb (S b) (lab a)) with false by (symmetry; apply Nat.leb_gt; lia). unfold count. lia. }
    rewrite E by lia. rewrite <- IH. unfold count. cbn [filter]. replace (Nat.leb 0 (lab a)) with true by reflexivity.
    rewrite andb_true_r. destruct (f a); reflexivity.
Qed.
Lemma list_sum_le : forall (f g : nat -> nat) l, (forall a, In a l -> (f a <= g a)%nat) -> (list_sum (map f l) <= list_sum (map g l))%nat.
Proof.
  intros f g l H. induction l as [|a l IH]; simpl; [lia|].
  pose proof (H a (or_introl eq_refl)). specialize (IH (fun b Hb => H b (or_intror Hb))). unfold list_sum in *. lia.
Qed.

Section Seats.
  Variable m : neighbours.
  Variable c : claim.
  Variable seats : nat.
  Variable z : input.
  Hypothesis labelled : forall p, In p (all_rows m) -> (label_of m p < labels m)%nat.
  Hypothesis voting : count (is_near m z) (all_rows m) = voters m.
  Hypothesis some : (0 < voters m)%nat.
  Hypothesis Hseats : needs_seats m c seats = true.
  Hypothesis answer : answers c (predicted m z) = true.
  Notation votes l := (votes_for m z l).
  Notation size l := (count (fun p => Nat.eqb (label_of m p) l) (all_rows m)).
  Notation L := (predicted m z).

  Lemma votes_sum : voters m = list_sum (map (fun l => votes l) (seq 0 (labels m))).
  Proof. rewrite <- voting. apply sum_counts. exact labelled. Qed.
  Lemma label_bound : (L < labels m)%nat.
  Proof.
    pose proof votes_sum as V. clear labelled Hseats. unfold predicted in *. destruct (labels m) as [|n] eqn:E.
    - simpl in V. lia.
    - destruct (argmax_spec (map (fun l => Z.of_nat (votes l)) (seq 0 (S n)))) as [H _]; [discriminate|].
      rewrite map_length, seq_length in H. exact H.
  Qed.
  Lemma most : forall l, (l < labels m)%nat -> (votes l <= votes L)%nat /\ ((l < L)%nat -> (votes l < votes L)%nat).
  Proof.
    intros l Hl. destruct (argmax_map (fun l => Z.of_nat (votes l)) (labels m) L l eq_refl label_bound Hl) as [H1 H2].
    split; [lia|]. intro H. specialize (H2 H). lia.
  Qed.
  Lemma votes_size : forall l, (votes l <= size l)%nat.
  Proof. intro l. apply (count_le (fun p => is_near m z p && Nat.eqb (label_of m p) l)). intros a _ H. apply andb_true_iff in H. tauto. Qed.

  Theorem seats_taken : (seats <= count (fun p => is_near m z p && supports m c p) (all_rows m))%nat.
  Proof.
    pose proof label_bound as HL. pose proof votes_sum as Hsum. pose proof Hseats as H. unfold needs_seats in H. apply andb_true_iff in H.
    destruct H as [_ H]. pose proof answer as Ha. unfold answers in Ha. destruct (target c) as [t|] eqn:Et.
    - apply Nat.eqb_eq in Ha. subst t. apply andb_true_iff in H. destruct H as [_ H].
      assert (V : count (fun p => is_near m z p && supports m c p) (all_rows m) = votes L).
      { apply count_ext. intros p _. unfold supports, answers. rewrite Et. reflexivity. }
      rewrite V. destruct (Nat.le_gt_cases seats (votes L)) as [C | C]; [exact C | exfalso].
      rewrite forallb_forall in H. specialize (H (votes L) (proj2 (in_seq _ _ _) (conj (Nat.le_0_l _) C))).
      apply Nat.ltb_lt in H. unfold others, sizes in H. rewrite map_map in H. cbn [fst snd] in H.
      assert (G : (list_sum (map (fun l => votes l) (seq 0 (labels m))) <=
        list_sum (map (fun l => if Nat.eqb l L then 0 else Nat.min (size l) (if Nat.ltb L l then votes L else votes L - 1))
          (seq 0 (labels m))) + votes L)%nat).
      { assert (E : forall n b, (list_sum (map (fun l => if Nat.eqb l L then votes L else 0) (seq b n)) <= if Nat.leb b L then votes L else 0)%nat).
        { induction n as [|n IH]; intro b; cbn [seq map list_sum fold_right]; [lia|]. specialize (IH (S b)). unfold list_sum in IH.
          destruct (Nat.eqb_spec b L) as [D | D].
          - replace (Nat.leb (S b) L) with false in IH by (symmetry; apply Nat.leb_gt; lia).
            replace (Nat.leb b L) with true by (symmetry; apply Nat.leb_le; lia). lia.
          - destruct (Nat.leb_spec (S b) L), (Nat.leb_spec b L); lia. }
        specialize (E (labels m) 0%nat). change (Nat.leb 0 L) with true in E. cbn match in E.
        eapply Nat.le_trans; [|apply Nat.add_le_mono_l, E].
        assert (A : forall l, (list_sum (map (fun l => (if Nat.eqb l L then 0 else Nat.min (size l) (if Nat.ltb L l then votes L else votes L - 1)) +
            (if Nat.eqb l L then votes L else 0)) l) = list_sum (map (fun l => if Nat.eqb l L then 0 else
            Nat.min (size l) (if Nat.ltb L l then votes L else votes L - 1)) l) + list_sum (map (fun l => if Nat.eqb l L then votes L else 0) l))%nat).
        { induction l as [|a l IH]; cbn [map list_sum fold_right]; [reflexivity|]. unfold list_sum in IH. rewrite IH. lia. }
        rewrite <- A. apply list_sum_le. intros l Hl. apply in_seq in Hl. destruct (Nat.eqb_spec l L) as [D | D]; [subst; lia|].
        rewrite Nat.add_0_r. destruct (most l ltac:(lia)) as [M1 M2]. apply Nat.min_glb; [apply votes_size|].
        destruct (Nat.ltb_spec L l) as [O | O]; [exact M1 | specialize (M2 ltac:(lia)); lia]. }
      lia.
    - apply negb_true_iff, Nat.eqb_neq in Ha. apply andb_true_iff in H. destruct H as [Hf H]. apply Nat.ltb_lt in Hf.
      rewrite forallb_forall in H. unfold sizes in H.
      specialize (H (L, size L) (in_map (fun l => (l, size l)) _ L (proj2 (in_seq _ 0 L) (conj (Nat.le_0_l L) HL)))). cbn [fst snd] in H.
      destruct (most (from c) Hf) as [M1 M2].
      assert (P : (0 < votes L)%nat).
      { destruct (Nat.eq_0_gt_0_cases (votes L)) as [Z | Z]; [exfalso | exact Z].
        assert (E : (list_sum (map (fun l => votes l) (seq 0 (labels m))) <= list_sum (map (fun _ => 0%nat) (seq 0 (labels m))))%nat).
        { apply list_sum_le. intros l Hl. apply in_seq in Hl. destruct (most l ltac:(lia)). lia. }
        assert (N : forall l : list nat, list_sum (map (fun _ => 0%nat) l) = 0%nat) by (induction l; auto). rewrite N in E. lia. }
      pose proof (votes_size L) as VS. rewrite !orb_true_iff, !Nat.eqb_eq in H. destruct H as [[H | H] | H]; [congruence | lia |].
      apply Nat.leb_le in H. set (tie := if Nat.ltb (from c) L then 1%nat else 0%nat) in *.
      assert (T : (votes (from c) + tie <= votes L)%nat).
      { unfold tie. destruct (Nat.ltb_spec (from c) L) as [O | O]; [specialize (M2 O); lia | lia]. }
      pose proof (count_split (is_near m z) (fun p => Nat.eqb (label_of m p) (from c)) (all_rows m)) as C.
      rewrite voting in C. change (voters m = votes (from c) + count (fun a => is_near m z a && negb (Nat.eqb (label_of m a) (from c))) (all_rows m))%nat in C.
      assert (E : count (fun p => is_near m z p && supports m c p) (all_rows m) =
                  count (fun a => is_near m z a && negb (Nat.eqb (label_of m a) (from c))) (all_rows m)).
      { apply count_ext. intros p _. unfold supports, answers. rewrite Et. reflexivity. }
      rewrite E. assert (D : (votes L <= count (fun a => is_near m z a && negb (Nat.eqb (label_of m a) (from c))) (all_rows m))%nat).
      { apply (count_le (fun p => is_near m z p && Nat.eqb (label_of m p) L)). intros a _ N. apply andb_true_iff in N.
        destruct N as [N Hl]. apply Nat.eqb_eq in Hl. rewrite N, Hl. simpl. apply negb_true_iff, Nat.eqb_neq. exact Ha. }
      assert (F : (votes (from c) <= Nat.div (voters m - tie) 2)%nat) by (apply Nat.div_le_lower_bound; lia).
      assert (G : (votes (from c) <= Nat.min (Nat.div (voters m - tie) 2) (size L - tie))%nat) by (apply Nat.min_glb; lia).
      lia.
  Qed.
End Seats.

(* So many rows that vote, and are different, are those that vote. *)
Lemma winner_predicted : forall m z l, count (is_near m z) (all_rows m) = voters m ->
  NoDup l -> length l = voters m -> (forall r, In r l -> (r < rows m)%nat /\ is_near m z r = true) -> winner m l = predicted m z.
Proof.
  intros m z l Hv Hl El H. assert (G : incl (filter (is_near m z) (all_rows m)) l).
  { apply NoDup_length_incl; [exact Hl | fold (count (is_near m z) (all_rows m)); lia |].
    intros a Ha. destruct (H a Ha). apply filter_In. split; [apply in_rows; assumption | assumption]. }
  unfold winner, predicted. f_equal. apply map_ext. intro label. f_equal. apply Nat.le_antisymm.
  - apply (count_distinct (fun r => is_near m z r && Nat.eqb (label_of m r) label)); [apply NoDup_filter, Hl|].
    intros a Ha. apply filter_In in Ha. destruct Ha as [Ha El']. destruct (H a Ha) as [Hr N].
    rewrite N, El'. split; [apply in_rows, Hr | reflexivity].
  - apply (count_within (fun r => is_near m z r && Nat.eqb (label_of m r) label)); [apply rows_once|].
    intros a Ha F. apply andb_true_iff in F. destruct F as [N El']. apply filter_In. split; [|exact El'].
    apply G, filter_In. auto.
Qed.

(* ------------------------------------------------------------------------------------------------- half-spaces *)
Section Sound.
  Variable m : neighbours.
  Variable k : Z.
  Variable in_units : nat -> list Z.
  Hypothesis Hready : is_ready m k in_units = true.
  Notation fs := (features (width m)).

  Lemma ready_voters : (0 < voters m)%nat /\ (voters m <= rows m)%nat.
  Proof. unfold is_ready in Hready. rewrite !andb_true_iff, Nat.ltb_lt, Nat.leb_le in Hready. tauto. Qed.
  Lemma ready_row : forall p, (p < rows m)%nat -> length (row m p) = width m /\ forallb (whole k) (row m p) = true /\
    in_units p = map (units k) (row m p) /\ (label_of m p < labels m)%nat.
  Proof.
    intros p Hp. unfold is_ready in Hready. rewrite !andb_true_iff, forallb_forall in Hready. destruct Hready as [_ H].
    specialize (H p (proj2 (in_rows m p) Hp)). rewrite !andb_true_iff, Nat.eqb_eq, Nat.ltb_lt in H.
    destruct H as [[[H1 H2] H3] H4]. apply same_units_eq in H3. auto.
  Qed.

  Variable c : claim.
  Hypothesis Husable : usable (as_model m) (frame k) c 0 = true.
  Hypothesis Hplain : plain m c = true.
  Notation at_x := (map (fun f => units k (x c f)) fs).

  Lemma plain_feature : forall f, In f fs -> codes c f <= 0 /\ (real (price_up c f) == 1)%Q /\ (real (price_down c f) == 1)%Q.
  Proof.
    intros f Hf. unfold plain in Hplain. rewrite forallb_forall in Hplain. specialize (Hplain f Hf).
    rewrite !andb_true_iff, Z.leb_le in Hplain. unfold is_one in Hplain. rewrite !andb_true_iff, !Z.eqb_eq in Hplain.
    destruct Hplain as [[H1 [H2 H3]] [H4 H5]]. unfold real. rewrite H2, H3, H4, H5. split; [exact H1 | split; reflexivity].
  Qed.
  Lemma usable_units : forall f, In f fs -> whole k (x c f) = true /\
    (forall l, lower c f = Some l -> whole k l = true) /\ (forall h, upper c f = Some h -> whole k h = true).
  Proof.
    intros f Hf. pose proof (usable_feature (as_model m) (frame k) c 0 Husable f Hf) as [H1 [_ [_ [_ [_ [_ [H2 H3]]]]]]].
    split; [exact H1|]. unfold whole_end in *. cbn [frame unit] in *.
    split; intros n E; [rewrite E in H2 | rewrite E in H3]; assumption.
  Qed.
  Lemma usable_bound : forall b, bound c = Some b -> whole k b = true.
  Proof.
    intros b E. unfold usable in Husable. rewrite E, !andb_true_iff in Husable. destruct Husable as [[_ H] _].
    simpl in H. rewrite Z.add_0_r in H. exact H.
  Qed.

  Section Input.
    Variable z : input.
    Hypothesis Hdomain : in_domain (width m) c z.
    Hypothesis Hnear : nearer (width m) c z.
    (* Coordinates are integers in units of 2^-k / d. *)
    Variable d : Z.
    Variable n : feature -> Z.
    Hypothesis Hd : 0 < d.
    Hypothesis Hn : forall f, In f fs -> (z f * Qpower 2 k * inject_Z d == inject_Z (n f))%Q.
    Definition scale : Q := Qpower 2 k * inject_Z d.
    Notation ns := (map n fs).
    Notation w := (moves d ns at_x).

    Lemma scale_pos : (0 < scale)%Q.
    Proof. unfold scale. apply Qmult_lt_0_compat; [apply two_power | change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact Hd]. Qed.
    Lemma scaled : forall v, whole k v = true -> (real v * scale == inject_Z (d * units k v))%Q.
    Proof. intros v Hv. unfold scale. rewrite Qmult_assoc, Halves.in_units, inject_Z_mult by exact Hv. ring. Qed.
    Lemma z_scaled : forall f, In f fs -> (z f * scale == inject_Z (n f))%Q.
    Proof. intros f Hf. unfold scale. rewrite Qmult_assoc. apply Hn, Hf. Qed.
    Lemma whole_le : forall a b u v, (a * scale == inject_Z u)%Q -> (b * scale == inject_Z v)%Q -> (a <= b)%Q -> u <= v.
    Proof.
      intros a b u v Ha Hb H. rewrite Zle_Qle, <- Ha, <- Hb. apply Qmult_le_compat_r; [exact H | apply Qlt_le_weak, scale_pos].
    Qed.
    Lemma whole_lt : forall a b u v, (a * scale == inject_Z u)%Q -> (b * scale == inject_Z v)%Q -> (a < b)%Q -> u < v.
    Proof. intros a b u v Ha Hb H. rewrite Zlt_Qlt, <- Ha, <- Hb. apply Qmult_lt_compat_r; [apply scale_pos | exact H]. Qed.

    Lemma squared_away : forall p, (p < rows m)%nat -> (squared m z p * (scale * scale) == inject_Z (away d ns (in_units p)))%Q.
    Proof.
      intros p Hp. destruct (ready_row p Hp) as [_ [W [E _]]]. rewrite E. unfold squared.
      assert (G : forall l r, (forall f, In f l -> In f fs) -> forallb (whole k) r = true ->
        (total (fun v : feature * number => (z (fst v) - real (snd v)) * (z (fst v) - real (snd v))) (combine l r) * (scale * scale) ==
         inject_Z (away d (map n l) (map (units k) r)))%Q).
      { induction l as [|f l IH]; intros [|v r] Hl Hw; cbn [combine total fold_right map away]; try ring.
        simpl in Hw. apply andb_true_iff in Hw. destruct Hw as [Hv Hw].
        rewrite inject_Z_plus, <- (IH r (fun g Hg => Hl g (or_intror Hg)) Hw). cbn [fst snd].
        unfold Z.sub. rewrite inject_Z_mult, inject_Z_plus, inject_Z_opp, <- (scaled v Hv), <- (z_scaled f (Hl f (or_introl eq_refl))).
        unfold total. ring. }
      apply G; auto.
    Qed.
    Lemma first_away : forall p q, (p < rows m)%nat -> (q < rows m)%nat -> comes_first m z p q = true ->
      away d ns (in_units p) <= away d ns (in_units q) /\ ((q < p)%nat -> away d ns (in_units p) < away d ns (in_units q)).
    Proof.
      intros p q Hp Hq H. unfold comes_first in H. apply andb_true_iff in H. destruct H as [H1 H2].
      pose proof scale_pos as S. assert (SS : (0 < scale * scale)%Q) by (apply Qmult_lt_0_compat; exact S).
      pose proof (squared_away p Hp) as Ep. pose proof (squared_away q Hq) as Eq. rewrite Qle_bool_iff in H1. split.
      - rewrite Zle_Qle, <- Ep, <- Eq. apply Qmult_le_compat_r; [exact H1 | apply Qlt_le_weak, SS].
      - intro L. replace (Nat.ltb p q) with false in H2 by (symmetry; apply Nat.ltb_ge; lia). rewrite orb_false_r in H2.
        apply negb_true_iff, Qle_bool_false in H2. rewrite Zlt_Qlt, <- Ep, <- Eq. apply Qmult_lt_compat_r; assumption.
    Qed.

    Lemma first_lies : forall p q h, (p < rows m)%nat -> (q < rows m)%nat -> comes_first m z p q = true ->
      half_of m k in_units c at_x (First p q) = Some h -> lies w d h.
    Proof.
      intros p q h Hp Hq H E. inversion E. destruct (first_away p q Hp Hq H) as [A1 A2].
      assert (W : forall r, (r < rows m)%nat -> length (in_units r) = length ns).
      { intros r Hr. destruct (ready_row r Hr) as [L [_ [Er _]]]. rewrite Er, !map_length, L. unfold features.
        clear. generalize 1%positive. induction (width m) as [|i IH]; intro f; simpl; [reflexivity | f_equal; apply IH]. }
      pose proof (halves d ns (in_units p) (in_units q) at_x (W p Hp) (W q Hq) ltac:(rewrite !map_length; reflexivity)) as G.
      unfold lies. split; [nia|]. intro O. apply Nat.ltb_lt in O. specialize (A2 O). nia.
    Qed.
    Lemma side_dot : forall f s, In f fs -> dot (map (fun g => if Pos.eqb g f then s else 0) fs) w = s * (n f - d * units k (x c f)).
    Proof.
      intros f s Hf. generalize (proj1 (features_once (width m) 1%positive)). revert Hf. unfold features. clear.
      generalize (count_from 1%positive (width m)).
      induction l as [|g l IH]; intros Hf O; [contradiction|]. inversion O as [|? ? H1 H2]; subst. cbn [map moves dot].
      destruct (Pos.eqb_spec g f) as [E | E].
      - subst g. assert (Z0 : dot (map (fun g => if Pos.eqb g f then s else 0) l) (moves d (map n l) (map (fun f => units k (x c f)) l)) = 0).
        { clear - H1. induction l as [|g l IH]; [reflexivity|]. cbn [map moves dot]. destruct (Pos.eqb_spec g f) as [E | E].
          - exfalso. apply H1. left. congruence.
          - rewrite IH; [ring|]. intro I. apply H1. right. exact I. }
        rewrite Z0. ring.
      - destruct Hf as [Hf | Hf]; [congruence|]. rewrite (IH Hf H2). ring.
    Qed.
    Lemma side_lies : forall u f h, half_of m k in_units c at_x (Side u f) = Some h -> lies w d h.
    Proof.
      intros u f h E. cbn [half_of] in E. destruct (existsb (Pos.eqb f) fs) eqn:Ef; [|discriminate].
      assert (Hf : In f fs) by (apply existsb_exists in Ef; destruct Ef as [g [Hg Eg]]; apply Pos.eqb_eq in Eg; subst g; exact Hg).
      destruct (usable_units f Hf) as [Wx [Wl Wh]]. destruct (Hdomain f Hf) as [[Dl Dh] _].
      destruct u.
      - destruct (upper c f) as [b|] eqn:Eb; [|discriminate]. inversion E. unfold side, lies. rewrite side_dot by exact Hf.
        split; [|discriminate]. pose proof (whole_le _ _ _ _ (z_scaled f Hf) (scaled b (Wh b eq_refl)) Dh). lia.
      - destruct (lower c f) as [b|] eqn:Eb; [|discriminate]. inversion E. unfold side, lies. rewrite side_dot by exact Hf.
        split; [|discriminate]. pose proof (whole_le _ _ _ _ (scaled b (Wl b eq_refl)) (z_scaled f Hf) Dl). lia.
    Qed.

    (* What is nearer in rational numbers is nearer in units. *)
    Lemma cost_scaled : forall f, In f fs -> (cost c f (z f) * scale == inject_Z (Z.abs (n f - d * units k (x c f))))%Q.
    Proof.
      intros f Hf. destruct (plain_feature f Hf) as [C [U D]]. destruct (usable_units f Hf) as [Wx _].
      pose proof (scaled _ Wx) as X. pose proof (z_scaled f Hf) as N. unfold cost.
      replace (0 <? codes c f) with false by (symmetry; apply Z.ltb_ge; exact C).
      destruct (Qle_bool (real (x c f)) (z f)) eqn:E.
      - rewrite Qle_bool_iff in E. pose proof (whole_le _ _ _ _ X N E). rewrite Z.abs_eq by lia. rewrite U.
        unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp, <- X, <- N. ring.
      - apply Qle_bool_false, Qlt_le_weak in E. pose proof (whole_le _ _ _ _ N X E). rewrite Z.abs_neq by lia. rewrite D.
        unfold Z.sub. rewrite inject_Z_opp, inject_Z_plus, inject_Z_opp, <- X, <- N. ring.
    Qed.
    Lemma is_near_x : match reach k c with Some r => is_closer (the_norm c) w (d * r) | None => True end.
    Proof.
      unfold reach. unfold nearer in Hnear. destruct (bound c) as [b|] eqn:Eb; [|exact I]. cbn [option_map].
      destruct Hnear as [H0 H]. pose proof (scaled b (usable_bound b Eb)) as B.
      assert (P : 0 < d * units k b).
      { apply (whole_lt 0 (real b)); [ring | exact B | exact H0]. }
      split; [exact P|]. pose proof scale_pos as S.
      assert (G : forall l, (forall f, In f l -> In f fs) ->
        (total (fun f => cost c f (z f)) l * scale == inject_Z (summed (moves d (map n l) (map (fun f => units k (x c f)) l))))%Q /\
        (total (fun f => cost c f (z f) * cost c f (z f)) l * (scale * scale) ==
         inject_Z (squares (moves d (map n l) (map (fun f => units k (x c f)) l))))%Q).
      { induction l as [|f l IH]; intro Hl; [split; reflexivity|]. destruct (IH (fun g Hg => Hl g (or_intror Hg))) as [I1 I2].
        pose proof (cost_scaled f (Hl f (or_introl eq_refl))) as C. unfold summed, squares in *. cbn [map moves sum_of fold_right total].
        unfold sum_of in *. rewrite !inject_Z_plus, <- I1, <- I2. split.
        - rewrite <- C. unfold total. ring.
        - replace ((n f - d * units k (x c f)) * (n f - d * units k (x c f)))
            with (Z.abs (n f - d * units k (x c f)) * Z.abs (n f - d * units k (x c f))) by (rewrite <- Z.abs_mul; apply Z.abs_eq, Z.square_nonneg).
          rewrite inject_Z_mult, <- C. unfold total. ring. }
      destruct (G fs (fun f Hf => Hf)) as [G1 G2]. destruct (the_norm c).
      - clear G G1 G2. unfold longest. assert (A : forall f, In f fs -> Z.abs (n f - d * units k (x c f)) < d * units k b).
        { intros f Hf. apply (whole_lt (cost c f (z f)) (real b)); [apply cost_scaled, Hf | exact B | apply H, Hf]. }
        revert A. generalize fs. induction l as [|f l IH]; intro A; cbn [map moves fold_right]; [exact P|].
        specialize (IH (fun g Hg => A g (or_intror Hg))). specialize (A f (or_introl eq_refl)). lia.
      - exact (whole_lt _ _ _ _ G1 B H).
      - rewrite Zlt_Qlt, <- G2, inject_Z_mult, <- B.
        setoid_replace (real b * scale * (real b * scale))%Q with (real b * real b * (scale * scale))%Q by ring.
        apply Qmult_lt_compat_r; [apply Qmult_lt_0_compat; exact S | exact H].
    Qed.

    Lemma distant_sound : forall p q, (p < rows m)%nat -> (q < rows m)%nat -> distant m k in_units c at_x p q = true ->
      comes_first m z p q = false.
    Proof.
      intros p q Hp Hq H. destruct (comes_first m z p q) eqn:E; [exfalso | reflexivity]. unfold distant in H.
      destruct (half_of m k in_units c at_x (First p q)) as [h|] eqn:Eh; [|discriminate].
      exact (empty_sound _ _ h w d Hd is_near_x H (first_lies p q h Hp Hq E Eh)).
    Qed.

    (* ---------------------------------------------------------------------------------------- what is asked *)
    Notation first := (comes_first m z).
    Notation ask := (check_asked m k in_units c at_x).
    Lemma near_before : forall a b, In a (all_rows m) -> In b (all_rows m) -> is_near m z a = true -> is_near m z b = false -> first a b = true.
    Proof.
      intros a b Ha Hb Na Nb.
      exact (near_first (all_rows m) first (first_irreflexive m z) (first_transitive m z) (first_total m z) (voters m) a b Ha Na Hb Nb).
    Qed.

    Section Asked.
      Variable seats p : nat.
      Variable candidates : list nat.
      Hypothesis Hp : (p < rows m)%nat.
      Hypothesis Hnear_p : is_near m z p = true.
      Hypothesis Hsupport : count (fun a => supports m c a && first a p) (all_rows m) = (seats - 1)%nat.
      Hypothesis Hrivals : (count (fun a => negb (supports m c a) && first a p) (all_rows m) <= voters m - seats)%nat.
      Hypothesis Hcandidates : seats = 1%nat \/ forall a, (a < rows m)%nat -> supports m c a = true -> first a p = true -> In a candidates.
      Hypothesis Hvoting : count (is_near m z) (all_rows m) = voters m.
      Hypothesis Hanswer : answers c (predicted m z) = true.

      Definition so (s : decided) : Prop :=
        (NoDup (before s) /\ forall r, In r (before s) -> (r < rows m)%nat /\ first r p = true) /\
        (forall r, In r (after s) -> (r < rows m)%nat /\ first p r = true) /\
        (NoDup (ins s) /\ forall r, In r (ins s) -> (r < rows m)%nat /\ is_near m z r = true) /\
        (forall r, In r (outs s) -> (r < rows m)%nat /\ is_near m z r = false).

      Lemma known_first : forall s a b, so s -> known p s a b = true -> (a < rows m)%nat /\ (b < rows m)%nat /\ first a b = true.
      Proof.
        intros s a b [[_ B] [A [[_ I] O]]] H. unfold known in H. rewrite !orb_true_iff, !andb_true_iff, !mem_in, !Nat.eqb_eq in H.
        destruct H as [[[H E] | [E H]] | [H G]].
        - subst b. destruct (B a H). auto.
        - subst a. destruct (A b H). auto.
        - destruct (I a H) as [Ha Na], (O b G) as [Hb Nb]. repeat split; auto. apply near_before; try apply in_rows; assumption.
      Qed.
      Lemma halves_lie : forall s l hs, so s -> halves_of m k in_units c at_x p s l = Some hs ->
        Forall (fun t => 0 < fst t /\ lies w d (snd t)) hs.
      Proof.
        intros s l. induction l as [|[i t] l IH]; intros hs Hs E; cbn [halves_of] in E; [inversion E; constructor|].
        destruct ((0 <? i) && _) eqn:C; [|discriminate]. apply andb_true_iff in C. destruct C as [C1 C2]. apply Z.ltb_lt in C1.
        destruct (half_of m k in_units c at_x t) as [h|] eqn:Eh; [|discriminate].
        destruct (halves_of m k in_units c at_x p s l) as [hs'|]; [|discriminate]. inversion E. constructor; [|apply IH; auto].
        split; [exact C1|]. cbn [snd]. destruct t as [a b | u f].
        - destruct (known_first s a b Hs C2) as [Ha [Hb F]]. exact (first_lies a b h Ha Hb F Eh).
        - exact (side_lies u f h Eh).
      Qed.

      Lemma counted_sound : forall s, so s -> counted m c seats s = true -> False.
      Proof.
        intros s [[Bn B] [A [[In_ I] O]]] H. unfold counted in H. rewrite !orb_true_iff, andb_true_iff, !Nat.ltb_lt, Nat.eqb_eq in H.
        assert (K : forall f, (count f (before s) <= count (fun a => f a && first a p) (all_rows m))%nat).
        { intro f. apply count_distinct; [apply NoDup_filter, Bn|]. intros a Ha. apply filter_In in Ha. destruct Ha as [Ha Fa].
          destruct (B a Ha) as [Hr Fp]. rewrite Fa, Fp. split; [apply in_rows, Hr | reflexivity]. }
        destruct H as [[[H | H] | H] | [E H]].
        - specialize (K (supports m c)). lia.
        - specialize (K (fun r => negb (supports m c r))). cbn beta in K. unfold allowed in H. lia.
        - assert (G : (length (ins s) <= count (is_near m z) (all_rows m))%nat).
          { apply count_distinct; [exact In_|]. intros a Ha. destruct (I a Ha). split; [apply in_rows; assumption | assumption]. }
          lia.
        - assert (V : winner m (ins s) = predicted m z) by (apply winner_predicted; assumption).
          rewrite V, Hanswer in H. discriminate.
      Qed.

      Theorem asked_sound : forall a s, ask seats p candidates s a = true -> so s -> False.
      Proof.
        induction a as [[r|r] yes IHy no IHn | | | r nearby | l]; intros s H Hs; cbn [check_asked] in H.
        - rewrite !andb_true_iff, negb_true_iff, Nat.ltb_lt, Nat.eqb_neq in H. destruct H as [[[Hr D] Hy] Hno].
          destruct Hs as [[Bn B] [A [[In_ I] O]]]. destruct (first r p) eqn:F.
          + assert (Nr : is_near m z r = true).
            { exact (first_near (all_rows m) first (first_irreflexive m z) (first_transitive m z) (voters m) r p
                (proj2 (in_rows m r) Hr) F Hnear_p). }
            apply (IHy _ Hy). repeat split; cbn [before after ins outs]; try (apply insert_once; assumption); auto;
              try (apply A; assumption); try (apply O; assumption); destruct (in_insert _ _ _ H); try (subst; assumption);
              try (apply B; assumption); apply I; assumption.
          + assert (G : first p r = true) by (destruct (first_total m z r p D); congruence).
            apply (IHn _ Hno). repeat split; cbn [before after ins outs]; auto; try (apply B; assumption); try (apply I; assumption);
              try (apply O; assumption); destruct (in_insert _ _ _ H); try (subst; assumption); apply A; assumption.
        - rewrite !andb_true_iff, Nat.ltb_lt in H. destruct H as [[Hr Hy] Hno].
          destruct Hs as [[Bn B] [A [[In_ I] O]]]. destruct (is_near m z r) eqn:F.
          + apply (IHy _ Hy). repeat split; cbn [before after ins outs]; try (apply insert_once; assumption); auto;
              try (apply A; assumption); try (apply O; assumption); try (apply B; assumption);
              destruct (in_insert _ _ _ H); try (subst; assumption); apply I; assumption.
          + apply (IHn _ Hno). repeat split; cbn [before after ins outs]; auto; try (apply B; assumption); try (apply I; assumption);
              try (apply A; assumption); destruct (in_insert _ _ _ H); try (subst; assumption); apply O; assumption.
        - exact (counted_sound s Hs H).
        - apply Nat.ltb_lt in H. destruct Hcandidates as [E | Hc]; [rewrite E in H; simpl in H; lia|].
          destruct Hs as [_ [A _]].
          assert (G : (count (fun a => supports m c a && first a p) (all_rows m) <= count (fun r => negb (mem r (after s))) candidates)%nat).
          { apply count_within; [apply rows_once|]. intros a Ha F. apply andb_true_iff in F. destruct F as [Sa F].
            apply filter_In. split; [apply Hc; auto; apply in_rows, Ha|]. destruct (mem a (after s)) eqn:M; [exfalso | reflexivity].
            apply mem_in in M. destruct (A a M) as [_ C].
            rewrite (asymmetric first (first_irreflexive m z) (first_transitive m z) _ _ F) in C. discriminate. }
          lia.
        - rewrite !andb_true_iff, mem_in, Nat.ltb_lt, forallb_forall in H. destruct H as [[Hr Hlen] H].
          destruct Hs as [_ [_ [_ O]]]. destruct (O r Hr) as [Rr Nr].
          assert (G : (count (is_near m z) (all_rows m) <= length nearby)%nat).
          { apply count_within; [apply rows_once|]. intros q Hq Nq. specialize (H q Hq). rewrite !orb_true_iff, !mem_in in H.
            destruct H as [[H | H] | H]; [exact H | destruct (O q H); congruence |].
            apply in_rows in Hq. pose proof (near_before q r (proj2 (in_rows m q) Hq) (proj2 (in_rows m r) Rr) Nq Nr) as F.
            rewrite (distant_sound q r Hq Rr H) in F. discriminate. }
          lia.
        - destruct (halves_of m k in_units c at_x p s l) as [hs|] eqn:E; [|discriminate].
          exact (empty_sound _ _ (added hs) w d Hd is_near_x H (added_lies w d hs (halves_lie s l hs Hs E))).
      Qed.
    End Asked.

    Theorem not_answered : forall seats reasons, check_near m k in_units c at_x seats reasons = true -> answers c (predicted m z) = false.
    Proof.
      intros seats reasons H. unfold check_near in H. rewrite !andb_true_iff, Nat.eqb_eq in H.
      destruct H as [[[_ Hseats] Hlen] [Hcrowded Hpivots]]. rewrite forallb_forall in Hcrowded, Hpivots.
      destruct (answers c (predicted m z)) eqn:Hanswer; [exfalso | reflexivity]. destruct ready_voters as [V0 V1].
      assert (Hvoting : count (is_near m z) (all_rows m) = voters m).
      { apply (rank_below (all_rows m) first (rows_once m) (first_irreflexive m z) (first_transitive m z) (first_total m z)).
        unfold all_rows. rewrite seq_length. exact V1. }
      assert (Hlabels : forall p, In p (all_rows m) -> (label_of m p < labels m)%nat) by (intros p Hp; apply ready_row, in_rows, Hp).
      pose proof (seats_taken m c seats z Hlabels Hvoting V0 Hseats Hanswer) as Hs.
      assert (S1 : (1 <= seats)%nat) by (unfold needs_seats in Hseats; apply andb_true_iff in Hseats; destruct Hseats as [E _]; apply Nat.ltb_lt in E; exact E).
      destruct (some_pivot (all_rows m) first (rows_once m) (first_irreflexive m z) (first_transitive m z) (first_total m z)
        (voters m) seats ltac:(unfold all_rows; rewrite seq_length; exact V1) S1 (supports m c) Hs) as [p [Hp [Sp [Np [Cp Rp]]]]].
      assert (W : forall q, In q (all_rows m) -> exists r, In (q, r) (combine (all_rows m) reasons)).
      { assert (E : length (all_rows m) = length reasons) by (unfold all_rows; rewrite seq_length; auto). revert E. clear.
        revert reasons. induction (all_rows m) as [|a l IH]; intros [|r rs] E q Hq; try discriminate; [contradiction|].
        destruct Hq as [Hq | Hq]; [exists r; left; congruence|]. injection E as E. destruct (IH rs E q Hq) as [t Ht]. exists t. right. exact Ht. }
      (* A crowded row is no pivot, nor does it come before one. *)
      assert (Hcrowd : forall q l, In (q, Crowded l) (combine (all_rows m) reasons) -> q = p \/ first q p = true -> False).
      { intros q l Hq Hbefore. specialize (Hcrowded _ Hq). apply in_combine_l in Hq. apply in_rows in Hq.
        unfold check_crowded in Hcrowded. cbn [fst snd] in Hcrowded.
        rewrite !andb_true_iff, Nat.ltb_lt, forallb_forall in Hcrowded. destruct Hcrowded as [[D Hl] Hr]. apply distinct_once in D.
        assert (G : (length l <= count (fun a => negb (supports m c a) && first a p) (all_rows m))%nat).
        { apply count_distinct; [exact D|]. intros a Ha. specialize (Hr a Ha).
          rewrite !andb_true_iff, Nat.ltb_lt, !negb_true_iff, Nat.eqb_neq in Hr. destruct Hr as [[[Ra Sa] Na] Da].
          split; [apply in_rows, Ra|]. rewrite Sa. cbn [negb andb].
          assert (F : first a q = true) by (destruct (first_total m z a q Na) as [F | F]; [exact F | rewrite (distant_sound q a Hq Ra Da) in F; discriminate]).
          destruct Hbefore as [E | F']; [subst q; exact F | exact (first_transitive m z _ _ _ F F')]. }
        unfold allowed in Hl. lia. }
      destruct (W p Hp) as [why Hwhy]. pose proof (Hpivots _ Hwhy) as Hc. unfold check_pivot in Hc. cbn [fst snd] in Hc.
      destruct why as [|l|candidates a].
      - rewrite Sp in Hc. discriminate.
      - exact (Hcrowd p l Hwhy (or_introl eq_refl)).
      - apply andb_true_iff in Hc. destruct Hc as [Hc Ha]. rewrite orb_true_iff, Nat.eqb_eq, forallb_forall in Hc.
        apply in_rows in Hp.
        assert (Hcand : seats = 1%nat \/ forall q, (q < rows m)%nat -> supports m c q = true -> first q p = true -> In q candidates).
        { destruct Hc as [Hc | Hc]; [left; exact Hc | right]. intros q Hq Sq Fq.
          destruct (W q (proj2 (in_rows m q) Hq)) as [r Hr]. specialize (Hc _ Hr). unfold is_candidate in Hc. cbn [fst snd] in Hc.
          rewrite Sq in Hc. cbn [negb orb] in Hc. rewrite !orb_true_iff, mem_in, Nat.eqb_eq in Hc.
          destruct Hc as [[[E | C] | I] | D]; [| | exact I |]; exfalso.
          - subst q. rewrite (first_irreflexive m z) in Fq. discriminate.
          - destruct r as [|l|]; try discriminate. exact (Hcrowd q l Hr (or_intror Fq)).
          - rewrite (distant_sound q p Hq Hp D) in Fq. discriminate. }
        refine (asked_sound seats p candidates Hp Np Cp Rp Hcand Hvoting Hanswer a _ Ha _).
        unfold so. cbn [before after ins outs]. split; [split; [constructor | contradiction]|]. split; [contradiction|].
        split; [|contradiction]. split; [constructor; [auto | constructor]|]. intros r [E | []]. subst r. split; assumption.
    Qed.
  End Input.
End Sound.

(* What is accepted holds. *)
Theorem accepts_near_sound : forall m k in_units c seats reasons,
  is_ready m k in_units = true -> accepts_near m k in_units c seats reasons = true -> holds_near m c.
Proof.
  intros m k in_units c seats reasons Hr H z Hd Hz. unfold accepts_near in H.
  destruct (common (fun f => z f * Qpower 2 k)%Q (features (width m))) as [d [n [D Hn]]].
  pose proof H as G. unfold check_near in G. rewrite !andb_true_iff in G. destruct G as [[[[U P] _] _] _].
  exact (not_answered m k in_units Hr c U P z Hd Hz d n D Hn seats reasons H).
Qed.

(* An example that stands lies in the domain, and is predicted a label that answers. *)
Section Example.
  Variable m : neighbours.
  Variable k : Z.
  Variable in_units : nat -> list Z.
  Variable c : claim.
  Variable z : feature -> number.
  Variable nearest : list nat.
  Hypothesis Hready : is_ready m k in_units = true.
  Hypothesis H : stands_near m k in_units c z nearest = true.
  Notation point := (fun f => real (z f)).

  Theorem stands_near_inside : usable (as_model m) (frame k) c 0 = true -> in_domain (width m) c point.
  Proof.
    intro U. unfold stands_near in H. rewrite !andb_true_iff in H. destruct H as [[[[[Hin _] _] _] _] _].
    exact (inside_domain (as_model m) (frame k) c 0 U z Hin).
  Qed.
  Theorem stands_near_labels : answers c (predicted m point) = true /\ predicted m point = winner m nearest.
  Proof.
    unfold stands_near in H. rewrite !andb_true_iff, Nat.eqb_eq in H. destruct H as [[[[[Hin Ha] Hd] Hl] Hr] Hq].
    apply distinct_once in Hd. rewrite forallb_forall in Hr, Hq. destruct (ready_voters m k in_units Hready) as [V0 V1].
    set (n := fun f => units k (z f)).
    assert (Hn : forall f, In f (features (width m)) -> (real (z f) * Qpower 2 k * inject_Z 1 == inject_Z (n f))%Q).
    { intros f Hf. unfold inside in Hin. rewrite forallb_forall in Hin. specialize (Hin f Hf). apply andb_true_iff in Hin.
      destruct Hin as [W _]. rewrite (Halves.in_units k (z f) W). unfold n. ring. }
    assert (E : winner m nearest = predicted m point).
    { apply winner_predicted; [| exact Hd | exact Hl |].
      - apply (rank_below (all_rows m) (comes_first m point) (rows_once m) (first_irreflexive m point) (first_transitive m point) (first_total m point)).
        unfold all_rows. rewrite seq_length. exact V1.
      - intros p Hp. specialize (Hr p Hp). apply Nat.ltb_lt in Hr. split; [exact Hr|]. unfold is_near. apply Nat.ltb_lt.
        apply Nat.lt_le_trans with (count (fun q => mem q nearest) (all_rows m)).
        + apply (count_lt (fun q => comes_first m point q p) _ _ p);
            [| apply in_rows, Hr | apply first_irreflexive | apply mem_in, Hp].
          intros q Iq F. destruct (mem q nearest) eqn:M; [reflexivity | exfalso]. specialize (Hq q Iq). rewrite M in Hq. simpl in Hq.
          rewrite forallb_forall in Hq. specialize (Hq _ (in_map _ _ _ Hp)). cbn [fst snd] in Hq.
          rewrite orb_true_iff, andb_true_iff, Z.ltb_lt, Z.eqb_eq, Nat.ltb_lt in Hq. apply in_rows in Iq.
          destruct (first_away m k in_units Hready point 1 n Z.lt_0_1 Hn q p Iq Hr F) as [F1 F2]. fold n in Hq.
          destruct Hq as [Hq | [Hq L]]; [lia | specialize (F2 L); lia].
        + rewrite <- Hl. apply count_within; [apply rows_once|]. intros a _ M. apply mem_in, M. }
    rewrite <- E. auto.
  Qed.
End Example.
