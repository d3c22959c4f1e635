(* What files of proofs about trees share: lines, tokens, boxes of slots, and potentials, which an oracle computes. The trees
   of tokens become proofs of the kernel. Nothing here need be right for what is accepted to hold. *)
open Input

(* ---------------------------------------------------------------------------------------- lines and tokens *)
type lines = { text : string; mutable at : int; mutable number : int; mutable ahead : string list option }
let next lines = match lines.ahead with
  | Some words -> lines.ahead <- None; words
  | None ->
    lines.number <- lines.number + 1;
    if lines.at >= String.length lines.text then [] else begin
      let stop = match String.index_from_opt lines.text lines.at '\n' with Some i -> i | None -> refuse "the last line has no end" in
      demand (stop - lines.at < 1 lsl 22) "a line is longer than 2^22 bytes";
      let line = String.sub lines.text lines.at (stop - lines.at) in
      lines.at <- stop + 1;
      String.split_on_char ' ' line
    end
let optional lines key = match next lines with
  | first :: rest when first = key -> Some rest
  | words -> lines.ahead <- Some words; None
let line lines key = match optional lines key with Some words -> words | None -> refuse "%S is expected" key
let one what = function [ word ] -> word | _ -> refuse "one word is expected: %s" what
let floats words = List.map (fun w -> let v = parse_float w in demand (finite v) "%s is not finite" w; v) words
let sized n words = demand (List.length words = n) "%d words, not %d" (List.length words) n; words
let name lines key =
  let text = String.concat " " (line lines key) in
  demand (String.length text <= 4096 && Json.is_utf8 text) "a name is longer than 4096 bytes, or not UTF-8"
let norm = function [ "inf" ] -> Kernel.LInf | [ "1" ] -> L1 | [ "2" ] -> L2 | _ -> refuse "the norm is 1, 2 or inf"
let ends dim lines = match optional lines "domain" with
  | None -> Array.make dim (neg_infinity, infinity)
  | Some words ->
    let all = Array.of_list (List.map parse_float (sized (2 * dim) words)) in
    Array.init dim (fun f -> let low = all.(2 * f) and high = all.(2 * f + 1) in
      demand (low <= high && low < infinity && high > neg_infinity) "a domain from %h to %h" low high; low, high)
let codes dim lines = match optional lines "codes" with
  | None -> Array.make dim 0
  | Some words -> Array.of_list (List.map (fun w -> natural w 1_000_000_000) (sized dim words))
let about ?(key = "model") lines version sums =
  demand (version = [ "1" ]) "files are read in version 1";
  List.iter (fun sum -> demand (line lines key = [ "sha256"; sum ]) "this is about another file: that at hand has the SHA-256 %s" sum) sums

let byte lines =
  demand (lines.at < String.length lines.text) "the file ends within a tree";
  lines.at <- lines.at + 1; lines.text.[lines.at - 1]
(* A number in base 26 or 10. *)
let digits lines zero last =
  let first = lines.at in
  lines.at <- skip (fun c -> c >= zero && c <= last) lines.text first;
  let n = lines.at - first in
  demand (n > 0 && n < 10 && (n = 1 || lines.text.[first] <> zero)) "a number in a token is wrong";
  String.fold_left (fun v c -> v * (Char.code last - Char.code zero + 1) + Char.code c - Char.code zero) 0 (String.sub lines.text first n)

(* ---------------------------------------------------------------------------------------- boxes of slots *)
(* A subject of proofs: trees, with the borders of each feature and their places. *)
let cut k (e, closed) = scaled k e, closed
let feature f = Whole.to_positive (Z.of_int (f + 1))
(* What slot s of a feature holds of a domain, as two ends: (e, true) is just behind e. *)
let slot_ends borders (low, high) s =
  let first = low, false and last = high, true in
  let clamp e = Stdlib.max first (Stdlib.min e last) in
  (if s = 0 then first else clamp borders.(s - 1)), (if s = Array.length borders then last else clamp borders.(s))
let slot_of borders v =
  let n = ref 0 in
  Array.iter (fun (e, closed) -> if v > e || (v = e && not closed) then incr n) borders; !n

