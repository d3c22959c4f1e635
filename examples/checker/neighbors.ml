(* Claims about nearest neighbours. Lines of a proof become questions of the kernel, which believes nothing of what is here. *)
open Input
open Proofs

(* Rows, as the kernel knows them. Those that were used stay in units. *)
type subject = { m : Rows.t; k : int; spec : Kernel.neighbours; units : int -> Z.t list }
let subject (m : Rows.t) places =
  let k = max places (Array.fold_left (fun n row -> Array.fold_left (fun n v -> max n (Input.places v)) n row) 0 m.data) in
  let spec = { Kernel.width = m.dim; labels = m.classes; rows = Array.length m.data; voters = m.k;
               row = (fun p -> List.map number (Array.to_list m.data.(p))); label_of = (fun p -> m.label.(p)) } in
  let used = Array.make spec.rows None and keep = ref false in
  let units p = match used.(p) with
    | Some row -> row
    | None ->
      let row = List.map (scaled k) (Array.to_list m.data.(p)) in
      if !keep then used.(p) <- Some row; row in
  demand (Kernel.is_ready spec (Z.of_int k) units) "rows that are not as they should be";
  keep := true;
  { m; k; spec; units }

(* ---------------------------------------------------------------------------------------- what is far *)
(* What a claim is about: squared distances from x, and sums of those that are rounded less than error times as much. *)
type ball = { s : subject; claim : Kernel.claim; x : float array; at_x : Z.t list; bound : float; squares : float array; error : float }
let squared (row : float array) z =
  let sum = ref 0. in
  Array.iteri (fun j v -> let d = v -. z.(j) in sum := !sum +. d *. d) row; !sum
let ball s (h : Claims.head) =
  { s; claim = h.said; x = h.x; at_x = List.map (scaled s.k) (Array.to_list h.x); bound = h.within;
    squares = Array.map (fun row -> squared row h.x) s.m.data; error = float_of_int (s.m.dim + 16) *. 0x1p-50 }

(* Whether no input nearer than the bound has row p before row q. Floats decide unless they are close. *)
let far b p q =
  let u = b.squares.(p) and v = b.squares.(q) in
  let exactly () = Kernel.distant b.s.spec (Z.of_int b.s.k) b.s.units b.claim b.at_x p q in
  let above a b = a > b && a < infinity in
  if above (v *. (1. -. b.error)) (u *. (1. +. b.error) +. 0x1p-900) then false
  else begin
    let beta = ref 0. and size = ref 0. and norm = ref 0. in
    let row = b.s.m.data.(p) and other = b.s.m.data.(q) in
    Array.iteri (fun j y ->
      let d = y -. row.(j) in
      let t = d *. ((y -. b.x.(j)) +. (row.(j) -. b.x.(j))) in
      beta := !beta +. t; size := !size +. Float.abs t;
      let a = 2. *. Float.abs d in
      norm := match b.claim.the_norm with Kernel.LInf -> !norm +. a | L1 -> Float.max !norm a | L2 -> !norm +. a *. a) other;
    let norm = if b.claim.the_norm = Kernel.L2 then sqrt !norm else !norm in
    let margin = -. !beta -. b.bound *. norm and slack = b.error *. (!size +. b.bound *. norm) +. 0x1p-900 in
    if above margin slack && above (-. !beta) (b.error *. !size +. 0x1p-900) then true
    else if above (-.margin) slack || (b.bound = infinity && row <> other) then false else exactly ()
  end

