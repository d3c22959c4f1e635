(* Potentials, computed as docs/reference/proof-format.md says. They are an oracle for the kernel, which believes none of it:
   each step becomes one of its proofs, in which leaves are dropped by potentials and boxes split. *)
open Input

(* ---------------------------------------------------------------------------------------- leaves and their slots *)
type side = { f : int; first : int; last : int; set : Z.t option }       (* slots of a feature; bits, where tests are of sets *)
type 'a leaf = { sides : side array; own : 'a }
let bits a b = if a > b then Z.zero else Z.sub (Z.shift_left Z.one (b + 1)) (Z.shift_left Z.one a)
let index borders b =
  let rec go low high = if low >= high then low else
    let middle = (low + high) / 2 in if compare borders.(middle) b < 0 then go (middle + 1) high else go low middle in
  go 0 (Array.length borders)

(* The leaves below a node of a tree that have slots, from left to right, within the sides given. Place is where a feature
   stands. *)
let rec leaves_within borders listed place sides = function
  | Model.Leaf values -> [ sides, values ]
  | Model.Node (f, cuts, l, r) ->
    let f = place f in
    let last = Array.length borders.(f) in
    let side = match List.find_opt (fun s -> s.f = f) sides with Some s -> s
      | None -> { f; first = 0; last; set = if listed.(f) then Some (bits 0 last) else None } in
    let others = List.filter (fun s -> s.f <> f) sides in
    let left, right = match side.set with
      | None -> let at = index borders.(f) (List.hd cuts) in
        { side with last = min side.last at }, { side with first = max side.first (at + 1) }
      | Some set ->
        let rec goes begin_ even = function
          | [] -> if even then bits begin_ last else Z.zero
          | c :: rest -> let at = index borders.(f) c in
            Z.logor (if even then bits begin_ at else Z.zero) (goes (at + 1) (not even) rest) in
        let low = goes 0 true cuts in
        let part kept = if Z.sign kept = 0 then { side with first = last + 1; last = -1; set = Some kept }
          else { side with first = Z.trailing_zeros kept; last = Z.numbits kept - 1; set = Some kept } in
        part (Z.logand set low), part (Z.logand set (Z.lognot low)) in
    let below side node = if side.first > side.last then [] else leaves_within borders listed place (side :: others) node in
    below left l @ below right r
let listed_of dim trees =
  let listed = Array.make dim false in
  let rec walk = function Model.Leaf _ -> () | Model.Node (f, cuts, l, r) -> (match cuts with [ _ ] -> () | _ -> listed.(f) <- true); walk l; walk r in
  List.iter walk trees; listed
let leaf_of (sides, own) = { sides = (let a = Array.of_list sides in Array.sort (fun s t -> compare s.f t.f) a; a); own }

(* ---------------------------------------------------------------------------------------- state *)
type entry = { ranges : side array; mutable value : int; shares : int array }
(* Steps of a feature: the last slots of all bins but the last, and the values of each tree that uses it. *)
type column = { cuts : int list; users : (int * int array) list }
type state = { base : int; constants : int array; trees : (int * entry array) list; columns : (int * column) list;
               witness : (int * Kernel.potentials) Lazy.t }
type sweeps = {
  borders : (float * bool) array array; k : int; count : int;
  limit : int; floor : int; rival : int;
  times : Z.t; factor : Z.t;              (* a unit is so much of what the kernel counts, times so much *)
  start : state }

let witness s columns = lazy (
  let phis = Array.make s.count [] in
  let ends = List.fold_left (fun m (f, c) ->
    let key = Whole.to_positive (Z.of_int (f + 1)) in
    List.iter (fun (t, values) ->
      phis.(t) <- (key, List.map (fun v -> Z.mul (Z.of_int v) s.factor) (Array.to_list values)) :: phis.(t)) c.users;
    Kernel.PositiveMap.add key (List.map (fun slot -> let e, closed = s.borders.(f).(slot) in scaled s.k e, closed) c.cuts) m)
    Kernel.PositiveMap.empty columns in
  s.rival, { Kernel.times = s.times; ends; phis = Array.to_list phis })

