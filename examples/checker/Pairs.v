(* The checker of claims about all inputs, and about pairs. Both inputs are one point: the features of x, and behind them
   those of y that are copied. Trees about y ask for these instead, and two trees are one whose leaves are pairs. *)
From Coq Require Import ZArith QArith List Bool Lia PArith.
Require Import Spec Kernel Rounding Votes Best Potentials Claims.
Import ListNotations.
Open Scope Z_scope.

(* ------------------------------------------------------------------------------------------------- what a region spans *)
Definition least_cut (a b : option cut) : option cut :=
  match a, b with Some a, Some b => Some (if cutle a b then a else b) | _, _ => None end.
Definition greatest_cut (a b : option cut) : option cut :=
  match a, b with Some a, Some b => Some (if cutle a b then b else a) | _, _ => None end.
Definition low_of (r : region) : option cut :=
  match r with [] => None | p :: r => fold_right (fun p o => least_cut (lo p) o) (lo p) r end.
Definition high_of (r : region) : option cut :=
  match r with [] => None | p :: r => fold_right (fun p o => greatest_cut (hi p) o) (hi p) r end.
Definition holds_at (e : Z) (r : region) : bool :=
  existsb (fun p => match lo p with Some (l, closed) => if closed : bool then l <? e else l <=? e | None => true end &&
                    match hi p with Some (h, closed) => if closed : bool then e <=? h else e <? h | None => true end) r.

Section Span.
  Variable k : Z.
  Variable atleast : feature -> Z -> Q -> Prop.
  Notation below := (below_cut k).
  Notation within := (within Q below atleast).
  Definition not_before (v : Q) (o : option cut) : Prop := match o with Some c => below v c = false | None => True end.
  Definition not_behind (v : Q) (o : option cut) : Prop := match o with Some c => below v c = true | None => True end.
  Lemma below_false : forall v a b, cutle a b = true -> below v b = false -> below v a = false.
  Proof. intros v a b H Hb. destruct (below v a) eqn:E; [|reflexivity]. rewrite (below_cut_mono k v a b H E) in Hb. discriminate. Qed.
  Lemma cutle_total : forall a b, cutle a b = false -> cutle b a = true.
  Proof.
    intros [a ca] [b cb]. unfold cutle. simpl. rewrite (Z.compare_antisym a b). destruct (a ?= b); simpl; try discriminate; auto.
    destruct ca, cb; auto.
  Qed.
  Lemma low_of_within : forall f v r, within f v r -> not_before v (low_of r).
  Proof.
    intros f v [|p r] H; [exact I|]. unfold low_of.
    assert (G : forall o, (not_before v o \/ Exists (fun q => not_before v (lo q)) r) ->
      not_before v (fold_right (fun q o => least_cut (lo q) o) o r)).
    { clear H. induction r as [|q r IH]; intros o [Ho | Ho]; simpl; [exact Ho | inversion Ho | |];
        (destruct (lo q) as [a|] eqn:Ea; [|exact I]);
        (destruct (fold_right (fun q o => least_cut (lo q) o) o r) as [b|] eqn:Eb; [|exact I]); simpl.
      - specialize (IH o (or_introl Ho)). rewrite Eb in IH. simpl in IH. destruct (cutle a b) eqn:E; [|exact IH].
        exact (below_false v a b E IH).
      - inversion Ho as [? ? Hq | ? ? Hq]; subst.
        + rewrite Ea in Hq. simpl in Hq. destruct (cutle a b) eqn:E; [exact Hq|].
          exact (below_false v b a (cutle_total _ _ E) Hq).
        + specialize (IH o (or_intror Hq)). rewrite Eb in IH. simpl in IH. destruct (cutle a b) eqn:E; [|exact IH].
          exact (below_false v a b E IH). }
    apply G. inversion H as [? ? [Hl _] | ? ? Hr]; subst; [left; exact Hl | right].
    apply Exists_exists in Hr. destruct Hr as [q [Hq [Hl _]]]. apply Exists_exists. exists q. auto.
  Qed.
  Lemma high_of_within : forall f v r, within f v r -> not_behind v (high_of r).
  Proof.
    intros f v [|p r] H; [exact I|]. unfold high_of.
    assert (G : forall o, (not_behind v o \/ Exists (fun q => not_behind v (hi q)) r) ->
      not_behind v (fold_right (fun q o => greatest_cut (hi q) o) o r)).
    { clear H. induction r as [|q r IH]; intros o [Ho | Ho]; simpl; [exact Ho | inversion Ho | |];
        (destruct (hi q) as [a|] eqn:Ea; [|exact I]);
        (destruct (fold_right (fun q o => greatest_cut (hi q) o) o r) as [b|] eqn:Eb; [|exact I]); simpl.
      - specialize (IH o (or_introl Ho)). rewrite Eb in IH. simpl in IH. destruct (cutle a b) eqn:E; [exact IH|].
        exact (below_cut_mono k v b a (cutle_total _ _ E) IH).
      - inversion Ho as [? ? Hq | ? ? Hq]; subst.
        + rewrite Ea in Hq. simpl in Hq. destruct (cutle a b) eqn:E; [exact (below_cut_mono k v a b E Hq) | exact Hq].
        + specialize (IH o (or_intror Hq)). rewrite Eb in IH. simpl in IH. destruct (cutle a b) eqn:E; [exact IH|].
          exact (below_cut_mono k v b a (cutle_total _ _ E) IH). }
    apply G. inversion H as [? ? [_ [Hl _]] | ? ? Hr]; subst; [left; exact Hl | right].
    apply Exists_exists in Hr. destruct Hr as [q [Hq [_ [Hl _]]]]. apply Exists_exists. exists q. auto.
  Qed.
  Lemma holds_at_within : forall f v e r, within f v r -> (v == real (Number e (- k)))%Q -> holds_at e r = true.
  Proof.
    intros f v e r H Hv. apply Exists_exists in H. destruct H as [p [Hp [Hl [Hh _]]]]. unfold holds_at. apply existsb_exists.
    exists p. split; [exact Hp|]. unfold below_cut, Spec.below in *. apply andb_true_iff. split.
    - destruct (lo p) as [[l closed]|]; [|reflexivity]. simpl in Hl. destruct closed.
      + apply Qle_bool_false in Hl. rewrite Hv in Hl. apply Z.ltb_lt. exact (real_lt _ _ _ Hl).
      + apply negb_false_iff, Qle_bool_iff in Hl. rewrite Hv in Hl. apply Z.leb_le.
        destruct (Z.le_gt_cases l e) as [G | G]; [exact G|]. exfalso.
        apply (Qle_not_lt _ _ Hl). unfold real. simpl. apply Qmult_lt_compat_r; [apply two_power | rewrite <- Zlt_Qlt; lia].
    - destruct (hi p) as [[h closed]|]; [|reflexivity]. simpl in Hh. destruct closed.
      + apply Qle_bool_iff in Hh. rewrite Hv in Hh. apply Z.leb_le.
        destruct (Z.le_gt_cases e h) as [G | G]; [exact G|]. exfalso.
        apply (Qle_not_lt _ _ Hh). unfold real. simpl. apply Qmult_lt_compat_r; [apply two_power | rewrite <- Zlt_Qlt; lia].
      + apply negb_true_iff, Qle_bool_false in Hh. rewrite Hv in Hh. apply Z.ltb_lt. exact (real_lt _ _ _ Hh).
  Qed.

  Lemma beyond_low : forall v e closed, below v (e, closed) = false -> (real (Number e (- k)) <= v)%Q.
  Proof.
    intros v e closed H. unfold below_cut, Spec.below in H. simpl in H. destruct closed.
    - apply Qlt_le_weak, Qle_bool_false, H.
    - apply negb_false_iff, Qle_bool_iff in H. exact H.
  Qed.
  Lemma before_high : forall v e closed, below v (e, closed) = true -> (v <= real (Number e (- k)))%Q.
  Proof.
    intros v e closed H. unfold below_cut, Spec.below in H. simpl in H. destruct closed.
    - apply Qle_bool_iff in H. exact H.
    - apply negb_true_iff, Qle_bool_false in H. apply Qlt_le_weak, H.
  Qed.

  (* Whether all of one region exceeds all of another by less than so much. *)
  Definition falls (high low : option cut) (by_ : Z) : bool :=
    match high, low with
    | Some (h, ch), Some (l, cl) => let d := h - l - by_ in (d <? 0) || (d =? 0) && (negb ch || cl)
    | _, _ => false
    end.
  Lemma falls_sound : forall v w high low by_, falls high low by_ = true -> not_behind w high -> not_before v low ->
    ~ (real (Number by_ (- k)) <= w - v)%Q.
  Proof.
    intros v w [[h ch]|] [[l cl]|] by_ H Hw Hv G; try discriminate. unfold falls in H.
    pose proof (beyond_low v l cl Hv) as Hl. pose proof (before_high w h ch Hw) as Hh.
    assert (D : (w - v <= real (Number (h - l) (- k)))%Q).
    { rewrite <- real_minus. apply Qplus_le_compat; [exact Hh | apply Qopp_le_compat, Hl]. }
    apply orb_true_iff in H. destruct H as [H | H].
    - apply Z.ltb_lt in H. apply (Qle_not_lt _ _ (Qle_trans _ _ _ G D)). unfold real. simpl.
      apply Qmult_lt_compat_r; [apply two_power | rewrite <- Zlt_Qlt; lia].
    - apply andb_true_iff in H. destruct H as [H0 Hc]. apply Z.eqb_eq in H0. replace by_ with (h - l) in G by lia.
      rewrite <- real_minus in G. unfold not_before, not_behind, below_cut, Spec.below in *. simpl in *.
      apply orb_true_iff in Hc. destruct Hc as [Hc | Hc].
      + destruct ch; [discriminate|]. apply negb_true_iff, Qle_bool_false in Hw.
        apply (Qlt_not_le _ _ Hw). apply Qle_minus_iff in G. apply Qle_minus_iff in Hl. apply Qle_minus_iff.
        setoid_replace (w + - real (Number h (- k)))%Q with
          ((w - v + - (real (Number h (- k)) - real (Number l (- k)))) + (v + - real (Number l (- k))))%Q by ring.
        rewrite <- (Qplus_0_l 0). apply Qplus_le_compat; assumption.
      + subst cl. apply Qle_bool_false in Hv. apply (Qlt_not_le _ _ Hv). apply Qle_minus_iff in G. apply Qle_minus_iff in Hh.
        apply Qle_minus_iff.
        setoid_replace (real (Number l (- k)) + - v)%Q with
          ((w - v + - (real (Number h (- k)) - real (Number l (- k)))) + (real (Number h (- k)) + - w))%Q by ring.
        rewrite <- (Qplus_0_l 0). apply Qplus_le_compat; assumption.
  Qed.