(* ---------------------------------------------------------------------------------------- seats *)
(* How many supporting rows an answer needs, and whether there can be one. *)
let seats b =
  let m = b.s.m and c = b.claim in
  let count = Array.make m.classes 0 in
  Array.iter (fun l -> count.(l) <- count.(l) + 1) m.label;
  let side = ref 0 and most = ref (-1) in
  Array.iteri (fun l n -> if Kernel.answers c l && n > 0 then begin
    let tie = if c.from < l then 1 else 0 in
    side := !side + n; most := max !most (min ((m.k - tie) / 2) (n - tie)) end) count;
  let required = match c.target with
    | None -> m.k - !most
    | Some t ->
      let others v = let sum = ref 0 in
        Array.iteri (fun l n -> if l <> t then sum := !sum + min n (if t < l then v else v - 1)) count; !sum in
      let rec least v = if v <= !side && others v < m.k - v then least (v + 1) else v in
      least 1 in
  required, required <= min m.k !side

(* ---------------------------------------------------------------------------------------- pivots *)
(* What is decided of a row, or, of listed, that it stands in the line which is being read. *)
let before = 1 and after = 2 and earlier = 4 and later = 8 and inside = 16 and outside = 32 and listed = 64

type state = { b : ball; lines : lines; seats : int; supports : int -> bool; member : bool array; decided : int array; sizes : int array }
let has st r what = st.decided.(r) land what <> 0
let decide st r now =
  Array.iteri (fun i n -> st.sizes.(i) <- n + (now lsr i) land 1 - (st.decided.(r) lsr i) land 1) st.sizes;
  st.decided.(r) <- now
let rec bit what = if what = 1 then 0 else 1 + bit (what lsr 1)
let size st what = st.sizes.(bit what)
let listing st fits words =
  let rows = List.map (fun w ->
    let r = natural w st.b.s.spec.rows in
    demand (not (has st r listed) && fits r) "row %d stands there twice, or not with reason" r;
    st.decided.(r) <- st.decided.(r) lor listed; r) words in
  List.iter (fun r -> st.decided.(r) <- st.decided.(r) land lnot listed) rows;
  rows

let allowed st = st.b.s.m.k - st.seats
(* Multipliers and half-spaces of a line, and rows of which it is counted that they do not come before the pivot or vote. *)
let combination st pivot words =
  demand (words <> []) "a combination of nothing";
  let seen = Hashtbl.create 8 and implied = ref [] in
  let row w = if w = "" then pivot else natural w st.b.s.spec.rows in
  let imply question = if not (List.mem question !implied) then implied := question :: !implied in
  let first p q =
    let inner = has st p inside && not (has st q inside) && size st inside = st.b.s.m.k in
    demand (p <> q && (
      (q = pivot && has st p (before lor earlier)) || (p = pivot && has st q (after lor later)) || (has st p inside && has st q outside)
      || (p = pivot && (if st.supports q then not (has st q earlier) && size st earlier = st.seats - 1
                        else not (has st q before) && size st before = allowed st) && (imply (Kernel.Before q); true))
      || (inner && (imply (Kernel.Near q); true))))
      "what is decided does not say that row %d comes before row %d" p q in
  let term word =
    let factor, term = match String.index_opt word '*' with
      | Some i -> String.sub word 0 i, String.sub word (i + 1) (String.length word - i - 1)
      | None -> "1", word in
    let n = String.length factor in
    demand (n > 0 && n <= 1000 && factor.[0] <> '0' && skip is_digit factor 0 = n) "%.40S is no positive integer of at most 1000 digits" factor;
    demand (term <> "" && not (Hashtbl.mem seen term)) "the term %.40S is missing, or there twice" term;
    Hashtbl.add seen term ();
    let factor = Z.of_string factor in
    match term.[0], String.split_on_char '<' term with
    | ('+' | '-'), _ ->
      (* Half-spaces of rows are squares of units, those of sides are not. *)
      let f = natural (String.sub term 1 (String.length term - 1)) st.b.s.m.dim in
      Z.shift_left factor st.b.s.k, Kernel.Side (term.[0] = '+', feature f)
    | _, [ p; q ] -> let p = row p and q = row q in first p q; factor, Kernel.First (p, q)
    | _ -> refuse "%.40S is no half-space" term in
  let terms = List.map term words in
  List.fold_left (fun proof question -> Kernel.Ask (question, Kernel.Counted, proof)) (Kernel.Refuted terms) !implied

