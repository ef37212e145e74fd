import LeapJSON

/// The schema text as locations: every subschema met has a number, a pointer, a base for its references and a dynamic
/// scope.
struct SchemaDocument {
    typealias LocationID = Int32

    /// The role of a value in the schema around it.
    enum Role: UInt8 {
        /// A schema.
        case schema
        /// An array or object of schemas.
        case schemas
        /// Anything else: data, unknown keywords.
        case data
    }

    struct Location {
        var value: JSONValue
        var parent: LocationID
        var token: String
        var role: Role
        /// Index of the nearest resource.
        var resource: Int
        var scope: DynamicScopes.ID = 0
        /// The same place outside of every dynamic scope.
        var original: LocationID
    }

    /// A schema with an address of its own.
    struct Resource {
        var root: LocationID
        /// Index of the text that it stands in.
        var text: Int
        /// Its address; empty where it has none.
        var base: String
        var dialect: Dialect
        var anchors: [String: LocationID] = [:]
        /// Anchors that depend on the dynamic scope; `$recursiveAnchor` is the one without a name.
        var dynamicAnchors: [String: LocationID] = [:]
        /// The error of its `$schema`; nil where there is none.
        var fault: GrammarError?
    }

    /// A whole schema text: the one given, one of several functions', or a standard meta-schema.
    struct Text {
        var root: LocationID
        /// The place of the reference that brought a standard meta-schema in.
        var reference: String?
        /// True if `$dynamicAnchor` or `$recursiveAnchor` occurs.
        var hasDynamicAnchors: Bool
        /// Resources by address; nil until the first reference needs them.
        var resources: [String: Int]?
    }

    struct ChildKey: Hashable {
        var parent: LocationID
        var token: String

        /// Tokens are equal where their bytes are: names that only look the same are two names.
        static func == (a: ChildKey, b: ChildKey) -> Bool {
            a.parent == b.parent && a.token == b.token && a.token.utf8.elementsEqual(b.token.utf8)
        }
    }

    struct InstanceKey: Hashable {
        var original: LocationID
        var scope: DynamicScopes.ID
    }

    /// Subschemas that are looked at, at most.
    static let maximumLocations = 400_000
    /// Bytes of an address, and of all of them, at most.
    private static let maximumAddress = 2_048
    private static let maximumAddresses = 16 << 20

    var locations: [Location] = []
    var resources: [Resource] = []
    var texts: [Text] = []
    private var children: [ChildKey: LocationID] = [:]
    private var instances: [InstanceKey: LocationID] = [:]
    /// References by resource (as `parent`) and text.
    var targets: [ChildKey: LocationID] = [:]
    var scopes = DynamicScopes()
    /// Texts of standard meta-schemas by address.
    var standardTexts: [String: Int] = [:]
    /// The error of the document as a whole; nil where there is none.
    var fault: GrammarError?
    private let ignoresDialect: Bool
    private var addressBytes = 0
    /// The whole schema, in its dynamic scope.
    private(set) var start: LocationID = 0

    /// - Parameter ignoresDialect: Whether `$schema` is not read.
    init(_ root: JSONValue, ignoresDialect: Bool = false) {
        self.ignoresDialect = ignoresDialect
        start = add(root, parent: -1, token: "", reference: nil)
    }

    subscript(id: LocationID) -> Location { locations[Int(id)] }

    /// The dialect that a location is read in.
    func dialect(_ id: LocationID) -> Dialect { resources[locations[Int(id)].resource].dialect }

    /// The error that keeps a location from being read; nil where there is none.
    func fault(at id: LocationID) -> GrammarError? { fault ?? resources[locations[Int(id)].resource].fault }

    // MARK: Texts

    /// Takes a schema text in.
    ///
    /// - Returns: Its root, in the dynamic scope that begins there.
    private mutating func add(_ value: JSONValue, parent: LocationID, token: String, reference: String?) -> LocationID {
        let id = LocationID(locations.count)
        locations.append(
            Location(value: value, parent: parent, token: token, role: .schema, resource: resources.count, original: id)
        )
        texts.append(
            Text(root: id, reference: reference, hasDynamicAnchors: value.holdsDynamicAnchor, resources: nil))
        resources.append(Resource(root: id, text: texts.count - 1, base: "", dialect: .unstated))
        if let object = value.object {
            var resource = resources[resources.count - 1]
            readDialect(object, into: &resource)
            if let identifier = resource.dialect.identifier(of: object), !identifier.isAnchor {
                resource.base = URIReference.resolve(identifier.text, base: "")
            }
            limitAddress(of: &resource)
            resources[resources.count - 1] = resource
        }
        return entered(id, from: 0)
    }

