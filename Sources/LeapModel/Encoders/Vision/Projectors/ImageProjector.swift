/// Turns a tower's vectors into those that a language model takes in place of tokens.
///
/// Adding a kind takes a file with a type like those beside this one, a line in ``ImageProjectors/all``, and what runs it.
package protocol ImageProjector: Sendable {
    /// The name under which files declare it, in `clip.projector_type`.
    static var name: String { get }

    init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws

    /// How the pictures are cut that this model was trained on.
    var tiling: ImageTiling { get }
    /// Length of the vectors that come out.
    var outputLength: Int { get }
}

/// How pictures are cut for an encoder.
package struct ImageTiling: Sendable, Hashable {
    /// What a picture's parts are.
    package enum Cutting: Sendable, Hashable {
        /// The picture in its own proportions, and tiles of large ones (LFM2-VL).
        case native
        /// Squares of so many pixels, of a picture whose longer side is brought to a length (Idefics3).
        case squares(side: Int, longestEdge: Int)
    }

    /// Pixels of a patch's side.
    package let patchSize: Int
    /// Patches of a vector's side.
    package let downsampling: Int
    package let cutting: Cutting
}

/// The kinds of projectors this engine runs.
enum ImageProjectors {
    static let all: [String: any ImageProjector.Type] = Dictionary(
        uniqueKeysWithValues: ([IdeficsProjector.self, LFM2Projector.self] as [any ImageProjector.Type]).map {
            ($0.name, $0)
        })
}
