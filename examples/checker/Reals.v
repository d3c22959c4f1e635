(* The first theorem of real numbers: what holds of rational inputs holds of real ones, since below a real number, as seen
   from x, lies a rational one that all tests send the same way. This rests on the axioms of Coq's real numbers, and on no
   other; it is no part of what is extracted. *)
From Coq Require Import ZArith QArith Qreals Reals List Bool Lia Lra PArith.
Require Import Spec Kernel Claims.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------------------------------------------- the statement *)
Definition place (n : number) : R := Q2R (real n).
Definition below_R (v : R) (b : border) : bool :=
  if snd b then (if Rle_dec v (place (fst b)) then true else false)
  else (if Rle_dec (place (fst b)) v then false else true).
Fixpoint goes_left_R (v : R) (borders : list border) : bool :=
  match borders with [] => true | b :: rest => below_R v b || negb (goes_left_R v rest) end.
Fixpoint walk_R (t : tree) (z : feature -> R) : list number :=
  match t with
  | Leaf values => values
  | Node f borders l r => if goes_left_R (z f) borders then walk_R l z else walk_R r z
  end.
Definition may_predict_R (m : model) (z : feature -> R) (label : nat) : bool :=
  may_give (votes m) (bits m) (places m) (classes m) (map (units (places m)) (base m))
    (map (fun t => map (units (places m)) (walk_R t z)) (trees m)) label.
Definition total_R {A : Type} (g : A -> R) (l : list A) : R := fold_right (fun a s => g a + s) 0 l.
Definition between_R (low high : option number) (v : R) : Prop :=
  match low with Some l => place l <= v | None => True end /\ match high with Some h => v <= place h | None => True end.
Definition in_domain_R (n : nat) (c : claim) (z : feature -> R) : Prop :=
  forall f, In f (features n) -> between_R (lower c f) (upper c f) (z f) /\
    ((0 < codes c f)%Z -> z f = place (x c f) \/ exists code, (0 <= code < codes c f)%Z /\ z f = IZR code).
Definition cost_R (c : claim) (f : feature) (v : R) : R :=
  if (0 <? codes c f)%Z then (if Req_EM_T v (place (x c f)) then 0 else place (price_up c f))
  else if Rle_dec (place (x c f)) v then place (price_up c f) * (v - place (x c f))
  else place (price_down c f) * (place (x c f) - v).
Definition nearer_R (n : nat) (c : claim) (z : feature -> R) : Prop :=
  match bound c with
  | None => True
  | Some b => 0 < place b /\
      match the_norm c with
      | LInf => forall f, In f (features n) -> cost_R c f (z f) < place b
      | L1 => total_R (fun f => cost_R c f (z f)) (features n) < place b
      | L2 => total_R (fun f => cost_R c f (z f) * cost_R c f (z f)) (features n) < place b * place b
      end
  end.
Definition holds_R (m : model) (c : claim) : Prop :=
  forall z label, in_domain_R (dim m) c z -> nearer_R (dim m) c z -> (label < classes m)%nat ->
    may_predict_R m z label = true -> answers c label = false.

(* ------------------------------------------------------------------------------------------------- rational numbers *)
Lemma dense : forall a b, a < b -> exists q : Q, a < Q2R q < b.
Proof.
  intros a b H. assert (D : 0 < b - a) by lra. pose proof (archimed (/ (b - a))) as [A _].
  assert (I : 0 < / (b - a)) by (apply Rinv_0_lt_compat, D). set (n := Rdefinitions.up (/ (b - a))) in *.
  assert (N : (0 < n)%Z) by (apply lt_IZR; lra). pose proof (archimed (a * IZR n)) as [B C]. set (k := Rdefinitions.up (a * IZR n)) in *.
  exists (k # Z.to_pos n). assert (E : Q2R (k # Z.to_pos n) = IZR k / IZR n).
  { unfold Q2R. simpl. rewrite Z2Pos.id by exact N. reflexivity. }
  rewrite E. assert (P : 0 < IZR n) by (apply (IZR_lt 0), N).
  assert (Q : 1 < (b - a) * IZR n).
  { apply Rmult_lt_reg_l with (/ (b - a)); [exact I|]. rewrite <- Rmult_assoc, Rinv_l by lra. lra. }
  split.
  - apply Rmult_lt_reg_r with (IZR n); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - apply Rmult_lt_reg_r with (IZR n); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* Between x and v there is a rational number beyond whatever v is beyond. *)
