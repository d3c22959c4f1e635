(* What facet-checked proves, in full. An auditor reads this file and docs/reference/proof-format.md, and no proof: Coq has
   checked that the program accepts no file whose claims are false in the sense defined here. *)
From Coq Require Import ZArith QArith List Bool PArith.
Import ListNotations.
Open Scope Z_scope.

(* Numbers. Files hold floats and decimals that stand for them: each is mant * 2^expo. *)
Record number := Number { mant : Z; expo : Z }.
Definition real (n : number) : Q := inject_Z (mant n) * Qpower 2 (expo n).

(* The same number counted in units of 2^-k, and whether it is a whole number of them. *)
Definition units (k : Z) (n : number) : Z := mant n * 2 ^ (expo n + k).
Definition whole (k : Z) (n : number) : bool := 0 <=? expo n + k.

(* Inputs are vectors of rational numbers; features count from 1. *)
Definition feature := positive.
Definition input := feature -> Q.

(* A border (e, closed): what lies below it is all v <= e if it is closed, and all v < e if not. *)
Definition border := (number * bool)%type.
Definition below (v : Q) (b : border) : bool :=
  if snd b then Qle_bool v (real (fst b)) else negb (Qle_bool (real (fst b)) v).

(* A test sends left what lies below its border. That of a set has several borders: left goes what lies below the
   first, right what lies below the second, and so on in turn. *)
Fixpoint goes_left (v : Q) (borders : list border) : bool :=
  match borders with [] => true | b :: rest => below v b || negb (goes_left v rest) end.

(* A leaf holds one value for each class. *)
Inductive tree := Leaf (values : list number) | Node (f : feature) (borders : list border) (l r : tree).
Fixpoint walk (t : tree) (z : input) : list number :=
  match t with
  | Leaf values => values
  | Node f borders l r => if goes_left (z f) borders then walk l z else walk r z
  end.

(* Models. Sums are rounded to float32 (24 bits) if single, otherwise to float64 (53 bits). A soft vote divides sums by
   a whole number. All values are whole in units of 2^-places. *)
Inductive vote := Hard | Soft (divisor : Z) | Sum | Logistic | Softmax.
Record model := {
  dim : nat; classes : nat; trees : list tree; base : list number; votes : vote; single : bool; places : Z
}.
Definition bits (m : model) : Z := if single m then 24 else 53.

(* The whole number nearest to a/b, ties to even; a float of p bits nearest to n; a float64 nearest to n/d, which may be
   subnormal, where n counts units of 2^-k and the result units of 2^-(k + 54 + log2 d). *)
Definition nearest (a b : Z) : Z :=
  let q := a / b in
  match Z.compare (2 * (a - q * b)) b with Lt => q | Gt => q + 1 | Eq => if Z.even q then q else q + 1 end.
Definition round (p n : Z) : Z :=
  let e := Z.max 0 (Z.log2 (Z.abs n) + 1 - p) in Z.sgn n * (nearest (Z.abs n) (2 ^ e) * 2 ^ e).
Definition quotient (k n d : Z) : Z :=
  let j := 54 + Z.log2 d in
  let a := Z.abs n * 2 ^ j in
  let e := Z.max (Z.log2 (a / d) - 52) (k + j - 1074) in
  Z.sgn n * (nearest a (d * 2 ^ e) * 2 ^ e).

(* The first of the greatest. *)
Fixpoint argmax_from (l : list Z) (i best : nat) (v : Z) : nat :=
  match l with [] => best | w :: l => if v <? w then argmax_from l (S i) i w else argmax_from l (S i) best v end.
Definition argmax (l : list Z) : nat := match l with [] => O | v :: l => argmax_from l 1 0 v end.