let side_of f ranges = List.find_opt (fun r -> r.f = f) (Array.to_list ranges)
let initial sweeps = Option.map (fun s -> s.start) sweeps
let meets low high entry = Array.for_all (fun r -> r.first <= high.(r.f) && r.last >= low.(r.f)) entry.ranges
let left state low high = List.map (fun (t, entries) -> t, Array.of_list (List.filter (meets low high) (Array.to_list entries))) state.trees
let best entries = Array.fold_left (fun n e -> max n e.value) min_int entries
let some trees = List.for_all (fun (_, entries) -> entries <> [||]) trees
let bound state trees = Array.fold_left ( + ) state.base state.constants + List.fold_left (fun n (_, e) -> n + best e) 0 trees

let close s state low high = match s, state with
  | Some s, Some state ->
    let trees = left state low high in
    if some trees && bound state trees < s.limit then Kernel.Drop (Lazy.force state.witness, Kernel.Done) else Kernel.Done
  | _ -> Kernel.Done

(* ---------------------------------------------------------------------------------------- sweeping *)
let thinned ends =
  let n = List.length ends in
  List.filteri (fun i _ -> 16 * (i + 1) / (n + 1) > 16 * i / (n + 1)) ends
let bin cuts slot = List.fold_left (fun n c -> if c < slot then n + 1 else n) 0 cuts

(* New potentials of one feature. Members are its users: leaves, with the place of the feature and their bins. *)
let level s bins members =
  let profiles = List.map (fun (_, leaves) ->
    let profile = Array.make bins min_int in
    List.iter (fun (e, at, first, last) ->
      let v = e.value - if at >= 0 then e.shares.(at) else 0 in
      for j = first to last do if profile.(j) < v then profile.(j) <- v done) leaves;
    profile) members in
  let n = List.length members in
  let part j = let sum = List.fold_left (fun n p -> n + p.(j)) 0 profiles in
    if sum >= 0 then (sum + n - 1) / n else sum / n in
  let vacant = Array.init bins (fun j -> List.exists (fun p -> p.(j) = min_int) profiles) in
  let parts = Array.init bins (fun j -> if vacant.(j) then 0 else part j) in
  let constant = ref 0 and paid = Array.make bins false in
  let users = List.map2 (fun (t, leaves) profile ->
    let phi = Array.init bins (fun j -> if vacant.(j) then -1 lsl 29 else parts.(j) - profile.(j)) in
    let top = Array.fold_left max min_int phi in
    constant := !constant + top;
    List.iter (fun (e, at, first, last) ->
      let most = ref min_int in
      for j = first to last do most := max !most phi.(j) done;
      if at >= 0 then begin
        let share = max s.floor (!most - top) in
        e.value <- e.value + share - e.shares.(at);
        e.shares.(at) <- share
      end) leaves;
    (* Where a tree has no leaf it makes up for all others, so that steps add up to 0. *)
    t, Array.mapi (fun j v -> if vacant.(j) && profile.(j) = min_int && not paid.(j) then (paid.(j) <- true; (n - 1) lsl 29) else v) phi)
    members profiles in
  !constant, users

let sweep s state low high times =
  let trees = List.map (fun (t, entries) -> t, Array.map (fun e -> { e with shares = Array.copy e.shares }) entries) state.trees in
  let dim = Array.length low in
  let within = Array.make dim [] in                (* by feature: tree and leaf that use it *)
  List.iter (fun (t, entries) -> Array.iteri (fun i e -> Array.iteri (fun at r ->
    if r.first > low.(r.f) || r.last < high.(r.f) || e.shares.(at) <> 0 then within.(r.f) <- (t, i, at) :: within.(r.f)) e.ranges) entries) trees;
  let by_tree = Hashtbl.create 64 in
  List.iter (fun (t, entries) -> Hashtbl.replace by_tree t entries) trees;
  let user f = match within.(f) with [] -> None | used ->
    let range (t, i, at) = let r = (Hashtbl.find by_tree t).(i).ranges.(at) in max r.first low.(f), min r.last high.(f) in
    let ends = List.concat_map (fun u -> let a, b = range u in [ a - 1; b ]) used in
    let cuts = thinned (List.sort_uniq compare (List.filter (fun e -> low.(f) <= e && e < high.(f)) ends)) in
    let bins = List.length cuts + 1 in
    let groups = Hashtbl.create 16 in
    List.iter (fun (t, i, at) -> Hashtbl.replace groups t ((i, at) :: Option.value (Hashtbl.find_opt groups t) ~default:[])) used;
    let members = List.filter_map (fun (t, entries) -> match Hashtbl.find_opt groups t with None -> None | Some own ->
      let place = Array.make (Array.length entries) (-1) in
      List.iter (fun (i, at) -> place.(i) <- at) own;
      Some (t, List.mapi (fun i e -> if place.(i) < 0 then e, -1, 0, bins - 1 else
        let a, b = range (t, i, place.(i)) in e, place.(i), bin cuts a, bin cuts b) (Array.to_list entries))) trees in
    Some (f, cuts, bins, members) in
  let users = List.filter_map user (range 0 (dim - 1)) in
  let constants = if times > 0 then Array.make dim 0 else Array.copy state.constants in
  let columns = ref (if times > 0 then [] else state.columns) in
  for _ = 1 to times do
    columns := List.map (fun (f, cuts, bins, members) ->
      let c, users = level s bins members in
      constants.(f) <- c; f, { cuts; users }) users
  done;
  { state with constants; trees; columns = !columns; witness = (if times > 0 then witness s !columns else state.witness) }

