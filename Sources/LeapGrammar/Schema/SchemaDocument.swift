import LeapBase
import LeapJSON

/// The schema text as locations: every subschema met has a number, a pointer and a base for its references.
struct SchemaDocument {
    typealias LocationID = Int32

    enum Draft: Int, Comparable {
        case draft4 = 4
        case draft6 = 6
        case draft7 = 7
        case draft2019 = 8
        case draft2020 = 9
        static func < (a: Draft, b: Draft) -> Bool { a.rawValue < b.rawValue }
    }

    struct Location {
        var value: JSONValue
        var parent: LocationID
        var token: String
        /// Location of the nearest schema with an `$id`.
        var resource: LocationID
    }

    private struct ChildKey: Hashable {
        var parent: LocationID
        var token: String
    }

    private(set) var locations: [Location]
    private var children: [ChildKey: LocationID] = [:]
    private var targets: [ChildKey: LocationID] = [:]
    private var resources: [String: LocationID]?
    private var anchors: [String: LocationID] = [:]
    private var bases: [LocationID: String] = [:]
    let draft: Draft

    init(_ root: JSONValue) {
        locations = [Location(value: root, parent: -1, token: "", resource: 0)]
        draft = Self.draft(of: root.object?["$schema"]?.string ?? "")
    }

    private static func draft(of uri: String) -> Draft {
        if uri.contains("draft-04") || uri.contains("draft-03") { return .draft4 }
        if uri.contains("draft-06") { return .draft6 }
        if uri.contains("draft-07") { return .draft7 }
        if uri.contains("2019-09") { return .draft2019 }
        return .draft2020
    }

    subscript(id: LocationID) -> Location { locations[Int(id)] }

    var idKeyword: String { draft == .draft4 ? "id" : "$id" }

    /// The location of a value below another.
    mutating func child(_ parent: LocationID, _ token: String, _ value: JSONValue) -> LocationID {
        let key = ChildKey(parent: parent, token: token)
        if let known = children[key] { return known }
        let id = LocationID(locations.count)
        var resource = locations[Int(parent)].resource
        if let text = value.object?[idKeyword]?.string, !text.isEmpty, !text.hasPrefix("#") { resource = id }
        locations.append(Location(value: value, parent: parent, token: token, resource: resource))
        children[key] = id
        return id
    }

    /// The location of a schema that is a document of its own, with its own definitions.
    mutating func embedded(_ name: String, _ schema: JSONValue) -> LocationID {
        let id = child(0, name, schema)
        locations[Int(id)].resource = id
        return id
    }

    /// The location of a member of a keyword's array or object.
    mutating func child(
        _ parent: LocationID, _ keyword: String, _ container: JSONValue, _ token: String, _ value: JSONValue
    ) -> LocationID {
        child(child(parent, keyword, container), token, value)
    }

    /// JSON Pointer of a location.
    func pointer(_ id: LocationID) -> String {
        var parts: [String] = []
        var current = id
        while current > 0 {
            let location = locations[Int(current)]
            var token = ""
            for character in location.token.unicodeScalars {
                switch character {
                case "~": token += "~0"
                case "/": token += "~1"
                default: token.unicodeScalars.append(character)
                }
            }
            parts.append(token)
            current = location.parent
        }
        return parts.isEmpty ? "" : "/" + parts.reversed().joined(separator: "/")
    }

    // MARK: References

    /// Follows a reference found at a location.
    mutating func resolve(_ reference: String, from id: LocationID) throws(GrammarError) -> LocationID {
        let resource = locations[Int(id)].resource
        let key = ChildKey(parent: resource, token: reference)
        if let known = targets[key] { return known }
        let result = try find(reference, resource: resource, from: id)
        targets[key] = result
        return result
    }

    private mutating func find(
        _ reference: String, resource: LocationID, from id: LocationID
    ) throws(GrammarError) -> LocationID {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let address = String(parts.first ?? "")
        let fragment = Self.percentDecoded(parts.count > 1 ? String(parts[1]) : "")
        var roots: [LocationID] = [resource]
        if address.isEmpty {
            if resource != 0 { roots.append(0) }
        } else {
            scanResources()
            let absolute = Self.resolveURI(address, base: base(of: resource))
            let found = resources?[absolute] ?? resources?[address] ?? resources?[Self.lastComponent(absolute)]
            guard let found else {
                throw GrammarError(
                    .unresolvedReference, at: pointer(id) + "/$ref",
                    "\"\(reference)\" is outside the document; put the schema under $defs and refer to it there")
            }
            roots = [found]
        }
        for root in roots {
            if fragment.isEmpty { return root }
            if fragment.hasPrefix("/") {
                if let target = walk(root, fragment) { return target }
            } else {
                scanResources()
                if let target = anchors["\(root)#\(fragment)"] ?? anchors["#\(fragment)"] { return target }
            }
        }
        throw GrammarError(
            .unresolvedReference, at: pointer(id) + "/$ref", "\"\(reference)\" leads to nothing in the document")
    }

