// Filters over lists and other iterables.
extension FilterCall {
    func length() throws(TemplateError) -> Value {
        try noArguments()
        guard let length = try value.length(renderer) else {
            throw .type("object of type '\(value.typeName)' has no len()")
        }
        return .int(length)
    }

    func defaulted() throws(TemplateError) -> Value {
        let bound = try bind(["default_value", "boolean"])
        if value.isUndefined || (bound[1]?.isTrue ?? false) && !value.isTrue { return bound[0] ?? .string(.empty) }
        return value
    }

    func join() throws(TemplateError) -> Value {
        let bound = try bind(["d", "attribute"])
        let separator = try bound[0].map { value throws(TemplateError) in try Repr.str(value, renderer) } ?? .empty
        let getter = try bound[1].map { attribute throws(TemplateError) in try attributeGetter(attribute) }
        let iterator = try value.iterate(renderer)
        var out = [UInt8]()
        var isFirst = true
        while let item = try iterator.next(renderer) {
            try renderer.step()
            if !isFirst {
                try renderer.checkSize(out.count + separator.bytes.count)
                out += separator.bytes
            }
            isFirst = false
            try Repr.append(
                str: getter.map { getter throws(TemplateError) in try getter(item) } ?? item, to: &out, renderer)
            try renderer.checkSize(out.count)
        }
        try renderer.charge(bytes: out.count)
        return .string(Text(out))
    }

    func items() throws(TemplateError) -> Value {
        try noArguments()
        let value = value
        var view: ValueIterator?
        return .object(
            try Generator("do_items", holding: [value]) { (renderer: Renderer) throws(TemplateError) -> Value? in
                if view == nil {
                    if value.isUndefined { return nil }
                    guard case .dict(let box) = value else { throw .type("Can only get item pairs from a mapping.") }
                    view = try DictView(.items, of: box, renderer).iterator()
                }
                return try view?.next(renderer)
            })
    }

    func end() throws(TemplateError) -> Value {
        try noArguments()
        let isFirst = filter == .first
        if !isFirst, let last = value.lastItem { return last }
        let iterator = isFirst ? try value.iterate(renderer) : try value.reversedIterator(renderer)
        return try iterator.next(renderer)
            ?? .undefined(Undefined(.hint("No \(isFirst ? "first" : "last") item, sequence was empty.")))
    }

    func reverse() throws(TemplateError) -> Value {
        try noArguments()
        if let text = value.text {
            if case .markup = value { return .markup(text.reversed) }
            return .string(text.reversed)
        }
        if value.isReversible { return .object(try value.reversedIterator(renderer)) }
        guard value.isIterable else { throw .type("argument must be iterable") }
        return try .list(value.items(renderer).reversed())
    }

    func batch() throws(TemplateError) -> Value {
        let bound = try bind(["linecount", "fill_with"], required: 1)
        let value = value
        let width = bound[0] ?? .none
        let fill = bound[1] ?? .none
        var source: ValueIterator?
        var pending = [Value]()
        return .object(
            try Generator("do_batch", holding: [value, fill]) { (renderer: Renderer) throws(TemplateError) -> Value? in
                let iterator = if let source { source } else { try value.iterate(renderer) }
                source = iterator
                while let item = try iterator.next(renderer) {
                    try renderer.step()
                    try renderer.touch(bytes: MemoryLayout<Value>.stride)
                    let isFull = try Comparison.equal(.int(pending.count), width, renderer)
                    let row = pending
                    if isFull { pending = [] }
                    pending.append(item)
                    if isFull { return try .list(row) }
                }
                guard !pending.isEmpty else { return nil }
                var row = pending
                pending = []
                if !fill.isNone, try Comparison.less(.int(row.count), width, renderer) {
                    guard let count = width.index else {
                        throw .type("can't multiply sequence by non-int of type '\(width.typeName)'")
                    }
                    try renderer.charge(items: count)
                    while row.count < count { row.append(fill) }
                }
                return try .list(row)
            })
    }

    func slice() throws(TemplateError) -> Value {
        let bound = try bind(["slices", "fill_with"], required: 1)
        let value = value
        let slices = bound[0] ?? .none
        let fill = bound[1] ?? .none
        var items: [Value]?
        var number = 0
        var offset = 0
        return .object(
            try Generator("sync_do_slice", holding: [value, fill]) {
                (renderer: Renderer) throws(TemplateError) -> Value? in
                let all = if let items { items } else { try value.items(renderer) }
                items = all
                guard let count = slices.smallInteger else {
                    throw .type("'\(slices.typeName)' object cannot be interpreted as an integer")
                }
                if count == 0 { throw .value("integer division or modulo by zero") }
                guard number < count else { return nil }
                try renderer.charge(parts: 1)
                let perSlice = all.count / count
                let withExtra = all.count % count
                let start = offset + number * perSlice
                if number < withExtra { offset += 1 }
                let end = offset + (number + 1) * perSlice
                try renderer.charge(items: Swift.max(0, Swift.min(end, all.count) - start))
                var part = Array(all[Swift.min(start, all.count)..<Swift.min(end, all.count)])
                if !fill.isNone, number >= withExtra { part.append(fill) }
                number += 1
                return try .list(part)
            })
    }

