(* Rows of nearest neighbours, as facet's files and training sets have them. *)
open Input

type t = { dim : int; classes : int; k : int; data : float array array; label : int array }

(* Rows of a file of so many bytes, with so many classes at least. *)
let made dim k stored data label classes =
  let n = Array.length data in
  demand (dim > 0 && dim <= 131072) "%d features" dim;
  Array.iter (fun row -> demand (Array.length row = dim) "a row has %d features" (Array.length row)) data;
  demand (n * dim <= 1 lsl 23 + 3 * stored) "more than 2^23 numbers, and three for each byte of the file";
  demand (n > 0 && Array.length label = n && k > 0 && k <= n) "%d rows, %d labels, k is %d" n (Array.length label) k;
  let classes = Array.fold_left (fun n l -> demand (l >= 0) "a label is %d" l; max n (l + 1)) classes label in
  demand (classes <= 131072) "%d classes" classes;
  { dim; classes; k; data; label }

(* ---------------------------------------------------------------------------------------- training sets *)
let ranks labels =
  let numbers = List.for_all is_measured labels in
  (* Classes in their order. *)
  let rank_among values = let sorted = List.sort_uniq compare values in
    let places = Hashtbl.create 16 in
    List.iteri (fun i v -> Hashtbl.replace places v i) sorted;
    Array.of_list (List.map (Hashtbl.find places) values) in
  if numbers then rank_among (List.map (fun l -> measured l +. 0.) labels) else rank_among labels

(* The cells of a line of CSV. Those in double quotes may have commas, and a quote for two. *)
let cells line =
  let n = String.length line in
  let rec cell at found =
    let at = skip is_space line at in
    let stop = match String.index_from_opt line at ',' with Some i -> i | None -> n in
    if at < n && line.[at] = '"' then begin
      let buffer = Buffer.create 16 in
      let rec quoted i =
        demand (i < n) "a quote does not end";
        if line.[i] <> '"' then (Buffer.add_char buffer line.[i]; quoted (i + 1))
        else if i + 1 < n && line.[i + 1] = '"' then (Buffer.add_char buffer '"'; quoted (i + 2))
        else i + 1 in
      let behind = skip is_space line (quoted (at + 1)) in
      demand (behind = n || line.[behind] = ',') "text behind a quote";
      next behind (strip (Buffer.contents buffer) :: found)
    end else begin
      let text = String.sub line at (stop - at) in
      demand (not (String.contains text '"')) "a quote within a cell";
      next stop (strip text :: found)
    end
  and next at found = if at < n then cell (at + 1) found else List.rev found in
  cell 0 []

let of_csv lines =
  let width = ref 0 in
  List.filter_map (fun line ->
    let all = cells line in
    let header = !width = 0 && String.concat "" all <> "" && not (List.exists is_measured all) in
    if !width = 0 then width := List.length all;
    if header then None else begin
      demand (List.length all = !width && !width > 1 && !width <= 131073) "a line has %d cells" (List.length all);
      let reversed = List.rev all in
      Some (List.mapi (fun j w -> j, measured w) (List.rev (List.tl reversed)), List.hd reversed)
    end) lines, 0, fun () -> !width - 1

let of_libsvm lines =
  let base = ref 1 and most = ref 0 in
  let row line =
    match words (match String.index_opt line '#' with Some i -> String.sub line 0 i | None -> line) with
    | [] -> None
    | label :: rest ->
      demand (not (String.contains label ':')) "%.40S where the label is expected" label;
      let last = ref (-1) in
      let entry word =
        let colon = match String.index_opt word ':' with Some i -> i | None -> refuse "%.40S has no colon" word in
        let digits = String.sub word 0 colon in
        demand (colon > 0 && colon <= 1000 && skip is_digit digits 0 = colon) "the index of %.40S" word;
        let index = Z.of_string digits in
        demand (Z.leq index (Z.of_int 131072) && Z.to_int index > !last) "the index of %.40S is too large, or does not ascend" word;
        last := Z.to_int index;
        if !last = 0 then base := 0;
        most := max !most !last;
        !last, measured (String.sub word (colon + 1) (String.length word - colon - 1)) in
      Some (List.map entry rest, label) in
  let rows = List.filter_map row lines in
  rows, !base, fun () -> !most + 1 - !base

(* Reads a training set, of which k rows vote. *)
let read text stored k =
  demand (Json.is_utf8 text) "the file is not UTF-8";
  let mark = "\xef\xbb\xbf" in
  let text = if String.length text >= 3 && String.sub text 0 3 = mark then String.sub text 3 (String.length text - 3) else text in
  let lines = List.filter (( <> ) "") (List.map strip (String.split_on_char '\n' text)) in
  let rows, base, dim = match lines with
    | first :: _ when String.contains first ',' -> of_csv lines
    | _ -> of_libsvm lines in
  let dim = dim () in
  demand (dim > 0 && dim <= 131072 && List.length rows * dim <= 1 lsl 23 + 3 * stored) "%d features, or too many numbers" dim;
  let dense (entries, _) =
    let row = Array.make dim 0. in
    List.iter (fun (j, v) -> row.(j - base) <- v) entries; row in
  made dim k stored (Array.of_list (List.map dense rows)) (ranks (List.map snd rows)) 0
