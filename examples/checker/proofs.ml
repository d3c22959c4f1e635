(* Files of proofs: claims, and trees of tokens, which become proofs of the kernel. Nothing here need be right for what is
   accepted to hold, but for the claims themselves: the kernel checks all else. *)
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
let ends dim lines = match optional lines "domain" with
  | None -> Array.make dim (neg_infinity, infinity)
  | Some words ->
    let all = Array.of_list (List.map parse_float (sized (2 * dim) words)) in
    Array.init dim (fun f -> let low = all.(2 * f) and high = all.(2 * f + 1) in
      demand (low <= high && low < infinity && high > neg_infinity) "a domain from %h to %h" low high; low, high)
let codes dim lines = match optional lines "codes" with
  | None -> Array.make dim 0
  | Some words -> Array.of_list (List.map (fun w -> natural w 1_000_000_000) (sized dim words))
let about lines version sums =
  demand (version = [ "1" ]) "files are read in version 1";
  List.iter (fun sum -> demand (line lines "model" = [ "sha256"; sum ]) "this is about another file: that at hand has the SHA-256 %s" sum) sums

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

(* ---------------------------------------------------------------------------------------- claims *)

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

let with_places s k = if k <= s.k then s else subject s.m k

(* Whether a leaf has slots in the box that hold what the claim is about. *)
let meets near low high (l : _ Sweeps.leaf) = Array.for_all (fun (d : Sweeps.side) ->
  let first = max d.first low.(d.f) and last = min d.last high.(d.f) in
  let _, _, codes = near.(d.f) in
  let both = match d.set, codes with Some a, Some b -> Some (Z.logand a b) | Some a, None | None, Some a -> Some a | None, None -> None in
  first <= last && match both with None -> true | Some set -> Z.sign (Z.logand set (Sweeps.bits first last)) <> 0) l.sides

let swept s near low high label rival =
  let m = s.m in
  let hard = m.vote = Kernel.Hard in
  demand (2 * List.length m.trees < 1 lsl (if m.single then 24 else 53)) "no sweeps of so many trees";
  let gain v = if hard then hit v label -. hit v rival else rounded_up v.(label) v.(rival) in
  let trees = List.map (fun leaves -> List.map (fun (l : _ Sweeps.leaf) -> { l with own = gain l.own }) (List.filter (meets near low high) leaves))
      (Lazy.force s.leaves) in
  let limit unit = if hard then (if label < rival then Z.zero else ceil_q (Q.inv (exact unit)))
    else ceil_q (Q.neg (Q.div (slack m label rival) (exact unit))) in
  sweeps_of m.borders s.k low high ~rival ~places:(Z.to_int s.spec.places) ~whole:hard
    ~base:(if hard then 0. else rounded_up m.base.(label) m.base.(rival)) ~limit ~rests:false trees