(* The tokens of one part. The proof that follows a split or a sweep is about the box within. *)
let part lines borders k low high sweeps =
  lines.number <- lines.number + 1;
  let rec go state depth =
    demand (depth <= 100_000) "more than 100000 nodes on a path";
    match byte lines with
    | '.' -> Sweeps.close sweeps state low high
    | '*' ->
      let times = digits lines '0' '9' in
      demand (times <= 99 && state <> None) "sweeps are told where a label has a rival, 99 at most";
      let before = Array.copy low, Array.copy high in
      let proof = Sweeps.star (Option.get state) low high times sweeps (fun state -> go state (depth + 1)) in
      Array.blit (fst before) 0 low 0 (Array.length low); Array.blit (snd before) 0 high 0 (Array.length high);
      proof
    | _ ->
      lines.at <- lines.at - 1;
      let f = digits lines 'a' 'z' in
      demand (f < Array.length low) "there is no feature %d" f;
      let r = digits lines '0' '9' and first = low.(f) and last = high.(f) in
      demand (r < last - first) "the split leaves nothing of slots %d to %d of feature %d" first last f;
      high.(f) <- first + r;
      let l = go state (depth + 1) in
      high.(f) <- last; low.(f) <- first + r + 1;
      let right = go state (depth + 1) in
      low.(f) <- first;
      Kernel.Split (feature f, cut k borders.(f).(first + r), l, right) in
  let proof = go (Sweeps.initial sweeps) 0 in
  demand (byte lines = '\n') "more follows behind the last leaf";
  proof

(* ---------------------------------------------------------------------------------------- what is near *)

(* Whether price times distance reaches the bound. Floats decide unless they are close. *)
let exact = Q.of_float
let far bound price distance exactly =
  bound < infinity &&
  let d = price *. distance in
  if d > bound *. (1. +. 0x1p-40) then true else if d < bound *. (1. -. 0x1p-40) then false
  else Q.geq (Q.mul (exact price) (exactly ())) (exact bound)
(* The slots of a feature that hold a value of the domain nearer than the bound: the first and the last, and those of a
   category as bits. *)
let near_slots borders (low, high) x bound (up, down) codes =
  let last = Array.length borders in
  let beyond price a b = b > a && far bound price (b -. a) (fun () -> Q.sub (exact b) (exact a)) in
  if codes = 0 then
    let first = ref (last + 1) and final = ref (-1) in
    for s = 0 to last do
      let a, b = slot_ends borders (low, high) s in
      if a < b && bound > 0. && not (beyond up x (fst a)) && not (beyond down (fst b) x) then (first := min !first s; final := s)
    done;
    !first, !final, None
  else begin
    if codes > 65536 then raise (Beyond "categories of more than 65536 codes");
    let at v = Z.shift_left Z.one (slot_of borders v) in
    let own = if low <= x && x <= high && bound > 0. then at x else Z.zero in
    let set = ref own in
    if not (far bound up 1. (fun () -> Q.one)) then
      for code = 0 to codes - 1 do
        let v = float_of_int code in if low <= v && v <= high then set := Z.logor !set (at v)
      done;
    if Z.sign !set = 0 then last + 1, -1, Some Z.zero else Z.trailing_zeros !set, Z.numbits !set - 1, Some !set
  end

(* What potentials of a label over a rival are counted in. *)
let ceil_q q = Z.cdiv (Q.num q) (Q.den q)
let rounded_up a b =
  let d = a -. b in
  let t = d -. a in
  if (a -. (d -. t)) -. (b +. t) > 0. then Float.succ d else d
let in_units v unit = let n = Float.ceil (v /. unit) in int_of_float (if n *. unit < v then n +. 1. else n)
let hit values c = let first = ref 0 in Array.iteri (fun i v -> if v > values.(!first) then first := i) values; if !first = c then 1. else 0.
let slack (m : Model.t) label rival =
  let count = List.length m.trees in
  let rec most c = function Model.Leaf v -> Float.abs v.(c) | Model.Node (_, _, l, r) -> Float.max (most c l) (most c r) in
  let size c = List.fold_left (fun q t -> Q.add q (exact (most c t))) (exact (Float.abs m.base.(c))) m.trees in
  let tn = Q.mul (Q.of_int count) (exact (if m.single then 0x1p-24 else 0x1p-53)) in
  let size = Q.add (size label) (size rival) in
  let more = match m.vote with
    | Kernel.Soft _ -> Q.add (Q.mul (exact 0x1p-52) size) (Q.mul (Q.of_int count) (exact 0x1p-1074))
    | _ when m.vote = Kernel.Sum || m.vote = Kernel.Hard -> Q.zero
    | _ -> exact (if m.single then 0x1p-21 else 0x1p-50) in
  if m.vote = Kernel.Hard then Q.zero else Q.add (Q.mul (Q.div tn (Q.sub Q.one tn)) size) more