(* What *n says: narrows the box, which changes, settles trees, sweeps n times. Rest reads what follows. *)
let star state low high times sweeps rest =
  let s = Option.get sweeps in
  let trees = left state low high in
  if not (some trees) then rest None
  else if bound state trees < s.limit then Kernel.Drop (Lazy.force state.witness, rest None)
  else begin
    let room = bound state trees - s.limit in
    let rec narrow trees =
      let trees = List.map (fun (t, entries) ->
        let least = best entries - room in t, Array.of_list (List.filter (fun e -> e.value >= least) (Array.to_list entries))) trees in
      let from_low = Array.copy low and from_high = Array.copy high in
      List.iter (fun (_, entries) ->
        (* The slots that each of these leaves may have, of features that all of them test. *)
        Array.iter (fun r ->
          let all = Array.map (fun e -> side_of r.f e.ranges) entries in
          if Array.for_all Option.is_some all then begin
            let first = Array.fold_left (fun n o -> min n (Option.get o).first) max_int all in
            let last = Array.fold_left (fun n o -> max n (Option.get o).last) min_int all in
            low.(r.f) <- max low.(r.f) first; high.(r.f) <- min high.(r.f) last
          end) entries.(0).ranges) trees;
      let to_low = Array.copy low and to_high = Array.copy high in
      let same = from_low = low && from_high = high in
      let void = Array.exists (fun x -> x) (Array.mapi (fun f l -> l > high.(f)) low) in
      let met = List.map (fun (t, entries) -> t, Array.of_list (List.filter (meets low high) (Array.to_list entries))) trees in
      let inner = if void || not (some met) then rest None else if same then continue met else narrow met in
      Kernel.Drop (Lazy.force state.witness, shrunk from_low from_high to_low to_high inner)
    (* Splits, of which one side has no leaf of some tree. *)
    and shrunk from_low from_high to_low to_high inner =
      let proof = ref inner in
      Array.iteri (fun f first ->
        let last = from_high.(f) in
        let split slot l r = Kernel.Split (Whole.to_positive (Z.of_int (f + 1)), (let e, closed = s.borders.(f).(slot) in scaled s.k e, closed), l, r) in
        let low = to_low.(f) and high = to_high.(f) in
        if high < last then proof := if high < max first low then Kernel.Done else split high !proof Kernel.Done;
        if low > first then proof := if low > last then Kernel.Done else split (low - 1) Kernel.Done !proof) from_low;
      !proof
    and continue trees =
      let alone, others = List.partition (fun (_, entries) -> Array.length entries = 1) trees in
      let constants = Array.copy state.constants in
      let base = List.fold_left (fun n (_, entries) ->
        let e = entries.(0) in
        Array.iteri (fun at r -> constants.(r.f) <- constants.(r.f) + e.shares.(at)) e.ranges;
        n + e.value - Array.fold_left ( + ) 0 e.shares) state.base alone in
      rest (Some (sweep s { state with base; constants; trees = others } low high times)) in
    narrow trees
  end
