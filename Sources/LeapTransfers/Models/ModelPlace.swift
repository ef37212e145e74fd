package import Foundation
import LeapBase

/// The meaning of a text that stands for a model: a place on this machine, or a model that is kept by its name or
/// address.
///
/// Every command and the server read models by this one rule.
package enum ModelPlace: Sendable, Hashable {
    /// A file or a folder, which need not exist.
    case path(String)
    case model(ModelReference)

    /// Reads a text.
    ///
    /// A text that exists as a path is that path and never looked up on the network. Else an address, `hf:`, `hf.co/`
    /// and `owner/name:QUANTIZATION` are what they say; a text that begins with `/`, `.` or `~`, has a slash, or ends
    /// in `.gguf` or `.bundle` is a path; all else is a name.
    ///
    /// - Throws: ``DownloadError`` that says how names are written, for a text that is meant as one and is none.
    package static func of(_ text: String, endpoint: URL) throws -> ModelPlace {
        if text.hasPrefix("file://"), let url = URL(string: text) { return .path(url.path) }
        let path = (text as NSString).expandingTildeInPath
        if FileSystem.status(of: path) != nil { return .path(path) }
        if text.contains("://") || ModelReference.isRepository(text) {
            return .model(try .parse(text, endpoint: endpoint))
        }
        let looksLikePath =
            text.contains("/") || text.hasPrefix(".") || text.hasPrefix("~") || text.hasSuffix(".gguf")
            || text.hasSuffix(".bundle")
        return looksLikePath ? .path(path) : .model(try .parse(text, endpoint: endpoint))
    }
}
