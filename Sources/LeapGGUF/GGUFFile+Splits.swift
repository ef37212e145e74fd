import LeapBase

/// The place of a file in the split model that it is a part of.
struct GGUFSplit: Equatable {
    /// The number of the part, from 0.
    var number: Int
    /// The number of parts.
    var count: Int
    /// Tensors in all parts together, if the file says so.
    var tensorCount: Int?
}

extension GGUFHeader {
    /// The keys that `llama-gguf-split` writes; nil where there are none.
    var split: GGUFSplit? {
        get throws {
            let metadata = metadata
            guard let count = try metadata.uint("split.count"), count > 0 else { return nil }
            guard count <= 65_535 else {
                throw GGUFError(
                    .split, path: path, field: "split.count",
                    message: "metadata key 'split.count' is \(count); a model has at most 65535 parts.")
            }
            let number = try metadata.uint("split.no") ?? 0
            guard number < count else {
                throw GGUFError(
                    .split, path: path, field: "split.no",
                    message: "says that it is part \(number) (counted from 0) of \(count). It is damaged: get it again."
                )
            }
            let tensors = try metadata.uint("split.tensors.count").map { Int(clamping: $0) }
            return GGUFSplit(number: Int(number), count: Int(count), tensorCount: tensors)
        }
    }
}

extension GGUFFile {
    /// Opens the other parts of a split model.
    static func openSplit(path: String, _ opened: GGUFHeader, _ split: GGUFSplit, useMmap: Bool) throws -> GGUFFile {
        let suffix = partSuffix(split.number, of: split.count)
        guard path.hasSuffix(suffix) else {
            throw GGUFError(
                .split, path: path,
                message: "is part \(split.number + 1) of \(split.count) of a split model, but its name does not end in "
                    + "'\(suffix)', so the other parts cannot be found. Give the parts their original names.")
        }
        let prefix = String(path.dropLast(suffix.count))
        let paths = (0..<split.count).map { prefix + partSuffix($0, of: split.count) }
        var parts: [GGUFHeader] = []
        var tensorCount = 0
        for (number, partPath) in paths.enumerated() {
            let part = number == split.number ? opened : try openSibling(partPath, number, split, useMmap: useMmap)
            try requireNewNames(part, partPath, after: parts)
            tensorCount += part.tensorInfos.count
            parts.append(part)
        }
        let declared = try parts[0].split?.tensorCount ?? tensorCount
        guard declared == tensorCount else {
            throw GGUFError(
                .split, path: paths[0], field: "split.tensors.count",
                message: "the model's \(split.count) parts hold \(tensorCount) tensors together, but "
                    + "'split.tensors.count' says \(declared). Parts of different models or versions are mixed: get all of "
                    + "them again.")
        }
        return GGUFFile(path: path, partPaths: paths, parts: parts)
    }

    /// `-00001-of-00003.gguf` for part 0 of 3.
    static func partSuffix(_ number: Int, of count: Int) -> String {
        func fiveDigits(_ value: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
        }
        return "-\(fiveDigits(number + 1))-of-\(fiveDigits(count)).gguf"
    }

    private static func openSibling(
        _ path: String, _ number: Int, _ split: GGUFSplit, useMmap: Bool
    ) throws -> GGUFHeader {
        let part: GGUFHeader
        do {
            part = try openPart(path: path, range: nil, useMmap: useMmap)
        } catch let error as GGUFError where error.code == .notFound {
            throw GGUFError(
                .split, path: path,
                message: "part \(number + 1) of \(split.count) of a split model is missing. All parts must be in one "
                    + "folder: download this one too.")
        }
        guard let found = try part.split, found.count == split.count, found.number == number else {
            let found = try part.split.map { "part \($0.number + 1) of \($0.count)" } ?? "not part of a split model"
            throw GGUFError(
                .split, path: path,
                message:
                    "should be part \(number + 1) of \(split.count), but says that it is \(found). Files are renamed "
                    + "or mixed up: get the part again.")
        }
        return part
    }

    private static func requireNewNames(_ part: GGUFHeader, _ path: String, after parts: [GGUFHeader]) throws {
        for index in part.tensorInfos.indices {
            let name = String(decoding: part.tensorTable.name(index, in: part.storage), as: UTF8.self)
            for other in parts where other.tensorTable.index(of: name, in: other.storage) != nil {
                let shown = ShownText.of(name)
                throw GGUFError(
                    .split, path: path, field: shown,
                    message:
                        "holds tensor '\(shown)', which an earlier part has too. Parts of different models or versions "
                        + "are mixed: get all of them again.")
            }
        }
    }
}
