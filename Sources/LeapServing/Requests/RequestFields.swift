import LeapJSON

/// A reader of a JSON request's fields that records which of them were read.
struct RequestFields: Sendable {
    private var object: JSONObject
    private var read: Set<String> = []
    /// Places inside of fields that were left out.
    private var leftOut: [String] = []
    /// The names that fields have here, by those of chat completions.
    private var names = FieldNames()

    /// Reads a body.
    ///
    /// - Throws: ``APIError`` where it is no JSON object.
    init(_ body: RequestBody) throws(APIError) { self.init(try body.members()) }

    init(_ object: JSONObject) { self.object = object }

    /// Reads a request's body.
    ///
    /// - Throws: ``APIError`` where it is no JSON object.
    static func read(_ request: ServerRequest) async throws -> RequestFields {
        try await LongWork.run(on: request.body.byteCount) { try RequestFields(request.body) }
    }

    /// The fields that were not read, in their order, and what inside of the others was left out.
    var ignored: [String] { object.keys.filter { !read.contains($0) } + leftOut }

    /// Records places inside of fields that have no effect.
    mutating func leaveOut(_ places: [String]) { leftOut += places }

    /// Replaces the value of a field; nil removes it.
    mutating func replace(_ name: String, with value: JSONValue?) { object[name] = value }

    /// Reads fields by their names in chat completions, where a protocol has them under names of its own.
    mutating func named<Read>(
        _ names: FieldNames, _ read: (inout RequestFields) throws(APIError) -> Read
    ) throws(APIError) -> Read {
        let before = self.names
        self.names = names
        defer { self.names = before }
        return try read(&self)
    }

    /// The name of a field in the client's body, for errors.
    func shown(_ name: String) -> String { names[name] ?? name }

    /// A field's value; nil where it is missing or null.
    mutating func value(_ name: String) -> JSONValue? {
        guard let name = names[name] else { return nil }
        read.insert(name)
        let value = object[name]
        return value == .null ? nil : value
    }

    mutating func string(_ name: String) throws(APIError) -> String? {
        try typed(name, "a string", \.string)
    }

    mutating func bool(_ name: String) throws(APIError) -> Bool? {
        try typed(name, "true or false", \.bool)
    }

    mutating func array(_ name: String) throws(APIError) -> [JSONValue]? {
        try typed(name, "an array", \.array)
    }

    mutating func object(_ name: String) throws(APIError) -> JSONObject? {
        try typed(name, "an object", \.object)
    }

    /// The value of a field that goes by several names; the first that is there wins, and none of them is without
    /// effect.
    mutating func first<T>(
        of names: [String], _ read: (inout RequestFields, String) throws(APIError) -> T?
    ) throws(APIError) -> T? {
        var found: T?
        for name in names {
            let value = try read(&self, name)
            if found == nil { found = value }
        }
        return found
    }

    /// A number within a range.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(APIError) -> Double? {
        guard let number = try typed(name, "a number", \.double) else { return nil }
        guard range.contains(number) else {
            let name = shown(name)
            throw .invalid("'\(name)' is \(number); expected \(range.lowerBound) to \(range.upperBound)", name)
        }
        return number
    }

    /// A whole number within a range.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(APIError) -> Int? {
        guard let value = value(name) else { return nil }
        return try Self.integer(value, at: shown(name), in: range)
    }

    /// A value as a whole number within a range.
    ///
    /// - Parameter place: the value's place in the client's body, for errors.
    static func integer(_ value: JSONValue, at place: String, in range: ClosedRange<Int>) throws(APIError) -> Int {
        guard let number = value.integer, range.contains(number) else {
            let found = value.number.map { HeaderText.safe($0.spelling) } ?? value.kind
            throw .invalid(
                "'\(place)' is \(found); expected a whole number, \(range.lowerBound) to \(range.upperBound)", place)
        }
        return number
    }

    private mutating func typed<T>(
        _ name: String, _ expected: String, _ convert: (JSONValue) -> T?
    ) throws(APIError) -> T? {
        guard let value = value(name) else { return nil }
        guard let typed = convert(value) else {
            let name = shown(name)
            throw .invalid("'\(name)' is \(value.kind); expected \(expected)", name)
        }
        return typed
    }
}
