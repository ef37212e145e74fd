// Precedence, loosest first: inline if, or, and, not, comparisons and in, + and -, ~, * / // %, **, unary signs,
// filters and tests, calls and subscripts.
extension Parser {
    mutating func parseExpression(withConditional: Bool = true) throws(TemplateError) -> Expression {
        try nested { parser throws(TemplateError) in
            withConditional ? try parser.parseConditional() : try parser.parseOr()
        }
    }

    private mutating func parseConditional() throws(TemplateError) -> Expression {
        var line = current.line
        var result = try parseOr()
        while skip(name: "if") {
            let test = try parseOr()
            let otherwise = skip(name: "else") ? try parseExpression() : nil
            result = try checked(ConditionalExpression(test: test, then: result, otherwise: otherwise, line: line))
            line = current.line
        }
        return result
    }

    private mutating func parseOr() throws(TemplateError) -> Expression {
        var line = current.line
        var left = try parseAnd()
        while skip(name: "or") {
            left = try checked(LogicalExpression(and: false, left, try parseAnd(), line: line))
            line = current.line
        }
        return left
    }

    private mutating func parseAnd() throws(TemplateError) -> Expression {
        var line = current.line
        var left = try parseNot()
        while skip(name: "and") {
            left = try checked(LogicalExpression(and: true, left, try parseNot(), line: line))
            line = current.line
        }
        return left
    }

    private mutating func parseNot() throws(TemplateError) -> Expression {
        guard current.isName("not") else { return try parseCompare() }
        let line = advance().line
        let operand = try nested { parser throws(TemplateError) in try parser.parseNot() }
        return try checked(NotExpression(operand, line: line))
    }

    private mutating func parseCompare() throws(TemplateError) -> Expression {
        let line = current.line
        let first = try parseSum()
        var rest = [(op: CompareExpression.Operator, operand: Expression)]()
        while let op = takeComparison() { rest.append((op, try parseSum())) }
        return rest.isEmpty ? first : try checked(CompareExpression(first, rest, line: line))
    }

    private mutating func takeComparison() -> CompareExpression.Operator? {
        let op: CompareExpression.Operator
        switch current.kind {
        case .eq: op = .equal
        case .ne: op = .notEqual
        case .lt: op = .ordered(.less)
        case .lteq: op = .ordered(.lessOrEqual)
        case .gt: op = .ordered(.greater)
        case .gteq: op = .ordered(.greaterOrEqual)
        case .name:
            if current.isName("in") {
                op = .contained
            } else if current.isName("not"), look().isName("in") {
                advance()
                op = .notContained
            } else {
                return nil
            }
        default: return nil
        }
        advance()
        return op
    }

    private mutating func parseSum() throws(TemplateError) -> Expression {
        var line = current.line
        var left = try parseConcat()
        while current.kind == .add || current.kind == .sub {
            let isSum = advance().kind == .add
            var terms = [Expression]()
            if isSum {
                // Collect the run of additions at once, so that it becomes one node.
                terms = [left, try parseConcat()]
                while current.kind == .add {
                    advance()
                    terms.append(try parseConcat())
                }
                left = try checked(SumExpression(terms, line: line))
            } else {
                left = try checked(BinaryExpression(.subtract, left, try parseConcat(), line: line))
            }
            line = current.line
        }
        return left
    }

    private mutating func parseConcat() throws(TemplateError) -> Expression {
        let line = current.line
        var parts = [try parseProduct()]
        while skip(.tilde) { parts.append(try parseProduct()) }
        return parts.count == 1 ? parts[0] : try checked(ConcatExpression(parts, line: line))
    }

    private mutating func parseProduct() throws(TemplateError) -> Expression {
        var line = current.line
        var left = try parsePower()
        while true {
            let op: Arithmetic.Operator
            switch current.kind {
            case .mul: op = .multiply
            case .div: op = .divide
            case .floordiv: op = .floorDivide
            case .mod: op = .modulo
            default: return left
            }
            advance()
            left = try checked(BinaryExpression(op, left, try parsePower(), line: line))
            line = current.line
        }
    }

    private mutating func parsePower() throws(TemplateError) -> Expression {
        var line = current.line
        var left = try parseUnary()
        while skip(.pow) {
            left = try checked(BinaryExpression(.power, left, try parseUnary(), line: line))
            line = current.line
        }
        return left
    }

