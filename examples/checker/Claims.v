(* The checker of claims about inputs near a point, and why what it accepts holds. *)
From Coq Require Import ZArith QArith Qpower List Bool Lia PArith Qabs.
Require Import Spec Kernel Rounding Votes Best Potentials.
Import ListNotations.
Open Scope Z_scope.

(* ------------------------------------------------------------------------------------------------- numbers in units *)
Lemma two_power : forall e, (0 < Qpower 2 e)%Q.
Proof. intro e. apply Qpower_0_lt. reflexivity. Qed.
Lemma real_units : forall k n, whole k n = true -> (real n == real (Number (units k n) (- k)))%Q.
Proof.
  intros k n H. unfold whole in H. apply Z.leb_le in H. unfold real, units. simpl.
  rewrite inject_Z_mult, Qpower.Zpower_Qpower by exact H. change (inject_Z 2) with 2%Q.
  rewrite <- Qmult_assoc, <- Qpower_plus by discriminate. replace (expo n + k + - k) with (expo n) by lia. reflexivity.
Qed.
Lemma real_le : forall a b e, a <= b -> (real (Number a e) <= real (Number b e))%Q.
Proof.
  intros a b e H. unfold real. simpl. apply Qmult_le_compat_r; [rewrite <- Zle_Qle; exact H | apply Qlt_le_weak, two_power].
Qed.
Lemma real_lt : forall a b e, (real (Number a e) < real (Number b e))%Q -> a < b.
Proof. intros a b e H. destruct (Z.lt_ge_cases a b) as [L | L]; [exact L|]. exfalso. exact (Qlt_not_le _ _ H (real_le _ _ _ L)). Qed.
Lemma real_mult : forall a b d e, (real (Number a d) * real (Number b e) == real (Number (a * b) (d + e)))%Q.
Proof. intros. unfold real. simpl. rewrite inject_Z_mult, Qpower_plus by discriminate. ring. Qed.
Lemma real_minus : forall a b e, (real (Number a e) - real (Number b e) == real (Number (a - b) e))%Q.
Proof. intros. unfold real. simpl. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. ring. Qed.
Lemma real_plus : forall a b e, (real (Number (a + b) e) == real (Number a e) + real (Number b e))%Q.
Proof. intros. unfold real. simpl. rewrite inject_Z_plus. ring. Qed.
Lemma real_0 : forall e, (real (Number 0 e) == 0)%Q.
Proof. intro. unfold real. simpl. ring. Qed.

Lemma Qle_bool_eq : forall a b c d, (a == b)%Q -> (c == d)%Q -> Qle_bool a c = Qle_bool b d.
Proof.
  intros a b c d H G. destruct (Qle_bool a c) eqn:E, (Qle_bool b d) eqn:F; try reflexivity.
  - rewrite Qle_bool_iff, H, G, <- Qle_bool_iff in E. congruence.
  - rewrite Qle_bool_iff, <- H, <- G, <- Qle_bool_iff in F. congruence.
Qed.
Lemma Qle_bool_false : forall a b, Qle_bool a b = false -> (b < a)%Q.
Proof. intros a b H. apply Qnot_le_lt. intro G. apply Qle_bool_iff in G. congruence. Qed.

(* ------------------------------------------------------------------------------------------------- the model *)
(* Borders are counted in units of 2^-k, of inputs; values in those of the model. *)
Definition cut_of (k : Z) (b : border) : cut := (units k (fst b), snd b).
Definition below_cut (k : Z) (v : Q) (c : cut) : bool := below v (Number (fst c) (- k), snd c).
Fixpoint tree_of (k places : Z) (t : tree) : ktree (list Z) :=
  match t with
  | Leaf values => KLeaf (map (units places) values)
  | Node f borders l r => KNode f (map (cut_of k) borders) (tree_of k places l) (tree_of k places r)
  end.
Fixpoint whole_tree (k places : Z) (t : tree) : bool :=
  match t with
  | Leaf values => forallb (whole places) values
  | Node f borders l r => forallb (fun b => whole k (fst b)) borders && whole_tree k places l && whole_tree k places r
  end.

Lemma below_cut_mono : forall k v a b, cutle a b = true -> below_cut k v a = true -> below_cut k v b = true.
Proof.
  intros k v [a ca] [b cb] H Ha. unfold cutle, below_cut, below in *. simpl in *.
  assert (Hab : a <= b) by (destruct (Z.compare_spec a b); [lia | lia | discriminate]).
  pose proof (real_le a b (- k) Hab) as Hr.
  destruct ca, cb; rewrite ?Qle_bool_iff, ?negb_true_iff in *.
  - eapply Qle_trans; eassumption.
  - destruct (Z.compare_spec a b) as [E | E | E]; [discriminate | | discriminate].
    destruct (Qle_bool (real (Number b (- k))) v) eqn:G; [|reflexivity]. rewrite Qle_bool_iff in G. exfalso.
    apply (Zlt_not_le _ _ E). destruct (Z.le_gt_cases b a) as [L | L]; [exact L|]. exfalso.
    assert (real (Number b (- k)) <= real (Number a (- k)))%Q by (eapply Qle_trans; eassumption).
    apply (Qle_not_lt _ _ H0). unfold real. simpl. apply Qmult_lt_compat_r; [apply two_power | rewrite <- Zlt_Qlt; exact L].
  - apply Qle_bool_false in Ha. apply Qlt_le_weak. eapply Qlt_le_trans; eassumption.
  - apply Qle_bool_false in Ha. destruct (Qle_bool (real (Number b (- k))) v) eqn:G; [|reflexivity]. rewrite Qle_bool_iff in G.
    exfalso. apply (Qlt_not_le _ _ Ha). eapply Qle_trans; eassumption.
