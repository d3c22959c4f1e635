(* facet-checked [PROOFS] --model FILE [--model FILE]: checks what a file of proofs claims of a model, or of two; without
   proofs, whether the model can be read. *)
open Input

let rec arguments proofs models = function
  | "--model" :: file :: rest -> arguments proofs (file :: models) rest
  | file :: rest when file <> "--model" && proofs = None -> arguments (Some file) models rest
  | [] when models <> [] && List.length models <= 2 -> proofs, List.rev models
  | _ -> prerr_endline "usage: facet-checked [PROOFS] --model FILE [--model FILE]"; exit 2

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 18; space_overhead = 300 };
  let proofs, files = arguments None [] (List.tl (Array.to_list Sys.argv)) in
  let failed code path reason = Printf.eprintf "facet-checked: %s %s\n" path reason; exit code in
  let reading = ref (List.hd files) in
  try
    let models = List.map (fun path ->
      reading := path;
      let text = content path in
      let m = Model.read text in
      Proofs.subject m 0, sha256 text) files in
    Option.iter (fun path ->
      reading := path;
      let proven, settled = Proofs.check (content path) models in
      Printf.printf "%d claims hold, %d radii are settled\n" proven settled) proofs
  with
  | Refused reason -> failed 1 !reading ("is refused: " ^ reason)
  | Beyond what -> failed 3 !reading ("is about " ^ what ^ ", of which nothing is proven")
  | Sys_error reason -> failed 2 "cannot read:" reason
  | Stack_overflow -> failed 2 !reading "is too deep for this stack (ulimit -s unlimited)"
