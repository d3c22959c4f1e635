(* Integers as Coq's program has them: those of zarith, with Coq's conventions where it has some. Trusted. *)
include Z

type positive = XI of positive | XO of positive | XH

let rec of_positive = function
  | XH -> one
  | XO p -> shift_left (of_positive p) 1
  | XI p -> succ (shift_left (of_positive p) 1)
let rec to_positive n =
  if equal n one then XH else
    let half = to_positive (shift_right n 1) in if is_odd n then XI half else XO half
let of_negative p = neg (of_positive p)
let cases zero positive negative n =
  if sign n = 0 then zero () else if sign n > 0 then positive (to_positive n) else negative (to_positive (neg n))

(* A power with a negative exponent is 0, and so is a quotient by 0, which leaves all for a remainder. *)
let power a n =
  if sign n < 0 then zero else if equal a (of_int 2) then shift_left one (to_int n) else pow a (to_int n)
let quotient a b = if sign b = 0 then zero else fdiv a b
let remainder a b = if sign b = 0 then a else sub a (mul b (fdiv a b))
let log2 n = if sign n <= 0 then zero else of_int (Stdlib.( - ) (numbits n) 1)
let signum n = of_int (sign n)
let count n = if sign n < 0 then 0 else to_int n
