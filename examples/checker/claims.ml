(* Claims about inputs near a point: "facet-proofs". *)
open Input
open Proofs

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

(* What a claim says before its proof; of neighbours it has no prices and no codes. *)
type head = {
  said : Kernel.claim; x : float array; domain : (float * float) array; prices : (float * float) array; coded : int array;
  within : float; label_example : (int * float array) option }
let head ~plain dim classes lines =
  name lines "proof";
  let norm = norm (line lines "norm") in
  let from = natural (one "from" (line lines "from")) classes in
  let target = Option.map (fun w -> natural (one "target" w) classes) (optional lines "target") in
  let domain = ends dim lines in
  let prices = match if plain then None else optional lines "prices" with
    | None -> Array.make dim (1., 1.)
    | Some words ->
      let all = Array.of_list (floats (sized (2 * dim) words)) in
      Array.iter (fun v -> demand (v > 0.) "the price %h" v) all;
      Array.init dim (fun f -> all.(2 * f), all.(2 * f + 1)) in
  let coded = if plain then Array.make dim 0 else codes dim lines in
  let x = Array.of_list (floats (sized dim (line lines "x"))) in
  let bound = parse_float (one "bound" (line lines "bound")) in
  demand (bound >= 0.) "the bound %h" bound;
  let some v = if finite v then Some (number v) else None in
  let table f = table dim f in
  let said = {
    Kernel.x = table (fun f -> number x.(f)); the_norm = norm; from; target;
    lower = table (fun f -> some (fst domain.(f))); upper = table (fun f -> some (snd domain.(f)));
    price_up = table (fun f -> number (fst prices.(f))); price_down = table (fun f -> number (snd prices.(f)));
    codes = table (fun f -> Z.of_int coded.(f)); bound = some bound } in
  let label_example = match optional lines "example" with
    | None -> None
    | Some [] -> refuse "an example has a label"
    | Some (label :: words) ->
      let label = natural label classes in
      Some (label, Array.of_list (floats (sized dim words))) in
  { said; x; domain; prices; coded; within = bound; label_example }

(* Whether an example, which answers, is at the bound. *)
let settles (spec : Kernel.model) (ready : Kernel.ready) h kp z =
  demand (h.within < infinity && Kernel.no_nearer spec ready h.said (Z.of_int kp) z (number h.within)) "the example lies nearer than the bound";
  let most = Q.add (exact h.within) (Q.mul (exact 1e-9) (Q.max (exact h.within) Q.one)) in
  let places = Z.numbits (Q.den most) - 1 in
  Kernel.no_farther spec { ready with unit0 = Z.max ready.unit0 (Z.of_int places) } h.said (Z.of_int kp) z
    { Kernel.mant = Q.num most; expo = Z.of_int (-places) }
let input dim z = table dim (fun f -> number z.(f))

(* Reads a claim and its proof, and checks them. Whether its example settles the radius. *)
let claim s kp lines =
  let m = s.m in
  let h = head ~plain:false m.dim m.classes lines in
  let c = h.said in
  let settled = match h.label_example with
    | None -> false
    | Some (label, z) ->
      let z = input m.dim z in
      demand (Kernel.stands s.spec s.ready c z label) "the example does not answer, or lies outside the domain";
      settles s.spec s.ready h kp z in
  let near = Array.init m.dim (fun f -> near_slots m.borders.(f) h.domain.(f) h.x.(f) h.within h.prices.(f) h.coded.(f)) in
  let low = Array.map (fun (a, _, _) -> a) near and high = Array.map (fun (_, b, _) -> b) near in
  let parts = if Array.exists2 ( > ) low high then [] else
    List.filter_map (fun label -> if not (Kernel.answers c label) then None else begin
      let words = line lines "label" in
      demand (words <> [] && natural (List.hd words) m.classes = label) "label %d is expected" label;
      let sweeps = match List.tl words with
        | [] -> None
        | [ word ] ->
          let rival = natural word m.classes in
          demand (c.the_norm = Kernel.LInf && (if c.target = None then rival = c.from else rival <> label)) "there are no sweeps over this rival";
          Some (swept s near low high label rival)
        | _ -> refuse "a word too many" in
      Some (label, part lines m.borders s.k low high sweeps)
    end) (range 0 (m.classes - 1)) in
  demand (line lines "end" = []) "a word too many";
  demand (Kernel.accepts s.spec s.ready c (Z.of_int kp) parts) "the claim is not proven";
  settled
