import Foundation
import LeapBase

/// A reader of a form's fields that records which of them were read.
struct FormFields: Sendable {
    /// The maximum number of bytes in a field that is no file.
    static let maxTextBytes = 1 << 20

    private let form: MultipartForm
    private var read: Set<String> = []

    init(_ form: MultipartForm) { self.form = form }

    /// The fields that were not read, in their order.
    var ignored: [String] {
        var seen = read
        return form.parts.map(\.name).filter { seen.insert($0).inserted }
    }

    /// A file's bytes; nil where there is none.
    mutating func file(_ name: String) throws(APIError) -> ArraySlice<UInt8>? {
        let parts = parts(name)
        guard parts.count < 2 else {
            throw .invalid("'\(name)' is given \(parts.count) times; expected one file", name)
        }
        return parts.first?.bytes
    }

    /// A field's text; nil where it is missing or empty.
    mutating func string(_ name: String) throws(APIError) -> String? {
        let texts = try strings(name)
        guard texts.count < 2 else { throw .invalid("'\(name)' is given \(texts.count) times; expected one", name) }
        return texts.first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The texts of a field that may be there several times, as `name` or `name[]`.
    mutating func list(_ name: String) throws(APIError) -> [String] {
        try strings(name) + strings(name + "[]")
    }

    mutating func bool(_ name: String) throws(APIError) -> Bool? {
        switch try string(name)?.lowercased() {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        case let other?:
            throw .invalid("'\(name)' is '\(HeaderText.safe(other))'; expected true or false", name)
        }
    }

    /// A number within a range.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(APIError) -> Double? {
        guard let text = try string(name) else { return nil }
        guard let number = DecimalText.number(text), range.contains(number) else {
            throw .invalid(
                "'\(name)' is '\(HeaderText.safe(text))'; expected \(range.lowerBound) to \(range.upperBound)", name)
        }
        return number
    }

    private mutating func parts(_ name: String) -> [MultipartForm.Part] {
        read.insert(name)
        return form.parts.filter { $0.name == name }
    }

    private mutating func strings(_ name: String) throws(APIError) -> [String] {
        var texts: [String] = []
        for part in parts(name) {
            guard part.bytes.count <= Self.maxTextBytes, let text = UTF8Bytes.text(part.bytes) else {
                throw .invalid(
                    "'\(name)' is not UTF-8 text of at most \(Self.maxTextBytes) bytes; only 'file' is a file", name)
            }
            texts.append(text)
        }
        return texts
    }
}
