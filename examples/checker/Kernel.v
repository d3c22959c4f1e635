(* The search that the checker repeats: a box of inputs is split until each part is seen to hold no input in question.

   Nothing here knows what an input's values are. They come from any type V whose values lie below borders or not, so that
   they also do for rational and for real numbers. Borders are integers, in units of the caller's. What a value costs is
   known through lower bounds alone: [atleast f n v] says that v costs at least n in feature f. *)
From Coq Require Import ZArith List Bool Lia PArith FMapPositive.
Require Import Spec.
Import ListNotations.
Module M := PositiveMap.
Open Scope Z_scope.

Definition cut := (Z * bool)%type.
Definition cutle (a b : cut) : bool :=
  match Z.compare (fst a) (fst b) with Lt => true | Eq => implb (snd a) (snd b) | Gt => false end.

(* A tree of which some parts are gone: no input in question gets there. *)
Inductive ktree (A : Type) := Gone | KLeaf (a : A) | KNode (f : feature) (cuts : list cut) (l r : ktree A).
Arguments Gone {A}. Arguments KLeaf {A}. Arguments KNode {A}.

(* A piece of a feature's line: what lies below hi but not below lo, and what all of that costs at least. *)
Record piece := Piece { lo : option cut; hi : option cut; least : Z }.
Definition region := list piece.
Definition box := M.t region.

Inductive proof (W : Type) := Done | Split (f : feature) (c : cut) (l r : proof W) | Drop (w : W) (p : proof W).
Arguments Done {W}. Arguments Split {W}. Arguments Drop {W}.

Definition sum_of {A : Type} (g : A -> Z) (l : list A) : Z := fold_right (fun a s => g a + s) 0 l.

Section Kernel.
  Variable V : Type.
  Variable below : V -> cut -> bool.
  Hypothesis below_mono : forall v a b, cutle a b = true -> below v a = true -> below v b = true.

  Variable atleast : feature -> Z -> V -> Prop.
  Hypothesis atleast_mono : forall f m n v, m <= n -> atleast f n v -> atleast f m v.
  Hypothesis atleast_0 : forall f v, atleast f 0 v.

  (* What lies beyond a border costs at least this much. *)
  Variables up down : feature -> cut -> Z.
  Hypothesis up_atleast : forall f c v, below v c = false -> atleast f (up f c) v.
  Hypothesis down_atleast : forall f c v, below v c = true -> atleast f (down f c) v.

  (* The features, what each may cost less than, and all together. *)
  Variable fs : list feature.
  Hypothesis fs_once : NoDup fs.
  Variables limit budget : option Z.
  Definition reaches (most : option Z) (n : Z) : bool := match most with Some b => b <=? n | None => false end.

  Notation point := (feature -> V).
  Definition near (z : point) : Prop :=
    (forall f n, In f fs -> atleast f n (z f) -> reaches limit n = false) /\
    (forall g, (forall f, In f fs -> atleast f (g f) (z f)) -> reaches budget (sum_of g fs) = false).

  (* ------------------------------------------------------------------------------------------------- trees *)
  Fixpoint goes (v : V) (cuts : list cut) : bool :=
    match cuts with [] => true | c :: rest => below v c || negb (goes v rest) end.
  Fixpoint kwalk {A : Type} (t : ktree A) (z : point) : option A :=
    match t with
    | Gone => None
    | KLeaf a => Some a
    | KNode f cuts l r => if goes (z f) cuts then kwalk l z else kwalk r z
    end.
  Definition join {A : Type} (f : feature) (cuts : list cut) (l r : ktree A) : ktree A :=
    match l, r with Gone, Gone => Gone | _, _ => KNode f cuts l r end.
  Lemma join_walk : forall (A : Type) f cuts (l r : ktree A) z,
    kwalk (join f cuts l r) z = if goes (z f) cuts then kwalk l z else kwalk r z.
  Proof. intros. destruct l, r; simpl; try reflexivity. destruct (goes (z f) cuts); reflexivity. Qed.

  (* ------------------------------------------------------------------------------------------------- regions *)
  Definition in_piece (f : feature) (v : V) (p : piece) : Prop :=
    match lo p with Some c => below v c = false | None => True end /\
    match hi p with Some c => below v c = true | None => True end /\ atleast f (least p) v.
  Definition within (f : feature) (v : V) (r : region) : Prop := Exists (in_piece f v) r.

  Definition made (l h : option cut) (n : Z) : region :=
    if match l, h with Some a, Some b => cutle b a | _, _ => false end || reaches limit n then [] else [Piece l h n].
  Definition lower_part (f : feature) (c : cut) (p : piece) : region :=
    made (lo p) (Some match hi p with Some h => if cutle h c then h else c | None => c end) (Z.max (least p) (down f c)).
  Definition upper_part (f : feature) (c : cut) (p : piece) : region :=
    made (Some match lo p with Some l => if cutle l c then c else l | None => c end) (hi p) (Z.max (least p) (up f c)).

  (* What of a region a test sends left, and right. *)
  Fixpoint parts (f : feature) (cuts : list cut) (r : region) : region * region :=
    match cuts with
    | [] => (r, [])
    | c :: rest => let beyond := parts f rest (flat_map (upper_part f c) r) in
                   (flat_map (lower_part f c) r ++ snd beyond, fst beyond)
    end.

  Lemma atleast_max : forall f a b v, atleast f a v -> atleast f b v -> atleast f (Z.max a b) v.
  Proof. intros f a b v Ha Hb. destruct (Z.max_spec a b) as [[_ E] | [_ E]]; rewrite E; assumption. Qed.

  Definition affordable (f : feature) (v : V) : Prop := forall n, atleast f n v -> reaches limit n = false.

  Lemma made_within : forall f v l h n, affordable f v -> in_piece f v (Piece l h n) -> within f v (made l h n).
  Proof.
    intros f v l h n Hv H. unfold made. destruct H as [Hl [Hh Hn]]. simpl in *. rewrite (Hv n Hn), orb_false_r.
    destruct l as [a|], h as [b|]; try (constructor; repeat split; assumption).
    destruct (cutle b a) eqn:E; [|constructor; repeat split; assumption].
    rewrite (below_mono _ _ _ E Hh) in Hl. discriminate.
  Qed.

  Lemma parts_within : forall f v cuts r, affordable f v -> within f v r ->
    within f v (if goes v cuts then fst (parts f cuts r) else snd (parts f cuts r)).
  Proof.
    intros f v cuts. induction cuts as [|c cuts IH]; intros r Hv Hr; simpl; [exact Hr|].
    destruct (below v c) eqn:E; simpl.
    - apply Exists_app. left. apply Exists_exists in Hr. destruct Hr as [p [Hp [Hl [Hh Hn]]]].
      apply Exists_flat_map. apply Exists_exists. exists p. split; [exact Hp|].
      apply made_within; [exact Hv|]. split; [exact Hl|]. split; [|apply atleast_max; auto].
      simpl. destruct (hi p) as [h|]; [|exact E]. destruct (cutle h c); assumption.
    - assert (Hu : within f v (flat_map (upper_part f c) r)).
      { apply Exists_exists in Hr. destruct Hr as [p [Hp [Hl [Hh Hn]]]].
        apply Exists_flat_map. apply Exists_exists. exists p. split; [exact Hp|].
        apply made_within; [exact Hv|]. split; [|split; [exact Hh | apply atleast_max; auto]].
        simpl. destruct (lo p) as [l|]; [|exact E]. destruct (cutle l c); assumption. }
      specialize (IH _ Hv Hu). destruct (goes v cuts); simpl.
      + exact IH.
      + apply Exists_app. right. exact IH.
  Qed.

  (* What a region costs at least. *)
  Definition gap (r : region) : Z :=
    match r with [] => 0 | p :: r => fold_right (fun p n => Z.min (least p) n) (least p) r end.
  Lemma gap_atleast : forall f v r, within f v r -> atleast f (gap r) v.
  Proof.
    intros f v [|p r] H; [inversion H|]. unfold gap.
    assert (G : forall q, In q (p :: r) -> fold_right (fun p n => Z.min (least p) n) (least p) r <= least q).
    { clear H. intros q [E | Hq].
      - subst q. induction r as [|s r IH]; simpl; lia.
      - induction r as [|s r IH]; [contradiction|]. destruct Hq as [E | Hq]; simpl; [subst s; lia|].
        specialize (IH Hq). lia. }
    apply Exists_exists in H. destruct H as [q [Hq [_ [_ Hn]]]]. apply atleast_mono with (least q); auto.
  Qed.

  (* ------------------------------------------------------------------------------------------------- boxes *)
  Definition inside (z : point) (b : box) : Prop :=
    forall f r, M.find f b = Some r -> In f fs /\ within f (z f) r.
  Definition gap_of (b : box) (f : feature) : Z := match M.find f b with Some r => gap r | None => 0 end.
  Definition distance (b : box) : Z := sum_of (gap_of b) fs.

  Lemma sum_of_ext : forall (A : Type) (g h : A -> Z) l, (forall a, In a l -> g a = h a) -> sum_of g l = sum_of h l.
  Proof.
    intros B g h l. induction l as [|a l IH]; intro H; simpl; [reflexivity|].
    rewrite IH by (intros; apply H; right; assumption). rewrite H by (left; reflexivity). reflexivity.
  Qed.
  Lemma distance_add : forall b f r r', M.find f b = Some r -> In f fs ->
    distance (M.add f r' b) = distance b + gap r' - gap r.
  Proof.
    intros b f r r' Hf Hin. unfold distance. induction fs as [|g l IH]; [contradiction|].
    inversion fs_once as [|? ? Hg Hl]; subst. simpl. destruct Hin as [E | Hin].
    - subst g. rewrite sum_of_ext with (h := gap_of b).
      + unfold gap_of at 1 3. rewrite M.gss, Hf. lia.
      + intros h Hh. unfold gap_of. rewrite M.gso; [reflexivity|]. intro E. subst h. contradiction.
    - rewrite (IH Hl Hin). unfold gap_of at 1 3. rewrite M.gso; [lia|]. intro E. subst g. contradiction.
  Qed.
  Lemma inside_add : forall z b f r, inside z b -> In f fs -> within f (z f) r -> inside z (M.add f r b).
  Proof.
    intros z b f r Hb Hf Hr g s Hg. destruct (Pos.eq_dec g f) as [E | E].
    - subst g. rewrite M.gss in Hg. inversion Hg; subst. auto.
    - rewrite M.gso in Hg by exact E. exact (Hb g s Hg).
  Qed.
  Lemma distance_near : forall z b, near z -> inside z b -> reaches budget (distance b) = false.
  Proof.
    intros z b [_ H] Hb. apply H. intros f _. unfold gap_of. destruct (M.find f b) as [r|] eqn:E; [|apply atleast_0].
    apply gap_atleast. apply (Hb f r E).
  Qed.

  Variable A : Type.
  (* What of a tree inputs of a box at distance d reach, where leaves become trees within their own boxes. *)
  Section Prune.
    Variable B : Type.
    Variable leaf : A -> box -> Z -> ktree B.
    Fixpoint prune_to (t : ktree A) (b : box) (d : Z) : ktree B :=
      if reaches budget d then Gone else
      match t with
      | Gone => Gone
      | KLeaf a => leaf a b d
      | KNode f cuts l r =>
          match M.find f b with
          | None => join f cuts (prune_to l b d) (prune_to r b d)
          | Some s =>
              let ends := parts f cuts s in
              match fst ends, snd ends with
              | [], highs => prune_to r (M.add f highs b) (d + gap highs - gap s)
              | lows, [] => prune_to l (M.add f lows b) (d + gap lows - gap s)
              | lows, highs => join f cuts (prune_to l (M.add f lows b) (d + gap lows - gap s))
                                           (prune_to r (M.add f highs b) (d + gap highs - gap s))
              end
          end
      end.
    Variable z : point.
    Variable end_of : A -> option B.
    Hypothesis leaf_walk : forall a b d, inside z b -> d = distance b -> kwalk (leaf a b d) z = end_of a.
    Lemma prune_to_walk : near z -> forall t b d, inside z b -> d = distance b ->
      kwalk (prune_to t b d) z = match kwalk t z with Some a => end_of a | None => None end.
    Proof.
      intros Hz t. induction t as [|a|f cuts l IHl r IHr]; intros b d Hb Hd; cbn [prune_to];
        replace (reaches budget d) with false by (subst d; symmetry; apply distance_near with z; assumption);
        [reflexivity | apply leaf_walk; assumption |].
      destruct (M.find f b) as [s|] eqn:Hf.
      - destruct (Hb f s Hf) as [Hin Hs].
        pose proof (parts_within f (z f) cuts s (fun n => proj1 Hz f n Hin) Hs) as Hp.
        assert (Hl : within f (z f) (fst (parts f cuts s)) ->
          kwalk (prune_to l (M.add f (fst (parts f cuts s)) b) (d + gap (fst (parts f cuts s)) - gap s)) z =
          match kwalk l z with Some a => end_of a | None => None end).
        { intro W. apply IHl; [apply inside_add; assumption|]. rewrite distance_add with (r := s); auto. lia. }
        assert (Hr : within f (z f) (snd (parts f cuts s)) ->
          kwalk (prune_to r (M.add f (snd (parts f cuts s)) b) (d + gap (snd (parts f cuts s)) - gap s)) z =
          match kwalk r z with Some a => end_of a | None => None end).
        { intro W. apply IHr; [apply inside_add; assumption|]. rewrite distance_add with (r := s); auto. lia. }
        cbn [kwalk]. destruct (fst (parts f cuts s)) as [|pl lows]; [|destruct (snd (parts f cuts s)) as [|pr highs]].
        + destruct (goes (z f) cuts); [inversion Hp | auto].
        + destruct (goes (z f) cuts); [auto | inversion Hp].
        + rewrite join_walk. destruct (goes (z f) cuts); auto.
      - cbn [kwalk]. rewrite join_walk, IHl, IHr by assumption. destruct (goes (z f) cuts); reflexivity.
    Qed.
  End Prune.
  Definition prune : ktree A -> box -> Z -> ktree A := prune_to A (fun a _ _ => KLeaf a).
  Lemma prune_walk : forall z, near z -> forall t b d, inside z b -> d = distance b ->
    kwalk (prune t b d) z = kwalk t z.
  Proof.
    intros z Hz t b d Hb Hd. unfold prune. rewrite prune_to_walk with (end_of := fun a => Some a); auto.
    destruct (kwalk t z); reflexivity.
  Qed.

  (* The same where one feature alone has been cut. *)
  Fixpoint restrict (f : feature) (s : region) (t : ktree A) : ktree A :=
    match t with
    | KNode g cuts l r =>
        if Pos.eqb f g then
          let ends := parts f cuts s in
          match fst ends, snd ends with
          | [], highs => restrict f highs r
          | lows, [] => restrict f lows l
          | lows, highs => join g cuts (restrict f lows l) (restrict f highs r)
          end
        else join g cuts (restrict f s l) (restrict f s r)
    | _ => t
    end.
  Lemma restrict_walk : forall z f t s, near z -> In f fs -> within f (z f) s -> kwalk (restrict f s t) z = kwalk t z.
  Proof.
    intros z f t. induction t as [|a|g cuts l IHl r IHr]; intros s Hz Hin Hs; cbn [restrict]; try reflexivity.
    cbn [kwalk]. destruct (Pos.eqb f g) eqn:E.
    - apply Pos.eqb_eq in E. subst g.
      pose proof (parts_within f (z f) cuts s (fun n => proj1 Hz f n Hin) Hs) as Hp.
      destruct (fst (parts f cuts s)) as [|pl lows]; [|destruct (snd (parts f cuts s)) as [|pr highs]].
      + destruct (goes (z f) cuts); [inversion Hp | auto].
      + destruct (goes (z f) cuts); [auto | inversion Hp].
      + rewrite join_walk. destruct (goes (z f) cuts); auto.
    - rewrite join_walk, IHl, IHr by assumption. reflexivity.
  Qed.

  (* ------------------------------------------------------------------------------------------------- proofs *)
  (* The inputs in question reach leaves that are bad. A box may be closed, or trees lose what no such input reaches. *)
  Variable bad : point -> list A -> Prop.
  Variable closes : box -> list (ktree A) -> bool.
  Variable W : Type.
  Variable drop : W -> box -> list (ktree A) -> list (ktree A).
  Definition reached (ts : list (ktree A)) (z : point) (leaves : list A) : Prop :=
    map (fun t => kwalk t z) ts = map Some leaves.
  Hypothesis closes_sound : forall b ts z leaves, closes b ts = true -> near z -> inside z b ->
    reached ts z leaves -> ~ bad z leaves.
  Hypothesis drop_sound : forall w b ts z leaves, near z -> inside z b -> bad z leaves ->
    reached ts z leaves -> reached (drop w b ts) z leaves.

  Definition is_gone (t : ktree A) : bool := match t with Gone => true | _ => false end.
  Definition done (ts : list (ktree A)) (b : box) (d : Z) : bool :=
    reaches budget d ||
    let ts := match budget with None => ts | Some _ => map (fun t => prune t b d) ts end in
    existsb is_gone ts || closes b ts.
  Fixpoint check (ts : list (ktree A)) (b : box) (d : Z) (p : proof W) : bool :=
    match p with
    | Done => done ts b d
    | Drop w p => check (drop w b ts) b d p
    | Split f c l r =>
        match M.find f b with
        | None => false
        | Some s =>
            let ends := parts f [c] s in
            match fst ends with [] => true | lows =>
              check (map (restrict f lows) ts) (M.add f lows b) (d + gap lows - gap s) l end &&
            match snd ends with [] => true | highs =>
              check (map (restrict f highs) ts) (M.add f highs b) (d + gap highs - gap s) r end
        end
    end.

  Lemma reached_map : forall (g : ktree A -> ktree A) ts z leaves, (forall t, kwalk (g t) z = kwalk t z) ->
    reached ts z leaves -> reached (map g ts) z leaves.
  Proof.
    intros g ts z leaves Hg H. unfold reached in *. rewrite map_map, <- H. apply map_ext. exact Hg.
  Qed.
  Lemma gone_unreached : forall ts z leaves, existsb is_gone ts = true -> ~ reached ts z leaves.
  Proof.
    unfold reached. induction ts as [|t ts IH]; intros z leaves H E; [discriminate|].
    destruct leaves as [|a leaves]; [discriminate|]. injection E as E1 E2. simpl in H. apply orb_true_iff in H.
    destruct H as [H | H]; [destruct t; discriminate | exact (IH _ _ H E2)].
  Qed.
  Lemma done_sound : forall ts b d z leaves, done ts b d = true -> d = distance b -> near z -> inside z b ->
    reached ts z leaves -> ~ bad z leaves.
  Proof.
    intros ts b d z leaves H Hd Hz Hb Hr. unfold done in H.
    rewrite Hd, (distance_near z b Hz Hb), <- Hd in H. cbn [orb] in H.
    assert (Hr' : reached (match budget with None => ts | Some _ => map (fun t => prune t b d) ts end) z leaves).
    { destruct budget eqn:Eb; [|exact Hr]. apply reached_map; [|exact Hr]. intro t.
      apply prune_walk; assumption. }
    apply orb_true_iff in H. destruct H as [H | H].
    - exfalso. exact (gone_unreached _ _ _ H Hr').
    - exact (closes_sound _ _ _ _ H Hz Hb Hr').
  Qed.
  Theorem check_sound : forall p ts b d z leaves, check ts b d p = true -> d = distance b -> near z -> inside z b ->
    reached ts z leaves -> ~ bad z leaves.
  Proof.
    induction p as [|f c l IHl r IHr|w p IH]; intros ts b d z leaves H Hd Hz Hb Hr; cbn [check] in H.
    - exact (done_sound _ _ _ _ _ H Hd Hz Hb Hr).
    - destruct (M.find f b) as [s|] eqn:Hf; [|discriminate].
      destruct (Hb f s Hf) as [Hin Hs].
      pose proof (parts_within f (z f) [c] s (fun n => proj1 Hz f n Hin) Hs) as Hp.
      apply andb_true_iff in H. destruct H as [Hleft Hright].
      destruct (goes (z f) [c]).
      + destruct (fst (parts f [c] s)) as [|q lows] eqn:E; [inversion Hp|]. rewrite <- E in *. clear q lows E.
        apply (IHl _ _ _ _ _ Hleft).
        * rewrite distance_add with (r := s); auto. lia.
        * exact Hz.
        * apply inside_add; assumption.
        * apply reached_map; [|exact Hr]. intro t. apply restrict_walk; assumption.
      + destruct (snd (parts f [c] s)) as [|q highs] eqn:E; [inversion Hp|]. rewrite <- E in *. clear q highs E.
        apply (IHr _ _ _ _ _ Hright).
        * rewrite distance_add with (r := s); auto. lia.
        * exact Hz.
        * apply inside_add; assumption.
        * apply reached_map; [|exact Hr]. intro t. apply restrict_walk; assumption.
    - intro Hbad. apply (IH _ _ _ _ _ H Hd Hz Hb (drop_sound w _ _ _ _ Hz Hb Hbad Hr)). exact Hbad.
  Qed.

  (* The whole of a claim: each feature begins with a region of its own. *)
  Variable start : feature -> region.
  Definition root : box := fold_right (fun f b => M.add f (start f) b) (M.empty _) fs.
  Definition check_root (ts : list (ktree A)) (p : proof W) : bool :=
    let b := root in
    let d := distance b in
    existsb (fun f => match start f with [] => true | _ => false end) fs || check (map (fun t => prune t b d) ts) b d p.
  Lemma root_inside : forall z, (forall f, In f fs -> within f (z f) (start f)) -> inside z root.
  Proof.
    intros z H. assert (G : forall l f r, M.find f (fold_right (fun f b => M.add f (start f) b) (M.empty _) l) = Some r ->
      In f l /\ r = start f).
    { induction l as [|g l IH]; simpl; intros f r E; [rewrite M.gempty in E; discriminate|].
      destruct (Pos.eq_dec f g) as [D | D].
      - subst g. rewrite M.gss in E. inversion E. auto.
      - rewrite M.gso in E by exact D. destruct (IH f r E). auto. }
    intros f r E. destruct (G fs f r E) as [Hf Er]. subst r. auto.
  Qed.
  Theorem check_root_sound : forall ts p z leaves, check_root ts p = true -> near z ->
    (forall f, In f fs -> within f (z f) (start f)) -> reached ts z leaves -> ~ bad z leaves.
  Proof.
    intros ts p z leaves H Hz Hs Hr. unfold check_root in H. apply orb_true_iff in H. destruct H as [H | H].
    - apply existsb_exists in H. destruct H as [f [Hf E]]. specialize (Hs f Hf).
      destruct (start f); [inversion Hs | discriminate].
    - pose proof (root_inside z Hs) as Hi. apply (check_sound _ _ _ _ _ _ H eq_refl Hz Hi).
      apply reached_map; [|exact Hr]. intro t. apply prune_walk; auto.
  Qed.
End Kernel.
