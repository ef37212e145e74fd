import LeapGGUF
import LeapHTTP

/// The GGUF files of a repository that make up a model of one quantization.
struct GGUFSelection: Sendable {
    typealias ListedFile = RepositoryListing.ListedFile

    /// The model, all parts of it in order.
    var model: [ListedFile]
    var projector: ListedFile?
    var audioDecoder: ListedFile?
    var audioTokenizer: ListedFile?

    /// Chooses the files of a quantization from a repository's.
    ///
    /// - Throws: ``DownloadError/Code/noSuchQuantization`` that lists what there is.
    init(_ entries: [ListedFile], quantization: String, repository: String) throws {
        let files = entries.filter { $0.path.lowercased().hasSuffix(".gguf") || $0.path.lowercased().hasSuffix(".bin") }
        func role(_ entry: ListedFile) -> ModelFileRole { ModelFileRole(path: entry.path, repository: repository) }
        let ggufs = files.filter { $0.path.lowercased().hasSuffix(".gguf") }
        let models = ggufs.filter { role($0) == .model }
        guard !models.isEmpty else {
            let others = ggufs.prefix(4).map(\.path).joined(separator: ", ")
            throw DownloadError(
                .noSuchQuantization,
                ggufs.isEmpty
                    ? "\(repository): the repository has no GGUF file; choose its GGUF version (often the same name with -GGUF)."
                    : "\(repository): the repository has no model, only companion files (\(others)); give the address of the file that you want."
            )
        }
        let matching = models.filter { ModelFileRole.has(quantization, $0.path) }
        // Of `X-Q4_K_M.gguf` and `X-long-Q4_K_M.gguf` the plain one; parts of one model have one length. In a
        // repository of draft models other names come first all the same.
        func order(_ entry: ListedFile) -> (Int, Int, String) {
            (ModelFileRole(path: entry.path) == .model ? 0 : 1, entry.path.utf8.count, entry.path)
        }
        guard let first = matching.min(by: { order($0) < order($1) }) else {
            let known = Set(models.compactMap { ModelFileRole.quantization(of: $0.path) }).sorted()
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
        func companion(_ kind: ModelFileRole) -> ListedFile? {
            let all = files.filter { role($0) == kind }
            // The same quantization, else what loses least without being twice as long as need be.
            return [quantization, "F16", "BF16", "Q8_0"].lazy.compactMap { wanted in
                all.first { ModelFileRole.has(wanted, $0.path) }
            }.first ?? all.first
        }
        projector = companion(.projector)
        audioDecoder = companion(.audioDecoder)
        audioTokenizer = companion(.audioTokenizer)
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
