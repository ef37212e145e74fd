/// The dynamic anchors in force where a schema is evaluated: for each name the outermost schema that has it.
///
/// A schema means the same wherever these are the same, so the finitely many scopes stand for the infinitely many paths
/// that lead to a schema. Scope 0 has no anchors.
struct DynamicScopes {
    typealias ID = Int32

    /// Scopes of one schema, at most.
    static let maximumCount = 512

    /// Names of dynamic anchors in one scope, at most.
    static let maximumNames = 256

    private struct Step: Hashable {
        var scope: ID
        var resource: Int
    }

    private var scopes: [[String: SchemaDocument.LocationID]] = [[:]]
    private var ids: [[String: SchemaDocument.LocationID]: ID] = [[:]: 0]
    private var steps: [Step: ID] = [:]

    /// The outermost schema with a dynamic anchor; nil where none in scope has it.
    func target(of name: String, in scope: ID) -> SchemaDocument.LocationID? { scopes[Int(scope)][name] }

    /// The scope after a resource with these anchors was entered; nil where there would be too many.
    mutating func entering(
        _ resource: Int, with anchors: [String: SchemaDocument.LocationID], from scope: ID
    ) -> ID? {
        if anchors.isEmpty { return scope }
        let step = Step(scope: scope, resource: resource)
        if let known = steps[step] { return known }
        guard anchors.count <= Self.maximumNames else { return nil }
        let merged = scopes[Int(scope)].merging(anchors) { outer, _ in outer }
        if let known = ids[merged] {
            steps[step] = known
            return known
        }
        guard scopes.count < Self.maximumCount, merged.count <= Self.maximumNames else { return nil }
        let id = ID(scopes.count)
        scopes.append(merged)
        ids[merged] = id
        steps[step] = id
        return id
    }
}