    func sum() throws(TemplateError) -> Value {
        let bound = try bind(["attribute", "start"])
        var total = bound[1] ?? .int(0)
        if total.text != nil { throw .type("sum() can't sum strings [use ''.join(seq) instead]") }
        let attribute = bound[0].flatMap { $0.isNone ? nil : $0 }
        let getter = try attribute.map { attribute throws(TemplateError) in try attributeGetter(attribute) }
        let iterator = try value.iterate(renderer)
        while let item = try iterator.next(renderer) {
            try renderer.step()
            let term = try getter.map { getter throws(TemplateError) in try getter(item) } ?? item
            total = try Arithmetic.apply(.add, total, term, renderer)
        }
        return total
    }

    func extreme() throws(TemplateError) -> Value {
        let bound = try bind(["case_sensitive", "attribute"])
        let key = try attributeGetter(bound[1], foldsCase: !(bound[0]?.isTrue ?? false))
        let iterator = try value.iterate(renderer)
        guard var best = try iterator.next(renderer) else {
            return .undefined(Undefined(.hint("No aggregated item, sequence was empty.")))
        }
        var bestKey = try key(best)
        while let item = try iterator.next(renderer) {
            try renderer.step()
            let itemKey = try key(item)
            if try Comparison.compare(itemKey, bestKey, filter == .min ? .less : .greater, renderer) {
                best = item
                bestKey = itemKey
            }
        }
        return best
    }

    func sort() throws(TemplateError) -> Value {
        let bound = try bind(["reverse", "case_sensitive", "attribute"])
        let folds = !(bound[1]?.isTrue ?? false)
        var getters = [(Value) throws(TemplateError) -> Value]()
        if let names = bound[2]?.text {
            try renderer.touch(names, times: TextCost.decode)
            for name in try names.split(",", limit: -1, renderer) {
                getters.append(try attributeGetter(.string(name), foldsCase: folds))
            }
        } else {
            getters = [try attributeGetter(bound[2], foldsCase: folds)]
        }
        let items = try value.items(renderer)
        var keys = [Value]()
        for item in items {
            try renderer.step()
            try renderer.charge(parts: 2)
            var key = [Value]()
            for getter in getters { key.append(try getter(item)) }
            keys.append(try .list(key))
        }
        return try .list(
            Comparison.sorted(items, keys: keys, reverse: bound[0]?.isTrue ?? false, renderer))
    }

    func dictsort() throws(TemplateError) -> Value {
        let bound = try bind(["case_sensitive", "by", "reverse"])
        let by = bound[1] ?? .string("key")
        let byKey = try Comparison.equal(by, .string("key"), renderer)
        let byValue = try Comparison.equal(by, .string("value"), renderer)
        guard byKey || byValue else {
            throw .value("You can only sort by either \"key\" or \"value\"")
        }
        if case .undefined(let u) = value { throw u.error }
        guard case .dict(let box) = value else { throw .type("'\(value.typeName)' object has no attribute 'items'") }
        let isCaseSensitive = bound[0]?.isTrue ?? false
        let pairs = try DictView(.items, of: box, renderer).items
        var keys = byKey ? box.keys : box.values
        if !isCaseSensitive { for i in keys.indices { keys[i] = try Self.folded(keys[i], renderer) } }
        return try .list(
            Comparison.sorted(pairs, keys: keys, reverse: bound[2]?.isTrue ?? false, renderer))
    }

    func groupby() throws(TemplateError) -> Value {
        let bound = try bind(["attribute", "default", "case_sensitive"], required: 1)
        let fallback = bound[1].flatMap { $0.isNone ? nil : $0 }
        let folds = !(bound[2]?.isTrue ?? false)
        let key = try attributeGetter(bound[0], default: fallback, foldsCase: folds)
        let shownKey = try attributeGetter(bound[0], default: fallback)
        let items = try value.items(renderer)
        var keys = [Value]()
        for item in items {
            try renderer.step()
            try renderer.touch(bytes: MemoryLayout<Value>.stride)
            keys.append(try key(item))
        }
        var groups = [(key: Value, items: [Value])]()
        for item in try Comparison.sorted(items, keys: keys, reverse: false, renderer) {
            let itemKey = try key(item)
            if let last = groups.indices.last, try Comparison.equal(groups[last].key, itemKey, renderer) {
                groups[last].items.append(item)
            } else {
                try renderer.charge(parts: 4)
                groups.append((itemKey, [item]))
            }
        }
        var out = [Value]()
        for group in groups {
            let shown = folds ? try shownKey(group.items[0]) : group.key
            out.append(.tuple(try ListBox.make([shown, .list(group.items)], isGroup: true)))
        }
        return try .list(out)
    }