    private mutating func walk(_ root: LocationID, _ fragment: String) -> LocationID? {
        var current = root
        for part in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let token = Self.unescaped(String(part))
            switch locations[Int(current)].value {
            case .object(let object):
                guard let value = object[token] else { return nil }
                current = child(current, token, value)
            case .array(let items):
                guard let index = Int(token), items.indices.contains(index) else { return nil }
                current = child(current, token, items[index])
            default: return nil
            }
        }
        return current
    }

    private static func unescaped(_ token: String) -> String {
        guard token.utf8.contains(UInt8(ascii: "~")) else { return token }
        var bytes: [UInt8] = []
        var pending = false
        for byte in token.utf8 {
            if pending {
                bytes.append(byte == UInt8(ascii: "1") ? UInt8(ascii: "/") : UInt8(ascii: "~"))
                if byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { bytes.append(byte) }
                pending = false
            } else if byte == UInt8(ascii: "~") {
                pending = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func percentDecoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = HexDigit.value(source[index + 1]), let low = HexDigit.value(source[index + 2])
            {
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func lastComponent(_ uri: String) -> String {
        String(uri[(uri.lastIndex(of: "/").map { uri.index(after: $0) } ?? uri.startIndex)...])
    }

    /// RFC 3986 resolution as far as schema identifiers use it.
    static func resolveURI(_ reference: String, base: String) -> String {
        let trimmed = String(
            reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
        if trimmed.isEmpty { return base }
        if let colon = trimmed.firstIndex(of: ":"),
            trimmed[..<colon].utf8.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 < 0x3A })
        {
            return trimmed
        }
        guard let scheme = base.firstIndex(of: ":") else {
            let directory = base.lastIndex(of: "/").map { String(base[...$0]) } ?? ""
            return trimmed.hasPrefix("/") ? trimmed : directory + trimmed
        }
        if trimmed.hasPrefix("//") { return base[...scheme] + trimmed }
        var pathStart = base.index(after: scheme)
        if base[pathStart...].hasPrefix("//") {
            let host = base.index(pathStart, offsetBy: 2)
            pathStart = base[host...].firstIndex(of: "/") ?? base.endIndex
        }
        if trimmed.hasPrefix("/") { return base[..<pathStart] + trimmed }
        var segments = base[pathStart...].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if !segments.isEmpty { segments.removeLast() }
        for part in trimmed.split(separator: "/", omittingEmptySubsequences: false) {
            if part == ".." {
                if segments.count > 1 { segments.removeLast() }
            } else if part != "." {
                segments.append(String(part))
            }
        }
        if segments.first?.isEmpty == false { segments.insert("", at: 0) }
        return base[..<pathStart] + segments.joined(separator: "/")
    }

    private func base(of resource: LocationID) -> String { bases[resource] ?? "" }

    /// Finds every `$id` and anchor once, when the first reference needs them.
    private mutating func scanResources() {
        guard resources == nil else { return }
        resources = [:]
        var stack: [(LocationID, String)] = [(0, "")]
        var visited = 0
        while let (id, outer) = stack.popLast() {
            visited += 1
            if visited > 200_000 { return }
            var base = outer
            let location = locations[Int(id)]
            if case .array(let items) = location.value {
                for (index, item) in items.enumerated() where item.object != nil || item.array != nil {
                    stack.append((child(id, String(index), item), base))
                }
                continue
            }
            guard let object = location.value.object else { continue }
            if let text = object[idKeyword]?.string ?? (draft > .draft4 ? nil : object["$id"]?.string) {
                if text.hasPrefix("#") {
                    register(anchor: String(text.dropFirst()), id)
                } else if !text.isEmpty {
                    base = Self.resolveURI(text, base: outer)
                    resources?[base] = id
                    if let mark = text.firstIndex(of: "#"), text.index(after: mark) < text.endIndex {
                        register(anchor: String(text[text.index(after: mark)...]), id)
                    }
                }
            }
            bases[id] = base
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let name = object[keyword]?.string { register(anchor: name, id) }
            }
            for (key, value) in zip(object.keys, object.values)
            where key != "enum" && key != "const" && (value.object != nil || value.array != nil) {
                stack.append((child(id, key, value), base))
            }
        }
    }

    private mutating func register(anchor: String, _ id: LocationID) {
        let resource = locations[Int(id)].resource
        anchors["\(resource)#\(anchor)"] = id
        if anchors["#\(anchor)"] == nil { anchors["#\(anchor)"] = id }
    }
}
