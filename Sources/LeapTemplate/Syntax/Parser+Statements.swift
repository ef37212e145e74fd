extension Parser {
    mutating func parseFor() throws(TemplateError) -> Statement {
        let line = advance().line
        let target = try parseTarget()
        try expect(name: "in")
        let items = try parseTuple(withConditional: false)
        let test = skip(name: "if") ? try parseExpression() : nil
        let recursive = skip(name: "recursive")
        let body = try parseStatements(until: ["endfor", "else"], dropping: false)
        let otherwise = advance().isName("endfor") ? [] : try parseStatements(until: ["endfor"])
        return ForStatement(
            target, in: items, if: test, recursive: recursive, body: body, otherwise: otherwise, line: line)
    }

    mutating func parseIf() throws(TemplateError) -> Statement {
        let line = advance().line
        var branches = [(test: Expression, body: [Statement])]()
        var otherwise = [Statement]()
        while true {
            let test = try parseTuple(withConditional: false)
            let body = try parseStatements(until: ["elif", "else", "endif"], dropping: false)
            branches.append((test, body))
            let end = advance()
            if end.isName("elif") { continue }
            if end.isName("else") { otherwise = try parseStatements(until: ["endif"]) }
            return IfStatement(branches, otherwise: otherwise, line: line)
        }
    }

    mutating func parseSet() throws(TemplateError) -> Statement {
        let line = advance().line
        let target = try parseTarget(withNamespace: true)
        if skip(.assign) { return SetStatement(target, try parseTuple(), line: line) }
        let filter = try parseFilters(nil) as? FilterExpression
        let body = try parseStatements(until: ["endset"])
        return SetBlockStatement(target, filter: filter, body: body, line: line)
    }

    mutating func parseWith() throws(TemplateError) -> Statement {
        let line = advance().line
        var targets = [AssignmentTarget]()
        var values = [Expression]()
        while current.kind != .blockEnd {
            if !targets.isEmpty { try expect(.comma) }
            targets.append(try parseTarget())
            try expect(.assign)
            values.append(try parseExpression())
        }
        return WithStatement(targets, values, body: try parseStatements(until: ["endwith"]), line: line)
    }

    mutating func parseAutoescape() throws(TemplateError) -> Statement {
        let line = advance().line
        let value = try parseExpression()
        let body = try parseStatements(until: ["endautoescape"])
        guard let constant = value as? ConstantExpression, !constant.value.isTrue else {
            throw TemplateError(
                .unsupported, "autoescaping is not supported: a chat template makes text, not HTML", line: line)
        }
        return WithStatement(body: body, line: line)
    }

    mutating func parseMacro() throws(TemplateError) -> Statement {
        let line = advance().line
        let name = try parseName()
        let (parameters, defaults) = try parseSignature()
        let body = try parseStatements(until: ["endmacro"])
        return MacroStatement(
            name, MacroBody(name: name, parameters: parameters, defaults: defaults, body: body, line: line))
    }

    private mutating func parseSignature() throws(TemplateError) -> ([Text], [Expression]) {
        var parameters = [Text]()
        var defaults = [Expression]()
        try expect(.lparen)
        while current.kind != .rparen {
            if !parameters.isEmpty { try expect(.comma) }
            let name = try parseName()
            if skip(.assign) {
                defaults.append(try parseExpression())
            } else if !defaults.isEmpty {
                throw failure("non-default argument follows default argument")
            }
            guard !parameters.contains(name) else {
                throw failure("duplicate argument \(Repr.string(name)) in function definition")
            }
            parameters.append(name)
        }
        try expect(.rparen)
        return (parameters, defaults)
    }

    mutating func parseCallBlock() throws(TemplateError) -> Statement {
        let line = advance().line
        let (parameters, defaults) = current.kind == .lparen ? try parseSignature() : ([], [])
        guard let call = try parseExpression() as? CallExpression else { throw failure("expected call", line: line) }
        let body = try parseStatements(until: ["endcall"])
        return CallBlockStatement(
            call, MacroBody(name: nil, parameters: parameters, defaults: defaults, body: body, line: line))
    }

    mutating func parseFilterBlock() throws(TemplateError) -> Statement {
        let line = advance().line
        guard let filter = try parseFilters(nil, startsInline: true) as? FilterExpression else {
            throw failure("expected token 'name'")
        }
        return FilterBlockStatement(filter, body: try parseStatements(until: ["endfilter"]), line: line)
    }

    mutating func parsePrint() throws(TemplateError) -> Statement {
        let line = advance().line
        var items = [OutputStatement.Item]()
        while current.kind != .blockEnd {
            if !items.isEmpty { try expect(.comma) }
            items.append(.expression(try parseExpression()))
        }
        return OutputStatement(items, line: line)
    }

    mutating func parseBlock() throws(TemplateError) -> Statement {
        let line = advance().line
        let name = try expect(.name).text
        let scoped = skip(name: "scoped")
        let required = skip(name: "required")
        if current.kind == .sub {
            throw failure(
                "Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an "
                    + "underscore instead.")
        }
        let body = try parseStatements(until: ["endblock"])
        if required, !body.allSatisfy(Self.isBlank) {
            throw failure("Required blocks can only contain comments or whitespace")
        }
        _ = skip(name: name)
        return BlockStatement(name, body: body, scoped: scoped, required: required, line: line)
    }

    private static func isBlank(_ statement: Statement) -> Bool {
        guard let output = statement as? OutputStatement else { return false }
        return output.items.allSatisfy { item in
            if case .text(let text) = item { Lexer.isSpace(text.bytes[...]) } else { false }
        }
    }

    /// `include`, `import`, `from` and `extends` are read as Jinja reads them, and fail only where they are reached.
    mutating func parseUnsupported() throws(TemplateError) -> Statement {
        let keyword = advance()
        let name = keyword.text.string
        let template = try parseExpression()
        var targets = [Text]()
        switch name {
        case "import":
            try expect(name: "as")
            targets = [try parseName()]
        case "from":
            try expect(name: "import")
            repeat {
                if current.isName("with") || current.isName("without"), look().isName("context") { break }
                let imported = try parseName()
                targets.append(skip(name: "as") ? try parseName() : imported)
            } while skip(.comma)
        case "include":
            if current.isName("ignore"), look().isName("missing") {
                advance()
                advance()
            }
        default: break
        }
        if name != "extends", current.isName("with") || current.isName("without"), look().isName("context") {
            advance()
            advance()
        }
        return UnsupportedStatement(
            name, template, targets: targets, topLevelOnly: name == "extends", line: keyword.line)
    }

    // MARK: Targets

    private static let constants: Set<Text> = ["true", "false", "none", "True", "False", "None"]

    mutating func parseName() throws(TemplateError) -> Text {
        let token = try expect(.name)
        if Self.constants.contains(token.text) { throw failure("can't assign to 'name'", line: token.line) }
        return token.text
    }

    /// Parses the target of an assignment: a name, a namespace's attribute, or a tuple of them.
    mutating func parseTarget(withNamespace: Bool = false) throws(TemplateError) -> AssignmentTarget {
        var items = [AssignmentTarget]()
        var isTuple = false
        while true {
            if !items.isEmpty { try expect(.comma) }
            if isTupleEnd { break }
            items.append(try parseSingleTarget(withNamespace))
            guard current.kind == .comma else { break }
            isTuple = true
        }
        if !isTuple {
            guard let only = items.first else {
                throw failure("Expected an expression, got '\(current.description)'")
            }
            return only
        }
        return .tuple(items)
    }

    private mutating func parseSingleTarget(_ withNamespace: Bool) throws(TemplateError) -> AssignmentTarget {
        let token = current
        switch token.kind {
        case .name:
            let name = try parseName()
            if withNamespace, skip(.dot) { return .attribute(name, try expect(.name).text) }
            return .name(name)
        case .lparen:
            advance()
            let inner = try nested { parser throws(TemplateError) in
                parser.current.kind == .rparen ? .tuple([]) : try parser.parseTarget()
            }
            try expect(.rparen)
            return inner
        case .string, .integer, .float: throw failure("can't assign to 'const'")
        case .lbracket: throw failure("can't assign to 'list'")
        case .lbrace: throw failure("can't assign to 'dict'")
        default: throw failure("unexpected '\(token.description)'")
        }
    }
}
