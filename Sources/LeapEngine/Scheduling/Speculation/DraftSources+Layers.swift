import LeapGGUF
import LeapModel

extension DraftSources {
    /// Describes the layers that predict further tokens for a model; nil where none are to be used.
    ///
    /// Those of a file apart are used whatever the option says, as that file was asked for by name. Where another draft
    /// model was, the model's own are not.
    ///
    /// - Parameter onNotice: takes why layers that were not asked for are not used.
    /// - Throws: ``EngineError`` where layers that were asked for are not there or cannot be used: code
    ///   `incompatibleModels`, or one that names the key or tensor at fault.
    static func layers(
        _ draft: (any DraftSource)?, of model: Model, _ use: DraftLayerUse, onNotice: (String) -> Void
    ) throws(EngineError) -> DraftLayers? {
        if let file = draft as? DraftLayerFile {
            return try reading(file.file) { try file.layers(for: model) }
        }
        guard draft == nil, use != .off else { return nil }
        do throws(EngineError) {
            let layers = try reading(model.file) { try model.draftLayers() }
            guard layers == nil, use != .automatic else { return layers }
            throw EngineError(
                .incompatibleModels,
                "draftLayers is \(use.text), but the model \(model.file.path) has no layers that predict further tokens: set it to auto or off, or load a file with them as the draft model",
                field: "draftLayers")
        } catch {
            guard use == .automatic else { throw error }
            onNotice("the layers that predict further tokens are not used: \(error.message)")
            return nil
        }
    }

    /// Reads something of a file, whose errors become the engine's.
    private static func reading<T>(_ file: GGUFFile, _ body: () throws -> T) throws(EngineError) -> T {
        do {
            return try body()
        } catch let error as EngineError {
            throw error
        } catch {
            throw EngineError(.invalidMetadata, "\(file.path): \(error)", field: "draftLayers")
        }
    }
}
