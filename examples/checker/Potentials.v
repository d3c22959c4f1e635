(* Leaves that cannot win, by potentials. Large forests are bounded by step functions of single features, some for each
   tree, that are added to what the tree's leaves are worth. Whoever chose them: if over all trees they add up to 0 or
   more everywhere, then the best leaves with them bound the lead, and a leaf is dropped if the bound with it in place of
   its tree's best one is lost. *)
From Coq Require Import ZArith List Bool Lia PArith.
Require Import Spec Kernel Best.
Import ListNotations.
Open Scope Z_scope.

(* A step function: its values below the first border, below the second, ..., and behind the last; 0 where none is given. *)
Definition steps := (list cut * list Z)%type.

(* What a proof says of potentials: leads count [times] as much as in the model's units; for each feature where its steps
   end; for each tree its features and their values. *)
Record potentials := { times : Z; ends : M.t (list cut); phis : list (list (feature * list Z)) }.

Fixpoint plus (a b : list Z) : list Z :=
  match a, b with [], b => b | a, [] => a | x :: a, y :: b => x + y :: plus a b end.

Section Potentials.
  Variable V : Type.
  Variable below : V -> cut -> bool.
  Hypothesis below_mono : forall v a b, cutle a b = true -> below v a = true -> below v b = true.
  Variable atleast : feature -> Z -> V -> Prop.
  Variables up down : feature -> cut -> Z.
  Hypothesis up_atleast : forall f c v, below v c = false -> atleast f (up f c) v.
  Hypothesis down_atleast : forall f c v, below v c = true -> atleast f (down f c) v.
  Variable fs : list feature.
  Hypothesis fs_once : NoDup fs.
  Variables limit budget : option Z.
  Variable A : Type.
  Notation within := (within V below atleast).
  Notation inside := (inside V below atleast fs).
  Notation near := (near V atleast fs limit budget).
  Notation kwalk := (kwalk V below).
  Notation point := (feature -> V).

  (* ------------------------------------------------------------------------------------------------- steps *)
  Fixpoint step (cuts : list cut) (values : list Z) (v : V) {struct values} : Z :=
    match values with
    | [] => 0
    | a :: values => match cuts with [] => a | c :: cuts => if below v c then a else step cuts values v end
    end.
  Lemma step_plus : forall cuts a b v, step cuts (plus a b) v = step cuts a v + step cuts b v.
  Proof.
    intros cuts a. revert cuts. induction a as [|x a IH]; intros cuts [|y b] v; cbn [plus];
      try (change (step cuts [] v) with 0; lia).
    simpl. destruct cuts as [|c cuts]; [reflexivity|]. destruct (below v c); [reflexivity | apply IH].
  Qed.
  Lemma step_nonneg : forall cuts values v, forallb (Z.leb 0) values = true -> 0 <= step cuts values v.
  Proof.
    intros cuts values. revert cuts. induction values as [|a values IH]; intros cuts v H; simpl in *; [lia|].
    apply andb_true_iff in H. destruct H as [Ha H]. apply Z.leb_le in Ha.
    destruct cuts as [|c cuts]; [exact Ha|]. destruct (below v c); auto.
  Qed.

  (* The greatest step of a piece, and of a region. *)
  Fixpoint top_from (low high : option cut) (cuts : list cut) (values : list Z) {struct values} : option Z :=
    let most a b := match b with Some n => Z.max a n | None => a end in
    match values with
    | [] => Some 0
    | a :: values =>
        match cuts with
        | [] => Some a
        | c :: cuts =>
            if match low with Some l => cutle c l | None => false end then top_from low high cuts values
            else if match high with Some h => cutle h c | None => false end then Some a
            else Some (most a (top_from low high cuts values))
        end
    end.
  Definition top (s : steps) (r : region) : Z :=
    let of p := match top_from (lo p) (hi p) (fst s) (snd s) with Some n => n | None => 0 end in
    match r with [] => 0 | p :: r => fold_right (fun p n => Z.max (of p) n) (of p) r end.
  Lemma top_from_step : forall l h cuts values v,
    match l with Some c => below v c = false | None => True end -> match h with Some c => below v c = true | None => True end ->
    exists n, top_from l h cuts values = Some n /\ step cuts values v <= n.
  Proof.
    intros l h cuts values. revert cuts. induction values as [|a values IH]; intros cuts v Hl Hh; simpl.
    - exists 0. split; [reflexivity | lia].
    - destruct cuts as [|c cuts]; [exists a; split; [reflexivity | lia]|]. destruct (IH cuts v Hl Hh) as [n [E Hn]].
      destruct (match l with Some l => cutle c l | None => false end) eqn:El.
      + destruct l as [l|]; [|discriminate]. exists n. split; [exact E|].
        destruct (below v c) eqn:Ec; [|exact Hn]. rewrite (below_mono _ _ _ El Ec) in Hl. discriminate.
      + destruct (match h with Some h => cutle h c | None => false end) eqn:Eh.
        * destruct h as [h|]; [|discriminate]. exists a. split; [reflexivity|]. rewrite (below_mono _ _ _ Eh Hh). lia.
        * rewrite E. eexists. split; [reflexivity|]. destruct (below v c); lia.
  Qed.
  Lemma top_step : forall f s r v, within f v r -> step (fst s) (snd s) v <= top s r.
  Proof.
    intros f s r v H. apply Exists_exists in H. destruct H as [p [Hp [Hl [Hh _]]]]. unfold top.
    destruct r as [|q r]; [contradiction|].
    set (of := fun p : piece => match top_from (lo p) (hi p) (fst s) (snd s) with Some n => n | None => 0 end).
    assert (Ho : step (fst s) (snd s) v <= of p).
    { unfold of. destruct (top_from_step _ _ (fst s) (snd s) v Hl Hh) as [n [E Hn]]. rewrite E. exact Hn. }
    change (step (fst s) (snd s) v <= fold_right (fun p n => Z.max (of p) n) (of q) r). clearbody of.
    destruct Hp as [E | Hp].
    - subst q. clear - Ho. induction r as [|t r IH]; simpl; lia.
    - induction r as [|t r IH]; [contradiction|]. destruct Hp as [E | Hp]; simpl; [subst t; lia | specialize (IH Hp); lia].
  Qed.

  (* ------------------------------------------------------------------------------------------------- sums over features *)
  Lemma sum_put : forall (B : Type) (h : feature -> option B -> Z) m f a, In f fs ->
    sum_of (fun g => h g (M.find g (M.add f a m))) fs = sum_of (fun g => h g (M.find g m)) fs - h f (M.find f m) + h f (Some a).
  Proof.
    intros B h m f a Hin. induction fs as [|g l IH]; [contradiction|].
    inversion fs_once as [|? ? Hg Hl]; subst. simpl. destruct Hin as [E | Hin].
    - subst g. rewrite M.gss, (sum_of_ext _ _ (fun g => h g (M.find g m)) l); [lia|].
      intros i Hi. rewrite M.gso; [reflexivity|]. intro E. subst i. contradiction.
    - rewrite (IH Hl Hin), M.gso; [lia|]. intro E. subst g. contradiction.
  Qed.
  Lemma sum_of_le : forall (B : Type) (g h : B -> Z) l, (forall a, In a l -> g a <= h a) -> sum_of g l <= sum_of h l.
  Proof.
    intros B g h l. induction l as [|a l IH]; intro H; simpl; [lia|].
    assert (sum_of g l <= sum_of h l) by (apply IH; intros; apply H; right; assumption).
    pose proof (H a (or_introl eq_refl)). lia.
  Qed.

  (* The potentials of one tree, by feature, and what they add for an input. *)
  Definition add_at (cuts : M.t (list cut)) (z : point) (f : feature) (values : option (list Z)) : Z :=
    match values with Some values => step match M.find f cuts with Some c => c | None => [] end values (z f) | None => 0 end.
  Definition added (cuts : M.t (list cut)) (p : M.t (list Z)) (z : point) : Z :=
    sum_of (fun f => add_at cuts z f (M.find f p)) fs.

  (* Puts the values of a tree in order, and adds them to those of the others. *)
  Fixpoint load (b : box) (phi : list (feature * list Z)) (p sums : M.t (list Z)) : M.t (list Z) * M.t (list Z) :=
    match phi with
    | [] => (p, sums)
    | (f, values) :: phi =>
        if M.mem f p || negb (M.mem f b) then load b phi p sums
        else load b phi (M.add f values p) (M.add f (plus values match M.find f sums with Some s => s | None => [] end) sums)
    end.
  Lemma load_added : forall cuts z b phi p sums, inside z b ->
    added cuts (fst (load b phi p sums)) z - added cuts p z = added cuts (snd (load b phi p sums)) z - added cuts sums z.
  Proof.
    intros cuts z b phi. induction phi as [|[f values] phi IH]; intros p sums Hb; [simpl; lia|].
    cbn [load]. destruct (M.mem f p || negb (M.mem f b)) eqn:E; [apply IH, Hb|].
    apply orb_false_iff in E. destruct E as [Ep Eb]. apply negb_false_iff in Eb. rewrite M.mem_find in Ep, Eb.
    destruct (M.find f b) as [r|] eqn:Fb; [|discriminate]. destruct (Hb f r Fb) as [Hin _].
    specialize (IH (M.add f values p) (M.add f (plus values match M.find f sums with Some s => s | None => [] end) sums) Hb).
    unfold added in *. rewrite !(sum_put _ (add_at cuts z)) in IH by exact Hin.
    change (add_at cuts z f (Some values)) with (step match M.find f cuts with Some c => c | None => [] end values (z f)) in IH.
    match type of IH with context [add_at cuts z f (Some (plus ?a ?b))] =>
      change (add_at cuts z f (Some (plus a b))) with
        (step match M.find f cuts with Some c => c | None => [] end (plus a b) (z f)) in IH end.
    rewrite step_plus in IH. destruct (M.find f p); [discriminate|]. change (add_at cuts z f None) with 0 in IH.
    destruct (M.find f sums) as [s|].
    - change (add_at cuts z f (Some s)) with (step match M.find f cuts with Some c => c | None => [] end s (z f)) in IH. lia.
    - change (add_at cuts z f None) with 0 in IH. change (step match M.find f cuts with Some c => c | None => [] end [] (z f)) with 0 in IH. lia.
  Qed.
  Fixpoint load_all (b : box) (phis : list (list (feature * list Z))) (sums : M.t (list Z)) : list (M.t (list Z)) * M.t (list Z) :=
    match phis with
    | [] => ([], sums)
    | phi :: phis => let one := load b phi (M.empty _) sums in
                     let rest := load_all b phis (snd one) in (fst one :: fst rest, snd rest)
    end.
  Lemma added_empty : forall cuts z, added cuts (M.empty _) z = 0.
  Proof.
    intros. unfold added. induction fs as [|f l IH]; [reflexivity|]. simpl. rewrite M.gempty. simpl.
    inversion fs_once; subst. auto.
  Qed.
  Lemma load_all_added : forall cuts z b phis sums, inside z b ->
    sum_of (fun p => added cuts p z) (fst (load_all b phis sums)) = added cuts (snd (load_all b phis sums)) z - added cuts sums z.
  Proof.
    intros cuts z b phis. induction phis as [|phi phis IH]; intros sums Hb; simpl; [lia|].
    pose proof (load_added cuts z b phi (M.empty _) sums Hb) as H. rewrite added_empty in H. rewrite IH by exact Hb. lia.
  Qed.
  Definition no_less (sums : M.t (list Z)) : bool := forallb (fun e => forallb (Z.leb 0) (snd e)) (M.elements sums).
  Lemma no_less_added : forall cuts sums z, no_less sums = true -> 0 <= added cuts sums z.
  Proof.
    intros cuts sums z H. unfold no_less in H. rewrite forallb_forall in H. unfold added.
    assert (G : forall f, 0 <= add_at cuts z f (M.find f sums)).
    { intro f. destruct (M.find f sums) as [values|] eqn:E; simpl; [|lia]. apply step_nonneg.
      exact (H (f, values) (M.elements_correct sums f E)). }
    clear H. induction fs as [|f l IH]; simpl; [lia|]. inversion fs_once; subst. specialize (IH H2). specialize (G f). lia.
  Qed.

  (* ------------------------------------------------------------------------------------------------- trees *)
  Section Lead.
    Variable g : A -> Z.
    Variable base goal : Z.
    Variable w : potentials.

    Definition steps_of (p : M.t (list Z)) (f : feature) : option steps :=
      match M.find f p with
      | Some values => Some (match M.find f (ends w) with Some c => c | None => [] end, values)
      | None => None
      end.
    Definition top_at (p : M.t (list Z)) (f : feature) (r : option region) : Z :=
      match steps_of p f, r with Some s, Some r => top s r | _, _ => 0 end.
    (* Each leaf with what it is worth at most. So much do the potentials of the tree add in the box. *)
    Fixpoint worth (p : M.t (list Z)) (t : ktree A) (b : box) (more : Z) : ktree (A * Z) :=
      match t with
      | Gone => Gone
      | KLeaf a => KLeaf (a, times w * g a + more)
      | KNode f cuts l r =>
          match M.find f b with
          | None => join f cuts (worth p l b more) (worth p r b more)
          | Some s =>
              let ends := parts up down limit f cuts s in
              let side part t := match part with [] => Gone | _ =>
                t (M.add f part b) match steps_of p f with Some q => more - top q s + top q part | None => more end end in
              join f cuts (side (fst ends) (worth p l)) (side (snd ends) (worth p r))
          end
      end.
    Definition tops (p : M.t (list Z)) (b : box) : Z := sum_of (fun f => top_at p f (M.find f b)) fs.
    Lemma added_tops : forall p b z, inside z b -> (forall f, M.find f p <> None -> M.find f b <> None) ->
      added (ends w) p z <= tops p b.
    Proof.
      intros p b z Hb Hp. unfold added, tops. apply sum_of_le. intros f Hf. unfold add_at, top_at, steps_of.
      specialize (Hp f). destruct (M.find f p) as [values|]; [|lia].
      destruct (M.find f b) as [r|] eqn:E; [|exfalso; apply Hp; [discriminate | reflexivity]].
      destruct (Hb f r E) as [_ Hr].
      apply (top_step f (match M.find f (ends w) with Some c => c | None => [] end, values) r (z f) Hr).
    Qed.
    Definition covered (p : M.t (list Z)) (b : box) : Prop := forall f, M.find f p <> None -> M.find f b <> None.
    Lemma worth_walk : forall p z, near z -> forall t b more a, inside z b -> covered p b -> more = tops p b ->
      kwalk t z = Some a ->
      exists n, kwalk (worth p t b more) z = Some (a, n) /\ times w * g a + added (ends w) p z <= n.
    Proof.
      intros p z Hz t. induction t as [|c|f cuts l IHl r IHr]; intros b more a Hb Hp Hm Ha; cbn [worth]; simpl in Ha;
        [discriminate | |].
      - inversion Ha; subst c. simpl. eexists. split; [reflexivity|]. subst more. pose proof (added_tops p b z Hb Hp). lia.
      - destruct (M.find f b) as [s|] eqn:Hf.
        + destruct (Hb f s Hf) as [Hin Hs].
          pose proof (parts_within V below below_mono atleast up down up_atleast down_atleast limit f (z f) cuts s
            (fun n => proj1 Hz f n Hin) Hs) as Hpart.
          assert (G : forall part, within f (z f) part -> inside z (M.add f part b) /\ covered p (M.add f part b) /\
            match steps_of p f with Some q => more - top q s + top q part | None => more end = tops p (M.add f part b)).
          { intros part Hr. split; [apply inside_add; assumption|]. split.
            - intros i Hi. destruct (Pos.eq_dec i f) as [E | E]; [subst i; rewrite M.gss; discriminate|].
              rewrite M.gso by exact E. apply Hp, Hi.
            - unfold tops. rewrite (sum_put _ (top_at p) b f part Hin). fold (tops p b). rewrite <- Hm, Hf. unfold top_at.
              destruct (steps_of p f); lia. }
          rewrite join_walk. destruct (goes V below (z f) cuts).
          * destruct (fst (parts up down limit f cuts s)) as [|q part]; [inversion Hpart|].
            destruct (G _ Hpart) as [G1 [G2 G3]]. apply IHl; assumption.
          * destruct (snd (parts up down limit f cuts s)) as [|q part]; [inversion Hpart|].
            destruct (G _ Hpart) as [G1 [G2 G3]]. apply IHr; assumption.
        + rewrite join_walk. destruct (goes V below (z f) cuts); auto.
    Qed.

    (* Trees without the leaves that are worth too little. *)
    Fixpoint strip (need : Z) (t : ktree (A * Z)) : ktree A :=
      match t with
      | Gone => Gone
      | KLeaf a => if snd a <? need then Gone else KLeaf (fst a)
      | KNode f cuts l r => join f cuts (strip need l) (strip need r)
      end.
    Lemma strip_walk : forall need t z a n, kwalk t z = Some (a, n) -> need <= n -> kwalk (strip need t) z = Some a.
    Proof.
      intros need t z a n. induction t as [|c|f cuts l IHl r IHr]; intros H Hn; simpl in *; [discriminate | |].
      - inversion H; subst c. simpl. destruct (Z.ltb_spec n need); [lia | reflexivity].
      - rewrite join_walk. destruct (goes V below (z f) cuts); auto.
    Qed.
    Fixpoint worths (ps : list (M.t (list Z))) (ts : list (ktree A)) (b : box) : list (ktree (A * Z)) :=
      match ts, ps with
      | t :: ts, p :: ps => worth p t b (tops p b) :: worths ps ts b
      | _, _ => []
      end.
    Definition strip_all (worths : list (ktree (A * Z))) : list (ktree A) :=
      let most := times w * base + total_best snd worths in
      map (fun t => match best snd t with Some n => strip (times w * goal - (most - n)) t | None => Gone end) worths.

    Definition drop (b : box) (ts : list (ktree A)) : list (ktree A) :=
      let loaded := load_all b (phis w) (M.empty _) in
      if (0 <=? times w) && no_less (snd loaded) && Nat.eqb (length (phis w)) (length ts) &&
         forallb (fun p => forallb (fun e => M.mem (fst e) b) (M.elements p)) (fst loaded)
      then strip_all (worths (fst loaded) ts b) else ts.

    Lemma worths_walk : forall z b, near z -> inside z b -> forall ts ps leaves,
      length ps = length ts -> (forall p, In p ps -> covered p b) -> reached V below A ts z leaves ->
      exists ns, length ns = length leaves /\ reached V below (A * Z) (worths ps ts b) z (combine leaves ns) /\
        times w * sum_of g leaves + sum_of (fun p => added (ends w) p z) ps <= sum_of (fun n => n) ns.
    Proof.
      intros z b Hz Hb ts. induction ts as [|t ts IH]; intros [|p ps] [|a leaves] Hl Hp Hr; try discriminate.
      - exists []. simpl. repeat split; lia.
      - unfold reached in Hr. simpl in Hr. injection Hr as Ha Hr.
        destruct (worth_walk p z Hz t b (tops p b) a Hb (Hp p (or_introl eq_refl)) eq_refl Ha) as [n [En Hn]].
        destruct (IH ps leaves ltac:(simpl in Hl; lia) (fun q Hq => Hp q (or_intror Hq)) Hr) as [ns [H1 [H2 H3]]].
        exists (n :: ns). split; [simpl; lia|]. split.
        + unfold reached in *. cbn [worths map combine]. rewrite En, H2. reflexivity.
        + simpl. unfold sum_of in *. lia.
    Qed.
    Lemma sum_snd : forall (ns : list Z) (leaves : list A), length ns = length leaves ->
      sum_of snd (combine leaves ns) = sum_of (fun n => n) ns.
    Proof.
      induction ns as [|n ns IH]; intros [|a leaves] H; try discriminate; [reflexivity|].
      change (n + sum_of snd (combine leaves ns) = n + sum_of (fun n => n) ns). rewrite IH; [reflexivity | simpl in H; lia].
    Qed.
    Lemma strip_all_walk : forall ws z leaves ns, length ns = length leaves ->
      reached V below (A * Z) ws z (combine leaves ns) -> times w * goal <= times w * base + sum_of (fun n => n) ns ->
      reached V below A (strip_all ws) z leaves.
    Proof.
      intros ws z leaves ns Hl Hr Hg. unfold strip_all.
      set (most := times w * base + total_best snd ws).
      assert (Hmost : times w * base + total_best snd ws <= most) by (unfold most; lia). clearbody most.
      assert (G : forall ws leaves ns extra, length ns = length leaves -> reached V below (A * Z) ws z (combine leaves ns) ->
        times w * goal <= extra + sum_of (fun n => n) ns -> extra + total_best snd ws <= most ->
        reached V below A (map (fun t => match best snd t with Some n => strip (times w * goal - (most - n)) t | None => Gone end) ws)
          z leaves).
      { clear ws leaves ns Hl Hr Hg Hmost. intro ws. induction ws as [|t ws IH]; intros [|a leaves] [|n ns] extra Hl Hr Hg Hm;
          try discriminate Hl; try discriminate Hr; [reflexivity|].
        unfold reached in *. cbn [map combine] in *. injection Hr as Ha Hr.
        destruct (best_walk snd V below t z (a, n) Ha) as [b [Eb Hb]]. simpl in Hb.
        unfold total_best in Hm. cbn [fold_right] in Hm. rewrite Eb in *. fold (total_best snd ws) in Hm.
        pose proof (total_best_walk snd V below ws z (combine leaves ns) Hr) as Hrest.
        rewrite sum_snd in Hrest by (simpl in Hl; lia).
        cbn [sum_of fold_right] in Hg. fold (sum_of (fun n => n) ns) in Hg.
        f_equal.
        - apply strip_walk with n; [exact Ha|]. lia.
        - apply (IH leaves ns (extra + n)); [simpl in Hl; lia | exact Hr | lia | lia]. }
      exact (G ws leaves ns (times w * base) Hl Hr Hg Hmost).
    Qed.

    Variable bad : point -> list A -> Prop.
    Hypothesis goal_reached : forall z leaves, bad z leaves -> goal <= base + sum_of g leaves.
    Theorem drop_sound : forall b ts z leaves, near z -> inside z b -> bad z leaves -> reached V below A ts z leaves ->
      reached V below A (drop b ts) z leaves.
    Proof.
      intros b ts z leaves Hz Hb Hbad Hr. unfold drop. destruct (_ && _) eqn:E; [|exact Hr].
      rewrite !andb_true_iff in E. destruct E as [[[Ht Hn] Hl] Hc]. apply Z.leb_le in Ht. apply Nat.eqb_eq in Hl.
      set (ps := fst (load_all b (phis w) (M.empty _))) in *.
      assert (Hlen : length ps = length ts).
      { rewrite <- Hl. unfold ps. clear. generalize (M.empty (list Z)).
        induction (phis w) as [|phi l IH]; intro m; [reflexivity|]. simpl. rewrite IH. reflexivity. }
      assert (Hcov : forall p, In p ps -> covered p b).
      { intros p Hp f Hf. rewrite forallb_forall in Hc. specialize (Hc p Hp). rewrite forallb_forall in Hc.
        destruct (M.find f p) as [values|] eqn:Ef; [|contradiction].
        specialize (Hc (f, values) (M.elements_correct p f Ef)). simpl in Hc. rewrite M.mem_find in Hc.
        destruct (M.find f b); discriminate. }
      destruct (worths_walk z b Hz Hb ts ps leaves Hlen Hcov Hr) as [ns [H1 [H2 H3]]].
      apply strip_all_walk with ns; [exact H1 | exact H2 |].
      pose proof (load_all_added (ends w) z b (phis w) (M.empty _) Hb) as Ha. fold ps in Ha. rewrite added_empty in Ha.
      pose proof (no_less_added (ends w) _ z Hn) as H0. pose proof (goal_reached z leaves Hbad) as Hg.
      assert (times w * goal <= times w * (base + sum_of g leaves)) by (apply Z.mul_le_mono_nonneg_l; assumption). lia.
    Qed.
  End Lead.
End Potentials.
