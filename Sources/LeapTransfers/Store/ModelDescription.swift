import LeapBase
import LeapGGUF
import LeapHashing
package import LeapJSON

/// A description of a model from its file's header alone, with an identity that tells it from others.
package struct ModelDescription: Sendable {
    /// `general.architecture`: what the keys of its figures begin with.
    package var architecture: String?
    /// Elements of all tensors.
    package var parameterCount: Int
    /// The type in which most weights are stored, such as `Q4_K_M`.
    package var quantization: String?
    /// The metadata, without its lists and long texts.
    package var metadata: JSONObject
    /// 64 hexadecimal digits that are the same for the same file, wherever it lies, and others for another one.
    package var digest: String

    /// Reads the header of a file, and parts of its weights.
    ///
    /// - Throws: `GGUFError`, or `FileSystemError`.
    package init(reading path: String) throws {
        let file = try GGUFFile.open(path: path)
        let summary = GGUFSummary(file)
        architecture = summary.architecture
        parameterCount = summary.parameterCount
        quantization = summary.fileType ?? summary.types.first.map { "\($0.type)" }
        metadata = JSONObject(summary.metadata.compactMap { key, value in Self.json(value).map { (key, $0) } })
        digest = try Self.digest(of: file.partPaths)
    }

    /// The longest text of the metadata that is shown.
    private static let maxTextBytes = 1024

    private static func json(_ value: GGUFValue) -> JSONValue? {
        switch value {
        case .bool(let value): return .bool(value)
        case .string(let text): return text.count <= maxTextBytes ? .string(text.string) : nil
        case .float32(let value): return JSONNumber(value).map { .number($0) }
        case .array: return nil
        default:
            if let number = value.signedInteger { return .integer(number) }
            return value.unsignedInteger.map { .number(JSONNumber($0)) } ?? value.number.map { .double($0) }
        }
    }

    // MARK: The digest

    /// Bytes of a file's beginning that count, which for most files is the whole header.
    private static let headByteCount: Int64 = 1 << 20
    /// The number of places behind it that count, and the bytes of each.
    private static let (placeCount, placeByteCount): (Int64, Int64) = (64, 4096)

    /// Hashes the lengths of files, their beginnings, and places throughout the rest.
    ///
    /// All of a large file would take seconds; two models differ in nearly all of their weights.
    private static func digest(of paths: [String]) throws -> String {
        var hash = SHA256()
        for path in paths {
            let file = try OpenFile(path, .reading)
            let size = try file.status().byteCount
            withUnsafeBytes(of: size.littleEndian) { hash.update($0) }
            try add(0..<min(size, headByteCount), of: file, to: &hash)
            let rest = size - headByteCount
            guard rest > 0 else { continue }
            for place in 0..<placeCount {
                // The last place is the file's end.
                let end = headByteCount + max(1, rest / placeCount) * (place + 1)
                let last = place == placeCount - 1 ? size : min(size, end)
                try add(max(headByteCount, last - placeByteCount)..<last, of: file, to: &hash)
            }
        }
        return Hexadecimal.text(of: hash.finalize())
    }

    /// Returns the digest that stands for a model whose file cannot be read.
    package static func digest(standingFor name: String) -> String { Hexadecimal.text(of: SHA256.hash(name.utf8)) }

    private static func add(_ range: Range<Int64>, of file: OpenFile, to hash: inout SHA256) throws {
        var bytes = [UInt8](repeating: 0, count: range.count)
        let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: range.lowerBound) }
        hash.update(bytes.prefix(count))
    }
}

extension ModelDescription {
    /// The number of weights as people write it: `1.2B`, `361.82M`.
    package var parameterSize: String {
        let (scale, unit): (Double, String) =
            switch parameterCount {
            case 1_000_000_000...: (1e9, "B")
            case 1_000_000...: (1e6, "M")
            case 1000...: (1e3, "K")
            default: (1, "")
            }
        let digits = scale == 1e9 ? 10.0 : scale == 1 ? 1 : 100
        let value = (Double(parameterCount) / scale * digits).rounded() / digits
        return (Int(exactly: value).map { "\($0)" } ?? "\(value)") + unit
    }
}
