package import LeapGGUF
package import LeapTokenizer

/// A drafter that was trained for one model and has a file of its own: what all kinds of them have in common.
package protocol TrainedDrafter: Sendable {
    /// The name of its architecture, `general.architecture` of its files.
    static var architecture: String { get }

    /// Loads the drafter of an open file.
    ///
    /// - Throws: `TokenizerError` or ``EngineError``.
    static func load(file: GGUFFile) throws -> Self

    /// The file it came from.
    var file: GGUFFile { get }
    /// The vocabulary, which is the other model's.
    var tokenizer: Tokenizer { get }
}

extension TrainedDrafter {
    /// Loads a drafter.
    ///
    /// - Throws: `GGUFError`, `TokenizerError` or ``EngineError``.
    package static func load(path: String, useMmap: Bool = true) throws -> Self {
        try load(file: try GGUFFile.open(path: path, useMmap: useMmap))
    }

    /// Returns whether a model's file is that of such a drafter, by its header.
    package static func isDrafter(_ file: GGUFFile) -> Bool {
        (try? file.metadata.string("general.architecture")) == architecture
    }

    /// Returns the error of a drafter that is not for a model.
    ///
    /// - Parameters:
    ///   - what: how the two differ.
    ///   - field: the key or tensor at fault.
    func refusal(_ target: Model, _ what: String, _ field: String) -> EngineError {
        EngineError(
            .incompatibleModels,
            "the drafter \(file.path) is not for the model \(target.file.path): \(what); use the drafter that was trained for this model",
            field: field)
    }
}
