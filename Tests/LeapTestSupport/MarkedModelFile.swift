package import Foundation
import LeapGGUF

/// A late-interaction model with markers of queries and documents, which is made of a file without them: two reserved
/// tokens of its vocabulary become the markers.
package enum MarkedModelFile {
    /// The markers' tokens in the vocabulary of `lfm2-colbert`.
    package static let (query, document): (Int32, Int32) = (412, 413)

    /// Writes the file into a folder for temporary files.
    ///
    /// - Parameters:
    ///   - source: the path of `lfm2-colbert.gguf`.
    ///   - dropped: the marker to leave out.
    package static func write(_ source: String, dropping dropped: String? = nil) throws -> URL {
        let file = try GGUFFile.open(path: source)
        var writer = GGUFWriter(copyingMetadataOf: file)
        var tokens = (try file.metadata.strings("tokenizer.ggml.tokens")).map(Array.init) ?? []
        for (token, marker) in [(query, "[Q] "), (document, "[D] ")] where marker != dropped {
            tokens[Int(token)] = marker
        }
        writer.set("tokenizer.ggml.tokens", .array(GGUFArray(tokens)))
        for tensor in file.tensors { try writer.add(tensor) }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        try writer.write(to: url.path)
        return url
    }
}
