import LeapBase
import LeapJSON

/// The rule by which a syntax of calls writes the names of functions and parameters.
package enum CallNameRule: Sendable, Hashable {
    /// As strings of JSON, which any name can be.
    case quoted
    /// Functions as words of ASCII letters, digits, `_`, `-` and single dots; parameters as strings of JSON.
    case words
    /// Functions and parameters as identifiers of code.
    case identifiers
    /// Functions and parameters inside of tags: any text on one line without angle brackets.
    case tagged
    /// Functions as words, as ``words``, but for the names of other recipients; parameters between quotes inside of
    /// tags: any text on one line without quotes and angle brackets.
    case attributes

    /// Words that stand for something else than a function.
    var reservedNames: Set<String> {
        self == .attributes ? [ChannelHeader.thinker, ChannelHeader.user, ChannelFormat.role] : []
    }

    /// True if parameters are written one by one, under names of their own, rather than as one object of JSON.
    var separatesArguments: Bool { self == .identifiers || self == .tagged || self == .attributes }
}

/// The spellings of names that a syntax of calls cannot write.
///
/// The prompt tells a model of `first_name`, the model writes that in its call, and the app gets `first name`. A name
/// that the syntax can write is its own spelling. Spellings follow from the functions and their order alone, so the
/// prompt, the grammar and the reader of calls have the same ones.
struct CallNames: Sendable {
    /// Names and their spellings, where the two differ.
    private struct Table: Sendable {
        private(set) var spellings: [String: String] = [:]
        private(set) var names: [String: String] = [:]

        /// - Parameters:
        ///   - reserved: names that no spelling has.
        ///   - isWritable: whether a name is its own spelling.
        init(_ all: [String], reserved: Set<String> = [], isWritable: (String) -> Bool) {
            let others = all.filter { !isWritable($0) }
            guard !others.isEmpty else { return }
            var taken = TakenNames(Set(all).subtracting(others).union(reserved))
            for name in others where spellings[name] == nil {
                let base = CallNames.identifier(for: name)
                let spelling = taken.take(base) { "\(base)_\($0)" }
                spellings[name] = spelling
                names[spelling] = name
            }
        }
    }

    private let rule: CallNameRule
    private let functions: Table
    /// By the names of functions; only of functions with parameters that are spelled otherwise.
    private let parameters: [String: Table]

    init(_ functions: [LeapFunction], rule: CallNameRule) {
        self.rule = rule
        guard rule != .quoted else {
            self.functions = Table([]) { _ in true }
            parameters = [:]
            return
        }
        self.functions = Table(functions.map(\.name), reserved: rule.reservedNames) {
            Self.isWritableFunction($0, rule)
        }
        guard rule.separatesArguments else {
            parameters = [:]
            return
        }
        let tables = functions.map { function in
            (function.name, Table(function.parameters.map(\.name)) { Self.isWritableParameter($0, rule) })
        }
        parameters = Dictionary(tables.filter { !$0.1.names.isEmpty }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: What can be written

    private static func isWritableFunction(_ name: String, _ rule: CallNameRule) -> Bool {
        switch rule {
        case .tagged: isLine(name)
        case .words, .attributes:
            FunctionRegistry.isWord(name, firstMayBeDigit: true) && !rule.reservedNames.contains(name)
        case .quoted, .identifiers: FunctionRegistry.isWord(name, firstMayBeDigit: false)
        }
    }

    private static func isWritableParameter(_ name: String, _ rule: CallNameRule) -> Bool {
        if rule == .tagged { return isLine(name) }
        if rule == .attributes { return isLine(name) && !name.utf8.contains(UInt8(ascii: "\"")) }
        return FunctionRegistry.isWord(name, firstMayBeDigit: false) && !name.utf8.contains(UInt8(ascii: "."))
    }

    /// Returns whether a name is a line of text without angle brackets and without space around it.
    private static func isLine(_ name: String) -> Bool {
        guard let first = name.first, let last = name.last, !first.isWhitespace, !last.isWhitespace else {
            return false
        }
        return !name.unicodeScalars.contains { $0 == "<" || $0 == ">" || $0.value < 0x20 || $0.value == 0x7F }
    }

    private static let maximumLength = 64

    /// The name with `_` in place of each run of other characters, and in front where it does not begin with a letter.
    private static func identifier(for name: String) -> String {
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars where bytes.count < maximumLength {
            if scalar.isASCII, case let byte = UInt8(scalar.value),
                ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte) || byte == UInt8(ascii: "-")
            {
                bytes.append(byte)
            } else if bytes.last != UInt8(ascii: "_") {
                bytes.append(UInt8(ascii: "_"))
            }
        }
        if bytes.first.map({ !ASCIIByte.isLetter($0) }) ?? true { bytes.insert(UInt8(ascii: "_"), at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: To the model

    /// Returns the model's spelling of a function's name, which may be one that it is not told about any more.
    private func spelling(ofFunction name: String) -> String {
        if let known = functions.spellings[name] { return known }
        return rule == .quoted || Self.isWritableFunction(name, rule) ? name : Self.identifier(for: name)
    }

    private func spelling(ofParameter name: String, of function: String) -> String {
        guard rule.separatesArguments else { return name }
        if let known = parameters[function]?.spellings[name] { return known }
        return Self.isWritableParameter(name, rule) ? name : Self.identifier(for: name)
    }

    /// The functions as the model is told about them.
    func spelled(_ functions: [LeapFunction]) -> [LeapFunction] {
        guard rule != .quoted else { return functions }
        return functions.map { function in
            let table = parameters[function.name]
            guard self.functions.spellings[function.name] != nil || table != nil else { return function }
            var schema = function.argumentSchema
            if let table { schema = CallSchema.renamed(CallSchema.inlined(schema)) { table.spellings[$0] ?? $0 } }
            return function.with(name: spelling(ofFunction: function.name), argumentSchema: schema)
        }
    }

    /// The messages with the names in calls and results as the model writes them.
    func spelled(_ messages: [ChatMessage]) -> [ChatMessage] {
        guard rule != .quoted else { return messages }
        return messages.map { message in
            var spelled = message
            if let calls = message.functionCalls {
                let changed = calls.map(spell)
                if changed != calls {
                    spelled.functionCalls = changed
                    // What the model wrote to the letter has its spellings already.
                    spelled.origin = message.origin
                }
            }
            if message.role == .tool, let name = message.name { spelled.name = spelling(ofFunction: name) }
            return spelled
        }
    }

    private func spell(_ call: LeapFunctionCall) -> LeapFunctionCall {
        call.with(
            name: spelling(ofFunction: call.name),
            arguments: JSONObject(
                call.argumentObject.members.map { (spelling(ofParameter: $0.key, of: call.name), $0.value) }))
    }

    // MARK: From the model

    /// A call with the names that the app knows.
    func original(_ call: LeapFunctionCall) -> LeapFunctionCall {
        guard rule != .quoted else { return call }
        let name = functions.names[call.name] ?? call.name
        guard let table = parameters[name] else { return call.with(name: name, arguments: call.argumentObject) }
        return call.with(
            name: name,
            arguments: JSONObject(call.argumentObject.members.map { (table.names[$0.key] ?? $0.key, $0.value) }))
    }
}
