(* Claims about adversarial pruning: "facet-pruning". *)
open Input
open Proofs

(* Whether rows conflict, which is trusted: their labels, and a distance that rounds each step to float64. *)
let conflict (m : Rows.t) norm radius i j =
  let measure scale =
    let most = ref 0. and sum = ref 0. and squares = ref 0. in
    Array.iteri (fun f v ->
      let gap = Float.abs (v -. m.data.(j).(f)) /. scale in
      most := Float.max !most gap; sum := !sum +. gap;
      squares := !squares +. Sys.opaque_identity (gap *. gap)) m.data.(i);         (* not fused with the sum *)
    !most, !sum, !squares in
  m.label.(i) <> m.label.(j) &&
  let most, sum, squares = measure 1. in
  let distance = match norm with
    | Kernel.L1 -> sum
    | LInf -> most
    | L2 when squares > 0x1p-900 && squares < 0x1p900 -> sqrt squares
    | L2 when most = 0. || not (finite most) -> most
    | L2 -> let _, _, squares = measure most in most *. sqrt squares in
  distance <= 2. *. radius

(* Reads a claim and its cliques, and checks them. *)
let claim (m : Rows.t) lines =
  let n = Array.length m.data in
  let norm = norm (line lines "norm") in
  let value key = let v = List.hd (floats (sized 1 (line lines key))) in demand (v >= 0.) "the %s is %h" key v; v in
  let radius = value "radius" in
  let weights = match optional lines "weights" with
    | None -> Array.make n 1.
    | Some words ->
      let all = Array.of_list (floats (sized n words)) in
      Array.iter (fun w -> demand (w >= 0. && Float.is_integer w) "a row weighs %h" w) all;
      demand (Array.fold_left ( +. ) 0. all <= 0x1p52) "the rows weigh more than 2^52";
      all in
  let rows words = List.map (fun w -> natural w n) words in
  let keep = rows (line lines "keep") in
  ignore (List.fold_left (fun last r -> demand (r > last) "row %d after row %d" r last; r) (-1) keep);
  let kept = value "weight" in
  let most = value "bound" in
  let rec cliques found = match optional lines "clique" with
    | None -> List.rev found
    | Some (amount :: (_ :: _ as words)) ->
      let amount = 2. *. List.hd (floats [ amount ]) in
      demand (amount > 0. && finite amount && Float.is_integer amount) "an amount is no multiple of 1/2";
      cliques ((Z.of_float amount, List.map feature (rows words)) :: found)
    | Some _ -> refuse "a clique of no rows" in
  let cliques = cliques [] in
  demand (line lines "end" = [] && lines.at = String.length lines.text) "text behind the end";
  let place a = Z.to_int (Whole.of_positive a) - 1 in
  let spec = { Kernel.row_count = n; conflict = (fun a b -> conflict m norm radius (place a) (place b));
               stands_for = (fun a -> Z.of_float weights.(place a)) } in
  demand (Float.is_integer kept && Kernel.accepts_pruning spec (List.map feature keep) (Z.of_float kept) (number most) cliques)
    "the claim is not proven"