    private mutating func parseUnary(withFilter: Bool = true) throws(TemplateError) -> Expression {
        let token = current
        var node: Expression
        if token.kind == .sub || token.kind == .add {
            advance()
            let operand = try nested { parser throws(TemplateError) in try parser.parseUnary(withFilter: false) }
            node = SignExpression(negating: token.kind == .sub, operand, line: token.line)
        } else {
            node = try parsePrimary()
        }
        node = try parsePostfix(node)
        return withFilter ? try parseFilterExpression(node) : node
    }

    // MARK: Primaries

    private mutating func parsePrimary() throws(TemplateError) -> Expression {
        let token = current
        switch token.kind {
        case .name:
            advance()
            switch token.text.string {
            case "true", "True": return ConstantExpression(.bool(true), line: token.line)
            case "false", "False": return ConstantExpression(.bool(false), line: token.line)
            case "none", "None": return ConstantExpression(.none, line: token.line)
            default: return NameExpression(token.text, line: token.line)
            }
        case .string:
            advance()
            var text = token.text
            // Adjacent literals are one, as in Python.
            while current.kind == .string { text = text + advance().text }
            return ConstantExpression(.string(text), line: token.line)
        case .integer:
            advance()
            guard let value = try NumberParsing.integer(token.text, base: 0, nil) else {
                throw failure("invalid integer literal '\(token.text.string)'", line: token.line)
            }
            return ConstantExpression(value, line: token.line)
        case .float:
            advance()
            return ConstantExpression(.float(NumberParsing.float(token.text) ?? .nan), line: token.line)
        case .lparen:
            advance()
            let inner = try nested { parser throws(TemplateError) in try parser.parseTuple(parenthesized: true) }
            try expect(.rparen)
            return inner
        case .lbracket: return try parseList()
        case .lbrace: return try parseDict()
        default: throw failure("unexpected '\(token.description)'")
        }
    }

    var isTupleEnd: Bool {
        switch current.kind {
        case .variableEnd, .blockEnd, .rparen: true
        default: false
        }
    }

    /// One expression, or several with commas, which are a tuple.
    mutating func parseTuple(
        withConditional: Bool = true, parenthesized: Bool = false
    ) throws(TemplateError) -> Expression {
        var line = current.line
        var items = [Expression]()
        var isTuple = false
        while true {
            if !items.isEmpty { try expect(.comma) }
            if isTupleEnd { break }
            items.append(try parseExpression(withConditional: withConditional))
            guard current.kind == .comma else { break }
            isTuple = true
            line = current.line
        }
        if !isTuple {
            if let only = items.first { return only }
            guard parenthesized else { throw failure("Expected an expression, got '\(current.description)'") }
        }
        return try checked(TupleExpression(items, line: line))
    }

    private mutating func parseList() throws(TemplateError) -> Expression {
        let line = advance().line
        var items = [Expression]()
        while current.kind != .rbracket {
            if !items.isEmpty { try expect(.comma) }
            if current.kind == .rbracket { break }
            items.append(try parseExpression())
        }
        try expect(.rbracket)
        return try checked(ListExpression(items, line: line))
    }

    private mutating func parseDict() throws(TemplateError) -> Expression {
        let line = advance().line
        var pairs = [(key: Expression, value: Expression)]()
        while current.kind != .rbrace {
            if !pairs.isEmpty { try expect(.comma) }
            if current.kind == .rbrace { break }
            let key = try parseExpression()
            try expect(.colon)
            pairs.append((key, try parseExpression()))
        }
        try expect(.rbrace)
        return try checked(DictExpression(pairs, line: line))
    }

    // MARK: After a primary

    private mutating func parsePostfix(_ start: Expression) throws(TemplateError) -> Expression {
        var node = start
        while true {
            switch current.kind {
            case .dot, .lbracket: node = try checked(parseSubscript(node))
            case .lparen: node = try checked(parseCall(node))
            default: return node
            }
        }
    }

    private mutating func parseFilterExpression(_ start: Expression) throws(TemplateError) -> Expression {
        var node = start
        while true {
            if current.kind == .pipe {
                node = try parseFilters(node) ?? node
            } else if current.isName("is") {
                node = try checked(parseTest(node))
            } else if current.kind == .lparen {
                node = try checked(parseCall(node))
            } else {
                return node
            }
        }
    }