End Span.

(* ------------------------------------------------------------------------------------------------- joint trees *)
Definition both := (option (list Z) * option (list Z))%type.
Definition lefts (l : list both) : list (list Z) := flat_map (fun b => match fst b with Some v => [v] | None => [] end) l.
Definition rights (l : list both) : list (list Z) := flat_map (fun b => match snd b with Some v => [v] | None => [] end) l.

(* Lists side by side, each two together where a list of truths says so. *)
Fixpoint zip {A B C : Type} (two : A -> B -> C) (one : A -> C) (other : B -> C) (together : list bool) (l : list A) (r : list B) : list C :=
  match l, r with
  | [], _ => map other r
  | _, [] => map one l
  | a :: l, b :: r =>
      (if hd true together then [two a b] else [one a; other b]) ++ zip two one other (tl together) l r
  end.
Definition zip_leaves := zip (fun a b => (Some a, Some b) : both) (fun a => (Some a, None)) (fun b => (None, Some b)).
Lemma map_one : forall l : list (list Z), lefts (map (fun a => (Some a, None) : both) l) = l /\ rights (map (fun a => (Some a, None) : both) l) = [].
Proof. induction l as [|a l [IH1 IH2]]; [split; reflexivity|]. unfold lefts, rights in *. simpl. rewrite IH1, IH2. auto. Qed.
Lemma map_other : forall l : list (list Z), lefts (map (fun b => (None, Some b) : both) l) = [] /\ rights (map (fun b => (None, Some b) : both) l) = l.
Proof. induction l as [|a l [IH1 IH2]]; [split; reflexivity|]. unfold lefts, rights in *. simpl. rewrite IH1, IH2. auto. Qed.
Lemma zip_sides : forall l r together, lefts (zip_leaves together l r) = l /\ rights (zip_leaves together l r) = r.
Proof.
  unfold zip_leaves. induction l as [|a l IH]; intros r together; [apply map_other|].
  destruct r as [|b r]; [apply map_one|]. specialize (IH r (tl together)). destruct IH as [IH1 IH2]. unfold lefts, rights in *.
  simpl. destruct (hd true together); simpl; rewrite IH1, IH2; auto.
Qed.
Lemma sum_of_lefts : forall g l, sum_of (fun b : both => match fst b with Some v => g v | None => 0 end) l = sum_of g (lefts l).
Proof. intros g l. induction l as [|[[v|] w] l IH]; [reflexivity | |]; unfold sum_of, lefts in *; simpl; rewrite IH; reflexivity. Qed.
Lemma sum_of_rights : forall g l, sum_of (fun b : both => match snd b with Some v => g v | None => 0 end) l = sum_of g (rights l).
Proof. intros g l. induction l as [|[v [w|]] l IH]; [reflexivity | |]; unfold sum_of, rights in *; simpl; rewrite IH; reflexivity. Qed.
Lemma sum_of_plus : forall (A : Type) (g h : A -> Z) l, sum_of (fun a => g a + h a) l = sum_of g l + sum_of h l.
Proof. induction l as [|a l IH]; simpl; lia. Qed.
Lemma sum_of_times : forall (A : Type) n (g : A -> Z) l, sum_of (fun a => n * g a) l = n * sum_of g l.
Proof.
  induction l as [|a l IH]; [simpl; lia|].
  change (n * g a + sum_of (fun a => n * g a) l = n * (g a + sum_of g l)). rewrite IH. ring.
Qed.

Section Pairs.
  Variables m n : model.
  Variables q r : ready.
  Variable one : bool.                                          (* both are the same model *)
  Variable p : property.
  Notation k := (unit q).

  (* Where the copies stand: behind the features, in their order. *)
  Definition first_copy : feature := Pos.of_succ_nat (dim m).
  Definition homes : list (feature * feature) := combine (count_from first_copy (length (copies p))) (map fst (copies p)).
  Definition original (f : feature) : option feature := option_map snd (find (fun h => Pos.eqb (fst h) f) homes).
  Definition home (f : feature) : feature := match find (fun h => Pos.eqb (snd h) f) homes with Some h => fst h | None => f end.
  Definition joint (x y : input) : input := fun f => match original f with Some o => y o | None => x f end.

  (* The question as one claim, about no norm. Its model is only as wide. *)
  Definition source (f : feature) : feature := match original f with Some o => o | None => f end.
  Definition asked : claim := {|
    x := fun _ => Number 0 0; the_norm := LInf; from := O; target := None;
    lower := fun f => low p (source f); upper := fun f => high p (source f);
    price_up := fun _ => Number 1 0; price_down := fun _ => Number 1 0; codes := fun f => kinds p (source f); bound := None |}.
  Definition width : model := {|
    dim := dim m + length (copies p); classes := 1; trees := []; base := []; votes := Sum; single := false; places := 0 |}.
  Notation fs := (features (dim width)).

  Definition shaped : bool :=
    forallb (fun f => match original f with None => true | Some _ => false end) (features (dim m)) &&
    forallb (fun c => match original (home (fst c)) with Some o => Pos.eqb o (fst c) | None => false end) (copies p) &&
    forallb (fun c => Pos.ltb (fst c) first_copy) (copies p) && forallb (forallb (fun f => Pos.ltb f first_copy)) (one_hot p) &&
    Nat.eqb (dim m) (dim n).
  Fixpoint narrow_tree (t : ktree (list Z)) : bool :=
    match t with KNode f _ l s => Pos.ltb f first_copy && narrow_tree l && narrow_tree s | _ => true end.
  Fixpoint rename (t : ktree (list Z)) : ktree (list Z) :=
    match t with KNode f cuts l s => KNode (home f) cuts (rename l) (rename s) | _ => t end.

  (* Two trees as one, or one alone, within a box. *)
  Section Trees.
    Variable table : M.t (option (Z * Z * Z)).
    Notation to := (prune_to (up asked table) (down asked table) (limit q asked 0) (budget q asked 0)).
    Definition two_trees (b : box) (d : Z) (t s : ktree (list Z)) : ktree both :=
      to (list Z) both (fun v b d => to (list Z) both (fun w _ _ => KLeaf (Some v, Some w)) s b d) t b d.
    Definition one_tree (b : box) (d : Z) (t : ktree (list Z)) : ktree both := to (list Z) both (fun v _ _ => KLeaf (Some v, None)) t b d.
    Definition other_tree (b : box) (d : Z) (t : ktree (list Z)) : ktree both := to (list Z) both (fun v _ _ => KLeaf (None, Some v)) t b d.
    Definition joined (b : box) (d : Z) (together : list bool) (ts ss : list (ktree (list Z))) : list (ktree both) :=
      zip (two_trees b d) (one_tree b d) (other_tree b d) together ts (map rename ss).
  End Trees.

  (* ------------------------------------------------------------------------------------------- what a box cannot hold *)
  Definition region_of (b : box) (f : feature) : region := match M.find f b with Some s => s | None => [Piece None None 0] end.
  Definition next_cuts (f : feature) : list cut :=
    map (cut_of k) (flat_map (borders_at f) (trees m) ++ flat_map (borders_at f) (trees n)).
  Definition cut_eqb (a b : cut) : bool := (fst a =? fst b) && Bool.eqb (snd a) (snd b).
  Definition no_next (cuts : list cut) (s t : region) : bool :=
    forallb (fun c => match low_of s with Some l => cutle c l | None => false end ||
                      match high_of t with Some h => cutle h c | None => false end) cuts ||
    match high_of s, low_of t with
    | Some h, Some l => let between := filter (fun c => cutle h c && cutle c l) cuts in
                        existsb (fun c => existsb (fun d => negb (cut_eqb c d)) between) between
    | _, _ => false
    end.
  Definition no_copy (b : box) (c : feature * apart) : bool :=
    let s := region_of b (fst c) in
    let t := region_of b (home (fst c)) in
    match snd c with
    | Next => no_next (next_cuts (fst c)) s t
    | Within least most =>
        match least with Some e => falls (high_of t) (low_of s) (units k e) | None => false end ||
        match most with Some e => falls (high_of s) (low_of t) (- units k e) | None => false end
    end.
  Definition no_one (b : box) (group : list feature) : bool :=
    let zero f := holds_at 0 (region_of b f) in
    let at_one f := holds_at (2 ^ k) (region_of b f) in
    negb (existsb at_one group) || existsb (fun f => negb (zero f) && negb (at_one f)) group ||
    existsb (fun f => negb (zero f) && existsb (fun g => negb (Pos.eqb f g) && negb (zero g)) group) group.
  Definition void (b : box) : bool :=
    existsb (no_copy b) (copies p) || existsb (no_one b) (one_hot p) || existsb (fun g => no_one b (map home g)) (one_hot p).

  (* ------------------------------------------------------------------------------------------- forms *)
  Record form := { gain_of : both -> Z; base_of : Z; goal_of : Z }.
  Definition of_x (g : list Z -> Z) (l : both) : Z := match fst l with Some v => g v | None => 0 end.
  Definition of_y (g : list Z -> Z) (l : both) : Z := match snd l with Some v => g v | None => 0 end.

  Definition amount (o : model) (c : nat) (v : list Z) : Z :=
    match votes o with Hard => hit c v * 2 ^ places o | _ => value c v end.
  Definition amount_base (o : model) (t : ready) (c : nat) : Z := match votes o with Hard => 0 | _ => value c (r_base t) end.
  Definition weight (kw : Z) (t : number * bool * nat) : Z := units kw (fst (fst t)).
  Definition sum_form (kw : Z) (most : number) (terms : list (number * bool * nat)) : form := {|
    gain_of := fun l => sum_of (fun t => weight kw t * if snd (fst t) then of_y (amount n (snd t)) l else of_x (amount m (snd t)) l) terms;
    base_of := sum_of (fun t => weight kw t * if snd (fst t) then amount_base n r (snd t) else amount_base m q (snd t)) terms;
    goal_of := units (kw + places m) most + 1 |}.

  Definition x_form (a c : nat) : option form :=
    option_map (fun g => {| gain_of := of_x (gain (votes m) a c); base_of := base_lead (votes m) (r_base q) a c; goal_of := g |}) (opens m q a c).
  Definition y_form (b c : nat) : option form :=
    option_map (fun g => {| gain_of := of_y (gain (votes n) b c); base_of := base_lead (votes n) (r_base r) b c; goal_of := g |}) (opens n r b c).
  (* Hard votes count trees, others the units of values, so that leads can be added. *)
  Definition per_unit (o : model) : Z := match votes o with Hard => 2 ^ places o | _ => 1 end.
  Definition both_form (a b : nat) : option form :=
    match x_form a b, y_form b a with
    | Some f, Some g => Some {|
        gain_of := fun l => per_unit m * gain_of f l + per_unit n * gain_of g l;
        base_of := per_unit m * base_of f + per_unit n * base_of g;
        goal_of := per_unit m * goal_of f + per_unit n * goal_of g |}
    | _, _ => None
    end.
  Definition lost (ts : list (ktree both)) (f : option form) : bool :=
    match f with Some f => base_of f + total_best (gain_of f) ts <? goal_of f | None => false end.

  (* Whether all leaves are pairs of a leaf with itself. *)
  Fixpoint same (t : ktree both) : bool :=
    match t with
    | Gone => true
    | KLeaf (Some v, Some w) => if list_eq_dec Z.eq_dec v w then true else false
    | KLeaf _ => false
    | KNode _ _ l s => same l && same s
    end.
  Definition parted (a b : nat) (ts : list (ktree both)) : bool :=
    lost ts (both_form a b) ||
    existsb (fun c => negb (Nat.eqb c a) && lost ts (x_form a c)) (seq 0 (classes m)) ||
    existsb (fun c => negb (Nat.eqb c b) && lost ts (y_form b c)) (seq 0 (classes n)) ||
    one && forallb same ts ||
    match all_only ts with
    | Some leaves => negb (may_give (votes m) (bits m) (places m) (classes m) (r_base q) (lefts leaves) a &&
                           may_give (votes n) (bits n) (places n) (classes n) (r_base r) (rights leaves) b)
    | None => false
    end.

  (* ------------------------------------------------------------------------------------------- parts *)
  Definition drop_form (table : M.t (option (Z * Z * Z))) (f : option form) (w : potentials) (b : box) (ts : list (ktree both)) :=
    match f with
    | Some f => drop (up asked table) (down asked table) fs (limit q asked 0) both (gain_of f) (base_of f) (goal_of f) w b ts
    | None => ts
    end.
  Definition check_part (together : list bool) (ts ss : list (ktree (list Z))) (main : option form)
      (ends : list (ktree both) -> bool) (proof : proof potentials) : bool :=
    let table := facts width q asked 0 in
    let begins := start q asked 0 table in
    let b := root fs begins in
    let d := distance fs b in
    existsb (fun f => match begins f with [] => true | _ => false end) fs ||
    check (up asked table) (down asked table) (limit q asked 0) (budget q asked 0) both
      (fun b ts => void b || ends ts) potentials (drop_form table main) (joined table b d together ts ss) b d proof.
  Definition usable_pair : bool :=
    shaped && usable width q asked 0 && (unit q =? unit r) && (places m =? places n) &&
    forallb narrow_tree (r_trees q) && forallb narrow_tree (r_trees r) &&
    forallb (fun c => match snd c with
      | Within least most => whole_end q least && whole_end q most
      | Next => true end) (copies p).
  (* Trees that no term is about are left out. *)
  Definition check_sum (kw : Z) (most : number) (terms : list (number * bool * nat)) (together : list bool)
      (proof : proof potentials) : bool :=
    let f := sum_form kw most terms in
    let read (y : bool) ts := if existsb (fun t => Bool.eqb (snd (fst t)) y) terms then ts else [] in
    usable_pair && whole (kw + places m) most && forallb (fun t => whole kw (fst (fst t))) terms &&
    check_part together (read false (r_trees q)) (read true (r_trees r)) (Some f) (fun ts => lost ts (Some f)) proof.
  Definition check_labels (a b : nat) (together : list bool) (proof : proof potentials) : bool :=
    usable_pair && check_part together (r_trees q) (r_trees r) (both_form a b) (parted a b) proof.

  (* Where x and y may change places a part stands for the one with its labels changed, too. *)
  Definition swaps : bool :=
    one && forallb (fun c => match snd c with
      | Within None None => true
      | Within (Some l) (Some h) => (expo l =? expo h) && (mant l =? - mant h)
      | _ => false end) (copies p).
  Definition checks (kw : Z) (together : list bool) (proofs : list (nat * nat * proof potentials)) : bool :=
    match says p with
    | Above most terms => match proofs with [(_, _, proof)] => check_sum kw most terms together proof | _ => false end
    | SameLabel label =>
        Nat.eqb (classes m) (classes n) &&
        forallb (fun a => forallb (fun b =>
          Nat.eqb a b || match label with Some l => negb (Nat.eqb a l) | None => swaps && Nat.ltb a b end ||
          match find (fun e => Nat.eqb (fst (fst e)) a && Nat.eqb (snd (fst e)) b) proofs with
          | Some e => check_labels a b together (snd e)
          | None => false end) (seq 0 (classes n))) (seq 0 (classes m))
    end.
