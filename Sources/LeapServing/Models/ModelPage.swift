/// The part of the list of models that a client of Anthropic's protocol asks for: `limit`, `after_id`, `before_id`.
struct ModelPage: Sendable {
    private var limit: Int?
    private var after: String?
    private var before: String?

    /// All models.
    init() {}

    /// Reads a query.
    ///
    /// - Throws: ``APIError`` that names the parameter at fault.
    init(_ query: RequestQuery) throws(APIError) {
        if let text = query["limit"] {
            guard let count = Int(text), (1...1000).contains(count) else {
                throw .invalid("'limit' is '\(HeaderText.safe(text))'; expected 1 to 1000", "limit")
            }
            limit = count
        }
        (after, before) = (query["after_id"], query["before_id"])
    }

    /// The models of the page, and whether there are more in its direction.
    ///
    /// - Throws: ``APIError`` for an identifier that no model has.
    func part(of models: [ServedModel]) throws(APIError) -> (models: [ServedModel], hasMore: Bool) {
        var part = models[...]
        if let after { part = part[(try index(of: after, in: models, "after_id") + 1)...] }
        if let before { part = part.prefix(upTo: max(part.startIndex, try index(of: before, in: models, "before_id"))) }
        guard let limit, part.count > limit else { return (Array(part), false) }
        return (Array(before != nil && after == nil ? part.suffix(limit) : part.prefix(limit)), true)
    }

    private func index(of id: String, in models: [ServedModel], _ field: String) throws(APIError) -> Int {
        guard let index = models.firstIndex(where: { $0.id == id }) else {
            throw .invalid("'\(field)' is '\(HeaderText.safe(id))', which no model has", field)
        }
        return index
    }
}
