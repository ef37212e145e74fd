/// `object.name`.
final class AttributeExpression: Expression {
    let object: Expression
    let key: AttributeKey

    init(_ object: Expression, _ name: Text, line: Int) {
        self.object = object
        key = AttributeKey(name)
        super.init(line: line, over: [object])
    }

    override var children: [Expression] { [object] }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        try Access.attribute(object.evaluate(renderer), key, renderer)
    }
}

/// `object[key]`.
final class ItemExpression: Expression {
    private let object: Expression
    private let key: Expression
    /// The key of a literal string, computed beforehand; nil for other expressions.
    private let constant: AttributeKey?

    init(_ object: Expression, _ key: Expression, line: Int) {
        self.object = object
        self.key = key
        if let literal = key as? ConstantExpression, case .string(let name) = literal.value {
            constant = AttributeKey(name)
        } else {
            constant = nil
        }
        super.init(line: line, over: [object, key])
    }

    override var children: [Expression] { [object, key] }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        let value = try object.evaluate(renderer)
        if let constant, case .dict(let box) = value {
            if constant.cost > 0 { try renderer.touch(bytes: constant.cost) }
            if let item = box.value(for: constant.name, tag: constant.tag) { return item }
            if constant.isDictMember, let member = try Access.member(of: value, constant, renderer) { return member }
            return .undefined(constant.missingOnDict)
        }
        return try Access.item(value, key.evaluate(renderer), renderer)
    }
}

/// `object[start:stop:step]`.
final class SliceExpression: Expression {
    private let object: Expression
    private let start: Expression?
    private let stop: Expression?
    private let step: Expression?

    init(_ object: Expression, start: Expression?, stop: Expression?, step: Expression?, line: Int) {
        self.object = object
        self.start = start
        self.stop = stop
        self.step = step
        super.init(line: line, over: [object, start, stop, step])
    }

    override var children: [Expression] { [object, start, stop, step].compactMap { $0 } }

    override func evaluate(_ renderer: Renderer) throws(TemplateError) -> Value {
        try Access.slice(
            object.evaluate(renderer), start?.evaluate(renderer), stop?.evaluate(renderer), step?.evaluate(renderer),
            renderer)
    }
}
