import Foundation
import LeapHTTP
import LeapHashing
import LeapJSON

/// The record of a partial file, next to it on disk: enough to go on after the process, or the machine, died.
struct TransferJournal: Equatable, Sendable {
    static let version = 2

    var version = TransferJournal.version
    /// Counts the journals of a file: of two, the later one is right.
    var sequence: Int = 0
    /// The SHA-256 of the origin: which file this is, without keeping an address that may hold a secret.
    var origin: String
    var size: Int64
    var validator: String?
    var sha256: String?
    /// The run of the system in which ``written`` was noted.
    var boot: String?
    /// Bytes handed to the system, as pairs of first and next-after-last: they survive the process.
    var written: [[Int64]]
    /// Bytes forced to the disk: they survive the system.
    var synchronized: [[Int64]]

    static func key(of origin: URL) -> String {
        Hexadecimal.text(of: SHA256.hash(origin.absoluteString.utf8))
    }

    /// The journal at `path`; nil if there is none or it cannot be read: then nothing is known, and the file begins
    /// anew.
    static func load(_ path: String) -> TransferJournal? {
        guard let bytes = try? StoreFiles.read(path, limit: JournalFile.slotSize * 2) else { return nil }
        let slots = [bytes.prefix(JournalFile.slotSize), bytes.dropFirst(JournalFile.slotSize)]
        return slots.compactMap(JournalFile.decode).max { $0.sequence < $1.sequence }
    }

    /// The bytes of the partial file that can be relied on for the file `description` is of; none if it is another one.
    func trusted(for file: RemoteFile, _ description: RemoteDescription, partialSize: Int64) -> ExtentSet {
        guard size == description.size else { return ExtentSet() }
        if let known = sha256, let sha256 = description.sha256 {
            guard known == sha256 else { return ExtentSet() }
        } else {
            guard origin == Self.key(of: file.origin), let validator, validator == description.validator else {
                return ExtentSet()
            }
        }
        let pairs = boot != nil && boot == BootIdentity.current ? written : synchronized
        var set = ExtentSet()
        for pair in pairs {
            guard pair.count == 2, pair[0] >= 0, pair[0] < pair[1], pair[1] <= min(size, partialSize) else {
                return ExtentSet()
            }
            set.insert(pair[0]..<pair[1])
        }
        return set
    }

    /// True if every number in it is one that a file can have: a journal may be changed by others, and sums must not
    /// overflow.
    var isPlausible: Bool {
        // -1 stands for a length that is not known.
        guard size == -1 || OutsideNumber.size(size) != nil else { return false }
        return (written + synchronized).allSatisfy { pair in
            pair.count == 2 && OutsideNumber.size(pair[0]) != nil && OutsideNumber.size(pair[1]) != nil
                && pair[0] < pair[1]
        }
    }

    static func pairs(_ set: ExtentSet) -> [[Int64]] {
        set.ranges.map { [$0.lowerBound, $0.upperBound] }
    }
}

extension TransferJournal {
    /// The journal as it stands in its file.
    var json: JSONValue {
        func list(_ pairs: [[Int64]]) -> JSONValue { .array(pairs.map { .array($0.map { .integer($0) }) }) }
        var object: JSONObject = [
            "version": .integer(Int64(clamping: version)), "sequence": .integer(Int64(clamping: sequence)),
            "origin": .string(origin),
            "size": .integer(size), "written": list(written), "synchronized": list(synchronized),
        ]
        object["validator"] = validator.map { .string($0) }
        object["sha256"] = sha256.map { .string($0) }
        object["boot"] = boot.map { .string($0) }
        return .object(object)
    }

    /// Reads what ``json`` gives; nil where something is missing.
    init?(json: JSONValue) {
        func pairs(_ key: String) -> [[Int64]]? {
            json[key]?.array?.map { pair in pair.array?.compactMap { $0.integer.map { Int64(clamping: $0) } } ?? [] }
        }
        guard let version = json["version"]?.integer, let sequence = json["sequence"]?.integer,
            let origin = json["origin"]?.string, let size = json["size"]?.integer, let written = pairs("written"),
            let synchronized = pairs("synchronized")
        else { return nil }
        self.init(
            version: version, sequence: sequence, origin: origin, size: Int64(clamping: size),
            validator: json["validator"]?.string, sha256: json["sha256"]?.string, boot: json["boot"]?.string,
            written: written, synchronized: synchronized)
    }
}