(* Reads a claim and its proof, and checks them. Whether its example settles the radius. *)
let claim s kp lines =
  let m = s.m in
  name lines "proof";
  let norm = match line lines "norm" with [ "inf" ] -> Kernel.LInf | [ "1" ] -> Kernel.L1 | [ "2" ] -> Kernel.L2 | _ -> refuse "norm" in
  let from = natural (one "from" (line lines "from")) m.classes in
  let target = Option.map (fun w -> natural (one "target" w) m.classes) (optional lines "target") in
  let domain = ends m.dim lines in
  let prices = match optional lines "prices" with
    | None -> Array.make m.dim (1., 1.)
    | Some words ->
      let all = Array.of_list (floats (sized (2 * m.dim) words)) in
      Array.iter (fun v -> demand (v > 0.) "the price %h" v) all;
      Array.init m.dim (fun f -> all.(2 * f), all.(2 * f + 1)) in
  let codes = codes m.dim lines in
  let x = Array.of_list (floats (sized m.dim (line lines "x"))) in
  let bound = parse_float (one "bound" (line lines "bound")) in
  demand (bound >= 0.) "the bound %h" bound;
  let some v = if finite v then Some (number v) else None in
  let table f = table m.dim f in
  let claim = {
    Kernel.x = table (fun f -> number x.(f)); the_norm = norm; from; target;
    lower = table (fun f -> some (fst domain.(f))); upper = table (fun f -> some (snd domain.(f)));
    price_up = table (fun f -> number (fst prices.(f))); price_down = table (fun f -> number (snd prices.(f)));
    codes = table (fun f -> Z.of_int codes.(f)); bound = some bound } in
  let settled = match optional lines "example" with
    | None -> false
    | Some [] -> refuse "an example has a label"
    | Some (label :: words) ->
      let label = natural label m.classes in
      let z = Array.of_list (floats (sized m.dim words)) in
      let z = table (fun f -> number z.(f)) in
      demand (Kernel.stands s.spec s.ready claim z label) "the example does not answer, or lies outside the domain";
      demand (bound < infinity && Kernel.no_nearer s.spec s.ready claim (Z.of_int kp) z (number bound)) "the example lies nearer than the bound";
      let most = Q.add (exact bound) (Q.mul (exact 1e-9) (Q.max (exact bound) Q.one)) in
      let places = Z.numbits (Q.den most) - 1 in
      Kernel.no_farther s.spec { s.ready with unit0 = Z.of_int (max s.k places) } claim (Z.of_int kp) z
        { Kernel.mant = Q.num most; expo = Z.of_int (-places) } in
  let near = Array.init m.dim (fun f -> near_slots m.borders.(f) domain.(f) x.(f) bound prices.(f) codes.(f)) in
  let low = Array.map (fun (a, _, _) -> a) near and high = Array.map (fun (_, b, _) -> b) near in
  let answers l = match target with Some t -> l = t | None -> l <> from in
  let parts = if Array.exists2 ( > ) low high then [] else
    List.filter_map (fun label -> if not (answers label) then None else begin
      let words = line lines "label" in
      demand (words <> [] && natural (List.hd words) m.classes = label) "label %d is expected" label;
      let sweeps = match List.tl words with
        | [] -> None
        | [ word ] ->
          let rival = natural word m.classes in
          demand (norm = Kernel.LInf && (if target = None then rival = from else rival <> label)) "there are no sweeps over this rival";
          Some (swept s near low high label rival)
        | _ -> refuse "a word too many" in
      Some (label, part lines m.borders s.k low high sweeps)
    end) (range 0 (m.classes - 1)) in
  demand (line lines "end" = []) "a word too many";
  demand (Kernel.accepts s.spec s.ready claim (Z.of_int kp) parts) "the claim is not proven";
  settled

(* ---------------------------------------------------------------------------------------- properties *)
(* The least float64 that is at least a number. *)
let upward q =
  let rec down v = let w = Float.pred v in if Q.geq (exact w) q then down w else v in
  let rec up v = if Q.lt (exact v) q then up (Float.succ v) else v in
  down (up (Q.to_float q))
let rec of_rival = function
  | Kernel.Done -> Kernel.Done
  | Kernel.Split (f, c, l, r) -> Kernel.Split (f, c, of_rival l, of_rival r)
  | Kernel.Drop ((_, w), p) -> Kernel.Drop (w, of_rival p)

