(* Claims about all inputs, and about pairs: "facet-properties". *)
open Input
open Proofs

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