End Pairs.

(* ------------------------------------------------------------------------------------------------- why it holds *)
Lemma count_from_app : forall a b f, count_from f (a + b) = count_from f a ++ count_from (Nat.iter a Pos.succ f) b.
Proof.
  induction a as [|a IH]; intros b f; simpl; [reflexivity|]. rewrite IH. f_equal. f_equal. f_equal.
  clear. induction a as [|a IH]; simpl; [reflexivity | rewrite IH; reflexivity].
Qed.
Lemma iter_succ : forall a, Nat.iter a Pos.succ 1%positive = Pos.of_succ_nat a.
Proof. induction a as [|a IH]; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.
Lemma count_below : forall a f g, (f <= g)%positive -> (g < Nat.iter a Pos.succ f)%positive -> In g (count_from f a).
Proof.
  induction a as [|a IH]; intros f g H1 H2; simpl in *; [lia|]. destruct (Pos.eq_dec f g) as [E | E]; [left; exact E | right].
  apply IH; [lia|]. replace (Nat.iter a Pos.succ (Pos.succ f)) with (Pos.succ (Nat.iter a Pos.succ f)); [exact H2|].
  clear. induction a as [|a IH]; simpl; [reflexivity | rewrite IH; reflexivity].
Qed.
Lemma below_equal : forall k v w c, (v == w)%Q -> below_cut k v c = below_cut k w c.
Proof.
  intros k v w [e closed] H. unfold below_cut, Spec.below. simpl. destruct closed; [|f_equal]; apply Qle_bool_eq; auto; reflexivity.
Qed.

