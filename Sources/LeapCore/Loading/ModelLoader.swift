import LeapBase
import LeapChat
import LeapEngine
import LeapModel

/// Loads models.
package enum ModelLoader {
    /// Loads what a path means: a GGUF file, or a bundle.
    package static func load(
        path: String, options: LoadOptions, generationTimeParameters: GenerationTimeParameters? = nil,
        autoDetectCompanionFiles: Bool
    ) async throws -> LiquidInferenceEngineRunner {
        try await WorkQueue.loading.run {
            try load(
                try ModelFiles.resolve(path: path), options: options,
                generationTimeParameters: generationTimeParameters,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    /// The same on the thread of the caller, for functions that are not asynchronous.
    package static func loadHere(
        path: String, options: LoadOptions, autoDetectCompanionFiles: Bool
    ) throws -> LiquidInferenceEngineRunner {
        try load(
            try ModelFiles.resolve(path: path), options: options, generationTimeParameters: nil,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Loads a model whose files are known.
    ///
    /// - Parameters:
    ///   - files: the files, and what a manifest says of them.
    ///   - generationTimeParameters: values over the manifest's.
    ///   - autoDetectCompanionFiles: whether companions that are not given are looked for beside the model.
    package static func load(
        files: ModelFiles, options: LoadOptions, generationTimeParameters: GenerationTimeParameters?,
        autoDetectCompanionFiles: Bool
    ) async throws -> LiquidInferenceEngineRunner {
        try await WorkQueue.loading.run {
            try load(
                files, options: options, generationTimeParameters: generationTimeParameters,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    private static func load(
        _ files: ModelFiles, options: LoadOptions, generationTimeParameters: GenerationTimeParameters?,
        autoDetectCompanionFiles: Bool
    ) throws -> LiquidInferenceEngineRunner {
        let assembly = try RunnerAssembly(
            files, options: options, generationTimeParameters: generationTimeParameters,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
        do {
            return try assembly.runner()
        } catch let error as LeapException {
            throw error
        } catch let error as EngineError where error.code == .invalidOption {
            throw LeapModelLoadingException(error, path: files.modelPath)
        } catch {
            throw LeapModelLoadingException(
                message: message(for: error, path: files.modelPath), path: files.modelPath, cause: error)
        }
    }

    /// The error's own words, with the file's name in front where they do not have it.
    static func message(for error: any Error, path: String) -> String {
        let text = String(describing: error)
        return text.contains(path) ? text : "\(path): \(text)"
    }

    /// Returns a note on a context that is not as large as asked for; nil where it is.
    static func contextNote(asked: UInt32?, engine: Engine, trained: Int) -> String? {
        guard let asked, Int(asked) > engine.contextSize else { return nil }
        return "contextSize is \(asked), but the model was trained for \(trained) tokens: the context holds"
            + " \(engine.contextSize); 'ropeScaling' in the extras allows more"
    }
}
