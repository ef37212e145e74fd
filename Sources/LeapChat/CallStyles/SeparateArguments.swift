import LeapGrammar
import LeapJSON

/// Arguments that a syntax of calls writes one by one rather than as one object.
enum SeparateArguments {
    /// Keywords that tie arguments to one another; these syntaxes list them one by one.
    static let unsupported = [
        "$ref", "allOf", "anyOf", "oneOf", "not", "if", "minProperties", "maxProperties", "propertyNames",
        "patternProperties", "dependentRequired", "dependentSchemas", "dependencies",
    ]

    /// Returns the reason why a keyword beside the properties cannot be enforced.
    static func reason(against keyword: String) -> String {
        "\(keyword) of all arguments cannot be enforced if arguments are written one by one; move it into a "
            + "parameter, or name it in relaxedKeywords"
    }

    /// The schema of a function's arguments, its root without references.
    ///
    /// - Throws: `GrammarError` for a keyword that ties arguments to one another.
    static func schema(of function: LeapFunction, relaxed: Set<String>) throws(GrammarError) -> JSONValue {
        let schema = CallSchema.closed(CallSchema.inlined(function.argumentSchema), isRoot: true)
        for keyword in unsupported where schema.object?[keyword] != nil && !relaxed.contains(keyword) {
            throw GrammarError(.unsupported, at: "/\(function.name)/\(keyword)", reason(against: keyword))
        }
        return schema
    }
}

extension CallGrammar {
    /// Returns whether a name stands before another in the order of the alphabet, as templates sort names.
    static func isOrdered(_ a: String, _ b: String) -> Bool {
        let (first, second) = (a.lowercased(), b.lowercased())
        return first == second ? a < b : first < second
    }

    /// The arguments of a function in the order of its parameters, optional ones or not.
    ///
    /// - Parameters:
    ///   - separator: what stands between two of them.
    ///   - isSorted: whether they stand in the order of their names instead.
    ///   - argument: an argument of a name and a schema.
    mutating func separateArguments(
        of function: LeapFunction, separator: GrammarComposition.Piece, isSorted: Bool = false,
        argument: (inout CallGrammar, String, JSONValue) -> GrammarComposition.Piece
    ) throws(GrammarError) -> GrammarComposition.Piece {
        let schema = try SeparateArguments.schema(of: function, relaxed: options.relaxedKeywords)
        let parameters =
            isSorted
            ? function.parameters.sorted { Self.isOrdered($0.name, $1.name) } : function.parameters
        var written: [(isRequired: Bool, piece: GrammarComposition.Piece)] = []
        // From the last to the first: of several that cannot be enforced errors name the last.
        for parameter in parameters.reversed() {
            let type = CallSchema.property(parameter.name, of: schema) ?? .bool(true)
            written.append((!parameter.optional, argument(&self, parameter.name, type)))
        }
        return members(written.reversed(), separator: separator)
    }

    /// Pieces in their order with a separator between two of them; those that are not required may be missing.
    mutating func members(
        _ members: [(isRequired: Bool, piece: GrammarComposition.Piece)], separator: GrammarComposition.Piece
    ) -> GrammarComposition.Piece {
        // Per member and whether one stands before it: the rest of the list.
        var rests: [Bool: GrammarComposition.Piece] = [true: .sequence([]), false: .sequence([])]
        for member in members.reversed() {
            let after = rests[true] ?? .sequence([])
            var next: [Bool: GrammarComposition.Piece] = [:]
            for hasOthers in [true, false] {
                let given = GrammarComposition.Piece.sequence((hasOthers ? [separator] : []) + [member.piece, after])
                next[hasOthers] = rule(
                    member.isRequired ? given : .choice([given, rests[hasOthers] ?? .sequence([])]))
            }
            rests = next
        }
        return rests[false] ?? .sequence([])
    }
}

extension LeapFunctionCall {
    /// The arguments for syntaxes that write them one by one; what is no object still has to stand somewhere.
    var separateArguments: JSONObject {
        argumentText.map { JSONObject([("arguments", .string($0))]) } ?? argumentObject
    }
}
