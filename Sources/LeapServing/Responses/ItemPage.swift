import LeapJSON

/// The items of a list that a query asks for: `order`, `limit`, `after` and `include`.
struct ItemPage: Sendable {
    private var isAscending = false
    private var limit = 20
    private var after: String?
    private var hasLogprobs = false
    /// Values of `include` without effect.
    private(set) var ignored: [String] = []

    /// Reads a query.
    ///
    /// - Throws: ``APIError`` that names the parameter at fault.
    init(_ query: RequestQuery) throws(APIError) {
        switch query["order"] {
        case nil, "desc": break
        case "asc": isAscending = true
        case let other?:
            throw .invalid("'order' is '\(HeaderText.safe(other))'; expected 'asc' or 'desc'", "order")
        }
        if let text = query["limit"] {
            guard let number = Int(text), (1...100).contains(number) else {
                throw .invalid("'limit' is '\(HeaderText.safe(text))'; expected a whole number, 1 to 100", "limit")
            }
            limit = number
        }
        after = query["after"].flatMap { $0.isEmpty ? nil : $0 }
        for value in (query["include"] ?? "").split(separator: ",") {
            if value == ResponseSampling.logprobs { hasLogprobs = true } else { ignored.append("include=\(value)") }
        }
    }

    /// Returns an item with the members that are to be included.
    func item(_ item: JSONValue) -> JSONValue { hasLogprobs ? item : StoredItems.withoutLogprobs(item) }

    /// The page of a list.
    ///
    /// - Throws: ``APIError`` where no item is the one that the page is behind.
    func reply(_ items: [JSONValue]) throws(APIError) -> ServerReply {
        var rest: [JSONValue] = isAscending ? items : items.reversed()
        if let after {
            guard let place = rest.firstIndex(where: { $0["id"]?.string == after }) else {
                throw .invalid("'after' is '\(HeaderText.safe(after))', which is not an item of this list", "after")
            }
            rest = Array(rest[(place + 1)...])
        }
        return Self.list(rest.prefix(limit).map(item), hasMore: rest.count > limit).warning(of: ignored)
    }

    /// A list of items.
    static func list(_ items: [JSONValue], hasMore: Bool) -> ServerReply {
        .json(
            .object([
                "object": "list", "data": .array(items),
                // Clients' types demand texts; an empty list has no item to name.
                "first_id": items.first?["id"] ?? "", "last_id": items.last?["id"] ?? "", "has_more": .bool(hasMore),
            ]))
    }
}
