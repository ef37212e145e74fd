import Foundation
package import LeapHTTP
import LeapTransfers

/// The result of a background task: an answer's head, and a file with its body.
package struct ArrivedPart: Sendable {
    package let key: PartKey
    package let status: Int
    package let fields: [String: String]
    /// The file's name, which no other part has.
    let name: String
    private let folder: URL
    /// Bytes that no caller took over yet.
    var left: ExtentSet

    /// The address of the file with the body.
    package var file: URL { folder.appendingPathComponent(name) }
    /// True if this is what was asked for, and worth keeping for another process.
    package var isKept: Bool { status == 206 }

    private struct Note: Codable {
        let key: PartKey
        let status: Int
        let fields: [String: String]
    }
    private static let suffix = ".part"
    private static let noteSuffix = ".json"

    /// Takes over a file.
    init(key: PartKey, status: Int, fields: [String: String], moving file: URL, to folder: URL) throws {
        self.init(key, status, fields, UUID().uuidString + Self.suffix, folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: file, to: self.file)
        guard isKept else { return }
        let note = try JSONEncoder().encode(Note(key: key, status: status, fields: fields))
        try note.write(to: folder.appendingPathComponent(name + Self.noteSuffix), options: .atomic)
    }

    private init(_ key: PartKey, _ status: Int, _ fields: [String: String], _ name: String, _ folder: URL) {
        self.key = key
        self.status = status
        self.fields = fields
        self.name = name
        self.folder = folder
        left = ExtentSet()
        left.insert(key.range)
    }

    /// The parts in a folder; others are removed.
    static func all(in folder: URL, since date: Date) -> [ArrivedPart] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.compactMap { name in
            let part = folder.appendingPathComponent(name)
            let note = folder.appendingPathComponent(name + noteSuffix)
            let attributes = try? FileManager.default.attributesOfItem(atPath: part.path)
            guard let modified = attributes?[.modificationDate] as? Date, modified >= date,
                let bytes = try? Data(contentsOf: note), let read = try? JSONDecoder().decode(Note.self, from: bytes)
            else {
                try? FileManager.default.removeItem(at: part)
                try? FileManager.default.removeItem(at: note)
                return nil
            }
            return ArrivedPart(read.key, read.status, read.fields, name, folder)
        }
    }

    /// Removes the file.
    func remove() {
        try? FileManager.default.removeItem(at: file)
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name + Self.noteSuffix))
    }

    // MARK: As an answer

    /// Hands the bytes that `wanted` asks for to a receiver, as if a server had sent them.
    ///
    /// - Returns: the head, and which bytes were taken over.
    package func deliver(_ wanted: Range<Int64>, to receiver: HTTPReceiver) throws -> (
        head: HTTPHead, taken: Range<Int64>
    ) {
        guard isKept else {
            // Such as 403 or 416: looked at by its status.
            let head = HTTPHead(status: status, fields: fields.map { ($0.key, $0.value) })
            if try receiver.head(head) { try read(from: 0, count: .max, receiver) }
            return (head, key.range)
        }
        let taken = wanted.clamped(to: key.range)
        var fields = fields.filter {
            !["content-range", "content-length", "content-digest"].contains($0.key.lowercased())
        }
        let total = self.fields.first { $0.key.lowercased() == "content-range" }?.value.split(separator: "/").last
        fields["Content-Range"] = "bytes \(taken.lowerBound)-\(taken.upperBound - 1)/\(total ?? "*")"
        if taken == key.range, let digest = self.fields.first(where: { $0.key.lowercased() == "content-digest" }) {
            fields[digest.key] = digest.value
        }
        let head = HTTPHead(status: status, fields: fields.map { ($0.key, $0.value) })
        guard try receiver.head(head) else { return (head, taken.lowerBound..<taken.lowerBound) }
        try read(from: taken.lowerBound - key.range.lowerBound, count: taken.upperBound - taken.lowerBound, receiver)
        return (head, taken)
    }

    private func read(from offset: Int64, count: Int64, _ receiver: HTTPReceiver) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64(offset))
        var left = count
        while left > 0, let block = try handle.read(upToCount: Int(min(left, 1 << 20))), !block.isEmpty {
            left -= Int64(block.count)
            guard try block.withUnsafeBytes({ try receiver.body($0) }) else { break }
        }
    }
}