    /// The location of a schema that is a document of its own, with its own definitions.
    mutating func embedded(_ name: String, _ schema: JSONValue) -> LocationID {
        add(schema, parent: 0, token: name, reference: nil)
    }

    /// The text of a standard meta-schema, taken in at the first reference to it.
    ///
    /// - Parameter reference: A pointer to that reference, to which errors inside will point.
    mutating func standardText(_ address: String, for reference: String) -> Int? {
        if let known = standardTexts[address] { return known }
        guard let value = MetaSchemas.schema(at: address) else { return nil }
        let index = texts.count
        _ = add(value, parent: 0, token: "", reference: reference)
        standardTexts[address] = index
        return index
    }

    private func readDialect(_ object: JSONObject, into resource: inout Resource) {
        guard !ignoresDialect, let value = object["$schema"] else { return }
        let place = pointer(resource.root, "$schema")
        guard let uri = value.string else {
            resource.fault = GrammarError(.invalidSchema, at: place, "must be a string, but is \(value.kind)")
            return
        }
        if uri.isEmpty { return }
        if let known = Dialect(standard: uri) {
            resource.dialect = known
            return
        }
        let root = locations[Int(texts[resource.text].root)].value.object
        guard let metaSchema = root.flatMap({ Self.definition(of: URIReference.split(uri).address, in: $0) }) else {
            resource.fault = GrammarError(
                .unsupported, at: place,
                "the meta-schema \"\(uri)\" is not known, so its keywords have no known meaning; name a standard draft, "
                    + "put the meta-schema under $defs, or relax $schema")
            return
        }
        do throws(GrammarError) { resource.dialect = try Dialect(metaSchema: metaSchema) } catch {
            resource.fault = GrammarError(error.code, at: place, error.reason)
        }
    }

    /// A definition by its address.
    private static func definition(of address: String, in root: JSONObject) -> JSONObject? {
        let base = URIReference.resolve(root["$id"]?.string ?? "", base: "")
        for container in ["$defs", "definitions"] {
            for value in root[container]?.object?.values ?? [] {
                guard let object = value.object, let identifier = object["$id"]?.string else { continue }
                if URIReference.resolve(identifier, base: base) == address { return object }
            }
        }
        return nil
    }

    // MARK: Locations

    /// The location of a value below another, in the other's dynamic scope.
    mutating func child(_ parent: LocationID, _ token: String, _ value: JSONValue) -> LocationID {
        let scope = locations[Int(parent)].scope
        return entered(originalChild(locations[Int(parent)].original, token, value), from: scope)
    }

    /// The location of a value below another, outside of every dynamic scope.
    mutating func originalChild(_ parent: LocationID, _ token: String, _ value: JSONValue) -> LocationID {
        let key = ChildKey(parent: parent, token: token)
        if let known = children[key] { return known }
        let id = append(value, below: parent, token)
        children[key] = id
        return id
    }

    /// The location of a member of a keyword's array or object.
    mutating func child(
        _ parent: LocationID, _ keyword: String, _ container: JSONValue, _ token: String, _ value: JSONValue
    ) -> LocationID {
        child(child(parent, keyword, container), token, value)
    }

    private mutating func append(_ value: JSONValue, below parent: LocationID, _ token: String) -> LocationID {
        let outer = locations[Int(parent)]
        let id = LocationID(locations.count)
        limitLocations()
        var role = Role.data
        switch outer.role {
        case .schemas: role = .schema
        case .schema: role = resources[outer.resource].dialect.keyword(token)?.role(of: value) ?? .data
        case .data: break
        }
        locations.append(
            Location(value: value, parent: parent, token: token, role: role, resource: outer.resource, original: id))
        if role == .schema { becomeResource(id) }
        return id
    }

    /// Gives a schema a resource of its own where it has an address.
    mutating func becomeResource(_ id: LocationID) {
        guard let object = locations[Int(id)].value.object else { return }
        let outer = resources[locations[Int(id)].resource]
        guard let identifier = outer.dialect.identifier(of: object), !identifier.isAnchor else { return }
        let base = URIReference.resolve(identifier.text, base: outer.base)
        if base == outer.base { return }
        var resource = Resource(root: id, text: outer.text, base: base, dialect: outer.dialect)
        if outer.dialect.draft >= .draft2019 { readDialect(object, into: &resource) }
        limitAddress(of: &resource)
        locations[Int(id)].resource = resources.count
        resources.append(resource)
    }