    func unique() throws(TemplateError) -> Value {
        let bound = try bind(["case_sensitive", "attribute"])
        let key = try attributeGetter(bound[1], foldsCase: !(bound[0]?.isTrue ?? false))
        let value = value
        var source: ValueIterator?
        var seen = Set<DictKey>()
        return .object(
            try Generator("sync_do_unique", holding: [value]) { (renderer: Renderer) throws(TemplateError) -> Value? in
                let iterator = if let source { source } else { try value.iterate(renderer) }
                source = iterator
                while let item = try iterator.next(renderer) {
                    try renderer.step()
                    let itemKey = try key(item)
                    try renderer.checkHashable(itemKey)
                    try renderer.charge(parts: 1)
                    if seen.insert(DictKey(itemKey)).inserted { return item }
                }
                return nil
            })
    }

    func random() throws(TemplateError) -> Value {
        try noArguments()
        guard let length = try value.length(renderer) else {
            throw .type("object of type '\(value.typeName)' has no len()")
        }
        if length == 0 { return .undefined(Undefined(.hint("No random item, sequence was empty."))) }
        return try Access.item(value, .int(Int.random(in: 0..<length)), renderer)
    }

    func attr() throws(TemplateError) -> Value {
        let bound = try bind(["name"], required: 1)
        guard let name = bound[0]?.text else { throw .type("attribute name must be string") }
        if case .undefined(let u) = value { throw u.error }
        try renderer.touch(name: name)
        return try Access.member(of: value, AttributeKey(name), renderer)
            ?? .undefined(Undefined(.attribute(name, ofType: value.describedType)))
    }

    // MARK: map, select and their kin

    func map() throws(TemplateError) -> Value {
        let value = value
        let call = self
        var source: ValueIterator?
        var transform: ((Value) throws(TemplateError) -> Value)?
        let holding = [value] + arguments.positional + arguments.keywords.map(\.value)
        return .object(
            try Generator("sync_do_map", holding: holding) { (renderer: Renderer) throws(TemplateError) -> Value? in
                if source == nil {
                    guard value.isTrue else { return nil }
                    transform = try call.mapping()
                    source = try value.iterate(renderer)
                }
                guard let item = try source?.next(renderer) else { return nil }
                try renderer.step()
                return try transform?(item)
            })
    }

    private func mapping() throws(TemplateError) -> (Value) throws(TemplateError) -> Value {
        let named = arguments.keywords.first { $0.name == "attribute" }
        if arguments.positional.isEmpty, let named {
            var fallback: Value?
            for (name, value) in arguments.keywords where name != "attribute" {
                guard name == "default" else { throw .type("Unexpected keyword argument \(Repr.string(name))") }
                fallback = value.isNone ? nil : value
            }
            return try attributeGetter(named.value, default: fallback)
        }
        guard let first = arguments.positional.first else { throw .type("map requires a filter argument") }
        let rest = Arguments(positional: Array(arguments.positional.dropFirst()), keywords: arguments.keywords)
        guard let name = first.text, let filter = Filter(rawValue: name.string) else {
            throw TemplateError(.unknownFilter, "No filter named \(Repr.message(first)).")
        }
        let renderer = renderer
        return { (item: Value) throws(TemplateError) -> Value in
            try Filters.apply(filter, to: item, rest, renderer)
        }
    }

    func select() throws(TemplateError) -> Value {
        let value = value
        let call = self
        let keeps = filter == .select || filter == .selectattr
        var source: ValueIterator?
        var predicate: ((Value) throws(TemplateError) -> Bool)?
        let holding = [value] + arguments.positional + arguments.keywords.map(\.value)
        return .object(
            try Generator("select_or_reject", holding: holding) {
                (renderer: Renderer) throws(TemplateError) -> Value? in
                if source == nil {
                    guard value.isTrue else { return nil }
                    predicate = try call.predicate()
                    source = try value.iterate(renderer)
                }
                while let item = try source?.next(renderer) {
                    try renderer.step()
                    if try predicate?(item) == keeps { return item }
                }
                return nil
            })
    }

    private func predicate() throws(TemplateError) -> (Value) throws(TemplateError) -> Bool {
        var positional = arguments.positional[...]
        var getter: ((Value) throws(TemplateError) -> Value)?
        if filter == .selectattr || filter == .rejectattr {
            guard let attribute = positional.popFirst() else { throw .type("Missing parameter for attribute name") }
            getter = try attributeGetter(attribute)
        }
        let renderer = renderer
        guard let first = positional.popFirst() else {
            return { (item: Value) throws(TemplateError) -> Bool in
                try getter.map { getter throws(TemplateError) in try getter(item) }?.isTrue ?? item.isTrue
            }
        }
        guard let name = first.text, let test = Test(rawValue: name.string) else {
            throw TemplateError(.unknownTest, "No test named \(Repr.message(first)).")
        }
        let rest = Arguments(positional: Array(positional), keywords: arguments.keywords)
        return { (item: Value) throws(TemplateError) -> Bool in
            let subject = try getter.map { getter throws(TemplateError) in try getter(item) } ?? item
            return try Tests.apply(test, to: subject, rest, renderer)
        }
    }
}