Definition beyond (v : R) (e : Q * bool) : Prop := if snd e then Q2R (fst e) < v else Q2R (fst e) <= v.
Lemma raised : forall v (x : Q) l, Q2R x <= v -> (forall e, In e l -> beyond v e) ->
  exists q, Q2R x <= Q2R q <= v /\ forall e, In e l -> beyond (Q2R q) e.
Proof.
  intros v x l Hx. induction l as [|[e strict] l IH]; intro H; [exists x; split; [lra | contradiction]|].
  destruct (IH (fun d Hd => H d (or_intror Hd))) as [q [Hq G]]. pose proof (H _ (or_introl eq_refl)) as He. unfold beyond in He. simpl in He.
  assert (K : forall r, Q2R q <= Q2R r <= v -> beyond (Q2R r) (e, strict) ->
    exists q, Q2R x <= Q2R q <= v /\ forall d, In d ((e, strict) :: l) -> beyond (Q2R q) d).
  { intros r Hr Hb. exists r. split; [lra|]. intros d [Hd | Hd]; [subst d; exact Hb|]. specialize (G d Hd).
    unfold beyond in *. destruct (snd d); lra. }
  destruct (Rlt_dec (Q2R e) (Q2R q)) as [L | L].
  - apply (K q); [lra|]. unfold beyond. simpl. destruct strict; lra.
  - destruct strict.
    + destruct (dense (Q2R e) v He) as [r Hr]. apply (K r); [lra|]. unfold beyond. simpl. lra.
    + apply (K e); [lra|]. unfold beyond. simpl. lra.
Qed.
Definition short_of (v : R) (e : Q * bool) : Prop := if snd e then v < Q2R (fst e) else v <= Q2R (fst e).
Lemma lowered : forall v (x : Q) l, v <= Q2R x -> (forall e, In e l -> short_of v e) ->
  exists q, v <= Q2R q <= Q2R x /\ forall e, In e l -> short_of (Q2R q) e.
Proof.
  intros v x l Hx H. destruct (raised (- v) (- x)%Q (map (fun e => (- fst e, snd e)%Q) l)) as [q [Hq G]].
  - rewrite Q2R_opp. lra.
  - intros e He. apply in_map_iff in He. destruct He as [d [E Hd]]. subst e. specialize (H d Hd). unfold beyond, short_of in *.
    simpl. rewrite Q2R_opp. destruct (snd d); lra.
  - rewrite Q2R_opp in Hq. exists (- q)%Q. rewrite Q2R_opp. split; [lra|]. intros e He.
    specialize (G _ (in_map (fun e => (- fst e, snd e)%Q) l e He)). unfold beyond, short_of in *. simpl in G. rewrite Q2R_opp in G.
    destruct (snd e); lra.
Qed.

Lemma below_Q : forall q b, below q b = below_R (Q2R q) b.
Proof.
  intros q [e closed]. unfold below, below_R, place. simpl. destruct closed.
  - destruct (Rle_dec (Q2R q) (Q2R (real e))) as [L | L].
    + apply Qle_bool_iff, Rle_Qle, L.
    + destruct (Qle_bool q (real e)) eqn:E; [|reflexivity]. exfalso. apply L, Qle_Rle, Qle_bool_iff, E.
  - destruct (Rle_dec (Q2R (real e)) (Q2R q)) as [L | L].
    + apply negb_false_iff, Qle_bool_iff, Rle_Qle, L.
    + destruct (Qle_bool (real e) q) eqn:E; [|reflexivity]. exfalso. apply L, Qle_Rle, Qle_bool_iff, E.
Qed.
(* Whatever side of a border numbers are on. *)
Ltac sides b := destruct (snd b); simpl in *;
  repeat match goal with
         | H : context [Rle_dec ?u ?w] |- _ => destruct (Rle_dec u w)
         | |- context [Rle_dec ?u ?w] => destruct (Rle_dec u w)
         end; simpl in *; try discriminate; try reflexivity; lra.
Lemma in_reach : forall (v : R) (x : Q) borders low high, between_R low high v -> exists q,
  (forall b, In b borders -> below q b = below_R v b) /\ between low high q /\
  (Q2R x <= v -> Q2R x <= Q2R q <= v) /\ (v <= Q2R x -> v <= Q2R q <= Q2R x).
