/// Turns tokens into a tree, in the way of Jinja's parser.
struct Parser {
    private let tokens: [Token]
    private var position = 0
    private var depth = 0
    private var stack = StackGuard()
    /// The tags that would close the blocks that are open, innermost last.
    private var expectedEnds: [[Text]] = []
    private var openTags: [Text] = []
    /// True if `{% do %}` is known.
    let allowsDo: Bool
    private(set) var hasBlocks = false

    init(_ tokens: [Token], allowsDo: Bool) {
        self.tokens = tokens
        self.allowsDo = allowsDo
    }

    mutating func parseTemplate() throws(TemplateError) -> [Statement] { try parseBody(until: nil) }

    // MARK: Tokens

    var current: Token { tokens[position] }

    func look() -> Token { tokens[min(position + 1, tokens.count - 1)] }

    @discardableResult
    mutating func advance() -> Token {
        let token = tokens[position]
        if position < tokens.count - 1 { position += 1 }
        return token
    }

    mutating func skip(_ kind: Token.Kind) -> Bool {
        guard current.kind == kind else { return false }
        advance()
        return true
    }

    mutating func skip(name: Text) -> Bool {
        guard current.isName(name) else { return false }
        advance()
        return true
    }

    @discardableResult
    mutating func expect(_ kind: Token.Kind) throws(TemplateError) -> Token {
        guard current.kind == kind else { throw unexpected(kind.description) }
        return advance()
    }

    mutating func expect(name: Text) throws(TemplateError) {
        guard current.isName(name) else { throw unexpected(name.string) }
        advance()
    }

    private func unexpected(_ wanted: String) -> TemplateError {
        if current.kind == .eof { return failure("unexpected end of template, expected '\(wanted)'.") }
        return failure("expected token '\(wanted)', got '\(current.description)'")
    }

    func failure(_ message: String, line: Int? = nil) -> TemplateError {
        TemplateError(.syntax, message, line: line ?? current.line)
    }

    /// Bounds the parser's own recursion.
    mutating func nested<Result>(
        _ body: (inout Parser) throws(TemplateError) -> Result
    ) throws(TemplateError) -> Result {
        guard depth < TemplateLimits.maxSyntaxDepth else {
            throw TemplateError(
                .limit, "the template nests more than \(TemplateLimits.maxSyntaxDepth) levels deep",
                line: current.line)
        }
        do {
            try stack.check(height: 0)
        } catch {
            throw error.at(line: current.line)
        }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    func checked<Node: Expression>(_ node: Node) throws(TemplateError) -> Node {
        guard node.height <= TemplateLimits.maxSyntaxDepth else {
            throw TemplateError(
                .limit, "an expression nests more than \(TemplateLimits.maxSyntaxDepth) levels deep", line: node.line)
        }
        return node
    }

    // MARK: Bodies

    /// The statements up to one of the closing tags `ends`, which stays current; or up to the end of the template.
    private mutating func parseBody(until ends: [Text]?) throws(TemplateError) -> [Statement] {
        var body = [Statement]()
        var pending = [OutputStatement.Item]()
        var pendingLine = 1
        func flush() {
            if !pending.isEmpty { body.append(OutputStatement(pending, line: pendingLine)) }
            pending = []
        }
        if let ends { expectedEnds.append(ends) }
        defer { if ends != nil { expectedEnds.removeLast() } }
        while current.kind != .eof {
            let token = current
            if pending.isEmpty { pendingLine = token.line }
            switch token.kind {
            case .data:
                pending.append(.text(token.text))
                advance()
            case .variableBegin:
                advance()
                pending.append(.expression(try parseTuple()))
                try expect(.variableEnd)
            default:
                flush()
                try expect(.blockBegin)
                if let ends, current.kind == .name, ends.contains(current.text) { return body }
                if let statement = try nested({ parser throws(TemplateError) in try parser.parseStatement() }) {
                    body.append(statement)
                }
                try expect(.blockEnd)
            }
        }
        flush()
        return body
    }

    /// The rest of an opening tag, then the body up to one of `ends`.
    ///
    /// With `dropping`, the end's name is consumed.
    mutating func parseStatements(until ends: [Text], dropping: Bool = true) throws(TemplateError) -> [Statement] {
        _ = skip(.colon)
        try expect(.blockEnd)
        let body = try parseBody(until: ends)
        if current.kind == .eof {
            expectedEnds.append(ends)
            defer { expectedEnds.removeLast() }
            throw unknownTag(nil)
        }
        if dropping { advance() }
        return body
    }

    private mutating func parseStatement() throws(TemplateError) -> Statement? {
        let token = current
        guard token.kind == .name else { throw failure("tag name expected") }
        openTags.append(token.text)
        defer { openTags.removeLast() }
        if token.isName("block") { hasBlocks = true }
        switch token.text.string {
        case "for": return try parseFor()
        case "if": return try parseIf()
        case "set": return try parseSet()
        case "with": return try parseWith()
        case "macro": return try parseMacro()
        case "call": return try parseCallBlock()
        case "filter": return try parseFilterBlock()
        case "print": return try parsePrint()
        case "block": return try parseBlock()
        case "autoescape": return try parseAutoescape()
        case "generation":
            advance()
            return WithStatement(
                body: try parseStatements(until: ["endgeneration"]), isFunction: true, line: token.line)
        case "break", "continue":
            advance()
            return JumpStatement(token.isName("break") ? .breakLoop : .continueLoop, line: token.line)
        case "do" where allowsDo:
            advance()
            return ExpressionStatement(try parseTuple(), line: token.line)
        case "include", "import", "from", "extends": return try parseUnsupported()
        default:
            openTags.removeLast()
            defer { openTags.append(token.text) }
            throw unknownTag(token.text)
        }
    }

    /// The error for a tag that is not known here, or for a template that ends too early.
    private func unknownTag(_ name: Text?) -> TemplateError {
        var message = [name.map { "Encountered unknown tag \(Repr.string($0))." } ?? "Unexpected end of template."]
        if let wanted = expectedEnds.last {
            let looking = wanted.map(Repr.string).joined(separator: " or ")
            if let name, expectedEnds.contains(where: { $0.contains(name) }) {
                message.append(
                    "You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for "
                        + "\(looking).")
            } else {
                message.append("Jinja was looking for the following tags: \(looking).")
            }
        }
        if let open = openTags.last {
            message.append("The innermost block that needs to be closed is \(Repr.string(open)).")
        }
        return failure(message.joined(separator: " "))
    }

}