Qed.
Lemma below_units : forall k v b, whole k (fst b) = true -> below_cut k v (cut_of k b) = below v b.
Proof.
  intros k v [n closed] H. unfold below_cut, below, cut_of. simpl in *.
  pose proof (real_units k n H) as E. destruct closed; [|f_equal]; apply Qle_bool_eq; try reflexivity; symmetry; exact E.
Qed.
Lemma goes_units : forall k v borders, forallb (fun b => whole k (fst b)) borders = true ->
  goes Q (below_cut k) v (map (cut_of k) borders) = goes_left v borders.
Proof.
  intros k v borders. induction borders as [|b rest IH]; intro H; simpl in *; [reflexivity|].
  apply andb_true_iff in H. destruct H as [H1 H2]. rewrite below_units, IH by assumption. reflexivity.
Qed.
Lemma tree_of_walk : forall k places t z, whole_tree k places t = true ->
  kwalk Q (below_cut k) (tree_of k places t) z = Some (map (units places) (walk t z)).
Proof.
  intros k places t z. induction t as [values | f borders l IHl r IHr]; intro H; simpl in *; [reflexivity|].
  rewrite !andb_true_iff in H. destruct H as [[H1 H2] H3]. rewrite goes_units by exact H1.
  destruct (goes_left (z f) borders); auto.
Qed.

(* A model made ready: its trees in units, and of each class how large sums can be. *)
Record ready := { unit : Z; r_trees : list (ktree (list Z)); r_base : list Z; r_sizes : list Z }.
Definition class_size (trees : list (ktree (list Z))) (base : list Z) (c : nat) : Z :=
  Z.abs (value c base) + total_best (fun leaf => Z.abs (value c leaf)) trees.
Definition get_ready (k : Z) (m : model) : option ready :=
  let trees := map (tree_of k (places m)) (trees m) in
  let base := map (units (places m)) (base m) in
  let sizes := map (class_size trees base) (seq 0 (classes m)) in
  (* No sum overflows, so that the rounding of the specification is that of the machine. *)
  let largest := if single m then (2 ^ 24 - 1) * 2 ^ (104 + places m) else 2 ^ (1022 + places m) in
  if proper (votes m) (bits m) (places m) (classes m) && forallb (whole_tree k (places m)) (Spec.trees m) &&
     forallb (whole (places m)) (Spec.base m) && forallb (fun s => s <=? largest) sizes
  then Some {| unit := k; r_trees := trees; r_base := base; r_sizes := sizes |} else None.

(* ------------------------------------------------------------------------------------------------- costs *)
Section Claim.
  Variable m : model.
  Variable q : ready.
  Variable c : claim.
  Variable kp : Z.                                              (* prices are whole in units of 2^-kp *)
  Notation k := (unit q).
  Notation fs := (features (dim m)).

  Definition power (n : Z) : Z := match the_norm c with L2 => n * n | _ => n end.
  Definition is_category (f : feature) : bool := 0 <? codes c f.
  (* Of each feature, unless it is a category: what x has, and its prices, in their units. *)
  Definition fact_of (f : feature) : option (Z * Z * Z) :=
    if is_category f then None
    else Some (units k (x c f), units kp (price_up c f), units kp (price_down c f)).
  Definition facts : M.t (option (Z * Z * Z)) := fold_right (fun f t => M.add f (fact_of f) t) (M.empty _) fs.
  Variable table : M.t (option (Z * Z * Z)).
  Definition up (f : feature) (b : cut) : Z :=
    match M.find f table with Some (Some (at_x, price, _)) => power (Z.max 0 (price * (fst b - at_x))) | _ => 0 end.
  Definition down (f : feature) (b : cut) : Z :=
    match M.find f table with Some (Some (at_x, _, price)) => power (Z.max 0 (price * (at_x - fst b))) | _ => 0 end.
  Definition limit : option Z := option_map (fun b => power (units (k + kp) b)) (bound c).
  Definition budget : option Z := match the_norm c with LInf => None | _ => limit end.

  (* Where a feature begins. Whoever asks for more codes than these is refused. *)
  Definition most_codes := 65536.
  Definition pieces (f : feature) : region :=
    if is_category f then
      let at_code e n := made limit (Some (e, false)) (Some (e, true)) n in
      at_code (units k (x c f)) 0 ++
      flat_map (fun code => at_code (Z.of_nat code * 2 ^ k) (power (units kp (price_up c f) * 2 ^ k)))
        (seq 0 (Z.to_nat (codes c f)))
    else made limit None None 0.
  Definition start (f : feature) : region :=
    let above := match lower c f with Some l => flat_map (upper_part up limit f (units k l, false)) (pieces f)
                                    | None => pieces f end in
    match upper c f with Some h => flat_map (lower_part down limit f (units k h, true)) above | None => above end.

  Definition whole_end (e : option number) : bool := match e with Some n => whole k n | None => true end.
  Definition usable : bool :=
    (0 <=? k) && match bound c with Some b => whole (k + kp) b | None => true end &&
    forallb (fun f => whole k (x c f) && whole kp (price_up c f) && whole kp (price_down c f) &&
      (0 <=? mant (price_up c f)) && (0 <=? mant (price_down c f)) && (codes c f <=? most_codes) &&
      whole_end (lower c f) && whole_end (upper c f)) fs.

  (* -------------------------------------------------------------------------------------------- labels *)
  Definition size (L r : nat) : Z := nth L (r_sizes q) 0 + nth r (r_sizes q) 0.
  Definition opens (L r : nat) : option Z :=
    first_open (votes m) (bits m) (places m) (Z.of_nat (length (r_trees q))) (size L r) L r.
  Definition rivals (L : nat) : list nat :=
    filter (fun r => negb (Nat.eqb r L)) (match target c with Some _ => seq 0 (classes m) | None => [from c] end).
  Definition loses_to (L : nat) (ts : list (ktree (list Z))) (r : nat) : bool :=
    match opens L r with
    | Some g => base_lead (votes m) (r_base q) L r + total_best (gain (votes m) L r) ts <? g
    | None => false
    end.
  Definition evaluated (L : nat) (ts : list (ktree (list Z))) : bool :=
    match all_only ts with
    | Some leaves => negb (may_give (votes m) (bits m) (places m) (classes m) (r_base q) leaves L)
    | None => false
    end.
  Definition closes (L : nat) (_ : box) (ts : list (ktree (list Z))) : bool :=
    existsb (loses_to L ts) (rivals L) || evaluated L ts.

  (* Potentials are those of a lead over some rival. *)
  Definition drop_by (L : nat) (w : nat * potentials) (b : box) (ts : list (ktree (list Z))) : list (ktree (list Z)) :=
    if Nat.ltb (fst w) (classes m) && negb (Nat.eqb (fst w) L) then
      match opens L (fst w) with
      | Some g => drop up down fs limit (list Z) (gain (votes m) L (fst w)) (base_lead (votes m) (r_base q) L (fst w)) g (snd w) b ts
      | None => ts
      end
    else ts.

  (* A claim has a part for each label that answers. *)
  Definition part := (nat * proof (nat * potentials))%type.
  Definition part_of (L : nat) (parts : list part) : proof (nat * potentials) :=
    match find (fun p => Nat.eqb (fst p) L) parts with Some p => snd p | None => Done end.
  Definition check_claim (parts : list part) : bool :=
    usable && Nat.ltb (from c) (classes m) &&
    forallb (fun L => negb (answers c L) ||
      check_root up down fs limit budget (list Z) (closes L) _ (drop_by L) start (r_trees q) (part_of L parts))
      (seq 0 (classes m)).