    private mutating func limitAddress(of resource: inout Resource) {
        let length = resource.base.utf8.count
        addressBytes += length
        guard length > Self.maximumAddress || addressBytes > Self.maximumAddresses else { return }
        fault = GrammarError(
            .tooComplex, at: pointer(resource.root, resource.dialect.identifier),
            "an address has \(length) bytes (\(addressBytes) with those before it), but the limit is "
                + "\(Self.maximumAddress), or \(Self.maximumAddresses) for all addresses")
        resource.base = ""
    }

    /// A place as it is met in a dynamic scope: with the anchors of its resource in force.
    mutating func entered(_ original: LocationID, from scope: DynamicScopes.ID) -> LocationID {
        let index = locations[Int(original)].resource
        let text = resources[index].text
        var next = scope
        if texts[text].hasDynamicAnchors {
            registerResources(of: text)
            if let scope = scopes.entering(index, with: resources[index].dynamicAnchors, from: scope) {
                next = scope
            } else {
                fault = GrammarError(
                    .tooComplex, at: pointer(original),
                    "the dynamic anchors have more than \(DynamicScopes.maximumNames) names or combine in more than "
                        + "\(DynamicScopes.maximumCount) ways; use $ref")
            }
        }
        if next == 0 { return original }
        let key = InstanceKey(original: original, scope: next)
        if let known = instances[key] { return known }
        let id = LocationID(locations.count)
        limitLocations()
        var copy = locations[Int(original)]
        copy.scope = next
        locations.append(copy)
        instances[key] = id
        return id
    }

    private mutating func limitLocations() {
        if locations.count < Self.maximumLocations || fault != nil { return }
        fault = GrammarError(
            .tooComplex, at: "", "the schema has more than \(Self.maximumLocations) subschemas; remove some")
    }

    /// JSON Pointer of a keyword of a schema; in a standard meta-schema, of the reference to it.
    func pointer(_ id: LocationID, _ keyword: String) -> String {
        let text = texts[resources[locations[Int(id)].resource].text]
        return text.reference ?? pointer(id) + "/" + Self.escaped(keyword)
    }

    /// JSON Pointer of a location; in a standard meta-schema, of the reference to it.
    func pointer(_ id: LocationID) -> String {
        var parts: [String] = []
        var current = locations[Int(id)].original
        while current > 0 {
            let location = locations[Int(current)]
            let text = texts[resources[location.resource].text]
            if text.root == current, let reference = text.reference { return reference }
            parts.append(Self.escaped(location.token))
            current = location.parent
        }
        return parts.isEmpty ? "" : "/" + parts.reversed().joined(separator: "/")
    }

    static func escaped(_ token: String) -> String {
        var result = ""
        for character in token.unicodeScalars {
            switch character {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension Dialect {
    /// The address of a schema, or the name that its address consists of (drafts 4 to 7); nil where it has none.
    func identifier(of object: JSONObject) -> (text: String, isAnchor: Bool)? {
        guard let text = object[identifier]?.string, !text.isEmpty else { return nil }
        if referenceStandsAlone, object["$ref"]?.string != nil { return nil }
        if text.hasPrefix("#") { return referenceStandsAlone && text.utf8.count > 1 ? (text, true) : nil }
        return (text, false)
    }
}

extension SchemaKeyword {
    /// Returns the role of a keyword's value.
    func role(of value: JSONValue) -> SchemaDocument.Role {
        switch content {
        case .schema, .schemaOrBoolean: .schema
        case .schemaOrSchemas: value.array == nil ? .schema : .schemas
        case .schemas, .schemaMap, .patternMap, .dependencies: .schemas
        default: .data
        }
    }
}

extension JSONValue {
    /// True if a keyword that makes dynamic anchors occurs anywhere.
    fileprivate var holdsDynamicAnchor: Bool {
        var pending = [self]
        while let value = pending.popLast() {
            switch value {
            case .array(let items):
                for item in items where item.isContainer { pending.append(item) }
            case .object(let object):
                for key in object.keys where key.utf8.first == UInt8(ascii: "$") {
                    if key == "$dynamicAnchor" || key == "$recursiveAnchor" { return true }
                }
                for item in object.values where item.isContainer { pending.append(item) }
            default: break
            }
        }
        return false
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