(* Reads a property and its proof, and checks them. *)
let property s other lines =
  let m = s.m in
  let o = Option.value other ~default:s in
  name lines "property";
  demand (m.dim = o.m.dim) "models of %d and %d features" m.dim o.m.dim;
  let domain = ends m.dim lines in
  let codes = codes m.dim lines in
  let ascending list = demand (list = List.sort_uniq compare list) "features are not ascending" in
  let rec groups found = match optional lines "one-hot" with
    | None -> List.rev found
    | Some words ->
      let group = List.map (fun w -> natural w m.dim) words in
      demand (group <> []) "one-hot features of none"; ascending group; groups (group :: found) in
  let groups = groups [] in
  let rec copies found = match optional lines "copy" with
    | None -> List.rev found
    | Some [ f; "next" ] -> copies ((natural f m.dim, None) :: found)
    | Some [ f; least; most ] ->
      let f = natural f m.dim and least = parse_float least and most = parse_float most in
      demand (least <= most && least < infinity && most > neg_infinity) "a copy that exceeds by %h to %h" least most;
      copies ((f, Some (least, most)) :: found)
    | Some _ -> refuse "a copy is next, or exceeds by two numbers" in
  let copies = copies [] in
  ascending (List.map fst copies);
  let terms, label, most = match optional lines "above" with
    | Some (most :: words) ->
      let finite_of w = List.hd (floats [ w ]) in
      let rec terms = function
        | weight :: side :: c :: rest ->
          let weight = finite_of weight and side = natural side 2 in
          demand (weight <> 0.) "a term has no weight";
          (weight, side, natural c (if side = 0 then m else o.m).classes) :: terms rest
        | [] -> [] | _ -> refuse "a term has a weight, an input and a class" in
      let most = finite_of most in
      let terms = terms words in
      demand (terms <> []) "there are no terms"; ascending (List.map (fun (_, side, c) -> side, c) terms);
      terms, None, most
    | Some [] -> refuse "a number is missing"
    | None ->
      let words = line lines "labels" in
      demand (m.classes = o.m.classes && m.classes > 1 && List.length words <= 1) "there are no such labels";
      [], Option.map (fun w -> natural w m.classes) (List.nth_opt words 0), 0. in
  let some v = if finite v then Some (number v) else None in
  let table f = table m.dim f in
  let stated = {
    Kernel.low = table (fun f -> some (fst domain.(f))); high = table (fun f -> some (snd domain.(f)));
    kinds = table (fun f -> Z.of_int codes.(f)); one_hot = List.map (List.map feature) groups;
    copies = List.map (fun (f, apart) -> feature f, match apart with
      | None -> Kernel.Next | Some (least, most) -> Kernel.Within (some least, some most)) copies;
    says = if terms = [] then Kernel.SameLabel label
      else Kernel.Above (number most, List.map (fun (w, side, c) -> (number w, side = 1), c) terms) } in
  (* The features of both inputs, and their slots. *)
  let originals = Array.of_list (range 0 (m.dim - 1) @ List.map fst copies) in
  let union f = let all = Array.append m.borders.(f) o.m.borders.(f) in Array.of_list (List.sort_uniq compare (Array.to_list all)) in
  let single = Array.init m.dim union in
  let borders = Array.map (fun f -> single.(f)) originals in
  let home f = let rec go i = function [] -> f | (g, _) :: rest -> if g = f then i else go (i + 1) rest in go m.dim copies in
  let near = Array.map (fun f -> near_slots single.(f) domain.(f) 0. infinity (1., 1.) codes.(f)) originals in
  let low = Array.map (fun (a, _, _) -> a) near and high = Array.map (fun (_, b, _) -> b) near in
  demand (not (Array.exists2 ( > ) low high)) "a category has no code in the domain";
  let listed = let own = Sweeps.listed_of m.dim (m.trees @ o.m.trees) in Array.map (fun f -> own.(f)) originals in
  (* Two trees are one where their pairs of leaves are not too many. *)
  let reads side = terms = [] || List.exists (fun (_, s, _) -> s = side) terms in
  let xs = if reads 0 then m.trees else [] and ys = if reads 1 then o.m.trees else [] in
  let rec count = function Model.Leaf _ -> 1 | Model.Node (_, _, l, r) -> count l + count r in
  let leaves place sides tree = Sweeps.leaves_within borders listed place sides tree in
  let left tree = List.map (fun (sides, v) -> sides, (Some v, None)) (leaves Fun.id [] tree) in
  let right tree = List.map (fun (sides, v) -> sides, (None, Some v)) (leaves home [] tree) in
  let pairs t u =
    let most = 16 * (count t + count u) in
    let rec go found n = function
      | [] -> Some (List.concat (List.rev found))
      | (sides, v) :: rest ->
        let more = List.map (fun (sides, w) -> sides, (Some v, Some w)) (leaves home sides u) in
        let n = n + List.length more in
        if n > most then None else go (more :: found) n rest in
    go [] 0 (leaves Fun.id [] t) in
  let rec join ts us = match ts, us with
    | t :: ts, u :: us -> (match pairs t u with
      | Some joint -> let together, trees = join ts us in true :: together, joint :: trees
      | None -> let together, trees = join ts us in false :: together, left t :: right u :: trees)
    | ts, us -> [], List.map left ts @ List.map right us in
  let together, joined = join xs ys in
  let trees = lazy (List.map (fun leaves -> List.filter (meets near low high) (List.map Sweeps.leaf_of leaves)) joined) in
  (* What a part's potentials count: the form of its leaves and of the base, exactly, and from where on it is not lost. *)
  let value (model : Model.t) v c = exact (if model.vote = Kernel.Hard then hit v c else v.(c)) in
  let start (model : Model.t) c = if model.vote = Kernel.Hard then Q.zero else exact model.base.(c) in
  let sweeps form base limit places =
    List.iter (fun (model : Model.t) -> demand (terms <> [] || model.vote = Kernel.Hard
      || 2 * List.length model.trees < 1 lsl (if model.single then 24 else 53)) "no sweeps of so many trees") [ m; o.m ];
    let gained = List.map (List.map (fun (l : _ Sweeps.leaf) -> { l with Sweeps.own = upward (form l.own) })) (Lazy.force trees) in
    sweeps_of borders s.k low high ~rival:0 ~places ~whole:false ~base:(upward base) ~limit ~rests:true gained in
  let sum f = List.fold_left (fun q t -> Q.add q (f t)) Q.zero in
  let one_part sweeps =
    let swept = match optional lines "swept" with
      | Some [] -> true
      | Some _ -> refuse "a word too many"
      | None -> demand (line lines "tree" = []) "a word too many"; false in
    of_rival (part lines borders s.k low high (if swept then Some (sweeps ()) else None)) in
  let kw = List.fold_left (fun n (w, _, _) -> max n (places w)) (places most) terms in
  let places = Z.to_int s.spec.places in
  let proofs =
    if terms <> [] then
      let form (x, y) = sum (fun (w, side, c) -> match (if side = 0 then x else y) with
        | Some v -> Q.mul (exact w) (value (if side = 0 then m else o.m) v c) | None -> Q.zero) terms in
      let base = Q.sub (sum (fun (w, side, c) -> Q.mul (exact w) (start (if side = 0 then m else o.m) c)) terms) (exact most) in
      [ (0, 0), one_part (fun () -> sweeps form base (fun _ -> Z.one) (kw + places)) ]
    else
      let swaps = other = None && List.for_all (function _, Some (l, h) -> l = -.h | _ -> false) copies in
      List.concat_map (fun a -> List.filter_map (fun b ->
        if a = b || (match label with Some l -> a <> l | None -> swaps && a < b) then None else
          let side model o a b = match o with Some v -> Q.sub (value model v a) (value model v b) | None -> Q.zero in
          let form (x, y) = Q.add (side m x a b) (side o.m y b a) in
          let base = Q.add (Q.sub (start m a) (start m b)) (Q.sub (start o.m b) (start o.m a)) in
          let strict = (m.vote = Kernel.Hard && b < a) || (o.m.vote = Kernel.Hard && a < b) in
          let limit unit =
            let q = Q.neg (Q.div (Q.add (slack m a b) (slack o.m b a)) (exact unit)) in
            if strict then Z.succ (Z.fdiv (Q.num q) (Q.den q)) else ceil_q q in
          Some ((a, b), one_part (fun () -> sweeps form base limit places))) (range 0 (m.classes - 1))) (range 0 (m.classes - 1)) in
  demand (line lines "end" = []) "a word too many";
  demand (Kernel.accepts_property s.spec s.ready (Option.map (fun o -> o.spec, o.ready) other) stated (Z.of_int kw) together proofs)
    "the property is not proven"

(* How many binary places the numbers of a file need, of coordinates and of prices. *)
let places_in text =
  let k = ref 0 and kp = ref 0 in
  List.iter (fun line ->
    let keyed key = String.length line > String.length key && String.sub line 0 (String.length key) = key in
    let most n = List.fold_left (fun n w -> if is_float w then max n (places (float_of_string w)) else n) n (words line) in
    if List.exists keyed [ "x "; "domain "; "bound "; "example "; "copy " ] then k := most !k
    else if keyed "prices " then kp := most !kp) (String.split_on_char '\n' text);
  !k, !kp

(* Checks a file about models, and returns how many claims hold, and how many radii are settled. *)
let check text models =
  let k, kp = places_in text in
  let lines = { text; at = 0; number = 0; ahead = None } in
  let all one =
    let rec go proven settled =
      let settled = if one () then settled + 1 else settled in
      if lines.at < String.length text then go (proven + 1) settled else proven + 1, settled in
    go 0 0 in
  try match optional lines "facet-proofs", models with
    | Some words, [ s, sum ] ->
      about lines words [ sum ];
      let s = with_places s k in
      all (fun () -> claim s kp lines)
    | Some _, _ -> refuse "proofs are about one model"
    | None, _ ->
      about lines (line lines "facet-properties") (List.map snd models);
      let subjects = List.map (fun (s, _) -> s.m) models in
      let places = List.fold_left (fun n m -> max n (Model.value_places m)) 52 subjects in
      let k = List.fold_left (fun n m -> max n (Model.border_places m)) k subjects in
      let subjects = List.map (fun m -> subject ~places m k) subjects in
      all (fun () -> property (List.hd subjects) (List.nth_opt subjects 1) lines; false)
  with Refused reason -> refuse "line %d: %s" lines.number reason
