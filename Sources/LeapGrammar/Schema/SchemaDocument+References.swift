import LeapJSON

/// Following references.
extension SchemaDocument {
    /// The schema that a reference leads to, in the dynamic scope at hand.
    ///
    /// - Parameter keyword: `$ref`, `$dynamicRef` or `$recursiveRef`.
    mutating func resolve(
        _ reference: String, _ keyword: String, from id: LocationID
    ) throws(GrammarError) -> LocationID {
        var target = try target(of: reference, keyword, from: id)
        let scope = locations[Int(id)].scope
        let text = resources[locations[Int(target)].resource].text
        // A name that is a dynamic anchor where the reference leads at first stands for the outermost of its kind.
        if keyword != "$ref", texts[text].hasDynamicAnchors {
            try register(text, at: id)
            let name = URIReference.split(reference).fragment ?? ""
            if keyword == "$recursiveRef" || !name.isEmpty,
                resources[locations[Int(target)].resource].dynamicAnchors[name] == target
            {
                target = scopes.target(of: name, in: scope) ?? target
            }
        }
        return entered(target, from: scope)
    }

    /// Returns the target of a reference without regard to the dynamic scope.
    private mutating func target(
        of reference: String, _ keyword: String, from id: LocationID
    ) throws(GrammarError) -> LocationID {
        let resource = locations[Int(id)].resource
        let key = ChildKey(parent: LocationID(resource), token: reference)
        if let known = targets[key] { return known }
        let place = pointer(id, keyword)
        if keyword == "$recursiveRef", reference != "#" {
            throw GrammarError(.invalidSchema, at: place, "must be \"#\", but is \"\(reference)\"")
        }
        let result = try find(reference, resource, at: id, place)
        targets[key] = result
        return result
    }

    private mutating func find(
        _ reference: String, _ resource: Int, at id: LocationID, _ place: String
    ) throws(GrammarError) -> LocationID {
        let (address, fragment) = URIReference.split(reference)
        var candidates = [resource]
        if address.isEmpty {
            // Schemas in the wild mean the whole document also below an `$id`.
            let whole = locations[Int(texts[resources[resource].text].root)].resource
            if whole != resource { candidates.append(whole) }
        } else {
            candidates = [try self.resource(address, from: resource, at: id, place)]
        }
        for candidate in candidates {
            let root = resources[candidate].root
            guard let fragment, !fragment.isEmpty else { return root }
            if fragment.hasPrefix("/") {
                if let target = walk(root, fragment) { return target }
            } else {
                try register(resources[candidate].text, at: id)
                let found = resources[candidate]
                if let target = found.anchors[fragment] ?? found.dynamicAnchors[fragment] { return target }
            }
        }
        throw GrammarError(.unresolvedReference, at: place, "\"\(reference)\" points to nothing in the document")
    }

    /// The resource at an address.
    private mutating func resource(
        _ address: String, from resource: Int, at id: LocationID, _ place: String
    ) throws(GrammarError) -> Int {
        let absolute = URIReference.resolve(address, base: resources[resource].base)
        if absolute == resources[resource].base { return resource }
        try register(resources[resource].text, at: id)
        if let found = texts[resources[resource].text].resources?[absolute] { return found }
        if let text = standardText(absolute, for: place) { return locations[Int(texts[text].root)].resource }
        throw GrammarError(
            .unresolvedReference, at: place,
            "\"\(address)\" is outside the document; put the schema under $defs and refer to it there")
    }

    private mutating func walk(_ root: LocationID, _ fragment: String) -> LocationID? {
        var current = root
        for part in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let token = Self.unescaped(String(part))
            switch locations[Int(current)].value {
            case .object(let object):
                guard let value = object[token] else { return nil }
                current = originalChild(current, token, value)
            case .array(let items):
                guard let index = Int(token), items.indices.contains(index), token == String(index) else { return nil }
                current = originalChild(current, token, items[index])
            default: return nil
            }
        }
        if locations[Int(current)].role == .data {
            // What a reference leads to is a schema, wherever it stands.
            locations[Int(current)].role = .schema
            becomeResource(current)
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

    // MARK: Addresses and anchors

    private mutating func register(_ text: Int, at id: LocationID) throws(GrammarError) {
        registerResources(of: text)
        if let fault { throw fault }
    }

    /// Finds every address and anchor of a text once, when the first reference needs them.
    mutating func registerResources(of text: Int) {
        guard texts[text].resources == nil else { return }
        texts[text].resources = [:]
        var pending = [texts[text].root]
        while let id = pending.popLast(), fault == nil {
            let location = locations[Int(id)]
            if location.role == .schema { registerNames(id, in: text) }
            var below: [LocationID] = []
            switch location.value {
            case .array(let items) where location.role == .schemas:
                for (index, item) in items.enumerated() where item.object != nil {
                    below.append(originalChild(id, String(index), item))
                }
            case .object(let object):
                let dialect = dialect(id)
                for (key, value) in object.members where value.object != nil || value.array != nil {
                    let role = location.role == .schemas ? .schema : dialect.keyword(key)?.role(of: value)
                    if let role, role != .data { below.append(originalChild(id, key, value)) }
                }
            default: break
            }
            pending += below.reversed()
        }
    }

    private mutating func registerNames(_ id: LocationID, in text: Int) {
        guard let object = locations[Int(id)].value.object else { return }
        let index = locations[Int(id)].resource
        let resource = resources[index]
        if resource.root == id, !resource.base.isEmpty, texts[text].resources?[resource.base] == nil {
            texts[text].resources?[resource.base] = index
        }
        let dialect = resource.dialect
        if let identifier = dialect.identifier(of: object), let name = URIReference.split(identifier.text).fragment,
            dialect.referenceStandsAlone, !name.isEmpty
        {
            addAnchor(name, id, index)
        }
        for keyword in ["$anchor", "$dynamicAnchor"] where dialect.keyword(keyword) != nil {
            guard let name = object[keyword]?.string else { continue }
            if keyword == "$dynamicAnchor", resource.dynamicAnchors[name] == nil {
                resources[index].dynamicAnchors[name] = id
            }
            addAnchor(name, id, index)
        }
        if object["$recursiveAnchor"]?.bool == true, resource.root == id, dialect.keyword("$recursiveAnchor") != nil {
            resources[index].dynamicAnchors[""] = id
        }
    }

    private mutating func addAnchor(_ name: String, _ id: LocationID, _ resource: Int) {
        if resources[resource].anchors[name] == nil { resources[resource].anchors[name] = id }
    }
}
