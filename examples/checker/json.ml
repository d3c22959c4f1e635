(* JSON as RFC 8259 has it, in which no object has a key twice. Numbers stay texts. *)
open Input

type t = Null | Truth of bool | Number of string | Text of string | Array of t list | Object of (string * t) list

let utf8 buffer code =
  let add n = Buffer.add_char buffer (Char.chr n) in
  let tail shift = add (0x80 lor (code lsr shift) land 0x3f) in
  if code < 0x80 then add code
  else if code < 0x800 then (add (0xc0 lor code lsr 6); tail 0)
  else if code < 0x10000 then (add (0xe0 lor code lsr 12); tail 6; tail 0)
  else (add (0xf0 lor code lsr 18); tail 12; tail 6; tail 0)
let is_utf8 text =
  let at i = if i < String.length text then Char.code text.[i] else 0 in
  let tail i = at i land 0xc0 = 0x80 in
  let rec go i =
    i >= String.length text ||
    let c = at i in
    if c < 0x80 then go (i + 1)
    else if c >= 0xc2 && c < 0xe0 then tail (i + 1) && go (i + 2)
    else if c >= 0xe0 && c < 0xf0 then
      tail (i + 1) && tail (i + 2) && (c <> 0xe0 || at (i + 1) >= 0xa0) && (c <> 0xed || at (i + 1) < 0xa0) && go (i + 3)
    else c >= 0xf0 && c < 0xf5 && tail (i + 1) && tail (i + 2) && tail (i + 3) &&
      (c <> 0xf0 || at (i + 1) >= 0x90) && (c <> 0xf4 || at (i + 1) < 0x90) && go (i + 4) in
  go 0

let parse text =
  demand (is_utf8 text) "the file is not UTF-8";
  let at = ref 0 and n = String.length text in
  let peek () = if !at < n then text.[!at] else '\000' in
  let space () = at := skip (fun c -> c = ' ' || c = '\t' || c = '\r' || c = '\n') text !at in
  let expect c = demand (!at < n && text.[!at] = c) "byte %d of JSON: %C is expected" !at c; incr at in
  let word w v = demand (!at + String.length w <= n && String.sub text !at (String.length w) = w) "byte %d is none that JSON has there" !at;
    at := !at + String.length w; v in
  let hex () =
    demand (!at + 4 <= n && skip (fun c -> is_hex (Char.lowercase_ascii c)) (String.sub text !at 4) 0 = 4) "an escape needs four digits";
    at := !at + 4; int_of_string ("0x" ^ String.sub text (!at - 4) 4) in
  let escape buffer = match peek () with
    | 'u' -> incr at;
      let code = hex () in
      if code lsr 10 = 0x36 && !at + 1 < n && text.[!at] = '\\' && text.[!at + 1] = 'u' then begin
        let here = !at in
        at := here + 2;
        let low = hex () in
        if low lsr 10 = 0x37 then utf8 buffer (0x10000 + (code land 0x3ff) lsl 10 + low land 0x3ff)
        else (at := here; utf8 buffer 0xfffd)
      end else utf8 buffer (if code lsr 11 = 0x1b then 0xfffd else code)
    | c -> incr at;
      Buffer.add_char buffer (match c with 'b' -> '\b' | 'f' -> '\012' | 'n' -> '\n' | 'r' -> '\r' | 't' -> '\t'
        | '"' | '\\' | '/' -> c | _ -> refuse "%C is no escape" c) in
  let rec text_of buffer =
    demand (!at < n && text.[!at] >= ' ') "a text has no end, or a control character";
    match text.[!at] with
    | '"' -> incr at; Buffer.contents buffer
    | '\\' -> incr at; escape buffer; text_of buffer
    | c -> incr at; Buffer.add_char buffer c; text_of buffer in
  let number () =
    let first = !at in
    let body = after text first '-' in
    if peek () = '-' && body < n && text.[body] = 'I' then (at := body; Number ("-" ^ word "Infinity" "Infinity")) else begin
      let j = skip is_digit text body in
      demand (j > body && (text.[body] <> '0' || j = body + 1)) "byte %d is none that JSON has there" !at;
      let k = if j < n && text.[j] = '.' then skip is_digit text (j + 1) else j in
      let e = exponent text k "eE" in
      demand (k <> j + 1 && e >= 0 && e - first <= 1000) "a number of JSON is wrong, or longer than 1000 bytes";
      at := e; Number (String.sub text first (e - first))
    end in
  let items close depth item =
    demand (depth <= 100) "more than 100 arrays and objects within each other";
    space ();
    if peek () = close then (incr at; []) else
      let rec go found =
        let found = item () :: found in
        if peek () = ',' then (incr at; go found) else (expect close; List.rev found) in
      go [] in
  let rec value depth =
    space ();
    let v = match peek () with
      | '{' -> incr at; Object (members (depth + 1))
      | '[' -> incr at; Array (elements (depth + 1))
      | '"' -> incr at; Text (text_of (Buffer.create 16))
      | 't' -> word "true" (Truth true) | 'f' -> word "false" (Truth false) | 'n' -> word "null" Null
      | 'N' -> word "NaN" (Number "NaN") | 'I' -> word "Infinity" (Number "Infinity")
      | _ -> number () in
    space (); v
  and elements depth = items ']' depth (fun () -> value depth)
  and members depth =
    let seen = Hashtbl.create 8 in
    items '}' depth (fun () ->
      space (); expect '"';
      let key = text_of (Buffer.create 16) in
      demand (not (Hashtbl.mem seen key)) "the key %.40S is there twice" key;
      Hashtbl.add seen key ();
      space (); expect ':';
      (key, value depth)) in
  let v = value 0 in
  demand (!at = n) "byte %d of JSON: text behind the end" !at;
  v

(* ---------------------------------------------------------------------------------------- what is expected of values *)
let get key members = List.assoc_opt key members
let find key members = Option.value (get key members) ~default:Null
(* The members of an object, none of nothing. What is not known may change what a model predicts. *)
let members keys = function
  | Null -> []
  | Object found -> List.iter (fun (key, _) -> demand (List.mem key keys) "the key %.40S is unknown" key) found; found
  | _ -> refuse "an object is expected"
let array read = function Null -> [] | Array found -> List.map read found | _ -> refuse "an array is expected"
let float = function
  | Number text when text.[String.length text - 1] <> 'y' && text <> "NaN" ->
    let v = float_of_string text in demand (finite v) "%.40S is too large" text; v
  | _ -> refuse "a number is expected"
let int = function
  | Number text when skip is_digit text (after text 0 '-') = String.length text -> integer text
  | _ -> refuse "an integer is expected"
let text = function Null -> "" | Text text -> text | _ -> refuse "a text is expected"
let truth = function Null -> false | Truth v -> v | _ -> refuse "a truth is expected"