let winner st rows =
  let votes = Array.make st.b.s.m.classes 0 and best = ref 0 in
  List.iter (fun r -> let l = st.b.s.m.label.(r) in votes.(l) <- votes.(l) + 1) rows;
  Array.iteri (fun l n -> if n > votes.(!best) then best := l) votes; !best
let all_rows st = range 0 (st.b.s.spec.rows - 1)

(* A node of a pivot's tree and what is below it. Within are supporting rows that may come before the pivot. *)
let rec part st pivot within depth =
  demand (depth <= 100_000) "more than 100000 nodes on a path";
  let k = st.b.s.m.k in
  let free r = not (has st r (inside lor outside)) in
  (* In the part of each row the ones before it are decided one way, and it the other way; then all are decided. *)
  let parts rows question ~passed ~own ask last =
    let rec go = function
      | [] -> last ()
      | r :: rest ->
        let was = st.decided.(r) in
        decide st r (was lor own);
        let here = part st pivot within (depth + 1) in
        decide st r (was lor passed);
        let beyond = go rest in
        decide st r was;
        ask (question r) here beyond in
    go rows in
  let yes_beyond q here beyond = Kernel.Ask (q, beyond, here) and no_beyond q here beyond = Kernel.Ask (q, here, beyond) in
  let is_before r = Kernel.Before r and is_near r = Kernel.Near r in
  match next st.lines with
  | "c" :: words -> combination st pivot words
  | "r" :: words ->
    let rows = listing st (fun r -> not (st.supports r) && not (has st r (before lor after))) words in
    demand (rows <> [] && size st before + List.length rows > allowed st) "too few rivals are listed";
    parts rows is_before ~passed:(before lor inside) ~own:after yes_beyond (fun () -> Kernel.Counted)
  | "q" :: words ->
    let undecided r = not (has st r (earlier lor later)) in
    let rows = listing st (fun r -> within.(r) && undecided r) words in
    let left = List.length (List.filter (fun r -> within.(r) && undecided r) (all_rows st)) - List.length rows in
    demand (left < st.seats - 1 - size st earlier) "too few supporting rows are listed";
    parts rows is_before ~passed:later ~own:(earlier lor inside) no_beyond (fun () -> Kernel.Few)
  | "m" :: words ->
    let rows = listing st free words in
    let total = size st inside + List.length rows in
    demand (total >= k) "too few rows are listed";
    let all = rows @ List.filter (fun r -> has st r inside) (all_rows st) in
    let rest = total = k && Kernel.answers st.b.claim (winner st all) in
    parts rows is_near ~passed:inside ~own:outside yes_beyond (fun () -> if rest then part st pivot within (depth + 1) else Kernel.Counted)
  | "o" :: word :: words ->
    let r = natural word st.b.s.spec.rows in
    let rows = listing st free words in
    List.iter (fun q -> st.decided.(q) <- st.decided.(q) lor listed) rows;
    let room = ref (k - size st inside) in                (* rows that may vote beside those that do *)
    let may q = !room > 0 && free q && not (has st q listed) && not (far st.b q r) && (decr room; true) in
    let nearby = List.filter (fun q -> has st q inside || may q) (all_rows st) in
    List.iter (fun q -> st.decided.(q) <- st.decided.(q) land lnot listed) rows;
    demand (has st r outside && !room > 0) "too few rows are listed, or row %d is not out" r;
    parts rows is_near ~passed:outside ~own:inside no_beyond (fun () -> Kernel.Outnumbered (r, nearby))
  | key :: _ -> refuse "%.40S is none of c, r, q, m and o" key
  | [] -> refuse "a line is missing"


(* ---------------------------------------------------------------------------------------- all rows *)
(* Why each row is no pivot, as the body says. *)
let reasons st =
  let n = st.b.s.spec.rows in
  let near = listing st (fun r -> not (st.supports r)) (line st.lines "near") in
  let rec first_far p count = function
    | _ when count = 0 -> Some []
    | [] -> None
    | r :: rest -> if far st.b p r then Option.map (fun l -> r :: l) (first_far p (count - 1) rest) else first_far p count rest in
  let why = Array.init n (fun p -> if not (st.supports p) then Kernel.Rival else
    match first_far p (allowed st + 1) near with
    | Some rivals -> Kernel.Crowded rivals
    | None -> st.member.(p) <- true; Kernel.Rival) in
  let candidates p = if st.seats = 1 then [] else
    List.filter (fun q -> q <> p && st.member.(q) && not (far st.b q p)) (all_rows st) in
  let lonely p = if st.member.(p) then begin
    let few = candidates p in
    demand (List.length few < st.seats - 1) "row %d may be the pivot, and has no tree" p;
    why.(p) <- Kernel.Pivot (few, Kernel.Few)
  end in
  let pivot p =
    let some = candidates p and within = Array.make n false in
    List.iter (fun q -> within.(q) <- true) some;
    decide st p inside;
    why.(p) <- Kernel.Pivot (some, part st p within 0);
    decide st p 0 in
  let rec go first = match optional st.lines "pivot" with
    | None -> List.iter lonely (range first (n - 1))
    | Some words ->
      let p = natural (one "pivot" words) n in
      demand (p >= first && st.member.(p)) "row %d is crowded, has a label that does not answer, or does not follow the pivot before" p;
      List.iter lonely (range first (p - 1));
      pivot p;
      go (p + 1) in
  go 0;
  Array.to_list why

(* The rows that vote at z. *)
let nearest s z =
  let away = Array.map (fun row -> squared row z) s.m.data in
  let sorted = List.sort (fun p q -> compare (away.(p), p) (away.(q), q)) (range 0 (s.spec.rows - 1)) in
  let last = away.(List.nth sorted (s.m.k - 1)) *. (1. +. float_of_int (s.m.dim + 16) *. 0x1p-50) +. 0x1p-900 in
  let close = List.filter (fun p -> not (away.(p) > last)) sorted in
  let at_z = List.map (scaled s.k) (Array.to_list z) in
  let exactly = List.sort (fun (a, p) (b, q) -> let c = Z.compare a b in if c <> 0 then c else compare p q)
      (List.map (fun p -> Kernel.away Z.one at_z (s.units p), p) close) in
  List.filteri (fun i _ -> i < s.m.k) (List.map snd exactly)

(* Reads a claim and its proof, and checks them. Whether its example settles the radius. *)
let claim s lines =
  let h = Claims.head ~plain:true s.m.dim s.m.classes lines in
  let b = ball s h and k = Z.of_int s.k in
  let supports p = Kernel.answers h.said s.m.label.(p) in
  let seats, some = seats b in
  let st = { b; lines; seats; supports; member = Array.make s.spec.rows false; decided = Array.make s.spec.rows 0; sizes = Array.make 6 0 } in
  let settled = match h.label_example with
    | None -> false
    | Some (label, z) ->
      let rows = nearest s z and z = Claims.input s.m.dim z in
      demand (winner st rows = label && Kernel.stands_near s.spec k s.units h.said z rows)
        "the example does not answer, or lies outside the domain";
      Claims.settles (Kernel.as_model s.spec) (Kernel.frame k) h 0 z in
  let why = if some then reasons st else
    (* There are fewer supporting rows than seats. *)
    let all = List.filter supports (all_rows st) in
    List.map (fun p -> if supports p then Kernel.Pivot (List.filter (( <> ) p) all, Kernel.Few) else Kernel.Rival) (all_rows st) in
  demand (line lines "end" = []) "a word too many";
  demand (Kernel.accepts_near s.spec k s.units h.said seats why) "the claim is not proven";
  settled
