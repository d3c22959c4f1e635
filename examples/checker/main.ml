(* facet-checked [PROOFS] --model FILE [--model FILE], or --train FILE --k K: checks what a file of proofs claims of a model, or
   of two, or of a training set of which K rows vote; without proofs, whether these can be read. *)
open Input
open Proofs

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
    | Some words, [ Either.Left s, sum ] ->
      about lines words [ sum ];
      let s = (if k <= s.k then s else subject s.m k) in
      all (fun () -> Claims.claim s kp lines)
    | Some words, [ Right m, sum ] ->
      about lines words [ sum ];
      let s = Neighbors.subject m k in
      all (fun () -> Neighbors.claim s lines)
    | Some _, _ -> refuse "proofs are about one model"
    | None, _ when String.length text > 14 && String.sub text 0 14 = "facet-pruning " ->
      (match models with
       | [ Right m, sum ] -> about ~key:"data" lines (line lines "facet-pruning") [ sum ]; Pruning.claim m lines; 1, 0
       | _ -> refuse "pruning is about a training set")
    | None, _ ->
      let words = match optional lines "facet-properties" with
        | Some words -> words
        | None -> refuse "a file of proofs begins with facet-proofs, facet-properties or facet-pruning" in
      about lines words (List.map snd models);
      let subjects = List.map (function Either.Left s, _ -> s.m | Right _, _ -> refuse "properties are about trees") models in
      let places = List.fold_left (fun n m -> max n (Model.value_places m)) 52 subjects in
      let k = List.fold_left (fun n m -> max n (Model.border_places m)) k subjects in
      let subjects = List.map (fun m -> subject ~places m k) subjects in
      all (fun () -> Properties.property (List.hd subjects) (List.nth_opt subjects 1) lines; false)
  with Refused reason -> refuse "line %d: %s" lines.number reason

let usage = "usage: facet-checked [PROOFS] --model FILE [--model FILE] | --train FILE --k K"

(* What the arguments name: proofs, models, a training set and how many of its rows vote. *)
let rec arguments proofs models train k = function
  | "--model" :: file :: rest -> arguments proofs (file :: models) train k rest
  | "--train" :: file :: rest when train = None -> arguments proofs models (Some file) k rest
  | "--k" :: n :: rest when k = None && int_of_string_opt n <> None -> arguments proofs models train (int_of_string_opt n) rest
  | flag :: _ when not (List.mem flag [ "--model"; "--train"; "--k" ]) && String.length flag > 1 && String.sub flag 0 2 = "--" ->
    if flag = "--help" then (print_endline usage; exit 0);
    prerr_endline ("facet-checked: there is no flag " ^ flag ^ "; " ^ usage); exit 2
  | file :: rest when String.sub (file ^ "  ") 0 2 <> "--" && proofs = None -> arguments (Some file) models train k rest
  | [] when train = None && k = None && models <> [] && List.length models <= 2 -> proofs, List.rev models, None
  | [] when train <> None && k <> None && models = [] -> proofs, [ Option.get train ], k
  | _ -> prerr_endline ("facet-checked: one or two models are to be named, or a training set; " ^ usage); exit 2

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 18; space_overhead = 300 };
  let proofs, files, k = arguments None [] None None (List.tl (Array.to_list Sys.argv)) in
  let failed code path reason = Printf.eprintf "facet-checked: %s %s\n" path reason; exit code in
  let reading = ref (List.hd files) in
  try
    let models = List.map (fun path ->
      reading := path;
      let text = content path and stored = (Unix.stat path).st_size in
      let m = match k with Some k -> Model.Neighbors (Rows.read text stored k) | None -> Model.read text stored in
      (match m with Trees m -> Either.Left (subject m 0) | Neighbors m -> Right m), sha256 text) files in
    Option.iter (fun path ->
      reading := path;
      let proven, settled = check (content path) models in
      Printf.printf "%d claims hold, %d radii are settled\n" proven settled) proofs
  with
  | Refused reason -> failed 1 !reading ("is refused: " ^ reason)
  | Beyond what -> failed 3 !reading ("is about " ^ what ^ ", of which nothing is proven")
  | Sys_error reason -> failed 2 "cannot read:" reason
  | Z.Overflow | Failure _ | Invalid_argument _ | Not_found -> failed 1 !reading "is refused: a number in it is too large, or missing"
  | Stack_overflow -> failed 2 !reading "is too deep for this stack (ulimit -s unlimited)"