(* Potentials that begin with these leaves of each tree, and what they gain. Trees that gain nothing may rest. *)
let sweeps_of borders k low high ~rival ~places ~whole ~base ~limit ~rests (trees : float Sweeps.leaf list list) =
  let most = List.fold_left (List.fold_left (fun n (l : _ Sweeps.leaf) -> Float.max n (Float.abs l.own))) 0. trees in
  demand (most > 0x1p-900 && most < 0x1p900 && Float.abs base < 0x1p30 *. most) "values of up to %h have no potentials" most;
  let e = snd (Float.frexp most) in
  let unit = Float.ldexp 1. (e - 22) in
  let users = List.filteri (fun _ (_, leaves) -> not rests || List.exists (fun (l : _ Sweeps.leaf) -> l.own <> 0.) leaves)
      (List.mapi (fun t leaves -> t, leaves) trees) in
  let cuts (l : _ Sweeps.leaf) = Array.fold_left (fun n (s : Sweeps.side) -> if s.first > low.(s.f) || s.last < high.(s.f) then n + 1 else n) 0 l.sides in
  let count = List.fold_left (fun n (_, leaves) -> List.fold_left (fun n l -> max n (cuts l)) n leaves) 1 users in
  let limit = Z.to_int (limit unit) in
  demand (abs limit < 1 lsl 53) "the slack is too great for potentials";
  let trees_in = List.map (fun (t, leaves) -> t, Array.of_list (List.map (fun (l : _ Sweeps.leaf) ->
    { Sweeps.ranges = l.sides; value = in_units l.own unit; shares = Array.make (Array.length l.sides) 0 }) leaves)) users in
  let places = if whole then 0 else places in
  let j = e - 22 + places in
  let two n = Z.shift_left Z.one (max 0 n) in
  let rec made = { Sweeps.borders; k; count = List.length trees; limit; floor = -((1 lsl 28) / count); rival; times = two (-j); factor = two j;
    start = { base = in_units base unit; constants = Array.make (Array.length low) 0; trees = trees_in; columns = [];
              witness = lazy (Lazy.force (Sweeps.witness made [])) } } in
  made

let table dim f =
  let map = ref Kernel.PositiveMap.empty in
  for i = 0 to dim - 1 do map := Kernel.PositiveMap.add (feature i) (f i) !map done;
  let map = !map in
  fun key -> Option.get (Kernel.PositiveMap.find key map)

(* A model, as the kernel knows it, and the leaves of its trees, of which sweeps are told. *)
type subject = { m : Model.t; spec : Kernel.model; ready : Kernel.ready; k : int; leaves : float array Sweeps.leaf list list Lazy.t }
let subject ?(places = 0) m places_of_claims =
  let k = max (Model.border_places m) places_of_claims in
  let spec = Model.specified m (max places (max 52 (Model.value_places m))) in
  let listed = lazy (Sweeps.listed_of m.dim m.trees) in
  match Kernel.get_ready (Z.of_int k) spec with
  | None -> refuse "a sum of the model can overflow, or its vote has other classes"
  | Some ready -> { m; spec; ready; k; leaves = lazy (List.map (fun t ->
      List.map Sweeps.leaf_of (Sweeps.leaves_within m.borders (Lazy.force listed) Fun.id [] t)) m.trees) }

(* Whether a leaf has slots in the box that hold what the claim is about. *)
let meets near low high (l : _ Sweeps.leaf) = Array.for_all (fun (d : Sweeps.side) ->
  let first = max d.first low.(d.f) and last = min d.last high.(d.f) in
  let _, _, codes = near.(d.f) in
  let both = match d.set, codes with Some a, Some b -> Some (Z.logand a b) | Some a, None | None, Some a -> Some a | None, None -> None in
  first <= last && match both with None -> true | Some set -> Z.sign (Z.logand set (Sweeps.bits first last)) <> 0) l.sides
