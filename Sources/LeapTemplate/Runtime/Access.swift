/// Attribute and item look-up as Jinja's sandbox does it.
enum Access {
    /// `value.name`: the Python attribute first, then the item.
    static func attribute(
        _ value: Value, _ key: AttributeKey, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        switch value {
        case .dict(let box):
            if key.cost > 0 { try renderer.touch(bytes: key.cost) }
            if key.isDictMember, let member = try member(of: value, key, renderer) { return member }
            return box.value(for: key.name, tag: key.tag) ?? .undefined(key.missingOnDict)
        case .undefined(let u): throw u.error
        default:
            if let member = try member(of: value, key, renderer) { return member }
            if case .object(let object) = value, let item = object.item(.string(key.name)) { return item }
            return .undefined(Undefined(.attribute(key.name, ofType: value.describedType)))
        }
    }

    /// `value[key]`: the item first, then, for strings, the Python attribute.
    static func item(_ value: Value, _ key: Value, _ renderer: Renderer) throws(TemplateError) -> Value {
        switch value {
        case .dict(let box):
            if case .string(let name) = key {
                try renderer.touch(name, times: 2)
                if let item = box.value(for: name) { return item }
            } else if try renderer.unhashableType(of: key) == nil, let item = try box.value(for: key, renderer) {
                return item
            }
        case .list(let box), .tuple(let box):
            if let index = key.index {
                let i = index < 0 ? index &+ box.items.count : index
                if box.items.indices.contains(i) { return box.items[i] }
                return .undefined(Undefined(.element(index, ofType: value.describedType)))
            }
        case .string(let text), .markup(let text):
            if let index = key.index {
                try renderer.touch(text, times: 2)
                guard let character = text.character(at: index) else {
                    return .undefined(Undefined(.element(index, ofType: value.describedType)))
                }
                if case .markup = value { return .markup(character) }
                return .string(character)
            }
        case .object(let object):
            if let item = object.item(key) { return item }
        case .undefined(let u): throw u.error
        case .missing, .none, .bool, .int, .big, .float: break
        }
        if let name = key.text {
            try renderer.touch(name: name)
            let attribute = AttributeKey(name)
            if let member = try member(of: value, attribute, renderer) { return member }
            return .undefined(Undefined(.attribute(name, ofType: value.describedType)))
        }
        if let index = key.smallInteger { return .undefined(Undefined(.element(index, ofType: value.describedType))) }
        // The message shows as much of the key as fits a line.
        try renderer.step(16)
        return .undefined(Undefined(.hint("\(value.describedType) has no element \(Repr.message(key))")))
    }

    /// `getattr(value, name)` in the sandbox; nil where Python raises `AttributeError`.
    static func member(
        of value: Value, _ key: AttributeKey, _ renderer: Renderer
    ) throws(TemplateError) -> Value? {
        func forbidden() -> Value { .undefined(Undefined(.forbidden(key.name, ofType: value.typeName))) }
        if key.name.bytes.first == 0x5F {
            if case .object(let object) = value, let found = try object.attribute(key, renderer) { return found }
            return AttributeKey.objectMembers.contains(key.name.string) ? forbidden() : nil
        }
        switch value {
        case .dict:
            guard key.isDictMember else { return nil }
            return key.dictMethod == nil ? forbidden() : .object(BoundMethod(value, key.name))
        case .list:
            guard key.isListMember else { return nil }
            return AttributeKey.listMutators.contains(key.name.string)
                ? forbidden() : .object(BoundMethod(value, key.name))
        case .tuple(let box):
            if key.name == "count" || key.name == "index" { return .object(BoundMethod(value, key.name)) }
            guard box.isGroup else { return nil }
            return key.name == "grouper" ? box.items[0] : key.name == "list" ? box.items[1] : nil
        case .string, .markup:
            return key.stringMethod == nil ? nil : .object(BoundMethod(value, key.name))
        case .object(let object): return try object.attribute(key, renderer)
        case .int, .bool, .big, .float: return numberMember(value, key.name)
        case .none, .undefined, .missing: return nil
        }
    }

    private static func numberMember(_ value: Value, _ name: Text) -> Value? {
        let isFloat = if case .float = value { true } else { false }
        switch name {
        case "real": return isFloat ? value : value.bigInteger.map { Value($0) }
        case "imag": return isFloat ? .float(0) : .int(0)
        case "numerator": return isFloat ? nil : value.bigInteger.map { Value($0) }
        case "denominator": return isFloat ? nil : .int(1)
        case "bit_length", "bit_count": return isFloat ? nil : .object(BoundMethod(value, name))
        case "is_integer": return isFloat ? .object(BoundMethod(value, name)) : nil
        case "conjugate": return .object(BoundMethod(value, name))
        default: return nil
        }
    }

    /// `value[start:stop:step]`; unlike item look-up, mistakes raise.
    static func slice(
        _ value: Value, _ start: Value?, _ stop: Value?, _ step: Value?, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        func bound(_ value: Value?) throws(TemplateError) -> Int? {
            guard let value, !value.isNone else { return nil }
            if case .undefined(let u) = value { throw .type("slice indices must be integers or None (\(u.message))") }
            guard let index = value.index else {
                throw .type("slice indices must be integers or None or have an __index__ method")
            }
            return index
        }
        if case .undefined(let u) = value { throw u.error }
        guard Self.isSliceable(value), let length = try value.length(renderer) else {
            if case .dict = value { throw .type("unhashable type: 'slice'") }
            throw .type("'\(value.typeName)' object is not subscriptable")
        }
        let stride = try bound(step) ?? 1
        if stride == 0 { throw .value("slice step cannot be zero") }
        let bounds = SliceBounds(start: try bound(start), stop: try bound(stop), step: stride, length: length)
        switch value {
        case .string(let text), .markup(let text):
            try renderer.touch(text, times: bounds.step == 1 ? 2 * TextCost.copy : TextCost.decode)
            try renderer.charge(bytes: bounds.count)
            let part = text.slice(bounds, codePoints: length)
            if case .markup = value { return .markup(part) }
            return .string(part)
        case .list(let box), .tuple(let box):
            try renderer.charge(items: bounds.count)
            let items =
                bounds.step == 1
                ? Array(box.items[bounds.start..<bounds.start + bounds.count]) : bounds.indexes.map { box.items[$0] }
            if case .tuple = value { return try .tuple(items) }
            return try .list(items)
        case .object(let object as RangeObject): return .object(object.slice(bounds))
        default: return .undefined(Undefined(.hint("not sliceable")))
        }
    }

    private static func isSliceable(_ value: Value) -> Bool {
        switch value {
        case .string, .markup, .list, .tuple: true
        case .object(let object): object is RangeObject
        default: false
        }
    }
}
