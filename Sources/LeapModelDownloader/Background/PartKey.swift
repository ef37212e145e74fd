import Foundation

/// The file and the bytes of it that a background task fetches, in a form that outlives the process.
///
/// The system keeps a task's description over a relaunch and nothing else that could tell tasks apart: signed addresses
/// change, and identifiers begin anew.
package struct PartKey: Hashable, Codable, Sendable {
    /// The file's address without query and fragment, which carry signatures that expire.
    package var file: String
    /// The validator of the file as it must still be: its entity tag or date; nil where the server has neither.
    package var validator: String?
    /// The bytes.
    package var range: Range<Int64>

    package init(url: URL, validator: String?, range: Range<Int64>) {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        components?.query = nil
        components?.fragment = nil
        file = components?.string ?? url.absoluteString
        self.validator = validator
        self.range = range
    }

    /// Reads a task's description; nil if it is not one of ours.
    package init?(_ description: String?) {
        guard let description, let key = try? JSONDecoder().decode(PartKey.self, from: Data(description.utf8)),
            !key.range.isEmpty, key.range.lowerBound >= 0
        else { return nil }
        self = key
    }

    /// The text that is kept with a task.
    package var description: String {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns whether this is of the same file as `other` and holds its first byte.
    package func begins(_ other: PartKey) -> Bool {
        file == other.file && validator == other.validator && range.contains(other.range.lowerBound)
    }
}
