(* Files and numbers, as docs/reference/proof-format.md describes them. *)
exception Refused of string                   (* what is read is wrong *)
exception Beyond of string                    (* what is read is not of a kind that is proven here *)

let refuse format = Printf.ksprintf (fun text -> raise (Refused text)) format
let demand holds format =
  if holds then Printf.ikfprintf ignore () format else Printf.ksprintf (fun text -> raise (Refused text)) format
(* Those of machine integers, which are quicker. *)
let max (a : int) b = if a > b then a else b
let min (a : int) b = if a < b then a else b
let range first last = List.init (max 0 (last - first + 1)) (fun i -> first + i)

(* A whole file, and what gzip packed in it, which its first two bytes tell. *)
let content path =
  let all channel =
    let buffer = Buffer.create 65536 and block = Bytes.create 65536 in
    let rec go () = match input channel block 0 65536 with 0 -> () | n -> Buffer.add_subbytes buffer block 0 n; go () in
    go ();
    Buffer.contents buffer in
  let plain = let c = open_in_bin path in let text = all c in close_in c; text in
  if String.length plain < 2 || String.sub plain 0 2 <> "\x1f\x8b" then plain
  else begin
    let c = Unix.open_process_args_in "gzip" [| "gzip"; "-dc"; path |] in
    let text = all c in
    demand (Unix.close_process_in c = Unix.WEXITED 0) "%s: gzip cannot unpack it" path;
    text
  end

(* SHA-256, as FIPS 180-4 has it: the constants are the first bits of roots of primes. *)
let sha256 text =
  let primes = List.filter (fun n -> List.for_all (fun d -> n mod d <> 0) (range 2 (n - 1))) (range 2 311) in
  let fraction r n = Z.to_int (Z.logand (Z.root (Z.shift_left (Z.of_int n) (32 * r)) r) (Z.of_int 0xffffffff)) in
  let k = Array.of_list (List.map (fraction 3) primes) in
  let h = Array.init 8 (fun i -> fraction 2 (List.nth primes i)) in
  let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land 0xffffffff in
  let size = String.length text in
  let blocks = (size + 8) / 64 + 1 in
  let byte i = if i < size then Char.code text.[i] else if i = size then 0x80
    else if i >= 64 * blocks - 8 then (8 * size) lsr (8 * (64 * blocks - 1 - i)) land 255 else 0 in
  let w = Array.make 64 0 in
  for block = 0 to blocks - 1 do
    for t = 0 to 63 do
      w.(t) <- if t < 16 then List.fold_left (fun n j -> n lsl 8 lor byte (64 * block + 4 * t + j)) 0 [0; 1; 2; 3]
        else let a = w.(t - 15) and b = w.(t - 2) in
          (w.(t - 16) + w.(t - 7) + (rotate a 7 lxor rotate a 18 lxor (a lsr 3)) + (rotate b 17 lxor rotate b 19 lxor (b lsr 10))) land 0xffffffff
    done;
    let s = Array.copy h in
    for t = 0 to 63 do
      let a = s.(0) and e = s.(4) in
      let first = s.(7) + (rotate e 6 lxor rotate e 11 lxor rotate e 25) + ((e land s.(5)) lxor (lnot e land s.(6))) + k.(t) + w.(t) in
      let second = (rotate a 2 lxor rotate a 13 lxor rotate a 22) + ((a land s.(1)) lxor (a land s.(2)) lxor (s.(1) land s.(2))) in
      Array.blit s 0 s 1 7;
      s.(4) <- (s.(4) + first) land 0xffffffff; s.(0) <- (first + second) land 0xffffffff
    done;
    Array.iteri (fun i v -> h.(i) <- (h.(i) + v) land 0xffffffff) s
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))

(* ---------------------------------------------------------------------------------------- words and numbers *)
let is_space c = c = ' ' || c = '\t' || c = '\r' || c = '\011' || c = '\012'
let strip text =
  let n = String.length text in
  let i = ref 0 and j = ref n in
  while !i < n && is_space text.[!i] do incr i done;
  while !j > !i && is_space text.[!j - 1] do decr j done;
  String.sub text !i (!j - !i)
let words text = List.filter (( <> ) "") (String.split_on_char ' ' (String.map (fun c -> if is_space c then ' ' else c) text))

(* How far a text goes on with characters of a kind. *)
let rec skip is text i = if i < String.length text && is text.[i] then skip is text (i + 1) else i
let is_digit c = '0' <= c && c <= '9'
let is_hex c = is_digit c || ('a' <= c && c <= 'f')
let after text i c = if i < String.length text && text.[i] = c then i + 1 else i
let exponent text i letters =
  if i < String.length text && String.contains letters text.[i] then
    let j = if i + 1 < String.length text && (text.[i + 1] = '+' || text.[i + 1] = '-') then i + 2 else i + 1 in
    let k = skip is_digit text j in if k > j then k else -1
  else i

