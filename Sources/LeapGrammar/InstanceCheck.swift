import LeapJSON

/// Judging a document that exists already.
package enum InstanceCheck {
    /// A fault of a document, with its place.
    package struct Fault: Sendable, Equatable {
        /// JSON Pointer into the document.
        package var pointer: String
        package var reason: String
    }

    /// Single bytes, so that a document is judged independently of any model.
    private static let vocabulary = VocabularyIndex(
        TokenVocabulary(tokens: (0...255).map { [UInt8($0)] }, specialTokens: [], endTokens: []))

    /// The first fault of a document; nil where it is valid.
    ///
    /// White space does not count. For documents in any order of properties the grammar must be compiled with
    /// `propertyOrder: .any`.
    ///
    /// - Throws: ``GrammarError`` where the document is not JSON.
    package static func fault(in document: [UInt8], against grammar: CompiledGrammar) throws(GrammarError) -> Fault? {
        let value = try JSONValue(schemaText: document)
        let text = JSONWriter.bytes(value, style: .python)
        let matcher = grammar.matcher(vocabulary: vocabulary)
        for (offset, byte) in text.enumerated() where !matcher.accept(bytes: CollectionOfOne(byte)) {
            let mayGoOn = [UInt8](",]}".utf8).contains { matcher.copy().accept(bytes: CollectionOfOne($0)) }
            let place = DocumentPlace(text, offset, valueHasEnded: mayGoOn || matcher.isAccepting)
            var reason = place.reason
            if place.lacksProperties {
                let names = matcher.missingProperties()
                if !names.isEmpty { reason += ": " + list(names) }
            }
            return Fault(pointer: place.pointer, reason: reason)
        }
        if matcher.isAccepting { return nil }
        return Fault(pointer: "", reason: "this value does not fit")
    }

    /// Names in quotes, ten at most.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(10).map { JSONWriter.quoted($0) }.joined(separator: ", ")
        return names.count > 10 ? shown + " and \(names.count - 10) more" : shown
    }
}

/// The place of an offset in a serialized document.
private struct DocumentPlace {
    private(set) var pointer = ""
    private(set) var reason = "this value does not fit"
    /// True if the fault is the end of an object.
    private(set) var lacksProperties = false

    /// Reads up to the byte that does not fit, keeping the path to it.
    init(_ text: [UInt8], _ offset: Int, valueHasEnded: Bool) {
        var reader = PathReader()
        while reader.position < offset { reader.read(text, until: offset) }
        var path = reader.path
        if reader.isKey {
            reason = "this property is not allowed here"
        } else if reader.position == offset, let last = path.last {
            switch text[offset] {
            case UInt8(ascii: "\"") where reader.expectsKey: reason = "no property is allowed here"
            case UInt8(ascii: ",") where valueHasEnded:
                reason = last.index >= 0 ? "no further item is allowed here" : "no further property is allowed here"
            case UInt8(ascii: "}") where valueHasEnded || text[offset - 1] == UInt8(ascii: "{"):
                reason = "properties are missing"
                lacksProperties = true
            case UInt8(ascii: "]") where valueHasEnded || text[offset - 1] == UInt8(ascii: "["):
                reason = "items are missing"
            default: break
            }
            if reason != "this value does not fit" { path.removeLast() }
        }
        pointer = path.map { "/" + Self.escaped($0.index >= 0 ? String($0.index) : $0.key) }.joined()
    }

    /// A name as a token of a JSON Pointer.
    private static func escaped(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// Reads a serialized document, keeping the path to where it stands.
private struct PathReader {
    /// Per open array its index, per open object its key.
    private(set) var path: [(key: String, index: Int)] = []
    private(set) var position = 0
    /// True if the last string is a key that reaches to the offset or beyond.
    private(set) var isKey = false
    private(set) var expectsKey = false

    /// Reads a string or one other byte.
    mutating func read(_ text: [UInt8], until offset: Int) {
        switch text[position] {
        case UInt8(ascii: "{"):
            path.append(("", -1))
            expectsKey = true
        case UInt8(ascii: "["): path.append(("", 0))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            path.removeLast()
            expectsKey = false
        case UInt8(ascii: ","):
            if let last = path.last, last.index >= 0 {
                path[path.count - 1].index += 1
            } else {
                expectsKey = true
            }
        case UInt8(ascii: "\""): readString(text, until: offset)
        default: break
        }
        position += 1
    }

    private mutating func readString(_ text: [UInt8], until offset: Int) {
        let start = position
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position + 1, text.count)
        if expectsKey {
            let whole = try? JSONParser.parse(Array(text[start..<end]))
            if path.last != nil { path[path.count - 1].key = whole?.string ?? "" }
            isKey = position >= offset
            if !isKey { expectsKey = false }
        }
    }
}
