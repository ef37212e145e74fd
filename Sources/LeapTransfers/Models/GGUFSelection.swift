import Foundation
import LeapHTTP

/// Which GGUF files of a repository make up a model of one quantization.
struct GGUFSelection: Sendable {
    typealias Entry = RepositoryListing.Entry

    /// The model, all parts of it in order.
    var model: [Entry]
    var projector: Entry?
    var audioDecoder: Entry?
    var audioTokenizer: Entry?

    /// Chooses.
    ///
    /// - Throws: ``DownloadError/Code/noSuchQuantization`` that lists what there is.
    init(_ entries: [Entry], quantization: String, repository: String) throws {
        let files = entries.filter { $0.path.lowercased().hasSuffix(".gguf") || $0.path.lowercased().hasSuffix(".bin") }
        let models = files.filter { $0.path.lowercased().hasSuffix(".gguf") && Self.role($0) == .model }
        guard !models.isEmpty else {
            throw DownloadError(
                .noSuchQuantization,
                "\(repository): the repository has no GGUF file; choose its GGUF version (often the same name with -GGUF)."
            )
        }
        let matching = models.filter { Self.has(quantization, $0.path) }
        // Of `X-Q4_K_M.gguf` and `X-long-Q4_K_M.gguf` the plain one; parts of one model have one length.
        guard let first = matching.min(by: { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }) else {
            let known = Set(models.compactMap { Self.quantization(of: $0.path) }).sorted()
            throw DownloadError(
                .noSuchQuantization,
                "\(repository): there is no \(quantization)"
                    + (known.isEmpty ? "." : "; there are \(known.joined(separator: ", "))."))
        }
        if let split = Split(first.path) {
            let byPath = Dictionary(matching.map { ($0.path, $0) }) { first, _ in first }
            model = try (1...split.count).map { number in
                let path = split.path(number)
                guard let part = byPath[path] else {
                    throw DownloadError(
                        .noSuchQuantization, "\(repository): part \(path) of the model is missing in the repository.")
                }
                return part
            }
        } else {
            model = [first]
        }
        func companion(_ role: Role) -> Entry? {
            let all = files.filter { Self.role($0) == role }
            // The same quantization, else what loses least without being twice as long as need be.
            return all.first { Self.has(quantization, $0.path) } ?? all.first { Self.has("F16", $0.path) }
                ?? all.first { Self.has("BF16", $0.path) } ?? all.first { Self.has("Q8_0", $0.path) } ?? all.first
        }
        projector = companion(.projector)
        audioDecoder = companion(.audioDecoder)
        audioTokenizer = companion(.audioTokenizer)
    }

    private enum Role { case model, projector, audioDecoder, audioTokenizer }

    private static func role(_ entry: Entry) -> Role {
        let name = (entry.path as NSString).lastPathComponent.lowercased()
        if name.hasPrefix("mmproj") || name.contains("-mmproj") { return .projector }
        if name.contains("vocoder") || (name.contains("audio") && name.contains("decoder")) { return .audioDecoder }
        if name.hasPrefix("tokenizer") || (name.contains("audio") && name.contains("tokenizer")) {
            return .audioTokenizer
        }
        return .model
    }

    /// Whether the file's name holds the quantization as a word, in any case.
    static func has(_ quantization: String, _ path: String) -> Bool {
        let name = (path as NSString).lastPathComponent.lowercased()
        let wanted = quantization.lowercased()
        var search = name.startIndex..<name.endIndex
        while let found = name.range(of: wanted, range: search) {
            let before = found.lowerBound == name.startIndex ? "-" : name[name.index(before: found.lowerBound)]
            let after = found.upperBound == name.endIndex ? "." : name[found.upperBound]
            if "-._".contains(before), "-.".contains(after) { return true }
            search = name.index(after: found.lowerBound)..<name.endIndex
        }
        return false
    }

    /// The quantization in a file's name, if it looks like one.
    static func quantization(of path: String) -> String? {
        var stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        if let split = Split(path) { stem = split.stem }
        let last = stem.split(whereSeparator: { $0 == "-" || $0 == "." }).last.map(String.init) ?? ""
        let upper = last.uppercased()
        let isKnown =
            ["F16", "F32", "BF16", "MXFP4"].contains(upper)
            || (["Q", "I", "T"].contains(upper.prefix(1)) && upper.contains(where: \.isNumber))
        return isKnown ? upper : nil
    }

    /// The name of a part: `model-00001-of-00003.gguf`.
    struct Split {
        var stem: String
        var count: Int

        init?(_ path: String) {
            guard path.lowercased().hasSuffix(".gguf") else { return nil }
            let name = path.dropLast(5)
            guard name.utf8.count > 15 else { return nil }
            let tail = name.suffix(15)
            let pieces = tail.split(separator: "-", omittingEmptySubsequences: false)
            guard pieces.count == 4, pieces[0].isEmpty, pieces[1].count == 5, pieces[2] == "of", pieces[3].count == 5,
                OutsideNumber.count(pieces[1], in: 0...99_999) != nil,
                let count = OutsideNumber.count(pieces[3], in: 1...999)
            else { return nil }
            stem = String(name.dropLast(15))
            self.count = count
        }

        func path(_ number: Int) -> String {
            "\(stem)-\(Self.padded(number))-of-\(Self.padded(count)).gguf"
        }

        private static func padded(_ number: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, 5 - text.count)) + text
        }
    }
}
