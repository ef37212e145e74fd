import LeapGrammar
import LeapTokenizer

/// The grammar of function calls, in the syntax that a model writes them in.
enum CallSyntax {
    /// What calls look like.
    enum Style: Hashable, Sendable {
        /// `[f(a="x", n=1), g()]`
        case pythonic
        /// `{"name": "f", "arguments": {"a": "x"}}`
        case json
    }

    /// A mark as text, and as a token where the vocabulary has one that stands for no text.
    struct Mark: Hashable, Sendable {
        let text: String
        let token: TokenID?

        init(_ text: String, _ tokenizer: Tokenizer) {
            self.text = text
            token = tokenizer.token(for: text).flatMap { tokenizer.bytes(of: $0).isEmpty ? $0 : nil }
        }

        /// The mark as a model that knows it writes it.
        var piece: GrammarComposition.Piece { token.map { .token($0) } ?? .text(text) }
    }

    /// How many calls there have to be.
    enum Demand: Hashable, Sendable {
        /// Any number, anywhere in free text.
        case free
        /// One or more, and nothing else.
        case some
        /// Exactly one, and nothing else.
        case one
    }

    /// What a grammar of calls is made from.
    struct Request: Hashable, Sendable {
        var style: Style
        var start: Mark
        var end: Mark
        var functions: [LeapFunction]
        var demand: Demand
        var options: GrammarOptions
    }

    /// The style of a parser; nil for those that read a syntax of their own.
    static func style(of parser: any LeapFunctionCallParserProtocol) -> Style? {
        switch parser {
        case is LFMFunctionCallParser: .pythonic
        case is HermesFunctionCallParser: .json
        default: nil
        }
    }

    /// The grammar of a request.
    static func grammar(_ request: Request) throws(GrammarError) -> CompiledGrammar {
        var composition = GrammarComposition()
        composition.rules = [.sequence([])]
        var options = request.options
        let block: GrammarComposition.Piece
        switch request.style {
        case .pythonic:
            options.spellsLiteralsAsPython = true
            block = pythonicBlock(request, &composition)
        case .json:
            block = jsonBlock(request, &composition)
        }
        let rest = GrammarComposition.Piece.sequence([block, request.end.piece])
        switch request.demand {
        case .free:
            // The mark counts as one however it is written.
            let before = GrammarComposition.Piece.free(
                words: [request.start.text], tokens: request.start.token.map { [$0] } ?? [])
            composition.rules[0] = .sequence([before, rest, .rule(0)])
        case .one:
            composition.rules[0] = .sequence([request.start.piece, rest])
        case .some where request.style == .pythonic:
            // Several calls stand in one list.
            composition.rules[0] = .sequence([request.start.piece, rest])
        case .some:
            let more = composition.rules.count
            composition.rules.append(
                .choice([.sequence([.text("\n"), request.start.piece, rest, .rule(more)]), .sequence([])]))
            composition.rules[0] = .sequence([request.start.piece, rest, .rule(more)])
        }
        return try composition.compile(options: options)
    }

    // MARK: Python

    private static func pythonicBlock(
        _ request: Request, _ composition: inout GrammarComposition
    ) -> GrammarComposition.Piece {
        var calls: [GrammarComposition.Piece] = []
        for function in request.functions { calls.append(pythonicCall(function, &composition)) }
        guard request.demand != .one else { return .sequence([.text("["), .choice(calls), .text("]")]) }
        let call = composition.rules.count
        composition.rules.append(.choice(calls))
        let more = composition.rules.count
        composition.rules.append(.choice([.sequence([comma, .rule(call), .rule(more)]), .sequence([])]))
        return .sequence([.text("["), .rule(call), .rule(more), .text("]")])
    }

    private static let comma = GrammarComposition.Piece.choice([.text(", "), .text(",")])

    /// `name(` the arguments in order, optional ones or not, `)`.
    private static func pythonicCall(
        _ function: LeapFunction, _ composition: inout GrammarComposition
    ) -> GrammarComposition.Piece {
        // Per parameter and whether an argument stands before it: the rest of the list.
        var rests: [Bool: GrammarComposition.Piece] = [true: .sequence([]), false: .sequence([])]
        for (index, parameter) in function.parameters.enumerated().reversed() {
            let place = composition.schemas.count
            composition.schemas.append(
                ("\(function.name)/\(index)", JSONWriter.string(closed(parameter.type.schema()))))
            let after = rests[true] ?? .sequence([])
            var next: [Bool: GrammarComposition.Piece] = [:]
            for hasOthers in [true, false] {
                let separator = hasOthers ? [comma] : []
                let given = GrammarComposition.Piece.sequence(
                    separator + [.text(parameter.name + "="), .value(place), after])
                let rule = composition.rules.count
                composition.rules.append(
                    parameter.optional ? .choice([given, rests[hasOthers] ?? .sequence([])]) : given)
                next[hasOthers] = .rule(rule)
            }
            rests = next
        }
        return .sequence([.text(function.name + "("), rests[false] ?? .sequence([]), .text(")")])
    }

    // MARK: JSON

    private static func jsonBlock(
        _ request: Request, _ composition: inout GrammarComposition
    ) -> GrammarComposition.Piece {
        let lineEnd = GrammarComposition.Piece.choice([.text("\n"), .sequence([])])
        var calls: [GrammarComposition.Piece] = []
        for function in request.functions {
            let call: JSONObject = [
                "type": "object",
                "properties": .object([
                    "name": .object(["const": .string(function.name)]), "arguments": closed(function.argumentSchema),
                ]),
                "required": .array(["name", "arguments"]), "additionalProperties": .bool(false),
            ]
            calls.append(.value(composition.schemas.count))
            composition.schemas.append((function.name, JSONWriter.string(.object(call))))
        }
        return .sequence([lineEnd, .choice(calls), lineEnd])
    }

    /// A schema in which objects have the properties that they declare, and no others.
    private static func closed(_ schema: JSONValue) -> JSONValue {
        guard var object = schema.object else { return schema }
        if let properties = object["properties"]?.object {
            object["properties"] = .object(JSONObject(properties.members.map { ($0.key, closed($0.value)) }))
            if !properties.isEmpty || object["required"] != nil { object["additionalProperties"] = .bool(false) }
        }
        if let items = object["items"] { object["items"] = closed(items) }
        return .object(object)
    }
}