Section Sound.
  Variables m n : model.
  Variables q r : ready.
  Variable one : bool.
  Variable p : property.
  Hypothesis Hq : get_ready (unit q) m = Some q.
  Hypothesis Hr : get_ready (unit r) n = Some r.
  Hypothesis Hone : one = true -> m = n.
  Hypothesis Husable : usable_pair m n q r p = true.
  Notation k := (unit q).
  Notation below := (below_cut (unit q)).
  Notation home := (home m p).
  Notation joint := (joint m p).
  Notation original := (original m p).
  Notation asked := (asked m p).
  Notation width := (width m p).
  Notation fs := (features (dim width)).
  Notation table := (facts width q asked 0).
  Notation atleast := (atleast width q asked 0).
  Notation inside := (inside Q below atleast fs).
  Notation near := (near Q atleast fs (limit q asked 0) (budget q asked 0)).

  Lemma shape : (forall f, In f (features (dim m)) -> original f = None) /\
    (forall f a, In (f, a) (copies p) -> original (home f) = Some f /\ (f < first_copy m)%positive) /\
    (forall g f, In g (one_hot p) -> In f g -> (f < first_copy m)%positive) /\ dim m = dim n /\
    usable width q asked 0 = true /\ unit q = unit r /\ places m = places n /\
    (forall t, In t (r_trees q) -> narrow_tree m t = true) /\ (forall t, In t (r_trees r) -> narrow_tree m t = true) /\
    (forall f least most, In (f, Within least most) (copies p) -> whole_end q least = true /\ whole_end q most = true).
  Proof.
    unfold usable_pair, shaped in Husable. rewrite !andb_true_iff in Husable.
    destruct Husable as [[[[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9] H10] H11].
    rewrite forallb_forall in H1, H2, H3, H4, H9, H10, H11. apply Nat.eqb_eq in H5. apply Z.eqb_eq in H7, H8.
    split; [intros f Hf; specialize (H1 f Hf); destruct (original f); [discriminate | reflexivity]|].
    split; [intros f a Hc; specialize (H2 _ Hc); specialize (H3 _ Hc); simpl in *; apply Pos.ltb_lt in H3;
      destruct (original (home f)); [apply Pos.eqb_eq in H2; subst; auto | discriminate]|].
    split; [intros g f Hg Hf; specialize (H4 g Hg); rewrite forallb_forall in H4; apply Pos.ltb_lt, H4, Hf|].
    split; [exact H5|]. split; [exact H6|]. split; [exact H7|]. split; [exact H8|]. split; [exact H9|]. split; [exact H10|].
    intros f least most Hc. specialize (H11 _ Hc). simpl in H11. apply andb_true_iff in H11. exact H11.
  Qed.
  Lemma feature_below : forall f, (f < first_copy m)%positive -> In f (features (dim m)).
  Proof. intros f H. apply count_below; [lia|]. rewrite iter_succ. exact H. Qed.
  Lemma joint_x : forall x y f, (f < first_copy m)%positive -> joint x y f = x f.
  Proof. intros x y f H. unfold Pairs.joint. rewrite (proj1 shape f (feature_below f H)). reflexivity. Qed.
  Lemma joint_copy : forall x y f a, In (f, a) (copies p) -> joint x y (home f) = y f.
  Proof. intros x y f a H. unfold Pairs.joint. destruct (proj1 (proj2 shape) f a H) as [E _]. rewrite E. reflexivity. Qed.
  Lemma home_kept : forall f, ~ In f (map fst (copies p)) -> home f = f.
  Proof.
    intros f H. unfold Pairs.home. destruct (find (fun h => Pos.eqb (snd h) f) (homes m p)) as [h|] eqn:E; [|reflexivity].
    apply find_some in E. destruct E as [E1 E2]. apply Pos.eqb_eq in E2. exfalso. apply H. subst f.
    unfold homes in E1. destruct h as [a b]. exact (in_combine_r _ _ _ _ E1).
  Qed.
  Definition shares (x y : input) : Prop :=
    forall f, In f (features (dim m)) -> ~ In f (map fst (copies p)) -> (x f == y f)%Q.
  Lemma joint_y : forall x y f, shares x y -> (f < first_copy m)%positive -> (joint x y (home f) == y f)%Q.
  Proof.
    intros x y f H Hf. destruct (in_dec Pos.eq_dec f (map fst (copies p))) as [I | I].
    - apply in_map_iff in I. destruct I as [[g a] [E I]]. simpl in E. subst g. rewrite (joint_copy x y f a I). reflexivity.
    - rewrite home_kept by exact I. rewrite joint_x by exact Hf. apply H; [apply feature_below, Hf | exact I].
  Qed.
  Lemma features_split : forall f, In f fs -> (f < first_copy m)%positive \/ exists o, original f = Some o /\ In o (map fst (copies p)).
  Proof.
    intros f Hf. unfold features in Hf. simpl dim in Hf. rewrite count_from_app, iter_succ in Hf. apply in_app_or in Hf.
    destruct Hf as [Hf | Hf].
    - left. clear - Hf. assert (G : forall a b g, In g (count_from b a) -> (g < Nat.iter a Pos.succ b)%positive).
      { induction a as [|a IH]; intros b g H; simpl in *; [contradiction|].
        assert (E : forall c b, Nat.iter c Pos.succ (Pos.succ b) = Pos.succ (Nat.iter c Pos.succ b))
          by (clear; induction c as [|c IH]; intro b; simpl; [reflexivity | rewrite IH; reflexivity]).
        assert (L : forall c b, (b <= Nat.iter c Pos.succ b)%positive)
          by (clear; induction c as [|c IH]; intro b; simpl; [lia | specialize (IH b); lia]).
        destruct H as [H | H]; [subst g; specialize (L a b); lia|]. specialize (IH _ _ H). rewrite E in IH. exact IH. }
      specialize (G _ _ _ Hf). rewrite iter_succ in G. exact G.
    - right. unfold Pairs.original, homes. fold (first_copy m) in Hf. revert Hf. generalize (first_copy m).
      rewrite <- (map_length fst (copies p)). induction (map fst (copies p)) as [|o l IH]; intros g Hf; simpl in *; [contradiction|].
      destruct (Pos.eqb_spec g f) as [E | E]; [exists o; auto|]. destruct Hf as [Hf | Hf]; [congruence|].
      destruct (IH _ Hf) as [o' [E1 E2]]. exists o'. auto.
  Qed.

  Lemma joint_domain : forall x y, in_place (dim m) p x -> in_place (dim m) p y -> in_domain (dim width) asked (joint x y).
  Proof.
    intros x y [Hx _] [Hy _] f Hf. unfold Pairs.joint, Pairs.asked. simpl. unfold source.
    assert (G : forall z o, (forall f, In f (features (dim m)) -> between (low p f) (high p f) (z f) /\
        (0 < kinds p f -> exists code, 0 <= code < kinds p f /\ (z f == inject_Z code)%Q)) -> (o < first_copy m)%positive ->
      between (low p o) (high p o) (z o) /\
      (0 < kinds p o -> (z o == real (Number 0 0))%Q \/ exists code, 0 <= code < kinds p o /\ (z o == inject_Z code)%Q)).
    { intros z o H Ho. destruct (H o (feature_below o Ho)) as [H1 H2]. auto. }
    destruct (features_split f Hf) as [L | [o [E I]]].
    - rewrite (proj1 shape f (feature_below f L)). apply G; assumption.
    - rewrite E. apply G; [exact Hy|]. apply in_map_iff in I. destruct I as [[g a] [Eg I]]. simpl in Eg. subst g.
      exact (proj2 (proj1 (proj2 shape) o a I)).
  Qed.
  Lemma joint_near : forall z, near z.
  Proof. intro z. apply (nearer_near width q asked 0 (proj1 (proj2 (proj2 (proj2 (proj2 shape)))))). exact I. Qed.

  (* -------------------------------------------------------------------------------------------- trees *)
  Lemma goes_equal : forall v w cuts, (v == w)%Q -> goes Q below v cuts = goes Q below w cuts.
  Proof. intros v w cuts H. induction cuts as [|c cuts IH]; simpl; [reflexivity|]. rewrite IH, (below_equal k v w c H). reflexivity. Qed.
  Lemma walk_x : forall x y t, narrow_tree m t = true -> kwalk Q below t (joint x y) = kwalk Q below t x.
  Proof.
    intros x y t. induction t as [|v|f cuts l IHl s IHs]; intro H; simpl in *; try reflexivity.
    rewrite !andb_true_iff in H. destruct H as [[Hf Hl] Hs]. apply Pos.ltb_lt in Hf. rewrite joint_x, IHl, IHs by assumption. reflexivity.
  Qed.
  Lemma walk_y : forall x y t, shares x y -> narrow_tree m t = true -> kwalk Q below (rename m p t) (joint x y) = kwalk Q below t y.
  Proof.
    intros x y t Hs. induction t as [|v|f cuts l IHl s IHs]; intro H; simpl in *; try reflexivity.
    rewrite !andb_true_iff in H. destruct H as [[Hf Hl] Hr']. apply Pos.ltb_lt in Hf.
    rewrite (goes_equal _ _ cuts (joint_y x y f Hs Hf)), IHl, IHs by assumption. reflexivity.
  Qed.
  Lemma prune_to_joint : forall (B : Type) (leaf : list Z -> box -> Z -> ktree B) z (end_of : list Z -> option B) t b d,
    (forall a b d, inside z b -> d = distance fs b -> kwalk Q below (leaf a b d) z = end_of a) -> inside z b -> d = distance fs b ->
    kwalk Q below (prune_to (up asked table) (down asked table) (limit q asked 0) (budget q asked 0) (list Z) B leaf t b d) z =
    match kwalk Q below t z with Some a => end_of a | None => None end.
  Proof.
    intros B leaf z end_of t b d Hl Hb Hd. pose proof (proj1 (proj2 (proj2 (proj2 (proj2 shape))))) as U.
    apply (prune_to_walk Q below (below_cut_mono k) atleast (atleast_mono width q asked 0) (atleast_0 width q asked 0 U)
      (up asked table) (down asked table) (up_atleast width q asked 0 U) (down_atleast width q asked 0 U) fs
      (proj1 (features_once _ _)) (limit q asked 0) (budget q asked 0) (list Z) B leaf z end_of Hl (joint_near z) t b d Hb Hd).
  Qed.
  Lemma zip_reached : forall z b together ts ss lx ly, inside z b ->
    map (fun t => kwalk Q below t z) ts = map Some lx -> map (fun t => kwalk Q below t z) ss = map Some ly ->
    reached Q below both (zip (two_trees m q p table b (distance fs b)) (one_tree m q p table b (distance fs b))
      (other_tree m q p table b (distance fs b)) together ts ss) z (zip_leaves together lx ly).
  Proof.
    intros z b together ts ss lx ly Hb. revert together ss lx ly. unfold reached, zip_leaves.
    assert (O : forall (B : Type) (make : list Z -> B) t v, kwalk Q below t z = Some v ->
      kwalk Q below (prune_to (up asked table) (down asked table) (limit q asked 0) (budget q asked 0) (list Z) B
        (fun v _ _ => KLeaf (make v)) t b (distance fs b)) z = Some (make v)).
    { intros B make t v H. rewrite prune_to_joint with (end_of := fun v => Some (make v)); auto. rewrite H. reflexivity. }
    assert (M : forall (make : list Z -> both) ts l, map (fun t => kwalk Q below t z) ts = map Some l ->
      map (fun t => kwalk Q below t z) (map (fun t => prune_to (up asked table) (down asked table) (limit q asked 0) (budget q asked 0)
        (list Z) both (fun v _ _ => KLeaf (make v)) t b (distance fs b)) ts) = map Some (map make l)).
    { intros make us. induction us as [|t us IH]; intros [|v l] H; try discriminate; [reflexivity|]. simpl in H. injection H as H1 H2.
      cbn [map]. rewrite (O both make t v H1), (IH l H2). reflexivity. }
    induction ts as [|t ts IH]; intros together ss lx ly Hx Hy.
    - destruct lx; [|discriminate]. exact (M (fun w => (None, Some w)) ss ly Hy).
    - destruct lx as [|v lx]; [discriminate|]. destruct ss as [|s ss].
      + destruct ly; [|discriminate]. exact (M (fun v => (Some v, None)) (t :: ts) (v :: lx) Hx).
      + destruct ly as [|w ly]; [discriminate|]. simpl in Hx, Hy. injection Hx as Hx1 Hx2. injection Hy as Hy1 Hy2.
        specialize (IH (tl together) ss lx ly Hx2 Hy2). cbn [zip]. destruct (hd true together); cbn [app map].
        * f_equal; [|exact IH]. unfold two_trees.
          rewrite prune_to_joint with (end_of := fun v => Some (Some v, Some w)); [rewrite Hx1; reflexivity | | exact Hb | reflexivity].
          intros a b' d' Hb' Hd'. rewrite prune_to_joint with (end_of := fun w => Some (Some a, Some w)); auto. rewrite Hy1. reflexivity.
        * f_equal; [exact (O both (fun v => (Some v, None)) t v Hx1)|]. f_equal; [exact (O both (fun w => (None, Some w)) s w Hy1) | exact IH].
  Qed.

  (* -------------------------------------------------------------------------------------------- voids *)
  Lemma region_within : forall z b f, inside z b -> forall o, (exists s, region_of b f = s) ->
    (o = low_of (region_of b f) -> not_before k (z f) o) /\ (o = high_of (region_of b f) -> not_behind k (z f) o).
  Proof.
    intros z b f Hb o _. unfold region_of. destruct (M.find f b) as [s|] eqn:E.
    - destruct (Hb f s E) as [_ Hs]. split; intros ->; [exact (low_of_within k atleast f _ _ Hs) | exact (high_of_within k atleast f _ _ Hs)].
    - split; intros ->; exact I.
  Qed.
  Lemma at_low : forall z b f, inside z b -> not_before k (z f) (low_of (region_of b f)).
  Proof. intros z b f Hb. apply (region_within z b f Hb); [eexists; reflexivity | reflexivity]. Qed.
  Lemma at_high : forall z b f, inside z b -> not_behind k (z f) (high_of (region_of b f)).
  Proof. intros z b f Hb. apply (region_within z b f Hb); [eexists; reflexivity | reflexivity]. Qed.
  Lemma at_value : forall z b f e, inside z b -> (z f == real (Number e (- k)))%Q -> holds_at e (region_of b f) = true.
  Proof.
    intros z b f e Hb Hz. unfold region_of. destruct (M.find f b) as [s|] eqn:E; [|reflexivity].
    destruct (Hb f s E) as [_ Hs]. exact (holds_at_within k atleast f _ e s Hs Hz).
  Qed.
  Lemma real_opp : forall a e, (real (Number (- a) e) == - real (Number a e))%Q.
  Proof. intros. unfold real. simpl. rewrite inject_Z_opp. ring. Qed.

  Lemma no_next_sound : forall borders s t v w, forallb (fun d => whole k (fst d)) borders = true ->
    not_before k v (low_of s) -> not_behind k v (high_of s) -> not_before k w (low_of t) -> not_behind k w (high_of t) ->
    no_next (map (cut_of k) borders) s t = true -> ~ next_slot borders v w.
  Proof.
    intros borders s t v w Hw Hls Hhs Hlt Hht H [d [Hd [Hv [Hwd Honly]]]]. rewrite forallb_forall in Hw.
    unfold no_next in H. apply orb_true_iff in H. destruct H as [H | H].
    - rewrite forallb_forall in H. specialize (H (cut_of k d) (in_map _ _ _ Hd)). apply orb_true_iff in H.
      rewrite <- (below_units k) in Hv, Hwd by (apply Hw, Hd). destruct H as [H | H].
      + destruct (low_of s) as [l|]; [|discriminate]. simpl in Hls. rewrite (below_cut_mono k v _ _ H Hv) in Hls. discriminate.
      + destruct (high_of t) as [h|]; [|discriminate]. simpl in Hht. rewrite (below_cut_mono k w _ _ H Hht) in Hwd. discriminate.
    - destruct (high_of s) as [h|]; [|discriminate]. destruct (low_of t) as [l|]; [|discriminate]. simpl in Hhs, Hlt.
      apply existsb_exists in H. destruct H as [c1 [Hc1 H]]. apply existsb_exists in H. destruct H as [c2 [Hc2 H]].
      assert (G : forall c, In c (filter (fun c => cutle h c && cutle c l) (map (cut_of k) borders)) ->
        fst c = units k (fst d) /\ snd c = snd d).
      { intros c Hc. apply filter_In in Hc. destruct Hc as [Hc1' Hc2']. apply andb_true_iff in Hc2'. destruct Hc2' as [G1 G2].
        apply in_map_iff in Hc1'. destruct Hc1' as [e [Ee He]]. subst c. simpl.
        assert (B1 : below v (cut_of k e) = true) by exact (below_cut_mono k v _ _ G1 Hhs).
        assert (B2 : below w (cut_of k e) = false) by exact (below_false k w _ _ G2 Hlt).
        rewrite below_units in B1, B2 by (apply Hw, He). destruct (Honly e He B1 B2) as [S1 S2]. split; [|exact S2].
        rewrite (real_units k (fst e) (Hw e He)), (real_units k (fst d) (Hw d Hd)) in S1.
        destruct (Z.lt_trichotomy (units k (fst e)) (units k (fst d))) as [L | [L | L]]; [exfalso | exact L | exfalso];
          apply (Qlt_irrefl (real (Number (units k (fst d)) (- k)))); [rewrite <- S1 at 1 | rewrite <- S1 at 2]; unfold real; simpl;
          (apply Qmult_lt_compat_r; [apply two_power | rewrite <- Zlt_Qlt; exact L]). }
      destruct (G c1 Hc1) as [A1 A2], (G c2 Hc2) as [B1 B2]. unfold cut_eqb in H. rewrite A1, B1, A2, B2, Z.eqb_refl in H.
      destruct (snd d); discriminate.
  Qed.

  Lemma whole_borders_at : forall places f u d, whole_tree k places u = true -> In d (borders_at f u) -> whole k (fst d) = true.
  Proof.
    intros places f u d. induction u as [v | g borders l IHl s IHs]; simpl; intros W Hd; [contradiction|].
    rewrite !andb_true_iff in W. destruct W as [[W1 W2] W3]. apply in_app_or in Hd. destruct Hd as [Hd | Hd].
    - destruct (Pos.eqb f g); [|contradiction]. rewrite forallb_forall in W1. apply W1, Hd.
    - apply in_app_or in Hd. destruct Hd as [Hd | Hd]; auto.
  Qed.
  Lemma whole_borders : forall o t f, get_ready (unit t) o = Some t -> unit t = k ->
    forallb (fun d => whole k (fst d)) (flat_map (borders_at f) (trees o)) = true.
  Proof.
    intros o t f H E. destruct (ready_parts o t H) as [_ [W _]]. rewrite E in W. rewrite forallb_forall in W. apply forallb_forall.
    intros d Hd. apply in_flat_map in Hd. destruct Hd as [u [Hu Hd]]. exact (whole_borders_at _ f u d (W u Hu) Hd).
  Qed.

  Lemma no_copy_sound : forall x y b c, pair m n p x y -> inside (joint x y) b -> In c (copies p) -> no_copy m n q p b c = false.
  Proof.
    intros x y b [f a] [_ [_ [_ Hc]]] Hb Hin. destruct (no_copy m n q p b (f, a)) eqn:H; [exfalso | reflexivity].
    specialize (Hc f a Hin). destruct (proj1 (proj2 shape) f a Hin) as [_ Hf].
    pose proof (at_low (joint x y) b f Hb) as Lx. pose proof (at_high (joint x y) b f Hb) as Hx. rewrite (joint_x x y f Hf) in Lx, Hx.
    pose proof (at_low (joint x y) b (home f) Hb) as Ly. pose proof (at_high (joint x y) b (home f) Hb) as Hy.
    rewrite (joint_copy x y f a Hin) in Ly, Hy. unfold no_copy in H. simpl in H. destruct a as [least most|]; simpl in Hc.
    - destruct (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 shape)))))))) f least most Hin) as [W1 W2].
      destruct Hc as [C1 C2]. apply orb_true_iff in H. destruct H as [H | H].
      + destruct least as [e|]; [|discriminate]. apply (falls_sound k (x f) (y f) _ _ _ H Hy Lx).
        rewrite <- (real_units k e W1). exact C1.
      + destruct most as [e|]; [|discriminate]. apply (falls_sound k (y f) (x f) _ _ _ H Hx Ly).
        rewrite real_opp, <- (real_units k e W2). apply Qopp_le_compat in C2.
        setoid_replace (x f - y f)%Q with (- (y f - x f))%Q by ring. exact C2.
    - refine (no_next_sound _ _ _ (x f) (y f) _ Lx Hx Ly Hy H Hc). rewrite forallb_app. apply andb_true_iff.
      destruct shape as [_ [_ [_ [_ [_ [U _]]]]]].
      split; [exact (whole_borders m q f Hq eq_refl) | exact (whole_borders n r f Hr (eq_sym U))].
  Qed.
  Lemma k_nonneg : 0 <= k.
  Proof. exact (usable_k width q asked 0 (proj1 (proj2 (proj2 (proj2 (proj2 shape)))))). Qed.
  Lemma real_one : (1 == real (Number (2 ^ k) (- k)))%Q.
  Proof.
    unfold real. simpl. rewrite Qpower.Zpower_Qpower by exact k_nonneg. change (inject_Z 2) with 2%Q.
    rewrite <- Qpower.Qpower_plus by discriminate. replace (k + - k) with 0 by lia. reflexivity.
  Qed.
  Lemma no_one_sound : forall b z (v : input) (group : list feature) (at_ : feature -> feature),
    inside z b -> (forall f, In f group -> (z (at_ f) == v f)%Q) -> (forall f g, In f group -> In g group -> at_ f = at_ g -> f = g) ->
    (exists one, In one group /\ (v one == 1)%Q /\ forall f, In f group -> f <> one -> (v f == 0)%Q) ->
    no_one q b (map at_ group) = false.
  Proof.
    intros b z v group at_ Hb Hz Hinj [o [Ho [H1 H0]]].
    assert (A1 : holds_at (2 ^ k) (region_of b (at_ o)) = true).
    { apply (at_value z b _ _ Hb). rewrite (Hz o Ho), H1. exact real_one. }
    assert (A0 : forall f, In f group -> f <> o -> holds_at 0 (region_of b (at_ f)) = true).
    { intros f Hf Hn. apply (at_value z b _ _ Hb). rewrite (Hz f Hf), (H0 f Hf Hn), real_0. reflexivity. }
    unfold no_one. rewrite !orb_false_iff. repeat split.
    - apply negb_false_iff, existsb_exists. exists (at_ o). split; [apply in_map, Ho | exact A1].
    - destruct (existsb _ _) eqn:E; [exfalso | reflexivity]. apply existsb_exists in E. destruct E as [g [Hg E]].
      apply in_map_iff in Hg. destruct Hg as [f [Eg Hf]]. subst g. apply andb_true_iff in E. destruct E as [E0 E1].
      destruct (Pos.eq_dec f o) as [D | D]; [subst f; rewrite A1 in E1; discriminate | rewrite (A0 f Hf D) in E0; discriminate].
    - destruct (existsb _ _) eqn:E; [exfalso | reflexivity]. apply existsb_exists in E. destruct E as [g [Hg E]].
      apply in_map_iff in Hg. destruct Hg as [f [Eg Hf]]. subst g. apply andb_true_iff in E. destruct E as [E0 E1].
      apply existsb_exists in E1. destruct E1 as [g [Hg E1]]. apply in_map_iff in Hg. destruct Hg as [f' [Eg Hf']]. subst g.
      apply andb_true_iff in E1. destruct E1 as [E1 E2]. apply negb_true_iff, Pos.eqb_neq in E1.
      destruct (Pos.eq_dec f o) as [D | D]; [|rewrite (A0 f Hf D) in E0; discriminate].
      destruct (Pos.eq_dec f' o) as [D' | D']; [congruence | rewrite (A0 f' Hf' D') in E2; discriminate].
  Qed.
  Lemma home_once : forall f g, (f < first_copy m)%positive -> (g < first_copy m)%positive -> home f = home g -> f = g.
  Proof.
    intros f g Hf Hg H. destruct (in_dec Pos.eq_dec f (map fst (copies p))) as [If | If], (in_dec Pos.eq_dec g (map fst (copies p))) as [Ig | Ig].
    - apply in_map_iff in If, Ig. destruct If as [[f' a] [Ef If]], Ig as [[g' a'] [Eg Ig]]. simpl in *. subst.
      pose proof (proj1 (proj1 (proj2 shape) f a If)) as E1. pose proof (proj1 (proj1 (proj2 shape) g a' Ig)) as E2.
      rewrite H in E1. congruence.
    - apply in_map_iff in If. destruct If as [[f' a] [Ef If]]. simpl in *. subst.
      pose proof (proj1 (proj1 (proj2 shape) f a If)) as E1. rewrite H, (home_kept g Ig), (proj1 shape g (feature_below g Hg)) in E1. discriminate.
    - apply in_map_iff in Ig. destruct Ig as [[g' a] [Eg Ig]]. simpl in *. subst.
      pose proof (proj1 (proj1 (proj2 shape) g a Ig)) as E1. rewrite <- H, (home_kept f If), (proj1 shape f (feature_below f Hf)) in E1. discriminate.
    - rewrite (home_kept f If), (home_kept g Ig) in H. exact H.
  Qed.
  Lemma void_sound : forall x y b, pair m n p x y -> inside (joint x y) b -> void m n q p b = false.
  Proof.
    intros x y b Hp Hb. pose proof Hp as [[_ Hx] [[_ Hy] [Hs _]]]. unfold void. rewrite !orb_false_iff. repeat split.
    - destruct (existsb _ _) eqn:E; [exfalso | reflexivity]. apply existsb_exists in E. destruct E as [c [Hc E]].
      rewrite (no_copy_sound x y b c Hp Hb Hc) in E. discriminate.
    - destruct (existsb _ _) eqn:E; [exfalso | reflexivity]. apply existsb_exists in E. destruct E as [g [Hg E]].
      pose proof (fun f => proj1 (proj2 (proj2 shape)) g f Hg) as L.
      assert (F : no_one q b (map (fun f => f) g) = false).
      { apply (no_one_sound b (joint x y) x g (fun f => f) Hb); [|auto|exact (Hx g Hg)].
        intros f Hf. rewrite (joint_x x y f (L f Hf)). reflexivity. }
      rewrite map_id in F. congruence.
    - destruct (existsb _ _) eqn:E; [exfalso | reflexivity]. apply existsb_exists in E. destruct E as [g [Hg E]].
      pose proof (fun f => proj1 (proj2 (proj2 shape)) g f Hg) as L.
      assert (F : no_one q b (map home g) = false).
      { apply (no_one_sound b (joint x y) y g home Hb); [| |exact (Hy g Hg)].
        - intros f Hf. apply (joint_y x y f Hs (L f Hf)).
        - intros f f' Hf Hf'. apply home_once; auto. }
      congruence.
  Qed.

  (* -------------------------------------------------------------------------------------------- parts *)
  (* Pairs of a kind, given by the leaves that they reach. *)
  Variable kind : list (list Z) -> list (list Z) -> Prop.
  Definition in_question (z : input) (leaves : list both) : Prop :=
    (exists x y, z = joint x y /\ pair m n p x y) /\ kind (lefts leaves) (rights leaves).
  Lemma check_part_sound : forall together ts ss main ends proof x y lx ly,
    (forall f leaves, main = Some f -> kind (lefts leaves) (rights leaves) -> goal_of f <= base_of f + sum_of (gain_of f) leaves) ->
    (forall ts z leaves, ends ts = true -> reached Q below both ts z leaves -> ~ kind (lefts leaves) (rights leaves)) ->
    (forall t, In t ts -> narrow_tree m t = true) -> (forall t, In t ss -> narrow_tree m t = true) ->
    map (fun t => kwalk Q below t x) ts = map Some lx -> map (fun t => kwalk Q below t y) ss = map Some ly ->
    check_part m n q p together ts ss main ends proof = true -> pair m n p x y -> ~ kind lx ly.
  Proof.
    intros together ts ss main ends proof x y lx ly Hmain Hends Nt Ns Hx Hy H Hp Hk.
    pose proof (proj1 (proj2 (proj2 (proj2 (proj2 shape))))) as U. pose proof Hp as [Hpx [Hpy [Hs _]]].
    pose proof (joint_domain x y Hpx Hpy) as Hd. pose proof (joint_near (joint x y)) as Hn.
    assert (Hstart : forall f, In f fs -> within Q below atleast f (joint x y f) (start q asked 0 table f)).
    { intros f Hf. exact (start_within width q asked 0 U (joint x y) f Hn Hd Hf). }
    unfold check_part in H. apply orb_true_iff in H. destruct H as [H | H].
    - apply existsb_exists in H. destruct H as [f [Hf E]]. specialize (Hstart f Hf).
      destruct (start q asked 0 table f); [inversion Hstart | discriminate].
    - set (b := root fs (start q asked 0 table)) in *.
      assert (Hb : inside (joint x y) b) by (apply root_inside; exact Hstart).
      assert (Hreach : reached Q below both (joined m q p table b (distance fs b) together ts ss) (joint x y) (zip_leaves together lx ly)).
      { unfold joined. apply zip_reached; [exact Hb | |].
        - rewrite <- Hx. apply map_ext_in. intros t Ht. apply walk_x, Nt, Ht.
        - rewrite <- Hy, map_map. apply map_ext_in. intros t Ht. apply walk_y; [exact Hs | apply Ns, Ht]. }
      refine (check_sound Q below (below_cut_mono k) atleast (atleast_mono width q asked 0) (atleast_0 width q asked 0 U)
        (up asked table) (down asked table) (up_atleast width q asked 0 U) (down_atleast width q asked 0 U) fs
        (proj1 (features_once _ _)) (limit q asked 0) (budget q asked 0) both in_question _ potentials (drop_form m q p table main) _ _
        proof _ b (distance fs b) (joint x y) (zip_leaves together lx ly) H eq_refl Hn Hb Hreach _).
      + intros b' ts' z leaves Hc _ Hb' Hr' [[x' [y' [Ez Hp']]] Hk']. subst z. apply orb_true_iff in Hc. destruct Hc as [Hc | Hc].
        * rewrite (void_sound x' y' b' Hp' Hb') in Hc. discriminate.
        * exact (Hends _ _ _ Hc Hr' Hk').
      + intros w b' ts' z leaves Hz Hb' Hbad Hr'. unfold drop_form. destruct main as [f|] eqn:Em; [|exact Hr'].
        refine (drop_sound Q below (below_cut_mono k) atleast (up asked table) (down asked table) (up_atleast width q asked 0 U)
          (down_atleast width q asked 0 U) fs (proj1 (features_once _ _)) (limit q asked 0) (budget q asked 0) both
          (gain_of f) (base_of f) (goal_of f) w in_question _ b' ts' z leaves Hz Hb' Hbad Hr').
        intros z' leaves' [_ Hk']. exact (Hmain f leaves' eq_refl Hk').
      + split; [exists x, y; auto|]. destruct (zip_sides lx ly together) as [E1 E2]. rewrite E1, E2. exact Hk.
  Qed.
End Sound.

Section Final.
  Variables m n : model.
  Variables q r : ready.
  Variable one : bool.
  Variable p : property.
  Hypothesis Hq : get_ready (unit q) m = Some q.
  Hypothesis Hr : get_ready (unit r) n = Some r.
  Hypothesis Hone : one = true -> m = n.
  Notation k := (unit q).

  Lemma reads : forall o t z, get_ready (unit t) o = Some t ->
    map (fun u => kwalk Q (below_cut (unit t)) u z) (r_trees t) = map Some (leaves_of o z).
  Proof. intros o t z H. exact (trees_reached o t H z). Qed.
  Lemma form_lost : forall below f ts z leaves, lost ts (Some f) = true -> reached Q below both ts z leaves ->
    ~ goal_of f <= base_of f + sum_of (gain_of f) leaves.
  Proof.
    intros below f ts z leaves H Hreach. unfold lost in H. apply Z.ltb_lt in H.
    pose proof (total_best_walk (gain_of f) Q below ts z leaves Hreach). lia.
  Qed.

  (* -------------------------------------------------------------------------------------------- sums *)
  Lemma sum_swap : forall (A B : Type) (w : A -> Z) (g : A -> B -> Z) l terms,
    sum_of (fun b => sum_of (fun t => w t * g t b) terms) l = sum_of (fun t => w t * sum_of (g t) l) terms.
  Proof.
    intros A B w g l terms. induction terms as [|t terms IH].
    - simpl. induction l as [|b l IH]; simpl; [reflexivity | exact IH].
    - change (sum_of (fun b => w t * g t b + sum_of (fun t => w t * g t b) terms) l =
              w t * sum_of (g t) l + sum_of (fun t => w t * sum_of (g t) l) terms).
      rewrite (sum_of_plus B (fun b => w t * g t b)), IH, sum_of_times. reflexivity.
  Qed.
  Definition side_sum (lx ly : list (list Z)) (t : number * bool * nat) : Z :=
    if snd (fst t) then amount_base n r (snd t) + sum_of (amount n (snd t)) ly
    else amount_base m q (snd t) + sum_of (amount m (snd t)) lx.
  Definition weighed (kw : Z) (terms : list (number * bool * nat)) (lx ly : list (list Z)) : Z :=
    sum_of (fun t => weight kw t * side_sum lx ly t) terms.
  Lemma sum_form_weighed : forall kw most terms leaves,
    base_of (sum_form m n q r kw most terms) + sum_of (gain_of (sum_form m n q r kw most terms)) leaves =
    weighed kw terms (lefts leaves) (rights leaves).
  Proof.
    intros kw most terms leaves. cbn [base_of gain_of sum_form]. unfold weighed.
    rewrite (sum_swap _ _ (weight kw) (fun t l => if snd (fst t) then of_y (amount n (snd t)) l else of_x (amount m (snd t)) l)).
    rewrite <- sum_of_plus. apply sum_of_ext. intros t _. unfold side_sum. destruct (snd (fst t)); cbv beta iota.
    - rewrite <- (sum_of_rights (amount n (snd t))). unfold of_y. ring.
    - rewrite <- (sum_of_lefts (amount m (snd t))). unfold of_x. ring.
  Qed.
  Lemma output_real : forall o t z c, get_ready (unit t) o = Some t ->
    (output o z c == real (Number (amount_base o t c + sum_of (amount o c) (leaves_of o z)) (- places o)))%Q.
  Proof.
    intros o t z c H. destruct (ready_parts o t H) as [Hp [_ [_ [_ [Eb _]]]]]. unfold output, amount_base, amount. rewrite Eb.
    assert (P : 0 <= places o) by (unfold proper in Hp; rewrite !andb_true_iff, !Z.leb_le in Hp; tauto).
    destruct (votes o); try reflexivity. rewrite hits_sum, Z.add_0_l.
    assert (E : sum_of (fun v => hit c v * 2 ^ places o) (leaves_of o z) = sum_of (hit c) (leaves_of o z) * 2 ^ places o).
    { induction (leaves_of o z) as [|v l IH]; [reflexivity|].
      change (hit c v * 2 ^ places o + sum_of (fun v => hit c v * 2 ^ places o) l = (hit c v + sum_of (hit c) l) * 2 ^ places o).
      rewrite IH. ring. }
    assert (W : whole (places o) (Number (sum_of (hit c) (leaves_of o z)) 0) = true) by (unfold whole; apply Z.leb_le; simpl; lia).
    pose proof (real_units (places o) _ W) as R. unfold units in R. cbn [mant expo] in R. rewrite Z.add_0_l in R.
    rewrite E, <- R. unfold real. cbn [mant expo]. change (Qpower 2 0) with 1%Q. rewrite Qmult_1_r. reflexivity.
  Qed.
  Theorem check_sum_sound : forall kw most terms together proof x y,
    check_sum m n q r p kw most terms together proof = true -> pair m n p x y ->
    (total (fun t : number * bool * nat => real (fst (fst t)) * output (if snd (fst t) then n else m) (if snd (fst t) then y else x) (snd t))
      terms <= real most)%Q.
  Proof.
    intros kw most terms together proof x y H Hp. unfold check_sum in H. rewrite !andb_true_iff in H.
    destruct H as [[[Hu Hm] Hw] H]. pose proof (shape m n q r p Hu) as S. destruct S as [_ [_ [_ [_ [_ [U [P [N1 [N2 _]]]]]]]]].
    rewrite forallb_forall in Hw.
    set (read := fun (y : bool) (ts : list (ktree (list Z))) => if existsb (fun t => Bool.eqb (snd (fst t)) y) terms then ts else []) in *.
    set (lx := if existsb (fun t => Bool.eqb (snd (fst t)) false) terms then leaves_of m x else []).
    set (ly := if existsb (fun t => Bool.eqb (snd (fst t)) true) terms then leaves_of n y else []).
    assert (E : weighed kw terms lx ly = weighed kw terms (leaves_of m x) (leaves_of n y)).
    { apply sum_of_ext. intros t Ht. f_equal. unfold side_sum, lx, ly. destruct (snd (fst t)) eqn:Es.
      - replace (existsb _ terms) with true; [reflexivity|]. symmetry. apply existsb_exists. exists t. rewrite Es. auto.
      - replace (existsb _ terms) with true; [reflexivity|]. symmetry. apply existsb_exists. exists t. rewrite Es. auto. }
    assert (K : ~ units (kw + places m) most + 1 <= weighed kw terms lx ly).
    { refine (check_part_sound m n q r p Hq Hr Hu (fun lx ly => units (kw + places m) most + 1 <= weighed kw terms lx ly)
        together _ _ _ _ proof x y lx ly _ _ _ _ _ _ H Hp).
      - intros f leaves Ef Hk. inversion Ef. subst f. rewrite sum_form_weighed. exact Hk.
      - intros ts z leaves Hl Hreach Hk. apply (form_lost _ _ ts z leaves Hl Hreach). rewrite sum_form_weighed. exact Hk.
      - intros t Ht. apply N1. unfold read in Ht. destruct (existsb (fun t : number * bool * nat => Bool.eqb (snd (fst t)) false) terms); [exact Ht | contradiction].
      - intros t Ht. apply N2. unfold read in Ht. destruct (existsb (fun t : number * bool * nat => Bool.eqb (snd (fst t)) true) terms); [exact Ht | contradiction].
      - unfold read, lx. destruct (existsb (fun t : number * bool * nat => Bool.eqb (snd (fst t)) false) terms); [exact (reads m q x Hq) | reflexivity].
      - unfold read, ly. rewrite U. destruct (existsb (fun t : number * bool * nat => Bool.eqb (snd (fst t)) true) terms); [exact (reads n r y Hr) | reflexivity]. }
    rewrite E in K. rewrite (real_units (kw + places m) most Hm).
    apply Qle_trans with (real (Number (weighed kw terms (leaves_of m x) (leaves_of n y)) (- (kw + places m)))); [|apply real_le; lia].
    apply Qle_lteq. right. unfold weighed. clear - Hw Hq Hr P. induction terms as [|t terms IH].
    - simpl. rewrite real_0. reflexivity.
    - change (total (fun t : number * bool * nat => real (fst (fst t)) * output (if snd (fst t) then n else m) (if snd (fst t) then y else x) (snd t))%Q (t :: terms))
        with (real (fst (fst t)) * output (if snd (fst t) then n else m) (if snd (fst t) then y else x) (snd t) +
          total (fun t : number * bool * nat => real (fst (fst t)) * output (if snd (fst t) then n else m) (if snd (fst t) then y else x) (snd t)) terms)%Q.
      change (sum_of (fun t => weight kw t * side_sum (leaves_of m x) (leaves_of n y) t) (t :: terms))
        with (weight kw t * side_sum (leaves_of m x) (leaves_of n y) t + sum_of (fun t => weight kw t * side_sum (leaves_of m x) (leaves_of n y) t) terms).
      rewrite IH by (intros u Hu; apply Hw; right; exact Hu). rewrite real_plus. apply Qplus_comp; [|reflexivity].
      replace (- (kw + places m)) with (- kw + - places m) by lia. rewrite <- real_mult. unfold weight.
      rewrite <- (real_units kw _ (Hw t (or_introl eq_refl))). apply Qmult_comp; [reflexivity|]. unfold side_sum.
      destruct (snd (fst t)); [rewrite P; apply (output_real n r y _ Hr) | apply (output_real m q x _ Hq)].
  Qed.

  (* -------------------------------------------------------------------------------------------- labels *)
  Definition label_kind (a b : nat) (lx ly : list (list Z)) : Prop :=
    labelled m q a (fun _ => 0%Q) lx /\ labelled n r b (fun _ => 0%Q) ly /\ (one = true -> lx <> ly).
  Definition fine (a b : nat) (f : option form) : Prop :=
    forall g leaves, f = Some g -> label_kind a b (lefts leaves) (rights leaves) -> goal_of g <= base_of g + sum_of (gain_of g) leaves.
  Lemma x_fine : forall a b c, (a < classes m)%nat -> (c < classes m)%nat -> c <> a -> fine a b (x_form m q a c).
  Proof.
    intros a b c Ha Hc Hn g leaves E [Hk _]. unfold x_form in E. destruct (opens m q a c) as [o|] eqn:Eo; [|discriminate].
    inversion E. subst g. simpl. unfold of_x. rewrite (sum_of_lefts (gain (votes m) a c)).
    exact (lead_opens m q Hq a c _ _ o Ha Hc Hn Hk Eo).
  Qed.
  Lemma y_fine : forall a b c, (b < classes n)%nat -> (c < classes n)%nat -> c <> b -> fine a b (y_form n r b c).
  Proof.
    intros a b c Hb Hc Hn g leaves E [_ [Hk _]]. unfold y_form in E. destruct (opens n r b c) as [o|] eqn:Eo; [|discriminate].
    inversion E. subst g. simpl. unfold of_y. rewrite (sum_of_rights (gain (votes n) b c)).
    exact (lead_opens n r Hr b c _ _ o Hb Hc Hn Hk Eo).
  Qed.
  Lemma per_unit_nonneg : forall o, 0 <= per_unit o.
  Proof. intro o. unfold per_unit. destruct (votes o); try apply Z.pow_nonneg; lia. Qed.
  Lemma both_fine : forall a b, (a < classes m)%nat -> (b < classes n)%nat -> classes m = classes n -> a <> b ->
    fine a b (both_form m n q r a b).
  Proof.
    intros a b Ha Hb Hc Hn g leaves E Hk. unfold both_form in E. destruct (x_form m q a b) as [f|] eqn:Ef; [|discriminate].
    destruct (y_form n r b a) as [h|] eqn:Eh; [|discriminate]. inversion E. subst g. cbn [goal_of base_of gain_of].
    rewrite (sum_of_plus _ (fun l => per_unit m * gain_of f l)), !sum_of_times.
    pose proof (x_fine a b b Ha ltac:(lia) ltac:(congruence) f leaves Ef Hk).
    pose proof (y_fine a b a Hb ltac:(lia) ltac:(congruence) h leaves Eh Hk).
    pose proof (per_unit_nonneg m). pose proof (per_unit_nonneg n). nia.
  Qed.
  Lemma fine_lost : forall below a b f ts z leaves, fine a b f -> lost ts f = true -> reached Q below both ts z leaves ->
    ~ label_kind a b (lefts leaves) (rights leaves).
  Proof.
    intros below a b [f|] ts z leaves Hf Hl Hreach Hk; [|discriminate]. exact (form_lost _ f ts z leaves Hl Hreach (Hf f leaves eq_refl Hk)).
  Qed.
  Lemma same_walk : forall below ts z leaves, forallb same ts = true -> reached Q below both ts z leaves -> lefts leaves = rights leaves.
  Proof.
    intros below ts. unfold reached.
    assert (G : forall t z l, same t = true -> kwalk Q below t z = Some l -> exists v, l = (Some v, Some v)).
    { induction t as [|[[v|] [w|]]|f cuts l IHl s IHs]; intros z x H E; simpl in *; try discriminate.
      - destruct (list_eq_dec Z.eq_dec v w); [subst; exists w; congruence | discriminate].
      - apply andb_true_iff in H. destruct H as [H1 H2]. destruct (goes Q below (z f) cuts); eauto. }
    induction ts as [|t ts IH]; intros z [|l leaves] H E; try discriminate; [reflexivity|]. simpl in *. injection E as E1 E2.
    apply andb_true_iff in H. destruct H as [H1 H2]. destruct (G _ _ _ H1 E1) as [v Ev]. subst l.
    unfold lefts, rights in *. simpl. rewrite (IH _ _ H2 E2). reflexivity.
  Qed.
  Theorem check_labels_sound : forall a b together proof x y, (a < classes m)%nat -> (b < classes n)%nat -> classes m = classes n ->
    a <> b -> check_labels m n q r one p a b together proof = true -> pair m n p x y -> ~ label_kind a b (leaves_of m x) (leaves_of n y).
  Proof.
    intros a b together proof x y Ha Hb Hc Hn H Hp. unfold check_labels in H. apply andb_true_iff in H. destruct H as [Hu H].
    pose proof (shape m n q r p Hu) as S. destruct S as [_ [_ [_ [_ [_ [U [_ [N1 [N2 _]]]]]]]]].
    refine (check_part_sound m n q r p Hq Hr Hu (label_kind a b) together _ _ _ _ proof x y _ _ _ _ N1 N2 (reads m q x Hq) _ H Hp).
    - intros f leaves Ef Hk. exact (both_fine a b Ha Hb Hc Hn f leaves Ef Hk).
    - intros ts z leaves Hend Hreach. unfold parted in Hend. rewrite !orb_true_iff in Hend.
      destruct Hend as [[[[Hend | Hend] | Hend] | Hend] | Hend].
      + exact (fine_lost _ a b _ ts z leaves (both_fine a b Ha Hb Hc Hn) Hend Hreach).
      + apply existsb_exists in Hend. destruct Hend as [c [Hin Hend]]. apply andb_true_iff in Hend. destruct Hend as [Hne Hend].
        apply negb_true_iff, Nat.eqb_neq in Hne. apply in_seq in Hin.
        exact (fine_lost _ a b _ ts z leaves (x_fine a b c Ha ltac:(lia) Hne) Hend Hreach).
      + apply existsb_exists in Hend. destruct Hend as [c [Hin Hend]]. apply andb_true_iff in Hend. destruct Hend as [Hne Hend].
        apply negb_true_iff, Nat.eqb_neq in Hne. apply in_seq in Hin.
        exact (fine_lost _ a b _ ts z leaves (y_fine a b c Hb ltac:(lia) Hne) Hend Hreach).
      + apply andb_true_iff in Hend. destruct Hend as [Ho Hend]. intros [_ [_ Hk]]. apply (Hk Ho). exact (same_walk _ ts z leaves Hend Hreach).
      + destruct (all_only ts) as [found|] eqn:E; [|discriminate]. rewrite <- (all_only_walk Q _ ts z leaves found Hreach E) in Hend.
        intros [[Hx _] [[Hy _] _]]. rewrite Hx, Hy in Hend. discriminate.
    - rewrite U. exact (reads n r y Hr).
  Qed.
  Lemma labelled_leaves : forall o t f z, get_ready (unit t) o = Some t -> labelling o f ->
    labelled o t (f (leaves_of o z)) (fun _ => 0%Q) (leaves_of o z).
  Proof.
    intros o t f z H Hf. destruct (ready_parts o t H) as [_ [_ [_ [Et [Eb _]]]]]. split; [|split].
    - rewrite Eb. exact (proj2 (Hf _)).
    - rewrite Et. unfold leaves_of. rewrite !map_length. reflexivity.
    - intro c. exact (total_best_walk _ Q _ _ z _ (trees_reached o t H z)).
  Qed.
  Lemma swapped : forall x y, swaps one p = true -> pair m n p x y -> pair m n p y x.
  Proof.
    intros x y H [Hx [Hy [Hs Hc]]]. unfold swaps in H. apply andb_true_iff in H. destruct H as [_ H]. rewrite forallb_forall in H.
    split; [exact Hy|]. split; [exact Hx|]. split; [intros f Hf Hn; symmetry; apply Hs; assumption|].
    intros f a Hin. specialize (Hc f a Hin). specialize (H _ Hin). simpl in H. destruct a as [[l|] [h|]|]; try discriminate; [|split; exact I].
    apply andb_true_iff in H. destruct H as [He Hm]. apply Z.eqb_eq in He, Hm. simpl in *. destruct Hc as [C1 C2].
    assert (E : (real l == - real h)%Q) by (unfold real; rewrite He, Hm, inject_Z_opp; ring).
    split; apply Qle_minus_iff.
    - apply Qle_minus_iff in C2. rewrite E. setoid_replace (x f - y f + - - real h)%Q with (real h + - (y f - x f))%Q by ring. exact C2.
    - rewrite E in C1. apply Qle_minus_iff in C1.
      setoid_replace (real h + - (x f - y f))%Q with (y f - x f + - - real h)%Q by ring. exact C1.
  Qed.

  Theorem checks_sound : forall kw together proofs, checks m n q r one p kw together proofs = true -> always one m n p.
  Proof.
    intros kw together proofs H x y Hp. unfold checks in H. destruct (says p) as [most terms | label].
    - destruct proofs as [|[[a b] proof] [|]]; try discriminate. exact (check_sum_sound kw most terms together proof x y H Hp).
    - intros f g Hf Hg Hfg. apply andb_true_iff in H. destruct H as [Hc H]. apply Nat.eqb_eq in Hc. rewrite forallb_forall in H.
      pose proof (labelled_leaves m q f x Hq Hf) as La. pose proof (labelled_leaves n r g y Hr Hg) as Lb.
      pose proof (proj1 (Hf (leaves_of m x))) as Ba. pose proof (proj1 (Hg (leaves_of n y))) as Bb.
      assert (G : forall a b x y, pair m n p x y -> f (leaves_of m x) = a -> g (leaves_of n y) = b -> a <> b ->
        (a < classes m)%nat -> (b < classes n)%nat ->
        match label with Some l => a = l | None => (swaps one p && Nat.ltb a b) = false end -> False).
      { clear x y Hp La Lb Ba Bb. intros a b x y Hp Ea Eb Hn Ha Hb Hl.
        specialize (H a (proj2 (in_seq _ 0 a) (conj (Nat.le_0_l a) Ha))). rewrite forallb_forall in H.
        specialize (H b (proj2 (in_seq _ 0 b) (conj (Nat.le_0_l b) Hb))). rewrite !orb_true_iff in H.
        destruct H as [[H | H] | H].
        - apply Nat.eqb_eq in H. contradiction.
        - destruct label as [l|]; [subst l; rewrite Nat.eqb_refl in H; discriminate | congruence].
        - destruct (find _ proofs) as [e|]; [|discriminate].
          apply (check_labels_sound a b together (snd e) x y Ha Hb Hc Hn H Hp). split; [|split].
          + rewrite <- Ea. apply labelled_leaves; assumption.
          + rewrite <- Eb. apply labelled_leaves; assumption.
          + intros Ho El. apply Hn. rewrite <- Ea, <- Eb, El, (Hfg Ho). reflexivity. }
      destruct label as [l|].
      + intro Ea. destruct (Nat.eq_dec (g (leaves_of n y)) l) as [E | E]; [exact E | exfalso].
        apply (G l (g (leaves_of n y)) x y Hp Ea eq_refl (fun e => E (eq_sym e))); [rewrite <- Ea; exact Ba | exact Bb | reflexivity].
      + destruct (Nat.eq_dec (f (leaves_of m x)) (g (leaves_of n y))) as [E | E]; [exact E | exfalso].
        destruct (swaps one p && Nat.ltb (f (leaves_of m x)) (g (leaves_of n y))) eqn:S; [|exact (G _ _ x y Hp eq_refl eq_refl E Ba Bb S)].
        apply andb_true_iff in S. destruct S as [S L]. apply Nat.ltb_lt in L.
        assert (Ho : one = true) by (unfold swaps in S; apply andb_true_iff in S; tauto).
        pose proof (Hone Ho) as Em. pose proof (Hfg Ho) as Ef.
        apply (G (g (leaves_of n y)) (f (leaves_of m x)) y x (swapped x y S Hp)); try (rewrite Em, Ef; reflexivity); try lia.
        apply andb_false_iff. right. apply Nat.ltb_ge. lia.
  Qed.
End Final.

(* Of one model, or of two. Given are, besides, in which units terms are counted, which trees are taken together, and a
   proof for each pair of labels in question. *)
Definition accepts_property (m : model) (q : ready) (other : option (model * ready)) (p : property) (kw : Z)
    (together : list bool) (proofs : list (nat * nat * proof potentials)) : bool :=
  match other with
  | None => checks m m q q true p kw together proofs
  | Some (n, r) => checks m n q r false p kw together proofs
  end.
