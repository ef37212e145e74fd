package import Foundation
import LeapHTTP
import LeapHashing

/// The model that a user means.
package enum ModelReference: Sendable, Hashable {
    /// A model of the LEAP library: `LFM2-1.2B`, `Q4_K_M`.
    case library(model: String, quantization: String)
    /// A GGUF repository on Hugging Face.
    case repository(owner: String, name: String, quantization: String, revision: String)
    /// A manifest somewhere.
    case manifest(URL)
    /// A GGUF file somewhere.
    case file(URL)
    /// Files at addresses that the app gives, under names it gives; `key` tells one set of addresses from another.
    case source(model: String, quantization: String, key: String)

    /// The quantization that is taken where the user names none.
    package static let usualQuantization = "Q4_K_M"

    /// Reads `LFM2-1.2B`, `LFM2-1.2B:Q4_K_M`, `hf:owner/repository:Q4_K_M`, or the address of a manifest, a GGUF file
    /// or a repository.
    ///
    /// Repositories may also be written as other programs have them: `owner/repository:Q4_K_M` and
    /// `hf.co/owner/repository:Q4_K_M`.
    /// - Throws: ``DownloadError/Code/invalidName`` for any other text.
    package static func parse(_ text: String, endpoint: URL) throws -> ModelReference {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.contains("://") {
            guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
                ["http", "https", "file"].contains(scheme)
            else {
                throw DownloadError(.invalidAddress, "\(text): only http, https and file addresses can be used.")
            }
            if let name = repositoryOfPage(url, endpoint: endpoint) {
                return try parse("hf:\(name)", endpoint: endpoint)
            }
            let file = fileOfPage(url, endpoint: endpoint)
            switch url.pathExtension.lowercased() {
            case "json": return manifest(file, endpoint: endpoint)
            case "gguf": return .file(file)
            default:
                throw DownloadError(
                    .invalidName,
                    "\(url.shown): neither a manifest (.json) nor a model (.gguf); a repository is written hf:owner/name:QUANTIZATION.",
                    url: url)
            }
        }
        var name = Substring(text)
        var quantization = usualQuantization
        let prefix = repositoryPrefixes.first { name.lowercased().hasPrefix($0) }
        let isRepository = prefix != nil
        if let prefix { name = name.dropFirst(prefix.count) }
        if let colon = name.lastIndex(of: ":") {
            quantization = String(name[name.index(after: colon)...])
            name = name[..<colon]
            // What Ollama adds to names without a tag.
            if isRepository, quantization == "latest" { quantization = usualQuantization }
        }
        if isRepository || name.contains("/") {
            var revision = "main"
            if let at = name.lastIndex(of: "@") {
                revision = String(name[name.index(after: at)...])
                name = name[..<at]
            }
            let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, isWord(parts[0]), isWord(parts[1]), isWord(quantization), isWord(revision) else {
                throw DownloadError(
                    .invalidName,
                    "“\(text)”: a repository is written hf:owner/name:QUANTIZATION, as in hf:LiquidAI/LFM2-1.2B-GGUF:Q4_K_M."
                )
            }
            return .repository(owner: parts[0], name: parts[1], quantization: quantization, revision: revision)
        }
        return try library(String(name), quantization)
    }

    /// The beginnings that the name of a repository may have.
    private static let repositoryPrefixes = ["hf:", "hf.co/", "huggingface.co/"]

    /// Returns whether a text is meant as the name of a repository rather than as a path: by its beginning, or as owner
    /// and name with a quantization.
    static func isRepository(_ text: String) -> Bool {
        if repositoryPrefixes.contains(where: { text.lowercased().hasPrefix($0) }) { return true }
        guard !text.hasPrefix("."), !text.hasPrefix("~"), let colon = text.lastIndex(of: ":") else { return false }
        let names = text[..<colon].split(separator: "/", omittingEmptySubsequences: false)
        let quantization = String(text[text.index(after: colon)...])
        return names.count == 2 && isWord(quantization) && !quantization.lowercased().hasSuffix(".gguf")
            && isWord(String(names[0])) && isWord(names[1].split(separator: "@", maxSplits: 1).joined(separator: "-"))
    }

    /// The repository that a page of Hugging Face is about; nil for pages about one of its files.
    private static func repositoryOfPage(_ url: URL, endpoint: URL) -> String? {
        let isEndpoint = url.isSameOrigin(as: endpoint) && url.path.hasPrefix(endpoint.path)
        guard isEndpoint || ["huggingface.co", "hf.co"].contains(url.host ?? ""), url.query == nil else { return nil }
        let names = url.path.dropFirst(isEndpoint ? endpoint.path.count : 0).split(separator: "/")
        // A quantization may stand behind the name, as in names without a scheme.
        guard names.count == 2 || names.count == 4 && names[2] == "tree" else { return nil }
        let last = names[1].split(separator: ":", maxSplits: 1)
        guard let name = last.first, !["gguf", "json"].contains(url.pathExtension.lowercased()) else { return nil }
        let revision = names.count == 4 ? "@\(names[3])" : ""
        return "\(names[0])/\(name)\(revision)" + (last.count == 2 ? ":\(last[1])" : "")
    }

    /// The file that a page of Hugging Face is about: people copy the address of the page.
    private static func fileOfPage(_ url: URL, endpoint: URL) -> URL {
        guard url.isSameOrigin(as: endpoint) || url.host == "huggingface.co",
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        var names = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        // /owner/name/blob/revision/file, under the endpoint's own path.
        let first = endpoint.isSameOrigin(as: url) ? endpoint.path.split(separator: "/").count : 0
        guard names.count > first + 5, ["blob", "raw"].contains(names[first + 3]) else { return url }
        names[first + 3] = "resolve"
        parts.percentEncodedPath = names.joined(separator: "/")
        return parts.url ?? url
    }

    /// A model of the library, if both names can be ones.
    package static func library(_ model: String, _ quantization: String) throws -> ModelReference {
        guard isWord(model), isWord(quantization) else {
            throw DownloadError(
                .invalidName,
                "“\(model):\(quantization)”: a model's name and quantization are made of letters, digits, “.”, “-” and “_”, as in LFM2-1.2B:Q4_K_M."
            )
        }
        return .library(model: model, quantization: quantization)
    }

    /// The manifest at `url`; one of the library's own is that model, so that it is kept only once.
    package static func manifest(_ url: URL, endpoint: URL) -> ModelReference {
        guard url.isSameOrigin(as: endpoint), url.query == nil, url.path.hasPrefix(endpoint.path) else {
            return .manifest(url)
        }
        let parts = url.path.dropFirst(endpoint.path.count).split(separator: "/").map(String.init)
        guard let last = parts.last, last.hasSuffix(".json") else { return .manifest(url) }
        let quantization = String(last.dropLast(5))
        var model: String?
        if parts.count == 6, Array(parts[0..<4]) == ["LiquidAI", "LeapBundles", "resolve", "main"] { model = parts[4] }
        if parts.count == 6, parts[0] == "LiquidAI", Array(parts[2..<5]) == ["resolve", "main", "leap"] {
            model = parts[1]
        }
        guard let model, model.hasSuffix("-GGUF"), let reference = try? library(String(model.dropLast(5)), quantization)
        else {
            return .manifest(url)
        }
        return reference
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 128 && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2E || byte == 0x2D
                    || byte == 0x5F
            }
    }

    /// The name a user knows it by.
    package var shown: String {
        switch self {
        case .library(let model, let quantization): "\(model):\(quantization)"
        case .repository(let owner, let name, let quantization, let revision):
            "hf:\(owner)/\(name)\(revision == "main" ? "" : "@\(revision)"):\(quantization)"
        case .manifest(let url), .file(let url): url.shown
        case .source(let model, let quantization, _): "\(model):\(quantization)"
        }
    }

    /// The folder it is kept in, under the store's: two names, without separators.
    package var folder: (outer: String, inner: String) {
        switch self {
        case .library(let model, let quantization):
            return (SafeFileName.mapped(model), SafeFileName.mapped(quantization))
        case .repository(let owner, let name, let quantization, let revision):
            let branch = revision == "main" ? "" : "@\(revision)"
            return (SafeFileName.mapped("hf--\(owner)--\(name)\(branch)"), SafeFileName.mapped(quantization))
        case .manifest(let url): return Self.folder(for: url, kind: "manifest")
        case .file(let url): return Self.folder(for: url, kind: "gguf")
        case .source(let model, let quantization, let key):
            let mark = Hexadecimal.text(of: SHA256.hash(key.utf8).prefix(6))
            return (SafeFileName.mapped(model), SafeFileName.mapped("\(quantization)-source-\(mark)"))
        }
    }

    private static func folder(for url: URL, kind: String) -> (String, String) {
        let stem = (url.lastPathComponent as NSString).deletingPathExtension
        let mark = Hexadecimal.text(of: SHA256.hash(url.absoluteString.utf8).prefix(6))
        return (SafeFileName.mapped("url--\(url.host ?? "local")--\(stem)"), "\(kind)-\(mark)")
    }
}
