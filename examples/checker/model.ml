(* Models, of trees that test one feature and of neighbours: facet's own files, scikit-learn's export, XGBoost's JSON and LightGBM's text. *)
open Input

type tree = Leaf of float array | Node of int * (float * bool) list * tree * tree
type t = {
  dim : int; classes : int; trees : tree list; base : float array; vote : Kernel.vote; single : bool;
  borders : (float * bool) array array;       (* of each feature, ascending, the open one of two first *)
}

(* What a file is of. *)
type file = Trees of t | Neighbors of Rows.t

(* ---------------------------------------------------------------------------------------- borders *)
(* The border of a threshold. It may be infinite: then all go one way. *)
let border comparison t =
  let strict = String.sub comparison (String.length comparison - 3) 3 = "< t" in
  demand (not (Float.is_nan t) && (comparison.[0] <> 'x' || t > neg_infinity)) "the threshold %h" t;
  if comparison.[0] = 'x' || (not (finite t) && strict = (t < 0.)) then t, not strict
  else
    let p = single t in
    let p = if p > t || (strict && p = t) then next32 p (-1) else p in
    let q = if p = infinity then p else next32 p 1 in
    if p = infinity then p, true else
      let end_ = (Float.max p (-0x1p128) +. Float.min q 0x1p128) /. 2. in
      end_, single end_ = p
let ascends borders = List.for_all2 (fun a b -> compare a b < 0)
    (List.filteri (fun i _ -> i + 1 < List.length borders) borders) (List.tl borders)

(* A test whose borders may be infinite. *)
let rec test f borders l r = match borders with
  | (e, _) :: rest when e = neg_infinity -> test f rest r l
  | [] -> l
  | _ ->
    let rec upto = function (e, _) :: _ when e = infinity -> [] | b :: rest -> b :: upto rest | [] -> [] in
    match upto borders with [] -> l | finite -> Node (f, finite, l, r)

(* A tree from arrays: node 0 reaches all but the deleted ones, each node but that has one parent. *)
let grow left right deleted make value =
  let n = Array.length left in
  let seen = Array.make n false and reached = ref 0 in
  let rec visit i depth =
    demand (i >= 0 && i < n && not seen.(i) && depth <= 100_000) "child %d is none, another's child, or too deep" i;
    seen.(i) <- true; incr reached;
    if left.(i) < 0 && right.(i) < 0 then Leaf (value i) else
      let f, borders = make i in
      let l = visit left.(i) (depth + 1) in
      let r = visit right.(i) (depth + 1) in
      test f borders l r in
  let tree = visit 0 0 in
  demand (!reached + deleted = n) "the root reaches %d of %d nodes" !reached n;
  tree

let alone classes c v =
  demand (c >= 0 && c < classes) "a tree adds to class %d" c;
  Array.init classes (fun i -> if i = c then v else 0.)

let made dim classes trees base vote single_sums =
  demand (dim > 0 && dim <= 131072 && classes > 0 && classes <= 131072 && trees <> []) "%d features, %d classes" dim classes;
  let round v = if single_sums && vote <> Kernel.Hard then single v else v in
  let checked values =
    demand (Array.length values = classes) "%d values of %d classes" (Array.length values) classes;
    Array.map (fun v -> let r = round v in demand (finite r) "the value %h" v; r) values in
  let found = Array.init dim (fun _ -> Hashtbl.create 8) in
  let rec walk = function
    | Leaf values -> Leaf (checked values)
    | Node (f, borders, l, r) ->
      demand (f >= 0 && f < dim) "feature %d of %d" f dim;
      List.iter (fun b -> Hashtbl.replace found.(f) b ()) borders;
      let l = walk l in
      Node (f, borders, l, walk r) in
  let trees = List.map walk trees in
  let sorted table = let all = Array.of_seq (Hashtbl.to_seq_keys table) in Array.sort compare all; all in
  { dim; classes; trees; base = checked base; vote; single = single_sums; borders = Array.map sorted found }

