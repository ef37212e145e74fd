/// A compiled template: its tree, and what it asks its caller for.
final class Program {
    let body: [Statement]
    let function: FunctionScope
    let entry: ScopeEntry
    /// The names looked up outside the template.
    let globalNames: [Text]
    let height: Int

    init(_ source: String, allowsDo: Bool) throws(TemplateError) {
        var parser = Parser(try Lexer.tokenize(source), allowsDo: allowsDo)
        body = try parser.parseTemplate()
        height = 1 + (body.map(\.height).max() ?? 0)
        var stack = StackGuard()
        try stack.check(height: height)
        let builder = ProgramBuilder(hasBlocks: parser.hasBlocks)
        function = FunctionScope(parent: nil)
        var scope = CompileScope(
            symbols: Symbols(parent: nil, function: function), function: function, program: builder)
        scope.isTopLevel = true
        SymbolVisitor(scope.symbols).visit(body)
        try function.work.check()
        entry = scope.entry()
        try body.resolve(scope)
        try function.work.check()
        globalNames = builder.globalNames
    }
}

// The tree is complete when the initializer returns and never changes after.
extension Program: @unchecked Sendable {}