Proof.
  intros v x borders low high [Hl Hh].
  set (outside := fun side => flat_map (fun b : border => if Bool.eqb (below_R v b) side then [(real (fst b), if side then negb (snd b) else snd b)] else []) borders).
  set (end_of := fun e : option number => match e with Some n => [(real n, false)] | None => [] end).
  destruct (Rle_dec (Q2R x) v) as [L | L].
  - destruct (raised v x (end_of low ++ outside false) L) as [q [Hq G]].
    { intros e He. apply in_app_iff in He. destruct He as [He | He].
      - unfold end_of in He. destruct low as [n|]; [|contradiction]. destruct He as [He | []]. subst e. exact Hl.
      - apply in_flat_map in He. destruct He as [b [_ He]]. destruct (Bool.eqb (below_R v b) false) eqn:E; [|contradiction].
        apply eqb_prop in E. destruct He as [He | []]. subst e. unfold beyond, below_R, place in *. simpl.
        sides b. }
    exists q. split; [|split].
    + intros b Hb. rewrite below_Q. destruct (below_R v b) eqn:E.
      * unfold below_R, place in *. sides b.
      * assert (B : beyond (Q2R q) (real (fst b), snd b)).
        { apply G, in_app_iff. right. apply in_flat_map. exists b. split; [exact Hb|]. rewrite E. left. reflexivity. }
        unfold beyond in B. simpl in B. unfold below_R, place in *. sides b.
    + split.
      * destruct low as [n|]; [|exact I]. apply Rle_Qle. exact (G (real n, false) (or_introl eq_refl)).
      * destruct high as [n|]; [|exact I]. apply Rle_Qle. unfold place in Hh. lra.
    + split; intro; lra.
  - destruct (lowered v x (end_of high ++ outside true)) as [q [Hq G]]; [lra| |].
    { intros e He. apply in_app_iff in He. destruct He as [He | He].
      - unfold end_of in He. destruct high as [n|]; [|contradiction]. destruct He as [He | []]. subst e. exact Hh.
      - apply in_flat_map in He. destruct He as [b [_ He]]. destruct (Bool.eqb (below_R v b) true) eqn:E; [|contradiction].
        apply eqb_prop in E. destruct He as [He | []]. subst e. unfold short_of, below_R, place in *. simpl.
        sides b. }
    exists q. split; [|split].
    + intros b Hb. rewrite below_Q. destruct (below_R v b) eqn:E.
      * assert (B : short_of (Q2R q) (real (fst b), negb (snd b))).
        { apply G, in_app_iff. right. apply in_flat_map. exists b. split; [exact Hb|]. rewrite E. left. reflexivity. }
        unfold short_of in B. simpl in B. unfold below_R, place in *. sides b.
      * unfold below_R, place in *. sides b.
    + split.
      * destruct low as [n|]; [|exact I]. apply Rle_Qle. unfold place in Hl. lra.
      * destruct high as [n|]; [|exact I]. apply Rle_Qle. exact (G (real n, false) (or_introl eq_refl)).
    + split; intro; lra.
Qed.

(* ------------------------------------------------------------------------------------------------- the theorem *)
Fixpoint tested (t : tree) : list feature := match t with Leaf _ => [] | Node f _ l r => f :: tested l ++ tested r end.
Lemma walk_same : forall t z z', (forall f b, In f (tested t) -> In b (borders_at f t) -> below (z' f) b = below_R (z f) b) ->
  walk t z' = walk_R t z.