    private mutating func parseSubscript(_ node: Expression) throws(TemplateError) -> Expression {
        let token = advance()
        if token.kind == .dot {
            let name = advance()
            if name.kind == .name { return AttributeExpression(node, name.text, line: token.line) }
            guard name.kind == .integer, let index = try NumberParsing.integer(name.text, base: 0, nil) else {
                throw failure("expected name or number", line: name.line)
            }
            return ItemExpression(node, ConstantExpression(index, line: name.line), line: token.line)
        }
        var items = [Expression]()
        var slice: Expression?
        while current.kind != .rbracket {
            if !items.isEmpty || slice != nil { try expect(.comma) }
            guard slice == nil else { throw failure("invalid syntax: a slice cannot be one of several subscripts") }
            if current.kind == .colon {
                slice = try parseSlice(node, start: nil, line: token.line)
            } else {
                let item = try parseExpression()
                if current.kind == .colon {
                    slice = try parseSlice(node, start: item, line: token.line)
                } else {
                    items.append(item)
                }
            }
        }
        try expect(.rbracket)
        if let slice {
            guard items.isEmpty else { throw failure("invalid syntax: a slice cannot be one of several subscripts") }
            return slice
        }
        if items.count == 1 { return ItemExpression(node, items[0], line: token.line) }
        return ItemExpression(node, TupleExpression(items, line: token.line), line: token.line)
    }

    private mutating func parseSlice(
        _ node: Expression, start: Expression?, line: Int
    ) throws(TemplateError) -> Expression {
        func isEnd() -> Bool { current.kind == .rbracket || current.kind == .comma }
        try expect(.colon)
        var stop: Expression?
        var step: Expression?
        if current.kind != .colon, !isEnd() { stop = try parseExpression() }
        if skip(.colon), !isEnd() { step = try parseExpression() }
        return SliceExpression(node, start: start, stop: stop, step: step, line: line)
    }

    private mutating func parseCall(_ node: Expression) throws(TemplateError) -> Expression {
        let line = current.line
        return CallExpression(node, try parseArguments(), line: line)
    }

    mutating func parseArguments() throws(TemplateError) -> ArgumentList {
        let line = try expect(.lparen).line
        var list = ArgumentList()
        var needsComma = false
        func ensure(_ holds: Bool) throws(TemplateError) {
            if !holds { throw TemplateError(.syntax, "invalid syntax for function call expression", line: line) }
        }
        while current.kind != .rparen {
            if needsComma {
                try expect(.comma)
                if current.kind == .rparen { break }
            }
            if current.kind == .mul {
                try ensure(list.dynamic == nil && list.dynamicKeywords == nil)
                advance()
                list.dynamic = try parseExpression()
            } else if current.kind == .pow {
                try ensure(list.dynamicKeywords == nil)
                advance()
                list.dynamicKeywords = try parseExpression()
            } else if current.kind == .name, look().kind == .assign {
                try ensure(list.dynamicKeywords == nil)
                let name = advance().text
                advance()
                if list.keywords.contains(where: { $0.name == name }) {
                    throw TemplateError(.syntax, "keyword argument repeated: \(name.string)", line: line)
                }
                list.keywords.append((name, try parseExpression()))
            } else {
                try ensure(list.dynamic == nil && list.dynamicKeywords == nil && list.keywords.isEmpty)
                list.positional.append(try parseExpression())
            }
            needsComma = true
        }
        try expect(.rparen)
        return list
    }

    /// `|name(arguments)` as often as it follows.
    mutating func parseFilters(
        _ start: Expression?, startsInline: Bool = false
    ) throws(TemplateError) -> Expression? {
        var node = start
        var inline = startsInline
        while current.kind == .pipe || inline {
            if !inline { advance() }
            let token = try expect(.name)
            let name = try parseDottedName(token.text)
            let arguments = current.kind == .lparen ? try parseArguments() : ArgumentList()
            node = try checked(FilterExpression(node, name, arguments, line: token.line))
            inline = false
        }
        return node
    }

    private mutating func parseDottedName(_ first: Text) throws(TemplateError) -> Text {
        var name = first
        while skip(.dot) { name = name + "." + (try expect(.name).text) }
        return name
    }

    private mutating func parseTest(_ node: Expression) throws(TemplateError) -> Expression {
        let line = advance().line
        let isNegated = skip(name: "not")
        let name = try parseDottedName(try expect(.name).text)
        var arguments = ArgumentList()
        if current.kind == .lparen {
            arguments = try parseArguments()
        } else if startsTestArgument {
            if current.isName("is") { throw failure("You cannot chain multiple tests with is") }
            let argument = try nested { parser throws(TemplateError) in try parser.parsePrimary() }
            arguments.positional = [try parsePostfix(argument)]
        }
        let test = TestExpression(node, name, arguments, line: line)
        return isNegated ? NotExpression(test, line: line) : test
    }

    private var startsTestArgument: Bool {
        switch current.kind {
        case .name: !(current.isName("else") || current.isName("or") || current.isName("and"))
        case .string, .integer, .float, .lbracket, .lbrace: true
        default: false
        }
    }
}