End Claim.
Definition accepts (m : model) (q : ready) (c : claim) (kp : Z) (parts : list part) : bool :=
  check_claim m q c kp (facts m q c kp) parts.

(* ------------------------------------------------------------------------------------------------- why it holds *)
Section Sound.
  Variable m : model.
  Variable q : ready.
  Variable c : claim.
  Variable kp : Z.
  Hypothesis Hready : get_ready (unit q) m = Some q.
  Hypothesis Husable : usable m q c kp = true.
  Notation k := (unit q).
  Notation fs := (features (dim m)).
  Notation below := (below_cut (unit q)).

  (* What a feature costs, as the norm adds it up, and the places of that. *)
  Definition spent (f : feature) (v : Q) : Q :=
    match the_norm c with L2 => (cost c f v * cost c f v)%Q | _ => cost c f v end.
  Definition scale : Z := match the_norm c with L2 => 2 * (k + kp) | _ => k + kp end.
  Definition atleast (f : feature) (n : Z) (v : Q) : Prop := In f fs -> (real (Number n (- scale)) <= spent f v)%Q.

  Lemma usable_feature : forall f, In f fs ->
    whole k (x c f) = true /\ whole kp (price_up c f) = true /\ whole kp (price_down c f) = true /\
    0 <= mant (price_up c f) /\ 0 <= mant (price_down c f) /\ codes c f <= most_codes /\
    whole_end q (lower c f) = true /\ whole_end q (upper c f) = true.
  Proof.
    intros f Hf. unfold usable in Husable. rewrite !andb_true_iff in Husable. destruct Husable as [_ H].
    rewrite forallb_forall in H. specialize (H f Hf). rewrite !andb_true_iff, !Z.leb_le in H. tauto.
  Qed.
  Lemma usable_k : 0 <= k.
  Proof. unfold usable in Husable. rewrite !andb_true_iff, Z.leb_le in Husable. tauto. Qed.

  Lemma price_nonneg : forall n, 0 <= mant n -> (0 <= real n)%Q.
  Proof.
    intros n H. unfold real. apply Qmult_le_0_compat; [|apply Qlt_le_weak, two_power].
    change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. exact H.
  Qed.
  Lemma cost_nonneg : forall f v, In f fs -> (0 <= cost c f v)%Q.
  Proof.
    intros f v Hf. destruct (usable_feature f Hf) as [_ [_ [_ [Hu [Hd _]]]]]. unfold cost.
    destruct (0 <? codes c f); [destruct (Qeq_bool v (real (x c f))); [apply Qle_refl | apply price_nonneg, Hu]|].
    destruct (Qle_bool (real (x c f)) v) eqn:E.
    - apply Qmult_le_0_compat; [apply price_nonneg, Hu|]. apply -> Qle_minus_iff. apply Qle_bool_iff. exact E.
    - apply Qmult_le_0_compat; [apply price_nonneg, Hd|]. apply -> Qle_minus_iff. apply Qlt_le_weak, Qle_bool_false, E.
  Qed.
  Lemma spent_nonneg : forall f v, In f fs -> (0 <= spent f v)%Q.
  Proof.
    intros f v Hf. pose proof (cost_nonneg f v Hf). unfold spent. destruct (the_norm c); try assumption.
    apply Qmult_le_0_compat; assumption.
  Qed.

  (* A bound of a cost, to the power of the norm, bounds what is spent. *)
  Lemma power_spent : forall f v n, 0 <= n -> (real (Number n (- (k + kp))) <= cost c f v)%Q ->
    (real (Number (power c n) (- scale)) <= spent f v)%Q.
  Proof.
    intros f v n Hn H. unfold power, scale, spent. destruct (the_norm c); try exact H.
    replace (- (2 * (k + kp))) with (- (k + kp) + - (k + kp)) by lia. rewrite <- real_mult.
    assert (H0 : (0 <= real (Number n (- (k + kp))))%Q) by (rewrite <- (real_0 (- (k + kp))); apply real_le; exact Hn).
    apply Qle_trans with (cost c f v * real (Number n (- (k + kp))))%Q.
    - apply Qmult_le_compat_r; assumption.
    - rewrite (Qmult_comm (cost c f v)). apply Qmult_le_compat_r; [exact H|]. eapply Qle_trans; eassumption.
  Qed.
  Lemma real_max_0 : forall n e r, (0 <= r)%Q -> (real (Number n e) <= r)%Q -> (real (Number (Z.max 0 n) e) <= r)%Q.
  Proof. intros n e r H0 H. destruct (Z.max_spec 0 n) as [[_ E] | [_ E]]; rewrite E; [exact H | rewrite real_0; exact H0]. Qed.
  Lemma power_0 : power c 0 = 0.
  Proof. unfold power. destruct (the_norm c); reflexivity. Qed.

  Lemma atleast_mono : forall f a b v, a <= b -> atleast f b v -> atleast f a v.
  Proof. intros f a b v H G Hf. eapply Qle_trans; [apply real_le, H | apply G, Hf]. Qed.
  Lemma atleast_0 : forall f v, atleast f 0 v.
  Proof. intros f v Hf. rewrite real_0. apply spent_nonneg, Hf. Qed.

  (* A price times a distance between whole numbers, in their units. *)
  Lemma priced : forall p a b, whole kp p = true -> whole k b = true ->
    (real (Number (units kp p * (a - units k b)) (- (k + kp))) == real p * (real (Number a (- k)) - real b))%Q.
  Proof.
    intros p a b Hp Hb. rewrite (real_units kp p Hp), (real_units k b Hb), real_minus, real_mult.
    replace (- kp + - k) with (- (k + kp)) by lia. reflexivity.
  Qed.
  Lemma priced_down : forall p a b, whole kp p = true -> whole k b = true ->
    (real (Number (units kp p * (units k b - a)) (- (k + kp))) == real p * (real b - real (Number a (- k))))%Q.
  Proof.
    intros p a b Hp Hb. rewrite (real_units kp p Hp), (real_units k b Hb), real_minus, real_mult.
    replace (- kp + - k) with (- (k + kp)) by lia. reflexivity.
  Qed.
  Lemma beyond : forall v b, below v b = false -> (real (Number (fst b) (- k)) <= v)%Q.
  Proof.
    intros v [e closed] H. unfold below_cut, Spec.below in H. simpl in *. destruct closed.
    - apply Qlt_le_weak, Qle_bool_false, H.
    - apply negb_false_iff, Qle_bool_iff in H. exact H.
  Qed.
  Lemma before : forall v b, below v b = true -> (v <= real (Number (fst b) (- k)))%Q.
  Proof.
    intros v [e closed] H. unfold below_cut, Spec.below in H. simpl in *. destruct closed.
    - apply Qle_bool_iff in H. exact H.
    - apply negb_true_iff, Qle_bool_false in H. apply Qlt_le_weak, H.
  Qed.
  Notation table := (facts m q c kp).
  Lemma facts_find : forall f, In f fs -> M.find f table = Some (fact_of q c kp f).
  Proof.
    intros f. unfold facts. induction fs as [|g l IH]; intro Hf; [contradiction|]. simpl.
    destruct (Pos.eq_dec f g) as [E | E]; [subst g; apply M.gss|]. rewrite M.gso by exact E.
    destruct Hf as [Hf | Hf]; [congruence | exact (IH Hf)].
  Qed.
  Lemma up_atleast : forall f b v, below v b = false -> atleast f (up c table f b) v.
  Proof.
    intros f b v H Hf. destruct (usable_feature f Hf) as [Hx [Hu [_ [Hp _]]]]. unfold up.
    rewrite facts_find by exact Hf. unfold fact_of. destruct (is_category c f) eqn:C; [rewrite real_0; apply spent_nonneg, Hf|].
    apply power_spent; [lia|]. apply real_max_0; [apply cost_nonneg, Hf|]. rewrite priced by assumption.
    pose proof (beyond v b H) as Hv. pose proof (price_nonneg _ Hp) as H0. unfold cost, is_category in *. rewrite C.
    destruct (Qle_bool (real (x c f)) v) eqn:E.
    - rewrite (Qmult_comm _ (_ - _)), (Qmult_comm _ (v - _)). apply Qmult_le_compat_r; [|exact H0].
      apply Qplus_le_compat; [exact Hv | apply Qle_refl].
    - apply Qle_bool_false in E. apply Qle_trans with 0%Q.
      + assert (N : (real (Number (fst b) (- k)) - real (x c f) <= 0)%Q).
        { apply Qle_trans with (v - real (x c f))%Q; [apply Qplus_le_compat; [exact Hv | apply Qle_refl]|].
          apply Qlt_le_weak in E. apply Qle_minus_iff in E. apply Qle_minus_iff.
          setoid_replace (0 + - (v - real (x c f)))%Q with (real (x c f) + - v)%Q by ring. exact E. }
        setoid_replace 0%Q with (0 * real (price_up c f))%Q by ring. rewrite Qmult_comm. apply Qmult_le_compat_r; assumption.
      + pose proof (cost_nonneg f v Hf) as G. unfold cost in G. unfold is_category in C. rewrite C in G.
        destruct (Qle_bool (real (x c f)) v) eqn:F; [|exact G]. apply Qle_bool_iff in F.
        exfalso. exact (Qlt_not_le _ _ E F).
  Qed.
  Lemma down_atleast : forall f b v, below v b = true -> atleast f (down c table f b) v.
  Proof.
    intros f b v H Hf. destruct (usable_feature f Hf) as [Hx [_ [Hd [_ [Hp _]]]]]. unfold down.
    rewrite facts_find by exact Hf. unfold fact_of. destruct (is_category c f) eqn:C; [rewrite real_0; apply spent_nonneg, Hf|].
    apply power_spent; [lia|]. apply real_max_0; [apply cost_nonneg, Hf|]. rewrite priced_down by assumption.
    pose proof (before v b H) as Hv. pose proof (price_nonneg _ Hp) as H0.
    pose proof (cost_nonneg f v Hf) as G. unfold cost, is_category in *. rewrite C in *.
    destruct (Qle_bool (real (x c f)) v) eqn:E.
    - apply Qle_trans with 0%Q; [|exact G]. apply Qle_bool_iff in E.
      assert (N : (real (x c f) - real (Number (fst b) (- k)) <= 0)%Q).
      { apply Qle_trans with (real (x c f) - v)%Q.
        - apply Qplus_le_compat; [apply Qle_refl | apply Qopp_le_compat, Hv].
        - apply Qle_minus_iff in E. apply Qle_minus_iff.
          setoid_replace (0 + - (real (x c f) - v))%Q with (v + - real (x c f))%Q by ring. exact E. }
      setoid_replace 0%Q with (0 * real (price_down c f))%Q by ring. rewrite Qmult_comm. apply Qmult_le_compat_r; assumption.
    - rewrite (Qmult_comm _ (_ - real (Number _ _))), (Qmult_comm _ (_ - v)). apply Qmult_le_compat_r; [|exact H0].
      apply Qplus_le_compat; [apply Qle_refl | apply Qopp_le_compat, Hv].
  Qed.

  (* -------------------------------------------------------------------------------------------- bounds *)
  Lemma limit_bound : forall b n, bound c = Some b -> (0 < real b)%Q ->
    (real (Number n (- scale)) < match the_norm c with L2 => real b * real b | _ => real b end)%Q ->
    reaches (limit q c kp) n = false.
  Proof.
    intros b n Hb H0 H. unfold limit, reaches. rewrite Hb. simpl. apply Z.leb_gt. apply real_lt with (- scale).
    eapply Qlt_le_trans; [exact H|]. unfold usable in Husable. rewrite Hb, !andb_true_iff in Husable.
    destruct Husable as [[_ W] _]. pose proof (real_units _ _ W) as E. unfold scale, power.
    destruct (the_norm c); [rewrite E; apply Qle_refl | rewrite E; apply Qle_refl |].
    replace (- (2 * (k + kp))) with (- (k + kp) + - (k + kp)) by lia. rewrite <- real_mult, E. apply Qle_refl.
  Qed.
  Lemma total_le : forall (A : Type) (g h : A -> Q) l, (forall a, In a l -> (g a <= h a)%Q) -> (total g l <= total h l)%Q.
  Proof.
    intros A g h l. induction l as [|a l IH]; intro H; simpl; [apply Qle_refl|].
    apply Qplus_le_compat; [apply H; left; reflexivity | apply IH; intros; apply H; right; assumption].
  Qed.
  Lemma total_one : forall (A : Type) (g : A -> Q) l a, (forall a, In a l -> (0 <= g a)%Q) -> In a l -> (g a <= total g l)%Q.
  Proof.
    intros A g l a. induction l as [|b l IH]; intros H Ha; [contradiction|]. simpl.
    assert (T : (0 <= total g l)%Q).
    { apply Qle_trans with (total (fun _ => 0%Q) l).
      - clear. induction l as [|b l IH]; simpl; [apply Qle_refl|]. rewrite Qplus_0_l. exact IH.
      - apply total_le. intros; apply H; right; assumption. }
    destruct Ha as [E | Ha].
    - subst b. setoid_replace (g a) with (g a + 0)%Q at 1 by ring. apply Qplus_le_compat; [apply Qle_refl | exact T].
    - setoid_replace (g a) with (0 + g a)%Q by ring.
      apply Qplus_le_compat; [apply H; left; reflexivity | apply IH; auto; intros; apply H; right; assumption].
  Qed.
  Lemma total_real : forall (g : feature -> Z) l,
    (real (Number (sum_of g l) (- scale)) == total (fun f => real (Number (g f) (- scale))) l)%Q.
  Proof.
    intros g l. induction l as [|f l IH]; simpl; [apply real_0|]. rewrite real_plus, IH. reflexivity.
  Qed.
  Lemma nearer_near : forall z, nearer (dim m) c z -> near Q atleast fs (limit q c kp) (budget q c kp) z.
  Proof.
    intros z H. unfold nearer in H. unfold near, budget. destruct (bound c) as [b|] eqn:Eb.
    - destruct H as [H0 H].
      assert (T : the_norm c <> LInf -> (total (fun f => spent f (z f)) fs <
                  match the_norm c with L2 => real b * real b | _ => real b end)%Q).
      { intro N. unfold spent. destruct (the_norm c); [contradiction | exact H | exact H]. }
      split.
      + intros f n Hf Hn. specialize (Hn Hf). apply limit_bound with b; [exact Eb | exact H0 |].
        eapply Qle_lt_trans; [exact Hn|].
        assert (S : the_norm c = LInf \/ the_norm c <> LInf) by (destruct (the_norm c); auto; right; discriminate).
        destruct S as [S | S].
        * unfold spent. rewrite S in *. apply H, Hf.
        * eapply Qle_lt_trans; [|exact (T S)]. apply (total_one _ (fun f => spent f (z f))); [|exact Hf].
          intros a Ha. apply spent_nonneg, Ha.
      + intros g Hg. assert (S : the_norm c = LInf \/ the_norm c <> LInf) by (destruct (the_norm c); auto; right; discriminate).
        destruct S as [S | S]; [rewrite S; reflexivity|].
        replace (match the_norm c with LInf => None | _ => limit q c kp end) with (limit q c kp)
          by (destruct (the_norm c); [contradiction | reflexivity | reflexivity]).
        apply limit_bound with b; [exact Eb | exact H0 |]. eapply Qle_lt_trans; [|exact (T S)].
        rewrite total_real. apply total_le. intros f Hf. apply Hg; assumption.
    - unfold limit. rewrite Eb. split; [reflexivity|]. intros. destruct (the_norm c); reflexivity.
  Qed.

  (* -------------------------------------------------------------------------------------------- where features begin *)
  Notation within := (within Q below atleast).
  Lemma affordable_near : forall z f, near Q atleast fs (limit q c kp) (budget q c kp) z -> In f fs ->
    affordable Q atleast (limit q c kp) f (z f).
  Proof. intros z f [H _] Hf n Hn. exact (H f n Hf Hn). Qed.
  Lemma made_at : forall f v e n, affordable Q atleast (limit q c kp) f v -> atleast f n v -> (v == real (Number e (- k)))%Q ->
    within f v (made (limit q c kp) (Some (e, false)) (Some (e, true)) n).
  Proof.
    intros f v e n Ha Hn Hv. apply made_within with (V := Q) (below := below); try assumption; [apply below_cut_mono|].
    unfold in_piece, below_cut, Spec.below. simpl. split; [|split; [|exact Hn]].
    - apply negb_false_iff, Qle_bool_iff. rewrite Hv. apply Qle_refl.
    - apply Qle_bool_iff. rewrite Hv. apply Qle_refl.
  Qed.
  Lemma pieces_within : forall z f, near Q atleast fs (limit q c kp) (budget q c kp) z -> in_domain (dim m) c z -> In f fs ->
    within f (z f) (pieces q c kp f).
  Proof.
    intros z f Hz Hd Hf. pose proof (affordable_near z f Hz Hf) as Ha. destruct (usable_feature f Hf) as [Hx [Hu [_ [Hp [_ [Hmost _]]]]]].
    unfold pieces. destruct (is_category c f) eqn:C.
    - destruct (Hd f Hf) as [_ Hcat]. unfold is_category in C. pose proof C as C'. apply Z.ltb_lt in C'. specialize (Hcat C').
      destruct (Qeq_bool (z f) (real (x c f))) eqn:E.
      + apply Exists_app. left. apply made_at; [exact Ha | apply atleast_0 |].
        apply Qeq_bool_iff in E. rewrite E. apply real_units, Hx.
      + destruct Hcat as [Hcat | [code [Hcode Hv]]]; [apply Qeq_bool_iff in Hcat; congruence|].
        apply Exists_app. right. apply Exists_flat_map. apply Exists_exists. exists (Z.to_nat code). split.
        * apply in_seq. lia.
        * rewrite Z2Nat.id by lia. pose proof usable_k as Hk. apply made_at; [exact Ha | |].
          -- intros _. apply power_spent.
             ++ apply Z.mul_nonneg_nonneg; [|apply Z.pow_nonneg; lia]. unfold units. apply Z.mul_nonneg_nonneg; [exact Hp | apply Z.pow_nonneg; lia].
             ++ unfold cost. rewrite C, E. pose proof (priced (price_up c f) (2 ^ k) (Number 0 (- k)) Hu ltac:(unfold whole; apply Z.leb_le; simpl; lia)) as G.
                change (units k (Number 0 (- k))) with 0 in G. rewrite Z.sub_0_r in G. rewrite G, real_0.
                unfold real at 2. simpl. rewrite Qpower.Zpower_Qpower by exact Hk. change (inject_Z 2) with 2%Q.
                rewrite <- Qpower_plus by discriminate. replace (k + - k) with 0 by lia.
                setoid_replace (real (price_up c f) * (Qpower 2 0 - 0))%Q with (real (price_up c f)) by (simpl; ring). apply Qle_refl.
          -- rewrite Hv. unfold real. simpl. rewrite inject_Z_mult, Qpower.Zpower_Qpower by exact Hk. change (inject_Z 2) with 2%Q.
             rewrite <- Qmult_assoc, <- Qpower_plus by discriminate. replace (k + - k) with 0 by lia. simpl. ring.
    - apply made_within with (V := Q) (below := below); [apply below_cut_mono | exact Ha |].
      repeat split. apply atleast_0.
  Qed.
  Lemma start_within : forall z f, near Q atleast fs (limit q c kp) (budget q c kp) z -> in_domain (dim m) c z -> In f fs ->
    within f (z f) (start q c kp table f).
  Proof.
    intros z f Hz Hd Hf. pose proof (pieces_within z f Hz Hd Hf) as Hp. pose proof (affordable_near z f Hz Hf) as Ha.
    destruct (Hd f Hf) as [[Hlo Hhi] _]. destruct (usable_feature f Hf) as [_ [_ [_ [_ [_ [_ [Wl Wh]]]]]]]. unfold start.
    assert (G : forall b, let cut := [b] in forall r, within f (z f) r ->
      within f (z f) (if goes Q below (z f) cut then fst (parts (up c table) (down c table) (limit q c kp) f cut r)
                      else snd (parts (up c table) (down c table) (limit q c kp) f cut r))).
    { intros b cut r Hr. apply parts_within; first [exact Hr | exact Ha | apply below_cut_mono | apply up_atleast | apply down_atleast]. }
    simpl in G.
    assert (Hl : within f (z f) match lower c f with
        | Some l => flat_map (upper_part (up c table) (limit q c kp) f (units k l, false)) (pieces q c kp f)
        | None => pieces q c kp f end).
    { destruct (lower c f) as [l|]; [|exact Hp]. specialize (G (units k l, false) _ Hp).
      replace (below (z f) (units k l, false)) with false in G; [exact G|]. symmetry. unfold below_cut, Spec.below. simpl.
      apply negb_false_iff, Qle_bool_iff. rewrite <- real_units by exact Wl. exact Hlo. }
    destruct (upper c f) as [h|]; [|exact Hl]. specialize (G (units k h, true) _ Hl).
    replace (below (z f) (units k h, true)) with true in G; [simpl in G; rewrite app_nil_r in G; exact G|].
    symmetry. unfold below_cut, Spec.below. simpl. apply Qle_bool_iff. rewrite <- real_units by exact Wh. exact Hhi.
  Qed.

  (* -------------------------------------------------------------------------------------------- labels *)
  Lemma ready_parts : proper (votes m) (bits m) (places m) (classes m) = true /\
    forallb (whole_tree k (places m)) (trees m) = true /\ forallb (whole (places m)) (base m) = true /\
    r_trees q = map (tree_of k (places m)) (trees m) /\ r_base q = map (units (places m)) (base m) /\
    r_sizes q = map (class_size (r_trees q) (r_base q)) (seq 0 (classes m)).
  Proof.
    unfold get_ready in Hready. destruct (_ && _) eqn:E in Hready; [|discriminate]. rewrite !andb_true_iff in E.
    pose proof (f_equal (fun o => match o with Some r => r_trees r | None => [] end) Hready) as H1.
    pose proof (f_equal (fun o => match o with Some r => r_base r | None => [] end) Hready) as H2.
    pose proof (f_equal (fun o => match o with Some r => r_sizes r | None => [] end) Hready) as H3.
    cbn in H1, H2, H3. destruct E as [[[E1 E2] E3] _]. rewrite <- H1, <- H2, <- H3. repeat split; assumption.
  Qed.
  Definition leaves_of (z : input) : list (list Z) := map (fun t => map (units (places m)) (walk t z)) (trees m).
  Lemma trees_reached : forall z, reached Q below (list Z) (r_trees q) z (leaves_of z).
  Proof.
    intro z. destruct ready_parts as [_ [H [_ [E _]]]]. rewrite E. unfold reached, leaves_of. rewrite !map_map.
    apply map_ext_in. intros t Ht. apply tree_of_walk. rewrite forallb_forall in H. exact (H t Ht).
  Qed.

  (* The leaves that inputs with a label reach. *)
  Definition labelled (L : nat) (_ : input) (leaves : list (list Z)) : Prop :=
    may_give (votes m) (bits m) (places m) (classes m) (r_base q) leaves L = true /\
    length leaves = length (r_trees q) /\ forall c, sizes leaves c <= total_best (fun leaf => Z.abs (value c leaf)) (r_trees q).
  Lemma lead_opens : forall L r z leaves g, (L < classes m)%nat -> (r < classes m)%nat -> r <> L ->
    labelled L z leaves -> opens m q L r = Some g ->
    g <= base_lead (votes m) (r_base q) L r + sum_of (gain (votes m) L r) leaves.
  Proof.
    intros L r z leaves g HL Hr HLr [Hm [Hl Hs]] Hg. destruct ready_parts as [Hp [_ [_ [_ [_ Es]]]]].
    unfold opens in Hg. rewrite <- Hl in Hg.
    refine (lead_open _ _ _ _ _ _ _ _ _ g Hp Hm HL Hr _ _ Hg); [congruence|].
    unfold size, size_of. rewrite Es.
    assert (G : forall i, (i < classes m)%nat ->
      nth i (map (class_size (r_trees q) (r_base q)) (seq 0 (classes m))) 0 = class_size (r_trees q) (r_base q) i).
    { intros i Hi. rewrite nth_indep with (d' := class_size (r_trees q) (r_base q) 0%nat)
        by (rewrite map_length, seq_length; exact Hi). rewrite map_nth, seq_nth by exact Hi. reflexivity. }
    rewrite !G by assumption. unfold class_size. pose proof (Hs L). pose proof (Hs r). lia.
  Qed.
  Lemma closes_sound : forall L b ts z leaves, (L < classes m)%nat -> (from c < classes m)%nat ->
    closes m q c L b ts = true -> reached Q below (list Z) ts z leaves -> ~ labelled L z leaves.
  Proof.
    intros L b ts z leaves HL Hfrom H Hr Hbad. unfold closes in H. apply orb_true_iff in H. destruct H as [H | H].
    - apply existsb_exists in H. destruct H as [r [Hin H]]. unfold rivals in Hin. apply filter_In in Hin.
      destruct Hin as [Hin Hne]. apply negb_true_iff, Nat.eqb_neq in Hne.
      assert (Hr' : (r < classes m)%nat).
      { destruct (target c); [apply in_seq in Hin; lia|]. destruct Hin as [E | []]. congruence. }
      unfold loses_to in H. destruct (opens m q L r) as [g|] eqn:E; [|discriminate]. apply Z.ltb_lt in H.
      pose proof (lead_opens L r z leaves g HL Hr' Hne Hbad E).
      pose proof (total_best_walk (gain (votes m) L r) Q below ts z leaves Hr). lia.
    - unfold evaluated in H. destruct (all_only ts) as [found|] eqn:E; [|discriminate].
      rewrite <- (all_only_walk Q below ts z leaves found Hr E) in H. apply negb_true_iff in H.
      destruct Hbad as [Hm _]. congruence.
  Qed.
  Lemma features_once : forall n f, NoDup (count_from f n) /\ forall g, In g (count_from f n) -> (f <= g)%positive.
  Proof.
    induction n as [|n IH]; intro f; simpl; [split; [constructor | contradiction]|].
    destruct (IH (Pos.succ f)) as [H1 H2]. split.
    - constructor; [|exact H1]. intro H. specialize (H2 f H). lia.
    - intros g [E | H]; [subst g; lia | specialize (H2 g H); lia].
  Qed.

  Theorem check_claim_sound : forall parts, accepts m q c kp parts = true -> holds m c.
  Proof.
    intros parts H z L Hd Hz HL Hmay. unfold accepts, check_claim in H. rewrite !andb_true_iff in H. destruct H as [[_ Hfrom] H].
    apply Nat.ltb_lt in Hfrom. rewrite forallb_forall in H.
    specialize (H L (proj2 (in_seq (classes m) 0 L) (conj (Nat.le_0_l L) HL))).
    destruct (answers c L); [exfalso | reflexivity]. cbn [negb orb] in H.
    pose proof (nearer_near z Hz) as Hnear. destruct ready_parts as [_ [_ [_ [Et [Eb _]]]]].
    assert (Hbad : labelled L z (leaves_of z)).
    { split; [|split].
      - unfold may_predict in Hmay. rewrite Eb. exact Hmay.
      - rewrite Et. unfold leaves_of. rewrite !map_length. reflexivity.
      - intro i. exact (total_best_walk _ Q below _ z _ (trees_reached z)). }
    revert Hbad. refine (check_root_sound Q below (below_cut_mono k) atleast atleast_mono atleast_0 (up c table) (down c table)
      up_atleast down_atleast fs (proj1 (features_once _ _)) (limit q c kp) (budget q c kp) (list Z) (labelled L)
      (closes m q c L) (nat * potentials) (drop_by m q c kp table L) _ _ (start q c kp table) (r_trees q) _ z (leaves_of z) H Hnear _
      (trees_reached z)).
    - intros b ts y leaves Hc _ _ Hr. exact (closes_sound L b ts y leaves HL Hfrom Hc Hr).
    - intros w b ts y leaves Hny Hb Hbad Hr. unfold drop_by. destruct (_ && _) eqn:E; [|exact Hr].
      apply andb_true_iff in E. destruct E as [E1 E2]. apply Nat.ltb_lt in E1. apply negb_true_iff, Nat.eqb_neq in E2.
      destruct (opens m q L (fst w)) as [g|] eqn:Eg; [|exact Hr].
      refine (drop_sound Q below (below_cut_mono k) atleast (up c table) (down c table) up_atleast down_atleast fs
        (proj1 (features_once _ _)) (limit q c kp) (budget q c kp) (list Z) _ _ g (snd w) (labelled L) _ b ts y leaves Hny Hb Hbad Hr).
      intros y' leaves' Hy. exact (lead_opens L (fst w) y' leaves' g HL E1 E2 Hy Eg).
    - intros f Hf. exact (start_within z f Hnear Hd Hf).
  Qed.
End Sound.

(* The theorem in full: a model made ready, and a claim accepted. *)
Definition checked (k kp : Z) (m : model) (c : claim) (parts : list part) : bool :=
  match get_ready k m with Some q => accepts m q c kp parts | None => false end.
Theorem checked_holds : forall k kp m c parts, checked k kp m c parts = true -> holds m c.
Proof.
  intros k kp m c parts H. unfold checked in H. destruct (get_ready k m) as [q|] eqn:E; [|discriminate].
  assert (U : unit q = k).
  { unfold get_ready in E. destruct (_ && _) in E; [|discriminate]. inversion E. reflexivity. }
  subst k. apply (check_claim_sound m q c kp E) with parts; [|exact H].
  unfold accepts, check_claim in H. rewrite !andb_true_iff in H. tauto.
Qed.
