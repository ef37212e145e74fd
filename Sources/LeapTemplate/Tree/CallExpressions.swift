/// The arguments of a call, filter or test as written.
struct ArgumentList {
    var positional: [Expression] = []
    var keywords: [(name: Text, value: Expression)] = []
    var dynamic: Expression?
    var dynamicKeywords: Expression?

    var isEmpty: Bool {
        positional.isEmpty && keywords.isEmpty && dynamic == nil && dynamicKeywords == nil
    }

    var expressions: [Expression] {
        positional + keywords.map(\.value) + [dynamic, dynamicKeywords].compactMap { $0 }
    }

    func evaluate(_ renderer: Renderer) throws(TemplateError) -> Arguments {
        if isEmpty { return .none }
        var arguments = Arguments(positional: try renderer.evaluateAll(positional))
        for (name, value) in keywords { arguments.keywords.append((name, try value.evaluate(renderer))) }
        if let dynamic {
            let items = try dynamic.evaluate(renderer).items(renderer)
            try renderer.charge(items: items.count)
            arguments.positional += items
        }
        if let dynamicKeywords {
            let value = try dynamicKeywords.evaluate(renderer)
            guard case .dict(let box) = value else {
                throw .type("argument after ** must be a mapping, not \(value.typeName)")
            }
            for i in 0..<box.count {
                // Each keyword is looked for among the ones before it.
                try renderer.step(1 + arguments.keywords.count / 4)
                guard let name = box.entries[i].key.text else { throw .type("keywords must be strings") }
                guard !arguments.keywords.contains(where: { $0.name == name }) else {
                    throw .type("got multiple values for keyword argument \(Repr.string(name))")
                }
                arguments.keywords.append((name, box.entries[i].value))
            }
        }
        return arguments
    }
}

/// `callee(arguments)`.
final class CallExpression: Expression {
    let callee: Expression
    private let arguments: ArgumentList

    init(_ callee: Expression, _ arguments: ArgumentList, line: Int) {
        self.callee = callee
        self.arguments = arguments
        super.init(line: line, over: [callee] + arguments.expressions)
    }

    override var children: [Expression] { [callee] + arguments.expressions }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        try evaluate(renderer, caller: nil)
    }

    /// - Parameter caller: what a `call` block passes along.
    func evaluate(_ renderer: Renderer, caller: Value?) throws(TemplateError) -> Value {
        try renderer.step()
        // A method called right away needs no bound method.
        if let attribute = callee as? AttributeExpression, caller == nil {
            let receiver = try attribute.object.evaluate(renderer)
            switch receiver {
            case .string(let text):
                if let method = attribute.key.stringMethod {
                    return try StringMethods(text, isMarkup: false, renderer)
                        .call(method, arguments.evaluate(renderer))
                }
            case .dict(let box):
                if let method = attribute.key.dictMethod {
                    return try Methods.dict(method, box, arguments.evaluate(renderer), renderer)
                }
            default: break
            }
            let function = try Access.attribute(receiver, attribute.key, renderer)
            return try renderer.call(function, arguments.evaluate(renderer))
        }
        let function = try callee.evaluate(renderer)
        var given = try arguments.evaluate(renderer)
        if let caller { given.keywords.append(("caller", caller)) }
        return try renderer.call(function, given)
    }
}

/// `value|name(arguments)`; without a value, the filter of a `filter` or `set` block.
final class FilterExpression: Expression {
    private let input: Expression?
    let name: Text
    private let filter: Filter?
    private let arguments: ArgumentList

    init(_ input: Expression?, _ name: Text, _ arguments: ArgumentList, line: Int) {
        self.input = input
        self.name = name
        self.arguments = arguments
        filter = Filter(rawValue: name.string)
        super.init(line: line, over: [input] + arguments.expressions)
    }

    override var children: [Expression] { (input.map { [$0] } ?? []) + arguments.expressions }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        if filter == nil, !scope.isSoft {
            throw TemplateError(.unknownFilter, "No filter named \(Repr.string(name)).", line: line)
        }
        for child in children { try child.resolve(scope) }
    }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        try apply(to: input.map { input throws(TemplateError) in try input.evaluate(renderer) }, renderer)
    }

    /// JSON is printed without making a text of it first.
    override func write(_ renderer: Renderer) throws(TemplateError) {
        guard filter == .tojson, let input else { return try renderer.write(evaluate(renderer)) }
        let call = FilterCall(
            filter: .tojson, value: try input.evaluate(renderer), arguments: try arguments.evaluate(renderer),
            renderer: renderer)
        try renderer.writeJSON(call.value, call.jsonWriter())
    }

    /// - Parameter block: the text of the block, where the filter has no value of its own.
    func apply(to value: Value?, _ renderer: Renderer) throws(TemplateError) -> Value {
        guard let filter else {
            throw TemplateError(.unknownFilter, "No filter named \(Repr.string(name)) found.", line: line)
        }
        return try Filters.apply(filter, to: value ?? .string(.empty), arguments.evaluate(renderer), renderer)
    }

    /// Applies a chain of block filters, innermost first.
    func applyChain(to block: Text, _ renderer: Renderer) throws(TemplateError) -> Value {
        guard let inner = input as? FilterExpression else { return try apply(to: .string(block), renderer) }
        return try apply(to: inner.applyChain(to: block, renderer), renderer)
    }
}

/// `value is name(arguments)`.
final class TestExpression: Expression {
    private let subject: Expression
    private let name: Text
    private let test: Test?
    private let arguments: ArgumentList

    init(_ subject: Expression, _ name: Text, _ arguments: ArgumentList, line: Int) {
        self.subject = subject
        self.name = name
        self.arguments = arguments
        test = Test(rawValue: name.string)
        super.init(line: line, over: [subject] + arguments.expressions)
    }

    override var children: [Expression] { [subject] + arguments.expressions }

    override func resolve(_ scope: CompileScope) throws(TemplateError) {
        if test == nil, !scope.isSoft {
            throw TemplateError(.unknownTest, "No test named \(Repr.string(name)).", line: line)
        }
        for child in children { try child.resolve(scope) }
    }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value { .bool(try isTrue(renderer)) }

    override func isTrue(_ renderer: Renderer) throws(TemplateError) -> Bool {
        guard let test else {
            throw TemplateError(.unknownTest, "No test named \(Repr.string(name)) found.", line: line)
        }
        let value = try subject.evaluate(renderer)
        switch test {
        case .defined where arguments.isEmpty: return !value.isUndefined
        case .string where arguments.isEmpty: return value.text != nil
        default: return try Tests.apply(test, to: value, arguments.evaluate(renderer), renderer)
        }
    }
}
