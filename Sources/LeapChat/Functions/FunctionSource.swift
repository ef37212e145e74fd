import LeapBase
import LeapGrammar
import LeapJSON

/// A function's definition as the app wrote it, and the check of arguments that is made from it.
package final class FunctionSource: Sendable {
    /// The entry of OpenAI's `tools`; nil where the function was made from typed parameters.
    let tool: JSONValue?
    /// True if the typed parameters say all that is demanded of arguments.
    let isModelled: Bool
    /// The definition as equality compares it; nil where the typed parameters say the same.
    private let distinction: JSONValue?
    /// The grammar that judges arguments, once it was needed; inside nil where the schema cannot be enforced.
    private let check = Locked<CompiledGrammar??>(nil)

    /// The source of a function that was made from typed parameters.
    init(parameters: [LeapFunctionParameter]) {
        tool = nil
        isModelled = parameters.allSatisfy(\.type.isModelled)
        distinction = nil
    }

    /// A written definition.
    ///
    /// - Parameters:
    ///   - tool: the entry of `tools`.
    ///   - view: the function that was made from its typed view.
    init(tool: JSONValue, view: LeapFunction) {
        self.tool = tool
        let definition = tool.object?["function"]?.object ?? [:]
        let schema = definition["parameters"] ?? view.typedSchema
        isModelled = view.source.isModelled && Self.demands(of: schema) == Self.demands(of: view.typedSchema)
        let isPlain =
            tool.object?.count == 2 && definition.keys.allSatisfy(["name", "description", "parameters"].contains)
        distinction = isModelled && isPlain ? nil : tool
    }

    /// Returns the demands of a schema of arguments; that there are no others is part of every function.
    private static func demands(of schema: JSONValue) -> JSONValue {
        guard var object = SchemaSource.demands(of: schema).object else { return schema }
        if object["additionalProperties"] == .bool(false) { object["additionalProperties"] = nil }
        if let properties = object["properties"]?.object {
            object["properties"] = .object(
                JSONObject(properties.members.map { ($0.key, SchemaSource.demands(of: $0.value)) }))
        }
        return .object(object)
    }

    /// The grammar of arguments in any order.
    ///
    /// - Parameter schema: the schema of all arguments.
    /// - Returns: nil where the schema cannot be enforced; the log says why, once.
    func grammar(of schema: JSONValue, function: String) -> CompiledGrammar? {
        check.withLock { check in
            if let check { return check }
            var made: CompiledGrammar?
            do throws(GrammarError) {
                made = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(propertyOrder: .any))
            } catch {
                LeapLog.logger.warning(
                    "arguments of '\(function)' are checked by their types only: \(error.reason) (\(error.pointer))")
            }
            check = .some(made)
            return made
        }
    }
}

extension FunctionSource: Hashable {
    package static func == (a: FunctionSource, b: FunctionSource) -> Bool { a.distinction == b.distinction }
    package func hash(into hasher: inout Hasher) { hasher.combine(distinction) }
}
