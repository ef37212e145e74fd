/// The methods of Python's built-in types.
enum Methods {
    static func call(
        _ name: Text, on receiver: Value, _ arguments: Arguments, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        switch receiver {
        case .string(let text), .markup(let text):
            if let method = StringMethod(rawValue: name.string) {
                let isMarkup = if case .markup = receiver { true } else { false }
                return try StringMethods(text, isMarkup: isMarkup, renderer).call(method, arguments)
            }
        case .dict(let box):
            if let method = DictMethod(rawValue: name.string) { return try dict(method, box, arguments, renderer) }
        case .list(let box), .tuple(let box): return try list(name, receiver, box, arguments, renderer)
        case .object(let range as RangeObject): return try self.range(name, range, arguments)
        case .object(let cycler as CyclerObject):
            _ = try arguments.positionalOnly(name.string, 0...0)
            if name == "next" { return cycler.next() }
            cycler.reset()
            return .none
        case .object(let loop as LoopObject): return try loop.method(name, arguments, renderer)
        case .int, .bool, .big, .float: return try number(name, receiver, arguments, renderer)
        default: break
        }
        throw .type("'\(receiver.typeName)' object has no method \(Repr.string(name))")
    }

    static func dict(
        _ method: DictMethod, _ box: DictBox, _ arguments: Arguments, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        switch method {
        case .get:
            let given = try arguments.positionalOnly("get", 1...2)
            return try box.value(for: given[0], renderer) ?? (given.count > 1 ? given[1] : .none)
        case .items, .keys, .values:
            _ = try arguments.positionalOnly(method.rawValue, 0...0)
            let kind: DictView.Kind = method == .items ? .items : method == .keys ? .keys : .values
            return .object(try DictView(kind, of: box, renderer))
        case .copy:
            _ = try arguments.positionalOnly("copy", 0...0)
            return .dict(box)
        case .fromkeys: return try Globals.fromKeys(arguments, renderer)
        }
    }

    private static func list(
        _ name: Text, _ receiver: Value, _ box: ListBox, _ arguments: Arguments, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        switch name {
        case "copy":
            _ = try arguments.positionalOnly("copy", 0...0)
            return receiver
        case "count":
            let given = try arguments.positionalOnly("count", 1...1)
            var count = 0
            for item in box.items {
                try renderer.step()
                if try Comparison.equal(item, given[0], renderer) { count += 1 }
            }
            return .int(count)
        case "index":
            let given = try arguments.positionalOnly("index", 1...3)
            var limits = [Int]()
            for value in given.dropFirst() {
                guard let index = value.index else {
                    throw .type("slice indices must be integers or have an __index__ method")
                }
                limits.append(index)
            }
            let bounds = SliceBounds(
                start: limits.first, stop: limits.count > 1 ? limits[1] : nil, step: 1, length: box.items.count)
            for i in bounds.indexes {
                try renderer.step()
                if try Comparison.equal(box.items[i], given[0], renderer) { return .int(i) }
            }
            throw .value("\(Repr.message(given[0])) is not in list")
        default: throw .type("'\(receiver.typeName)' object has no method \(Repr.string(name))")
        }
    }

    private static func range(
        _ name: Text, _ range: RangeObject, _ arguments: Arguments
    ) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly(name.string, 1...1)
        let found = given[0].smallInteger.map(range.contains) ?? false
        if name == "count" { return .int(found ? 1 : 0) }
        guard found, let value = given[0].smallInteger else {
            throw .value("\(Repr.message(given[0])) is not in range")
        }
        return .int((value - range.start) / range.step)
    }

    private static func number(
        _ name: Text, _ value: Value, _ arguments: Arguments, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        if case .big(let box) = value { try renderer.touch(bytes: box.value.digits.count &* TextCost.decode) }
        _ = try arguments.positionalOnly(name.string, 0...0)
        if case .float(let d) = value {
            return name == "is_integer" ? .bool(d.isFinite && d == d.rounded()) : value
        }
        guard let integer = value.bigInteger else { return value }
        switch name {
        case "bit_length": return .int(integer.bitWidth)
        case "bit_count": return .int(integer.digits.reduce(0) { $0 + $1.nonzeroBitCount })
        default: return Value(integer)
        }
    }
}
