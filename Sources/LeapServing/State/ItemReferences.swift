import LeapJSON

/// Items that stand for others: `item_reference`.
enum ItemReferences {
    /// The maximum number of references in one input.
    static let maxCount = 1024

    /// The identifier that an item refers to; nil for an item of its own.
    private static func target(_ item: JSONValue) -> String? {
        guard let object = item.object, let id = object["id"]?.string else { return nil }
        if object["type"]?.string == "item_reference" { return id }
        // The type may be left out.
        let isBare = object.members.allSatisfy { $0.key == "id" || $0.value == .null }
        return isBare ? id : nil
    }

    /// An input with the items in the places of what refers to them.
    ///
    /// - Throws: ``APIError`` that names a reference to nothing.
    static func resolved(_ input: JSONValue?, _ store: OwnState) throws(APIError) -> JSONValue? {
        guard let values = input?.array else { return input }
        for (index, value) in values.enumerated() where value["type"] == "item_reference" && value["id"]?.string == nil
        {
            throw .invalid(
                "input[\(index)].id is \(value["id"]?.kind ?? "missing"); expected the id of an item",
                "input[\(index)].id")
        }
        let ids = values.compactMap(target)
        guard !ids.isEmpty else { return input }
        guard ids.count <= maxCount else {
            throw .invalid("there are \(ids.count) references to items; at most \(maxCount) are taken", "input")
        }
        let found = store.items(Set(ids))
        var items: [JSONValue] = []
        for (index, value) in values.enumerated() {
            guard let id = target(value) else {
                items.append(value)
                continue
            }
            guard let item = found[id] else {
                throw .invalid(
                    "input[\(index)] refers to the item '\(HeaderText.safe(id))', which does not exist, or no longer exists",
                    "input[\(index)]", code: "item_not_found")
            }
            items.append(item)
        }
        return .array(items)
    }
}
