import Foundation
import LeapBase
public import LeapSDK

extension ModelSource {
    /// Returns the model in an asset pack of the app, downloading the pack if it is not on this device.
    ///
    /// The system downloads the pack, also before the first launch, and keeps it. The pack counts as a part of the app:
    /// it is not in `saveDir` of the configuration, and not in backups.
    ///
    /// ```swift
    /// let source = try await ModelSource.backgroundAssets(
    ///     pack: "chat-model", modelFile: "LFM2-1.2B-Q4_K_M.gguf", modelName: "LFM2-1.2B", quantizationId: "Q4_K_M")
    /// let runner = try await downloader.loadSimpleModel(model: source)
    /// ```
    /// The paths are of this process. After a launch, call this function again.
    ///
    /// - Parameters:
    ///   - pack: the identifier of the asset pack.
    ///   - modelFile: the relative path of the model in the pack.
    ///   - mmprojFile: the relative path of the vision or audio encoder; nil if there is none.
    ///   - audioDecoderFile: the relative path of the audio decoder; nil if there is none.
    ///   - audioTokenizerFile: the relative path of the audio tokenizer; nil if there is none.
    ///   - modelName: the name of the model.
    ///   - quantizationId: the quantization, such as `Q4_K_M`.
    ///   - progress: the fraction of the pack on this device, 0...1, and whether the system has paused the download.
    /// - Throws: `LeapModelLoadingException` if the system has no asset packs (before iOS 26 and macOS 26, and on
    ///   Linux), if the pack cannot be downloaded, or if a file is not in it.
    public static func backgroundAssets(
        pack: String, modelFile: String, mmprojFile: String? = nil, audioDecoderFile: String? = nil,
        audioTokenizerFile: String? = nil, modelName: String, quantizationId: String,
        progress: (@Sendable (_ fraction: Double, _ isPaused: Bool) -> Void)? = nil
    ) async throws -> ModelSource {
        guard let packs = SystemAssetPacks.shared else {
            throw LeapModelLoadingException(
                "\(pack): this system has no asset packs; they need iOS 26 or macOS 26. Download the model with a ModelDownloader."
            )
        }
        return try await assetPack(
            pack, in: packs, modelFile: modelFile, mmprojFile: mmprojFile, audioDecoderFile: audioDecoderFile,
            audioTokenizerFile: audioTokenizerFile, modelName: modelName, quantizationId: quantizationId,
            progress: progress)
    }

    /// Returns the model in an asset pack.
    static func assetPack(
        _ pack: String, in packs: some AssetPacks, modelFile: String, mmprojFile: String?, audioDecoderFile: String?,
        audioTokenizerFile: String?, modelName: String, quantizationId: String,
        progress: (@Sendable (_ fraction: Double, _ isPaused: Bool) -> Void)?
    ) async throws -> ModelSource {
        let state = Locked<(share: Double, isDone: Bool)>((0, false))
        do {
            try await packs.download(pack) { event in
                // Under the lock, so that no event comes after the last one.
                state.withLock { state in
                    guard !state.isDone else { return }
                    switch event {
                    case .downloading(let fraction):
                        // Never falls, and is 1 only when the pack is there.
                        state.share = max(state.share, fraction.isFinite ? min(0.999, fraction) : 0)
                        progress?(state.share, false)
                    case .paused: progress?(state.share, true)
                    }
                }
            }
        } catch let error where !(error is CancellationError) {
            throw LeapModelLoadingException(
                message:
                    "\(pack): the asset pack could not be downloaded (\((error as NSError).localizedDescription)).",
                cause: error)
        }
        state.withLock { $0.isDone = true }
        func path(_ file: String?) throws -> String? {
            guard let file else { return nil }
            let path = try packs.path(of: file)
            guard path.hasPrefix("/"), FileSystem.size(of: path) != nil else {
                throw LeapModelLoadingException(
                    "\(file): the asset pack \(pack) has no such file; check the fileSelectors of its manifest.")
            }
            return path
        }
        guard let model = try path(modelFile) else { throw CancellationError() }
        let source = ModelSource(
            modelPath: model, mmprojPath: try path(mmprojFile), audioDecoderPath: try path(audioDecoderFile),
            audioTokenizerPath: try path(audioTokenizerFile), modelName: modelName, quantizationId: quantizationId)
        progress?(1, false)
        return source
    }
}