(* The sum of a class starts at its base and adds the trees' values in their order, rounding each time. *)
Definition value (c : nat) (leaf : list Z) : Z := nth c leaf 0.
Definition sum (p start : Z) (leaves : list (list Z)) (c : nat) : Z :=
  fold_left (fun s leaf => round p (s + value c leaf)) leaves start.
Definition hits (leaves : list (list Z)) (c : nat) : Z :=
  fold_right (fun leaf s => (if Nat.eqb (argmax leaf) c then 1 else 0) + s) 0 leaves.

(* Whether a model may give a label to an input that reaches these leaves, values and base in units of 2^-k. Only a
   softmax leaves it open: exponentials are not the same everywhere, so that sums closer than 2^-50 (float32: 2^-21)
   decide for one label or the other. *)
Definition may_give (v : vote) (p k : Z) (classes : nat) (base : list Z) (leaves : list (list Z)) (label : nat) : bool :=
  let s c := sum p (value c base) leaves c in
  let first f := Nat.eqb (argmax (map f (seq 0 classes))) label in
  match v with
  | Hard => first (hits leaves)
  | Soft d => first (fun c => quotient k (s c) d)
  | Sum => first s
  | Logistic => Nat.eqb (if 3 * 2 ^ k <? 2 ^ (p + 1) * round 53 (s 1%nat - s 0%nat) then 1%nat else 0%nat) label
  | Softmax => forallb (fun r => negb ((2 ^ k <? 2 ^ (p - 3) * (s r - s label)) ||
                                       (s label <=? s r) && Nat.ltb r label)) (seq 0 classes)
  end.
Definition may_predict (m : model) (z : input) (label : nat) : bool :=
  may_give (votes m) (bits m) (places m) (classes m) (map (units (places m)) (base m))
    (map (fun t => map (units (places m)) (walk t z)) (trees m)) label.

(* Which features there are, and sums over them. *)
Fixpoint count_from (f : feature) (n : nat) : list feature :=
  match n with O => [] | S n => f :: count_from (Pos.succ f) n end.
Definition features (n : nat) : list feature := count_from 1%positive n.
Definition total {A : Type} (g : A -> Q) (l : list A) : Q := fold_right (fun a s => g a + s)%Q 0%Q l.

(* Claims. Inputs lie in a domain: each feature between two ends, if there are any; a category (codes > 0) is one of
   0, 1, ..., codes - 1, or what x has. *)
Inductive norm := LInf | L1 | L2.
Record claim := {
  x : feature -> number; the_norm : norm; from : nat; target : option nat;
  lower : feature -> option number; upper : feature -> option number;
  price_up : feature -> number; price_down : feature -> number; codes : feature -> Z;
  bound : option number                                         (* none: infinite *)
}.
Definition between (low high : option number) (v : Q) : Prop :=
  match low with Some l => (real l <= v)%Q | None => True end /\
  match high with Some h => (v <= real h)%Q | None => True end.
Definition in_domain (n : nat) (c : claim) (z : input) : Prop :=
  forall f, In f (features n) -> between (lower c f) (upper c f) (z f) /\
    (0 < codes c f -> (z f == real (x c f))%Q \/ exists code, 0 <= code < codes c f /\ (z f == inject_Z code)%Q).

(* What it costs to move feature f from x to v: a price for each unit up or down; of a category, one unit up. *)
Definition cost (c : claim) (f : feature) (v : Q) : Q :=
  if 0 <? codes c f then (if Qeq_bool v (real (x c f)) then 0%Q else real (price_up c f))
  else if Qle_bool (real (x c f)) v then (real (price_up c f) * (v - real (x c f)))%Q
  else (real (price_down c f) * (real (x c f) - v))%Q.
Definition nearer (n : nat) (c : claim) (z : input) : Prop :=
  match bound c with
  | None => True
  | Some b => (0 < real b)%Q /\
      match the_norm c with
      | LInf => forall f, In f (features n) -> (cost c f (z f) < real b)%Q
      | L1 => (total (fun f => cost c f (z f)) (features n) < real b)%Q
      | L2 => (total (fun f => cost c f (z f) * cost c f (z f)) (features n) < real b * real b)%Q
      end
  end.
Definition answers (c : claim) (label : nat) : bool :=
  match target c with Some t => Nat.eqb label t | None => negb (Nat.eqb label (from c)) end.

(* The claim of a proof: no input of the domain nearer to x than the bound is given a label that answers. *)
Definition holds (m : model) (c : claim) : Prop :=
  forall z label, in_domain (dim m) c z -> nearer (dim m) c z -> (label < classes m)%nat ->
    may_predict m z label = true -> answers c label = false.

(* Claims about all inputs, or about pairs of an input x of one model and an input y of another (or of the same), which
   share all features but the copied ones. Of these y - x lies between two numbers, if there are any, or y lies in the slot
   next behind that of x: exactly one border of the two models is between them. *)
Inductive apart := Within (least most : option number) | Next.
Inductive statement := Above (most : number) (terms : list (number * bool * nat)) | SameLabel (label : option nat).
Record property := {
  low : feature -> option number; high : feature -> option number; kinds : feature -> Z;
  one_hot : list (list feature); copies : list (feature * apart); says : statement
}.

Fixpoint borders_at (f : feature) (t : tree) : list border :=
  match t with
  | Leaf _ => []
  | Node g borders l r => (if Pos.eqb f g then borders else []) ++ borders_at f l ++ borders_at f r
  end.
Definition same_border (b d : border) : Prop := (real (fst b) == real (fst d))%Q /\ snd b = snd d.
Definition next_slot (borders : list border) (v w : Q) : Prop :=
  exists b, In b borders /\ below v b = true /\ below w b = false /\
    forall d, In d borders -> below v d = true -> below w d = false -> same_border d b.
Definition lies_apart (borders : list border) (a : apart) (v w : Q) : Prop :=
  match a with
  | Within least most => between least most (w - v)%Q
  | Next => next_slot borders v w
  end.

(* In the domain each feature lies between its ends, and is one of its codes, if it has some; of each group of features one
   is 1, and the others are 0. *)
Definition in_place (n : nat) (p : property) (z : input) : Prop :=
  (forall f, In f (features n) -> between (low p f) (high p f) (z f) /\
    (0 < kinds p f -> exists code, 0 <= code < kinds p f /\ (z f == inject_Z code)%Q)) /\
  forall group, In group (one_hot p) -> exists one, In one group /\ (z one == 1)%Q /\
    forall f, In f group -> f <> one -> (z f == 0)%Q.
Definition pair (m n : model) (p : property) (x y : input) : Prop :=
  in_place (dim m) p x /\ in_place (dim m) p y /\
  (forall f, In f (features (dim m)) -> ~ In f (map fst (copies p)) -> (x f == y f)%Q) /\
  forall f a, In (f, a) (copies p) ->
    lies_apart (flat_map (borders_at f) (trees m) ++ flat_map (borders_at f) (trees n)) a (x f) (y f).

(* The sum of a class, exactly; of a hard vote how many trees have it. Labels may be any that are allowed, but depend on
   the leaves alone. *)
Definition leaves_of (m : model) (z : input) : list (list Z) := map (fun t => map (units (places m)) (walk t z)) (trees m).
Definition output (m : model) (z : input) (c : nat) : Q :=
  match votes m with
  | Hard => inject_Z (hits (leaves_of m z) c)
  | _ => real (Number (value c (map (units (places m)) (base m)) +
                       fold_right (fun leaf s => value c leaf + s) 0 (leaves_of m z)) (- places m))
  end.
Definition labelling (m : model) (label : list (list Z) -> nat) : Prop :=
  forall leaves, (label leaves < classes m)%nat /\
    may_give (votes m) (bits m) (places m) (classes m) (map (units (places m)) (base m)) leaves (label leaves) = true.

Definition always (one : bool) (m n : model) (p : property) : Prop :=
  forall x y, pair m n p x y ->
  match says p with
  | Above most terms =>
      (total (fun t : number * bool * nat => real (fst (fst t)) * output (if snd (fst t) then n else m) (if snd (fst t) then y else x) (snd t))
        terms <= real most)%Q
  | SameLabel label => forall f g, labelling m f -> labelling n g -> (one = true -> f = g) ->
      match label with Some a => f (leaves_of m x) = a -> g (leaves_of n y) = a
                     | None => f (leaves_of m x) = g (leaves_of n y) end
  end.