Proof.
  induction t as [values | f borders l IHl r IHr]; intros z z' H; simpl; [reflexivity|].
  assert (B : goes_left (z' f) borders = goes_left_R (z f) borders).
  { assert (G : forall b, In b borders -> below (z' f) b = below_R (z f) b).
    { intros b Hb. apply H; simpl; [left; reflexivity|]. rewrite Pos.eqb_refl. apply in_app_iff. left. exact Hb. }
    clear H. induction borders as [|b rest IH]; simpl; [reflexivity|]. rewrite (G b (or_introl eq_refl)), IH; [reflexivity|].
    intros d Hd. apply G. right. exact Hd. }
  assert (In_l : forall g b, In b (borders_at g l) -> In b (borders_at g (Node f borders l r))) by (intros; simpl; rewrite !in_app_iff; auto).
  assert (In_r : forall g b, In b (borders_at g r) -> In b (borders_at g (Node f borders l r))) by (intros; simpl; rewrite !in_app_iff; auto).
  rewrite B. destruct (goes_left_R (z f) borders); [apply IHl | apply IHr]; intros g b Hg Hb; apply H; auto; simpl; rewrite in_app_iff; auto.
Qed.

Section Lift.
  Variable m : model.
  Variable c : claim.
  Hypothesis priced : forall f, In f (features (dim m)) -> 0 <= place (price_up c f) /\ 0 <= place (price_down c f).
  Variable z : feature -> R.
  Hypothesis Hdomain : in_domain_R (dim m) c z.
  Notation fs := (features (dim m)).
  Notation tests f := (flat_map (borders_at f) (trees m)).
  Definition stands_for_z (f : feature) (q : Q) : Prop :=
    (forall b, In b (tests f) -> below q b = below_R (z f) b) /\
    (In f fs -> between (lower c f) (upper c f) q /\
      ((0 < codes c f)%Z -> (q == real (x c f))%Q \/ exists code, (0 <= code < codes c f)%Z /\ (q == inject_Z code)%Q) /\
      0 <= Q2R (cost c f q) <= cost_R c f (z f)).

  Lemma some_rational : forall f, exists q, stands_for_z f q.
  Proof.
    intro f. destruct (in_dec Pos.eq_dec f fs) as [Hf | Hf].
    - destruct (Hdomain f Hf) as [Hb Hc]. destruct (priced f Hf) as [Pu Pd]. destruct (Z.ltb_spec 0 (codes c f)) as [C | C].
      + assert (K : forall q, z f = Q2R q -> (q == real (x c f))%Q \/ (exists code, (0 <= code < codes c f)%Z /\ (q == inject_Z code)%Q) ->
          stands_for_z f q).
        { intros q E Hq. split; [intros b _; rewrite below_Q, E; reflexivity|]. intros _. rewrite E in Hb. destruct Hb as [Hl Hh].
          split; [|split; [intros _; exact Hq|]].
          - split; [destruct (lower c f) | destruct (upper c f)]; auto; apply Rle_Qle; assumption.
          - unfold cost, cost_R. replace (0 <? codes c f)%Z with true by (symmetry; apply Z.ltb_lt; exact C). rewrite E.
            destruct (Qeq_bool q (real (x c f))) eqn:Eq.
            + destruct (Req_EM_T (Q2R q) (place (x c f))); [unfold Q2R; simpl; lra|]. exfalso. apply n. apply Qeq_eqR, Qeq_bool_iff, Eq.
            + destruct (Req_EM_T (Q2R q) (place (x c f))) as [S | S]; [|unfold place in *; lra]. exfalso.
              apply eqR_Qeq in S. apply Qeq_bool_iff in S. congruence. }
        destruct (Hc C) as [E | [code [Hcode E]]].
        * exists (real (x c f)). apply K; [exact E | left; reflexivity].
        * exists (inject_Z code). apply K; [|right; exists code; split; [exact Hcode | reflexivity]].
          rewrite E. unfold Q2R. simpl. field.
      + destruct (in_reach (z f) (real (x c f)) (tests f) _ _ Hb) as [q [B [D [U W]]]]. exists q. split; [exact B|]. intros _.
        split; [exact D|]. split; [lia|]. unfold cost, cost_R.
        replace (0 <? codes c f)%Z with false by (symmetry; apply Z.ltb_ge; exact C). unfold place in *.
        destruct (Rle_dec (Q2R (real (x c f))) (z f)) as [L | L].
        * specialize (U L). replace (Qle_bool (real (x c f)) q) with true by (symmetry; apply Qle_bool_iff, Rle_Qle; lra).
          rewrite Q2R_mult, Q2R_minus. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra].
        * assert (L' : z f <= Q2R (real (x c f))) by lra. specialize (W L'). destruct (Qle_bool (real (x c f)) q) eqn:E.
          -- apply Qle_bool_iff, Qle_Rle in E. rewrite Q2R_mult, Q2R_minus. replace (Q2R q - Q2R (real (x c f))) with 0 by lra.
             rewrite Rmult_0_r. split; [lra | apply Rmult_le_pos; lra].
          -- rewrite Q2R_mult, Q2R_minus. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra].
    - destruct (in_reach (z f) 0%Q (tests f) None None (conj I I)) as [q [B _]]. exists q. split; [exact B | contradiction].
  Qed.
  Lemma rational_input : forall l, exists z' : input, forall f, In f l -> stands_for_z f (z' f).
  Proof.
    induction l as [|g l [z' H]]; [exists (fun _ => 0%Q); contradiction|].
    destruct (some_rational g) as [q Hq]. exists (fun f => if Pos.eq_dec f g then q else z' f). intros f Hf.
    destruct (Pos.eq_dec f g) as [E | E]; [subst f; exact Hq|]. apply H. destruct Hf as [Hf | Hf]; [congruence | exact Hf].
  Qed.

  Lemma total_Q : forall (g : feature -> Q) l, Q2R (total g l) = total_R (fun f => Q2R (g f)) l.
  Proof.
    intros g l. unfold total, total_R. induction l as [|f l IH]; simpl; [unfold Q2R; simpl; lra|]. rewrite Q2R_plus, IH. reflexivity.
  Qed.
  Lemma total_R_le : forall (g h : feature -> R) l, (forall f, In f l -> g f <= h f) -> total_R g l <= total_R h l.
  Proof.
    intros g h l H. unfold total_R. induction l as [|f l IH]; simpl; [lra|].
    pose proof (H f (or_introl eq_refl)). specialize (IH (fun d Hd => H d (or_intror Hd))). lra.
  Qed.
End Lift.

Theorem holds_real : forall m c, (forall f, In f (features (dim m)) -> 0 <= place (price_up c f) /\ 0 <= place (price_down c f)) ->
  holds m c -> holds_R m c.
Proof.
  intros m c priced H z label Hd Hn Hl Hp.
  destruct (rational_input m c priced z Hd (features (dim m) ++ flat_map tested (trees m))) as [z' Hz].
  assert (F : forall f, In f (features (dim m)) -> stands_for_z m c z f (z' f)) by (intros; apply Hz, in_app_iff; auto).
  apply (H z' label); [| | exact Hl |].
  - intros f Hf. destruct (F f Hf) as [_ G]. destruct (G Hf) as [G1 [G2 _]]. split; assumption.
  - assert (C : forall f, In f (features (dim m)) -> 0 <= Q2R (cost c f (z' f)) <= cost_R c f (z f)).
    { intros f Hf. destruct (F f Hf) as [_ G]. exact (proj2 (proj2 (G Hf))). }
    unfold nearer, nearer_R in *. destruct (bound c) as [b|]; [|exact I]. destruct Hn as [B Hn]. unfold place in *. split.
    + apply Rlt_Qlt. unfold Q2R at 1. simpl. lra.
    + destruct (the_norm c).
      * intros f Hf. apply Rlt_Qlt. specialize (C f Hf). specialize (Hn f Hf). lra.
      * apply Rlt_Qlt. rewrite total_Q. eapply Rle_lt_trans; [|exact Hn]. apply total_R_le. intros f Hf. apply C, Hf.
      * apply Rlt_Qlt. rewrite total_Q, Q2R_mult. eapply Rle_lt_trans; [|exact Hn]. apply total_R_le. intros f Hf.
        rewrite Q2R_mult. specialize (C f Hf). apply Rmult_le_compat; lra.
  - rewrite <- Hp. unfold may_predict, may_predict_R. f_equal. apply map_ext_in. intros t Ht. f_equal. apply walk_same.
    intros f b Hf Hb. apply (Hz f).
    + apply in_app_iff. right. apply in_flat_map. exists t. auto.
    + apply in_flat_map. exists t. auto.
Qed.

(* What facet-checked accepts holds of real inputs. *)
Theorem accepted_claims_hold_of_reals : forall m q c kp parts,
  get_ready (unit q) m = Some q -> accepts m q c kp parts = true -> holds_R m c.
Proof.
  intros m q c kp parts Hq Ha. apply holds_real.
  - intros f Hf. assert (U : usable m q c kp = true) by (unfold accepts, check_claim in Ha; rewrite !andb_true_iff in Ha; tauto).
    destruct (usable_feature m q c kp U f Hf) as [_ [_ [_ [Hu [Hd _]]]]]. unfold place.
    assert (Z0 : 0 = Q2R 0) by (unfold Q2R; simpl; lra). rewrite Z0. split; apply Qle_Rle, price_nonneg; assumption.
  - apply (checked_holds (unit q) kp m c parts). unfold checked. rewrite Hq. exact Ha.
Qed.
Print Assumptions accepted_claims_hold_of_reals.
