import LeapBase
import LeapTransfers

/// The inference types that this package runs.
enum InferenceTypes {
    static let known = ["llama.cpp/text-to-text", "llama.cpp/image-to-text", "llama.cpp/lfm2-audio-v1"]

    /// Refuses a model of another type; its files stay on disk all the same.
    static func check(_ type: String, place: String) throws {
        guard !known.contains(type) else { return }
        throw DownloadError(
            .invalidManifest,
            "\(place): the model has the inference type “\(ShownText.of(type, limit: 64))”, which this version does not run; it runs \(known.joined(separator: ", ")). The files stay."
        )
    }
}