(* ---------------------------------------------------------------------------------------- facet and scikit-learn *)
let vote_of name divisor count = match name with
  | "hard" -> Kernel.Hard
  | "soft" ->
    let d = if divisor = 0. then float_of_int count else divisor in
    demand (d > float_of_int count /. 2. && d <= float_of_int count) "the divisor is %h of %d trees" d count;
    if Float.is_integer d then Kernel.Soft (Z.of_float d) else raise (Beyond "a divisor that is not whole")
  | "sum" -> Kernel.Sum
  | "logistic" -> Kernel.Logistic | _ -> Kernel.Softmax

let sklearn_keys = words "format version n_features feature_names classes class_names trees boosting sklearn"
let facet_keys = words "format version kind n_features feature_names categories category_names classes class_names comparison vote \
  base single divisor any_order probability scale link trees k rows labels"
let tree_keys = words "feature weights threshold thresholds infinite left right missing_left value"

let of_arrays top stored =
  let open Json in
  let sklearn = text (find "format" (members (List.map fst (match top with Object m -> m | _ -> [])) top)) = "sklearn-tree-ensemble" in
  let m = members (if sklearn then sklearn_keys else facet_keys) top in
  demand (int (find "version" m) = 1) "the version is not 1";
  let kind = if sklearn then "sklearn" else text (find "kind" m) in
  (match sklearn, text (find "format" m), kind with
   | true, _, _ | _, "facet-model", ("tree" | "ensemble" | "regressor" | "knn") -> ()
   | _, "oblique-tree-ensemble", _ | _, "facet-model", ("oblique-tree" | "oblique-ensemble") -> raise (Beyond "oblique trees")
   | _, format, _ -> refuse "unknown format %.40S, kind %.40S" format kind);
  let dim = int (find "n_features" m) in
  let fit what list = demand (List.length list = 0 || List.length list = dim) "%d %s" (List.length list) what in
  let ascending = array float (find "classes" m) and names = array text (find "class_names" m) in
  demand (ascending = [] || ascends ascending) "classes are not ascending";
  demand (ascending = [] || names = [] || List.length names = List.length ascending) "as many names as classes are wanted";
  demand (not (List.mem "" names) && List.length (List.sort_uniq compare names) = List.length names) "a class name is empty, or there twice";
  fit "feature_names" (array text (find "feature_names" m));
  let codes = array int (find "categories" m) in
  fit "categories" codes;
  demand (List.for_all (fun n -> n >= 0 && n <= 1 lsl 20) codes) "a number of codes is wrong";
  fit "category_names" (array (array text) (find "category_names" m));
  if kind = "knn" then
    let labels = Array.of_list (array int (find "labels" m)) in
    let known = List.length names in
    Array.iter (fun l -> demand (known = 0 || l < known) "a row has the label %d, and there are %d class_names" l known) labels;
    Neighbors (Rows.made dim (int (find "k" m)) stored
      (Array.of_list (List.map Array.of_list (array (array float) (find "rows" m)))) labels (max (List.length ascending) known))
  else
  let trees = array (members tree_keys) (find "trees" m) in
  let count = List.length trees and lone = kind = "tree" in
  demand (count = 1 || (count > 1 && not lone)) "%d trees" count;
  let regressor = kind = "regressor" in
  let vote = if sklearn then "soft" else match text (find "vote" m) with "" when not regressor -> "soft" | v -> v in
  demand (List.mem vote [ "soft"; "hard"; "sum"; "logistic"; "softmax" ]) "unknown vote %.40S" vote;
  let comparison = if sklearn then "float32(x) <= t" else text (find "comparison" m) in
  demand (List.mem comparison [ "float32(x) <= t"; "x <= t"; "float32(x) < t"; "x < t" ]) "comparison %.40S" comparison;
  demand (not regressor || (List.mem (text (find "link" m)) [ ""; "exp"; "sigmoid"; "signed-square"; "rest"; "sigmoid-rest"; "sigmoid-folded" ]
    && (vote = "soft" || vote = "sum") && ascending = [] && names = [])) "link, vote or classes of a regressor";
  let classes = if regressor then 1 else if ascending <> [] then List.length ascending else List.length names in
  demand (classes > 0 || not sklearn) "no classes";
  let divisor = match get "divisor" m with Some v -> float v | None -> 0. in
  let single = truth (find "single" m) and _ = truth (find "any_order" m) in
  let base = match find "base" m with Null -> None | v -> Some (array float v) in
  let vote, base, single, divisor = if lone then "hard", None, false, 0. else vote, base, single, divisor in
  demand (base = None || (base <> Some [] && not (List.mem vote [ "soft"; "hard" ]))) "a vote with base values";
  demand (divisor = 0. || vote = "soft") "a vote with a divisor";
  (* scikit-learn's boosting: each tree adds its value, times a rate, to one class. *)
  let boosting = members (words "init learning_rate class decision scale") (find "boosting" m) in
  let boosted = boosting <> [] || find "boosting" m <> Null in
  let adds = Array.of_list (array int (find "class" boosting)) in
  let vote, base = if not boosted then vote, base else begin
    let init = array float (find "init" boosting) and decision = text (find "decision" boosting) in
    demand (List.mem decision [ "probability"; "sum" ] && List.length init = classes && classes > 1 && Array.length adds = count)
      "init, class or decision of boosting";
    demand (classes > 2 || (List.hd init = 0. && not (Array.mem 0 adds))) "class 0 of two has a sum";
    match classes, decision with
    | 2, "sum" -> "sum", Some (-0x1p-1074 :: List.tl init)
    | 2, _ -> "logistic", Some init
    | _, "sum" -> "sum", Some init
    | _ -> "softmax", Some init
  end in
  let width = ref (if boosted then 1 else classes) in
  let read t m =
    let ints key = Array.of_list (array int (find key m)) and floats key = Array.of_list (array float (find key m)) in
    let lists key = Array.of_list (List.map Array.of_list (array (array float) (find key m))) in
    let feature = ints "feature" and infinite = ints "infinite" and left = ints "left" and right = ints "right" in
    let threshold = floats "threshold" and values = lists "value" and sets = lists "thresholds" in
    let n = Array.length left in
    let some k = k = 0 || k = n in
    demand (Array.length feature = n && Array.length threshold = n && Array.length right = n && Array.length values = n
            && lists "weights" = [||] && some (Array.length infinite) && some (Array.length sets)
            && some (List.length (array truth (find "missing_left" m)))) "tree %d: arrays of different lengths" t;
    let set i = sets <> [||] && sets.(i) <> [||] in
    Array.iteri (fun i v ->
      if !width = 0 then width := Array.length v;
      demand (Array.length v = !width && !width > 0) "tree %d: %d values of node %d" t (Array.length v) i;
      let leaf = left.(i) < 0 && right.(i) < 0 in
      demand (leaf || (left.(i) > i && right.(i) > i)) "tree %d: a child of node %d comes before it" t i;
      demand (not (set i) || (not leaf && Array.length sets.(i) > 1 && (infinite = [||] || infinite.(i) = 0)))
        "tree %d: thresholds of node %d" t i) values;
    grow left right 0 (fun i ->
      let at = if infinite <> [||] && infinite.(i) <> 0 then Float.copy_sign infinity (float_of_int infinite.(i)) else threshold.(i) in
      let borders = List.map (border comparison) (if set i then Array.to_list sets.(i) else [ at ]) in
      demand (ascends borders) "tree %d: thresholds of node %d do not ascend" t i;
      feature.(i), borders)
      (fun i -> if boosted then alone classes adds.(t) (float (find "learning_rate" boosting) *. values.(i).(0)) else values.(i)) in
  let trees = List.mapi read trees in
  let classes = if classes > 0 then classes else !width in
  let base = match base with Some b -> Array.of_list b | None -> Array.make classes 0. in
  Trees (made dim classes trees base (vote_of vote divisor count) single)

(* ---------------------------------------------------------------------------------------- XGBoost *)
(* The logarithm of a float32 as the C library that XGBoost calls rounds it: tables of a reciprocal and a logarithm. *)
let logs = [|
  0x1.661ec79f8f3bep+0, -0x1.57bf7808caadep-2; 0x1.571ed4aaf883dp+0, -0x1.2bef0a7c06ddbp-2; 0x1.49539f0f010bp+0, -0x1.01eae7f513a67p-2;
  0x1.3c995b0b80385p+0, -0x1.b31d8a68224e9p-3; 0x1.30d190c8864a5p+0, -0x1.6574f0ac07758p-3; 0x1.25e227b0b8eap+0, -0x1.1aa2bc79c81p-3;
  0x1.1bb4a4a1a343fp+0, -0x1.a4e76ce8c0e5ep-4; 0x1.12358f08ae5bap+0, -0x1.1973c5a611cccp-4; 0x1.0953f419900a7p+0, -0x1.252f438e10c1ep-5;
  0x1p+0, 0x0p+0; 0x1.e608cfd9a47acp-1, 0x1.aa5aa5df25984p-5; 0x1.ca4b31f026aap-1, 0x1.c5e53aa362eb4p-4;
  0x1.b2036576afce6p-1, 0x1.526e57720db08p-3; 0x1.9c2d163a1aa2dp-1, 0x1.bc2860d22477p-3; 0x1.886e6037841edp-1, 0x1.1058bc8a07ee1p-2;
  0x1.767dcf5534862p-1, 0x1.4043057b6ee09p-2 |]
let logf o =
  let bits = Int32.to_int (Int32.bits_of_float o) land 0xffffffff in
  let shifted = (bits - 0x3f330000) land 0xffffffff in
  let inverse, log = logs.((shifted lsr 19) land 15) in
  let k = (shifted lsr 23) - if shifted lsr 31 = 1 then 512 else 0 in
  let z = Int32.float_of_bits (Int32.of_int ((bits - (shifted land 0xff800000)) land 0xffffffff)) in
  let r = Float.fma z inverse (-1.) in
  let s = Float.fma (float_of_int k) 0x1.62e42fefa39efp-1 log +. r in
  let y = Float.fma 0x1.5575b0be00b6ap-2 r (-0x1.ffffef20a4123p-2) in
  single (Float.fma (Float.fma (-0x1.00ea348b88334p-2) (r *. r) y) (r *. r) s)

let base_score text groups clamped =
  let n = String.length text in
  demand (n > 0 && (text.[0] <> '[' || (n > 1 && text.[n - 1] = ']'))) "base_score: %.40S" text;
  let text = if text.[0] = '[' then String.sub text 1 (n - 2) else text in
  let read word = let word = strip word in demand (is_measured word) "base_score: %.40S is no number" word;
    single_of (if word.[0] = '+' then String.sub word 1 (String.length word - 1) else word) in
  let base = Array.of_list (List.map read (String.split_on_char ',' text)) in
  let base = if Array.length base = 1 then Array.make groups base.(0) else base in
  demand (Array.length base = groups) "base_score has %d numbers" (Array.length base);
  if groups > 1 then base else
    let p = base.(0) and least = single 1e-6 in
    let q = Float.min (Float.max p least) (single (1. -. least)) in
    demand (p >= 0. && p <= 1. && (p = q || clamped)) "base_score %h is no probability" p;
    [| 0.; -.logf (single (single (1. /. q) -. 1.)) |]

let xgboost_tree_keys = words "tree_param left_children right_children split_indices split_conditions default_left split_type base_weights \
  id loss_changes parents sum_hessian leaf_child_counts categories categories_nodes categories_segments categories_sizes"
let of_xgboost top =
  let open Json in
  let given key m = match get key m with Some Null -> refuse "null for %s" key | v -> Option.value v ~default:Null in
  let inside keys key m = members (words keys) (given key m) in
  let texts keys key m =
    List.map (fun (key, v) -> match v with Text t -> key, t | _ -> refuse "%s is no text" key)
      (match keys with Some keys -> inside keys key m | None -> (match given key m with Object found -> found | Null -> [] | _ -> refuse "%s" key)) in
  let count key m missing = match List.assoc_opt key m with Some t -> integer t | None -> missing in
  let ints key m = Array.of_list (array int (given key m)) in
  let learner = inside "learner_model_param attributes gradient_booster feature_names objective feature_types" "learner" (members [ "learner"; "version" ] top) in
  let version = array int (given "version" (members [ "learner"; "version" ] top)) in
  demand (version <> [] && List.hd version >= 1 && List.hd version <= 3) "the version is none that is known";
  let params = texts (Some "num_class num_feature num_target base_score boost_from_average") "learner_model_param" learner in
  let attributes = texts None "attributes" learner in
  let booster = inside "model name weight_drop gbtree" "gradient_booster" learner in
  let m = inside "gbtree_model_param tree_info trees iteration_indptr weight_drop cats" "model" booster in
  let size = texts (Some "num_parallel_tree num_trees size_leaf_vector") "gbtree_model_param" m in
  ignore (array (function Text t -> t | _ -> refuse "a name is no text") (given "feature_names" learner));
  let objective = text (given "name" (inside "name reg_loss_param softmax_multiclass_param" "objective" learner)) in
  let trees = array (members xgboost_tree_keys) (given "trees" m) and info = ints "tree_info" m in
  let n = List.length trees and num_class = count "num_class" params 0 in
  let groups = max 1 num_class and dim = count "num_feature" params 0 in
  let vote = match objective with "binary:logistic" -> Kernel.Logistic | "multi:softmax" -> Kernel.Sum
    | "multi:softprob" -> Kernel.Softmax | _ -> refuse "objective %.40S" objective in
  demand (num_class >= 0 && num_class <= max n 1 && text (given "name" booster) = "gbtree" && get "weight_drop" booster = None
          && get "weight_drop" m = None && count "num_target" params 1 <= 1 && (vote = Kernel.Logistic) = (groups = 1))
    "another booster, or several labels a row";
  let base = base_score (Option.value (List.assoc_opt "base_score" params) ~default:"") groups (compare version [ 3; 2 ] >= 0) in
  let round = groups * max 1 (count "num_parallel_tree" size 1) in
  demand (n > 0 && n mod round = 0 && Array.length info = n && count "num_trees" size n = n) "%d trees in rounds of %d" n round;
  Array.iteri (fun i before -> demand (before = min (i * round) n) "%d trees before round %d" before i) (ints "iteration_indptr" m);
  let best = match List.assoc_opt "scikit_learn" attributes with
    | None -> n / round - 1
    | Some own ->
      let mark = "\"missing\":" in
      let rec at i = if i + String.length mark > String.length own then None
        else if String.sub own i (String.length mark) = mark then Some (i + String.length mark) else at (i + 1) in
      (match at 0 with None -> () | Some i ->
         let j = skip (( = ) ' ') own i in
         let k = if j + 3 <= String.length own && String.sub own j 3 = "NaN" then skip (( = ) ' ') own (j + 3) else String.length own in
         demand (k < String.length own && (own.[k] = ',' || own.[k] = '}')) "another value than NaN is missing");
      count "best_iteration" attributes (n / round - 1) in
  demand (best >= 0 && best < n / round) "best_iteration is %d" best;
  let classes = max 2 groups in
  let read t m =
    let left = ints "left_children" m and right = ints "right_children" m and feature = ints "split_indices" m and kinds = ints "split_type" m in
    let condition = Array.of_list (array (function Number "NaN" -> nan | Number "Infinity" -> infinity | Number "-Infinity" -> neg_infinity
      | Number text -> single_of text | _ -> refuse "a condition is no number") (given "split_conditions" m)) in
    let flags = array (function Truth v -> v | Number "0" -> false | Number "1" -> true | _ -> refuse "default_left") (given "default_left" m) in
    let params = texts (Some "size_leaf_vector num_nodes num_deleted num_feature") "tree_param" m in
    let n = Array.length left in
    demand (count "size_leaf_vector" params 0 <= 1 && Array.for_all (( = ) 0) kinds) "tree %d: categorical splits, or leaves of several values" t;
    demand (Array.length right = n && Array.length feature = n && Array.length condition = n && List.length flags = n
            && (Array.length kinds = n || kinds = [||]) && count "num_nodes" params n = n) "tree %d: arrays of different lengths" t;
    demand (info.(t) >= 0 && info.(t) < groups) "tree_info is %d" info.(t);
    Array.iteri (fun i f -> demand ((left.(i) < 0 && right.(i) < 0) || (f >= 0 && f < dim)) "tree %d: feature %d" t f) feature;
    grow left right (count "num_deleted" params 0) (fun i -> feature.(i), [ border "float32(x) < t" condition.(i) ])
      (fun i -> alone classes (if groups = 1 then 1 else info.(t)) condition.(i)) in
  made dim classes (List.filteri (fun t _ -> t < (best + 1) * round) (List.mapi read trees)) base vote true

(* ---------------------------------------------------------------------------------------- LightGBM *)
let lightgbm_head = words "version num_class num_tree_per_iteration max_feature_idx objective average_output feature_names tree_sizes \
  feature_infos label_index monotone_constraints"
let lightgbm_tree = words "num_leaves num_cat is_linear split_feature threshold decision_type left_child right_child leaf_value \
  cat_boundaries cat_threshold split_gain leaf_weight leaf_count internal_value internal_weight internal_count shrinkage leaf_const \
  num_features leaf_features leaf_coeff"
let of_lightgbm text =
  let head = Hashtbl.create 16 and parts = ref [] and ended = ref false in
  List.iteri (fun i line ->
    let line = strip line in
    let key, value = match String.index_opt line '=' with
      | Some at -> String.sub line 0 at, Some (String.sub line (at + 1) (String.length line - at - 1)) | None -> line, None in
    if i = 0 || line = "" || !ended then () else if line = "end of trees" then ended := true
    else if key = "Tree" then begin
      demand (value = Some (string_of_int (List.length !parts))) "tree %.40S is out of order" line;
      parts := Hashtbl.create 16 :: !parts
    end else begin
      let table, known = match !parts with [] -> head, lightgbm_head | part :: _ -> part, lightgbm_tree in
      demand ((value <> None || !parts = []) && not (Hashtbl.mem table key)) "line %d: %.40S again, or without =" (i + 1) key;
      demand (List.mem key known) "line %d: %.40S is unknown" (i + 1) key;
      Hashtbl.add table key (Option.value value ~default:"")
    end) (String.split_on_char '\n' text);
  demand !ended "the file ends before \"end of trees\"";
  let parts = List.rev !parts in
  let get table key = Option.value (Hashtbl.find_opt table key) ~default:"" in
  let count table key missing = match Hashtbl.find_opt table key with Some t -> integer t | None -> missing in
  let column table key n read =
    let found = words (get table key) in
    demand (List.length found = n) "%s has %d words, not %d" key (List.length found) n;
    Array.of_list (List.map read found) in
  let groups = count head "num_class" 0 and dim = count head "max_feature_idx" (-1) + 1 and n = List.length parts in
  demand (List.mem (get head "version") [ "v3"; "v4" ] && not (Hashtbl.mem head "average_output")) "another version, or a random forest";
  demand (groups > 0 && count head "num_tree_per_iteration" groups = groups && n > 0 && n mod groups = 0) "%d trees in rounds of %d" n groups;
  if Hashtbl.mem head "tree_sizes" then ignore (column head "tree_sizes" n Fun.id);
  if Hashtbl.mem head "feature_names" then ignore (column head "feature_names" dim Fun.id);
  let objective = strip (get head "objective") and classes = max 2 groups in
  let vote, base =
    if groups = 1 && String.length objective > 15 && String.sub objective 0 15 = "binary sigmoid:" then begin
      let sigmoid = measured (String.sub objective 15 (String.length objective - 15)) in
      demand (sigmoid > 0.) "sigmoid is %h" sigmoid;
      if sigmoid = 1. then Kernel.Logistic, [| 0.; 0. |] else
        (* Label 1 wins iff its margin exceeds the largest that is not enough. *)
        let enough a = not (a *. sigmoid <= 0x1.8p-53) in
        let rec search low high =           (* bits of floats: low is not enough, high is *)
          if Int64.sub high low = 1L then Int64.float_of_bits low else
            let middle = Int64.add low (Int64.div (Int64.sub high low) 2L) in
            if enough (Int64.float_of_bits middle) then search low middle else search middle high in
        Kernel.Sum, [| (if enough max_float then search 0L (Int64.bits_of_float max_float) else max_float); 0. |]
    end else begin
      demand (groups > 1 && objective = Printf.sprintf "multiclass num_class:%d" groups) "objective %.40S" objective;
      Kernel.Softmax, Array.make classes 0.
    end in
  let zero = single 1e-35 in
  let read t part =
    let leaves = count part "num_leaves" 0 in
    demand (count part "num_cat" (-1) = 0 && count part "is_linear" 0 = 0 && leaves > 0) "tree %d is categorical or linear" t;
    let column key n read = column part key n read in
    let feature = column "split_feature" (leaves - 1) integer and kind = column "decision_type" (leaves - 1) integer in
    let threshold = column "threshold" (leaves - 1) (function "inf" -> infinity | word -> measured word) in
    let value = column "leaf_value" leaves measured in
    (* Leaf i is node leaves - 1 + i. *)
    let children key = Array.append (Array.map (fun c ->
      demand (c >= -leaves && c < leaves - 1) "tree %d: child %d" t c;
      if c < 0 then leaves - 2 - c else c) (column key (leaves - 1) integer)) (Array.make leaves (-1)) in
    grow (children "left_child") (children "right_child") 0 (fun i ->
      let k = kind.(i) and at = threshold.(i) in
      demand (k >= 0 && k < 12 && k land 1 = 0 && (k land 12 <> 4 || (k land 2 <> 0) = (at >= 0.)))
        "tree %d: a split is categorical, or zeros are missing and go another way" t;
      (* Inputs up to zero are read as 0. *)
      let at = if at >= 0. && at < zero then zero else if at < 0. && at >= -.zero then Float.pred (-.zero) else at in
      feature.(i), [ border "x <= t" at ])
      (fun i -> alone classes (if groups > 1 then t mod groups else 1) value.(i - leaves + 1)) in
  made dim classes (List.mapi read parts) base vote false

let read text stored =
  let first = match String.index_opt text '\n' with Some i -> String.sub text 0 i | None -> text in
  if strip first = "tree" then Trees (of_lightgbm text) else
    match Json.parse text with
    | Json.Object members as top -> if List.mem_assoc "learner" members then Trees (of_xgboost top) else of_arrays top stored
    | _ -> refuse "an object is expected"

(* ---------------------------------------------------------------------------------------- for the kernel *)
let specified m places =
  let rec tree = function
    | Leaf values -> Kernel.Leaf (List.map number (Array.to_list values))
    | Node (f, borders, l, r) -> Kernel.Node (Whole.to_positive (Z.of_int (f + 1)), List.map (fun (e, closed) -> number e, closed) borders, tree l, tree r) in
  { Kernel.dim = m.dim; classes = m.classes; trees = List.map tree m.trees; base = List.map number (Array.to_list m.base);
    votes = m.vote; single = m.single; places = Z.of_int places }
let border_places m = Array.fold_left (fun n cuts -> Array.fold_left (fun n (e, _) -> max n (places e)) n cuts) 0 m.borders
let value_places m =
  let rec most n = function Leaf values -> Array.fold_left (fun n v -> max n (places v)) n values | Node (_, _, l, r) -> most (most n l) r in
  List.fold_left most (most_places (Array.to_list m.base)) m.trees
