import LeapBase

/// The names that tensors of LFM3-VL's projector files may have, as no published file's are known: those that a file
/// has of each list are taken.
///
/// The first of each list follow the same makers' encoder of sound, the others what files of other kinds have.
struct LFM3TensorNames {
    /// The norm of the patches' vectors.
    let patchNorm: String
    /// The norm behind the layers, which files count among the projector's tensors.
    let projectorNorm: String
    /// The projector's first product; the second is the same in all.
    let first: String
    let second = "mm.2"

    init(_ binder: WeightBinder) {
        func found(_ names: [String]) -> String { binder.first(of: names, ending: ".weight") }
        patchNorm = found(["v.pre_ln", "v.norm_embd"])
        projectorNorm = found(["mm.input_norm", "v.post_ln"])
        first = found(["mm.1", "mm.0"])
    }
}
