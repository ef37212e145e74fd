import LeapGrammar
import LeapJSON
import LeapTokenizer

/// The grammar of function calls, in the syntax that a model writes them in.
package struct CallGrammar {
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

    /// The number of calls that a reply must have.
    package enum Demand: Hashable, Sendable {
        /// Any number, anywhere in free text.
        case free
        /// At most one, after free text.
        case freeOne
        /// One or more, and nothing else.
        case some
        /// Exactly one, and nothing else.
        case one
    }

    /// The description from which a grammar of calls is made.
    struct Request: Sendable {
        var style: any CallStyle
        var marks: [String: Mark]
        var functions: [LeapFunction]
        var demand: Demand
        var options: GrammarOptions
        /// True if the text that begins a call stands in front of the grammar's text and is no part of it.
        var opensBefore = false

        init(
            style: any CallStyle, tokenizer: Tokenizer, functions: [LeapFunction], demand: Demand,
            options: GrammarOptions
        ) {
            self.style = style
            marks = [:]
            for mark in style.marks.all + style.marks.headers { marks[mark] = Mark(mark, tokenizer) }
            // As the model writes their names.
            self.functions = CallNames(functions, rule: style.nameRule).spelled(functions)
            self.demand = demand
            self.options = options
        }

        /// The same request for other functions.
        func with(functions: [LeapFunction]) -> Request {
            var request = self
            request.functions = CallNames(functions, rule: style.nameRule).spelled(functions)
            return request
        }
    }

    /// The calls of a style.
    package struct Shape {
        /// The text or mark that begins a call.
        var opening: String
        /// The end of `opening` that is part of the grammar where what begins a call stands in front of it.
        var openingEnd = ""
        /// The grammar of a call behind `opening`, up to the end of the call.
        var rest: GrammarComposition.Piece
        /// A whole call in another form, which models write too.
        var otherForm: GrammarComposition.Piece?
        /// The separator between two calls; nil where `rest` holds all of them.
        var separator: GrammarComposition.Piece?
    }

    private let request: Request
    private(set) var composition = GrammarComposition()
    /// Options of the values.
    var options: GrammarOptions

    private init(_ request: Request) {
        self.request = request
        options = request.options
    }

    /// The functions that may be called.
    var functions: [LeapFunction] { request.functions }
    /// True if the text that begins a call stands in front of the grammar's text.
    var opensBefore: Bool { request.opensBefore }
    /// True if there may be several calls.
    var allowsSeveral: Bool { request.demand == .free || request.demand == .some }

    /// The grammar of a request.
    static func grammar(_ request: Request) throws(GrammarError) -> CompiledGrammar {
        var calls = CallGrammar(request)
        calls.composition.rules = [.sequence([])]
        let shape = try request.style.shape(&calls)
        let opening = request.opensBefore ? .text(shape.openingEnd) : calls.mark(shape.opening)
        switch request.demand {
        case .free, .freeOne:
            // The mark counts as one however it is written.
            let token = request.marks[shape.opening]?.token
            let before = GrammarComposition.Piece.free(words: [shape.opening], tokens: token.map { [$0] } ?? [])
            let more = request.demand == .free ? [GrammarComposition.Piece.rule(0)] : []
            calls.composition.rules[0] = .sequence([before, shape.rest] + more)
        case .some where shape.separator != nil:
            let more = calls.composition.rules.count
            calls.composition.rules.append(.sequence([]))
            calls.composition.rules[more] = .choice([
                .sequence([shape.separator ?? .sequence([]), opening, shape.rest, .rule(more)]), .sequence([]),
            ])
            calls.composition.rules[0] = .sequence([opening, shape.rest, .rule(more)])
        case .one, .some:
            let call = GrammarComposition.Piece.sequence([opening, shape.rest])
            let other = request.opensBefore ? nil : shape.otherForm
            calls.composition.rules[0] = other.map { .choice([call, $0]) } ?? call
        }
        return try calls.composition.compile(options: calls.options)
    }
}

// MARK: Pieces

