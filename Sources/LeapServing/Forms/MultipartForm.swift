import Foundation
import LeapBase

/// The parts of a form that was sent as `multipart/form-data` (RFC 7578).
///
/// One pass over the body, with bounds on everything else: how many parts there are, how long their headers are, and
/// how long a text is.
struct MultipartForm: Sendable {
    /// A field or a file.
    struct Part: Sendable {
        var name: String
        /// The name of the file; nil for a field.
        var fileName: String?
        var bytes: ArraySlice<UInt8>
    }

    /// The maximum number of parts.
    static let maxParts = 128
    /// The maximum number of bytes in the headers of one part.
    static let maxHeaderBytes = 8192
    /// The maximum number of characters in a boundary, as RFC 2046 has it.
    static let maxBoundary = 70

    private(set) var parts: [Part] = []

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: the request's body.
    ///   - contentType: the request's header, which names the boundary between the parts.
    /// - Throws: ``APIError`` that says what is wrong with the form.
    init(_ body: [UInt8], contentType: String?) throws(APIError) {
        let boundary = try Self.boundary(contentType)
        // Every delimiter but the first begins a line; the first may be the first line.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var rest = body[...]
        if rest.starts(with: delimiter.dropFirst(2)) {
            rest = rest.dropFirst(delimiter.count - 2)
        } else if let first = Self.find(delimiter, in: rest) {
            rest = rest[first.upperBound...]
        } else {
            throw .invalid("the form has no parts: its boundary '\(HeaderText.safe(boundary))' is nowhere in the body")
        }
        while try !Self.isLast(&rest) {
            guard parts.count < Self.maxParts else {
                throw .invalid("the form has more than \(Self.maxParts) parts")
            }
            let headers = try Self.headers(&rest)
            guard let end = Self.find(delimiter, in: rest) else {
                throw .invalid("the form is cut off: its last part does not end with the boundary")
            }
            parts.append(try Self.part(headers, rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
    }

    // MARK: Boundaries

    private static func boundary(_ contentType: String?) throws(APIError) -> String {
        let (kind, parameters) = HeaderParameters.parse(contentType ?? "")
        guard kind == "multipart/form-data" else {
            throw APIError.refused(
                415, "the request's Content-Type is '\(HeaderText.safe(kind))'; send a form as multipart/form-data")
        }
        guard let boundary = parameters["boundary"], (1...maxBoundary).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ (0x20..<0x7f).contains($0) })
        else {
            throw .invalid(
                "the Content-Type of the form names no boundary of 1 to \(maxBoundary) visible characters")
        }
        return boundary
    }

    /// Returns true if the delimiter that was just read ends the form; otherwise it passes over the rest of the
    /// delimiter's line.
    private static func isLast(_ rest: inout ArraySlice<UInt8>) throws(APIError) -> Bool {
        if rest.starts(with: [0x2d, 0x2d]) { return true }
        // Spaces and tabs may follow.
        let line = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard line.starts(with: [0x0d, 0x0a]) else {
            throw .invalid("the form is damaged: a boundary is followed by other text in its line")
        }
        rest = line.dropFirst(2)
        return false
    }

    /// Returns the range of the first delimiter; nil where there is none.
    ///
    /// A delimiter has one carriage return, at its start, so no byte is looked at more than twice.
    private static func find(_ delimiter: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var start = bytes.startIndex
        while let place = bytes[start...].firstIndex(of: 0x0d) {
            let candidate = bytes[place...]
            if candidate.starts(with: delimiter) { return place..<place + delimiter.count }
            start = place + 1
        }
        return nil
    }

    // MARK: Parts

    /// The headers of a part, names in lower case.
    private static func headers(_ rest: inout ArraySlice<UInt8>) throws(APIError) -> [String: String] {
        var headers: [String: String] = [:]
        let start = rest.startIndex
        while true {
            let searched = rest.prefix(maxHeaderBytes - (rest.startIndex - start))
            guard let end = find([0x0d, 0x0a], in: searched) else {
                throw .invalid(
                    rest.count > searched.count
                        ? "the headers of a part have more than \(maxHeaderBytes) bytes"
                        : "the form is cut off in the headers of a part")
            }
            let line = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            if line.isEmpty { return headers }
            guard let text = UTF8Bytes.text(line), let colon = text.firstIndex(of: ":") else {
                throw .invalid("a header of a part is not 'name: value' in UTF-8")
            }
            let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[text[..<colon].lowercased()] = value
        }
    }

    private static func part(
        _ headers: [String: String], _ bytes: ArraySlice<UInt8>
    ) throws(APIError) -> Part {
        let (kind, parameters) = HeaderParameters.parse(headers["content-disposition"] ?? "")
        guard kind == "form-data", let name = parameters["name"] else {
            throw .invalid("a part of the form has no name: its Content-Disposition has to be form-data; name=\"…\"")
        }
        return Part(name: name, fileName: parameters["filename"], bytes: bytes)
    }
}
