import LeapGrammar
import LeapJSON

/// Arguments that a syntax of calls writes one by one rather than as one object.
enum SeparateArguments {
    /// Keywords that tie arguments to one another; these syntaxes list them one by one.
    static let unsupported = [
        "$ref", "allOf", "anyOf", "oneOf", "not", "if", "minProperties", "maxProperties", "propertyNames",
        "patternProperties", "dependentRequired", "dependentSchemas", "dependencies",
    ]

    /// Why a keyword beside the properties cannot be enforced.
    static func reason(against keyword: String) -> String {
        "arguments that are written one by one cannot be held to \(keyword) of all arguments; move it into a "
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
    /// The arguments of a function in the order of its parameters, optional ones or not.
    ///
    /// - Parameters:
    ///   - separator: what stands between two of them.
    ///   - argument: an argument of a name and a schema.
    mutating func separateArguments(
        of function: LeapFunction, separator: GrammarComposition.Piece,
        argument: (inout CallGrammar, String, JSONValue) -> GrammarComposition.Piece
    ) throws(GrammarError) -> GrammarComposition.Piece {
        let schema = try SeparateArguments.schema(of: function, relaxed: options.relaxedKeywords)
        // Per parameter and whether an argument stands before it: the rest of the list.
        var rests: [Bool: GrammarComposition.Piece] = [true: .sequence([]), false: .sequence([])]
        for parameter in function.parameters.reversed() {
            let type = CallSchema.property(parameter.name, of: schema) ?? .bool(true)
            let written = argument(&self, parameter.name, type)
            let after = rests[true] ?? .sequence([])
            var next: [Bool: GrammarComposition.Piece] = [:]
            for hasOthers in [true, false] {
                let given = GrammarComposition.Piece.sequence((hasOthers ? [separator] : []) + [written, after])
                next[hasOthers] = rule(
                    parameter.optional ? .choice([given, rests[hasOthers] ?? .sequence([])]) : given)
            }
            rests = next
        }
        return rests[false] ?? .sequence([])
    }
}