extension CallGrammar {
    static let comma = GrammarComposition.Piece.choice([.text(", "), .text(",")])
    static let lineEnd = GrammarComposition.Piece.choice([.text("\n"), .sequence([])])
    static let space = GrammarComposition.Piece.choice([.text(" "), .sequence([])])

    /// A mark as the model writes it.
    func mark(_ text: String) -> GrammarComposition.Piece { request.marks[text]?.piece ?? .text(text) }

    /// A value of a schema.
    ///
    /// - Parameter name: what errors point to.
    mutating func value(_ schema: JSONValue, name: String) -> GrammarComposition.Piece {
        composition.schemas.append((name, schema))
        return .value(composition.schemas.count - 1)
    }

    /// A value of a schema without quotes and escapes where it is a string, and then without a word in it.
    ///
    /// - Parameter name: what errors point to.
    mutating func plain(_ schema: JSONValue, name: String, without word: String) -> GrammarComposition.Piece {
        composition.schemas.append((name, schema))
        return .plain(composition.schemas.count - 1, without: word)
    }

    /// A value of a schema that is no list and no object: a string between quotes, without escapes and without a word
    /// in it, or JSON.
    ///
    /// - Parameter name: what errors point to.
    mutating func marked(
        _ schema: JSONValue, name: String, quote: GrammarComposition.Piece, without word: String
    ) -> GrammarComposition.Piece {
        composition.schemas.append((name, schema))
        return .marked(composition.schemas.count - 1, quote: quote, without: word)
    }

    /// A rule that may hold itself.
    ///
    /// - Parameter make: makes its piece; it gets the rule.
    mutating func recursiveRule(
        _ make: (inout CallGrammar, GrammarComposition.Piece) -> GrammarComposition.Piece
    ) -> GrammarComposition.Piece {
        let index = composition.rules.count
        composition.rules.append(.sequence([]))
        let piece = make(&self, .rule(index))
        composition.rules[index] = piece
        return .rule(index)
    }

    /// A rule of its own for a piece that is used more than once.
    mutating func rule(_ piece: GrammarComposition.Piece) -> GrammarComposition.Piece {
        composition.rules.append(piece)
        return .rule(composition.rules.count - 1)
    }

    /// The arguments of a function as one JSON object.
    mutating func arguments(of function: LeapFunction) -> GrammarComposition.Piece {
        value(CallSchema.closed(function.argumentSchema, isRoot: true), name: function.name)
    }

    /// A call as a JSON object: `{"name": …, "arguments": {…}}`.
    mutating func objects(argumentsKey: String) -> GrammarComposition.Piece {
        var calls: [GrammarComposition.Piece] = []
        for function in functions {
            let arguments = CallSchema.closed(function.argumentSchema, isRoot: true)
            var call: JSONObject = CallSchema.hasReferences(arguments) ? ["$id": "urn:leap:call"] : [:]
            call["type"] = "object"
            call["properties"] = .object([
                "name": .object(["const": .string(function.name)]),
                argumentsKey: CallSchema.moved(arguments, below: "/properties/" + argumentsKey),
            ])
            call["required"] = .array(["name", .string(argumentsKey)])
            call["additionalProperties"] = .bool(false)
            calls.append(value(.object(call), name: function.name))
        }
        return .choice(calls)
    }

    /// A piece, or several with a separator between.
    mutating func list(
        _ element: GrammarComposition.Piece, separator: GrammarComposition.Piece = comma
    ) -> GrammarComposition.Piece {
        guard allowsSeveral else { return element }
        let element = rule(element)
        let more = composition.rules.count
        composition.rules.append(.sequence([]))
        composition.rules[more] = .choice([.sequence([separator, element, .rule(more)]), .sequence([])])
        return .sequence([element, .rule(more)])
    }
}

extension CallGrammar.Request: Hashable {
    /// The key that tells requests apart; unlike the equality of functions, it depends on the order of members too.
    private var key: [String] {
        [style.instructions] + functions.map { JSONWriter.string($0.tool) }
    }

    static func == (a: Self, b: Self) -> Bool {
        a.key == b.key && a.marks == b.marks && a.demand == b.demand && a.options == b.options
            && a.opensBefore == b.opensBefore
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(demand)
    }
}