(* The numbers of proofs: -? (inf | decimal | hexadecimal). *)
let is_float text =
  let n = String.length text in
  let i = after text 0 '-' in
  let body, digits, letters = if i + 1 < n && text.[i] = '0' && text.[i + 1] = 'x' then i + 2, is_hex, "p" else i, is_digit, "eE" in
  let j = skip digits text body in
  let k = if j < n && text.[j] = '.' then (let e = skip digits text (j + 1) in if e > j + 1 then e else -1) else j in
  n <= 1000 && (String.sub text i (n - i) = "inf" ||
    j > body && k >= 0 && (let e = exponent text k letters in e = n && (letters = "eE" || e > k)))
(* Those that people write: sign, digits before or behind a point, exponent. *)
let is_measured text =
  let n = String.length text in
  let i = max (after text 0 '+') (after text 0 '-') in
  let j = skip is_digit text i in
  let point = j < n && text.[j] = '.' in
  let k = if point then skip is_digit text (j + 1) else j in
  n <= 1000 && k - i > (if point then 1 else 0) && exponent text k "eE" = n
let finite v = Float.is_finite v
let parse_float word =
  demand (is_float word) "%.40S is no number" word;
  let v = float_of_string word in
  demand (finite v || String.contains word 'n') "%.40S is too large" word;
  v
let measured word =
  demand (is_measured word && finite (float_of_string word)) "%.40S is no finite number" word;
  float_of_string word
let natural word limit =
  let n = String.length word in
  demand (n > 0 && n <= 9 && skip is_digit word 0 = n && (n = 1 || word.[0] <> '0') && int_of_string word < limit)
    "%.40S is no number from 0 to %d" word (limit - 1);
  int_of_string word
(* An integer in a text, where a plus and leading zeros do not matter. *)
let integer text =
  let i = max (after text 0 '+') (after text 0 '-') in
  demand (skip is_digit text i = String.length text && String.length text > i && String.length text <= 1000) "%.40S is no integer" text;
  let n = Z.of_string (if text.[0] = '+' then String.sub text 1 (String.length text - 1) else text) in
  demand (Z.fits_int32 n) "%.40S is too large" text;
  Z.to_int n

(* ---------------------------------------------------------------------------------------- floats *)
let single v = Int32.float_of_bits (Int32.bits_of_float v)
(* The float32 next to one, on either side. *)
let order32 v = let n = Int32.to_int (Int32.bits_of_float (Float.abs v)) land 0x7fffffff in if v >= 0. then n else -n
let next32 v step =
  let n = order32 v + step in
  let w = Int32.float_of_bits (Int32.of_int (abs n)) in if n >= 0 then w else -.w
(* The decimal number in a text, exactly. *)
let rational text =
  let sign, text = if text.[0] = '-' then Q.minus_one, String.sub text 1 (String.length text - 1) else Q.one, text in
  let mantissa, ten = match String.index_opt (String.lowercase_ascii text) 'e' with
    | Some i -> let e = String.sub text (i + 1) (String.length text - i - 1) in
      String.sub text 0 i, int_of_string (if e.[0] = '+' then String.sub e 1 (String.length e - 1) else e)
    | None -> text, 0 in
  let behind = match String.index_opt mantissa '.' with Some i -> String.length mantissa - i - 1 | None -> 0 in
  let digits = "0" ^ String.concat "" (String.split_on_char '.' mantissa) in
  let power = Q.of_bigint (Z.pow (Z.of_int 10) (abs (ten - behind))) in
  Q.mul sign ((if ten >= behind then Q.mul else Q.div) (Q.of_string digits) power)
(* The float32 nearest to the number in a text, not by way of a float64: where that lies half way, the number decides. *)
let single_of text =
  let v = float_of_string text in
  let r = single v in
  let r = if r = v || not (finite v) || Float.abs v < 1e-50 || Float.abs v > 1e39 then r else
    let other = next32 r (if v > r then 1 else -1) in
    let exact = rational text in
    let distance w = Q.abs (Q.sub (Q.of_float w) exact) in
    let c = if finite r && finite other then Q.compare (distance r) (distance other) else 0 in
    if c > 0 || c = 0 && finite other && order32 other land 1 = 0 && Q.equal (distance r) (distance other) then other else r in
  demand (finite r) "%.40S is no float32" text;
  r

(* A float as the specification has it. *)
let number v =
  if v = 0. then { Kernel.mant = Z.zero; expo = Z.zero } else
    let fraction, e = Float.frexp v in
    let m = Z.of_float (Float.ldexp fraction 53) in
    let zeros = Z.trailing_zeros m in
    { Kernel.mant = Z.shift_right m zeros; expo = Z.of_int (e - 53 + zeros) }
(* How many binary places it has behind the point, at least 0; and as an integer in units of 2^-places. *)
let places v = if finite v then max 0 (- Z.to_int (number v).expo) else 0
let most_places values = List.fold_left (fun n v -> max n (places v)) 0 values
let scaled k v = let n = number v in Z.shift_left n.mant (Z.to_int n.expo + k)
