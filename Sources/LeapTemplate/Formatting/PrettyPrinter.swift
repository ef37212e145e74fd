/// Python's `pprint.pformat` at its default width of 80.
struct PrettyPrinter {
    private static let width = 80
    private var out: [UInt8] = []
    private let renderer: Renderer

    static func format(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
        var printer = PrettyPrinter(renderer: renderer)
        try printer.format(value, indent: 0, allowance: 0, level: 0)
        try renderer.charge(bytes: printer.out.count)
        return Text(printer.out)
    }

    private init(renderer: Renderer) { self.renderer = renderer }

    /// `repr`, with the keys of dicts in order.
    ///
    /// Each level of nesting copies the text of what it holds, and is accounted for.
    private func repr(_ value: Value) throws(TemplateError) -> Text {
        try renderer.step()
        var text = [UInt8]()
        switch value {
        case .dict(let box):
            text.append(ascii: "{")
            for (n, i) in try order(box).enumerated() {
                if n > 0 { text.append(ascii: ", ") }
                text += try repr(box.entries[i].key).bytes
                text.append(ascii: ": ")
                text += try repr(box.entries[i].value).bytes
                try renderer.checkSize(text.count)
            }
            text.append(ascii: "}")
        case .list(let box), .tuple(let box):
            let isTuple = if case .tuple = value { true } else { false }
            text.append(ascii: isTuple ? "(" : "[")
            for (i, item) in box.items.enumerated() {
                if i > 0 { text.append(ascii: ", ") }
                text += try repr(item).bytes
                try renderer.checkSize(text.count)
            }
            text.append(ascii: isTuple ? (box.items.count == 1 ? ",)" : ")") : "]")
        default: return try Repr.repr(value, renderer)
        }
        try renderer.charge(bytes: text.count)
        return Text(text)
    }

    private func order(_ box: DictBox) throws(TemplateError) -> [Int] {
        let indexes = Array(0..<box.count)
        // Keys that have no order are put in the order of their types, as pprint does.
        let less = { (a: Value, b: Value, renderer: Renderer) throws(TemplateError) -> Bool in
            do throws(TemplateError) {
                return try Comparison.less(a, b, renderer)
            } catch {
                if error.code == .limit { throw error }
                return a.typeName < b.typeName
            }
        }
        return try Comparison.sorted(
            indexes.map { .int($0) }, keys: box.keys, reverse: false, renderer, by: less
        ).compactMap(\.smallInteger)
    }

    private mutating func format(
        _ value: Value, indent: Int, allowance: Int, level: Int
    ) throws(TemplateError) {
        try renderer.step()
        let text = try repr(value)
        try renderer.checkSize(out.count + text.bytes.count)
        if text.count > Self.width - indent - allowance {
            switch value {
            case .dict(let box): return try format(box, indent, allowance, level + 1)
            case .list(let box):
                out.append(0x5B)
                try format(box.items, indent, allowance + 1, level + 1)
                return out.append(0x5D)
            case .tuple(let box):
                let end = box.items.count == 1 ? ",)" : ")"
                out.append(0x28)
                try format(box.items, indent, allowance + end.utf8.count, level + 1)
                return out.append(contentsOf: end.utf8)
            case .string(let string): return try format(string, text, indent, allowance, level + 1)
            default: break
            }
        }
        out += text.bytes
    }

    private mutating func newline(_ indent: Int) throws(TemplateError) {
        try renderer.checkSize(out.count + indent)
        out.append(0x0A)
        out += [UInt8](repeating: 0x20, count: indent)
    }

    private mutating func format(
        _ box: DictBox, _ indent: Int, _ allowance: Int, _ level: Int
    ) throws(TemplateError) {
        out.append(0x7B)
        let order = try order(box)
        for (n, i) in order.enumerated() {
            if n > 0 {
                out.append(0x2C)
                try newline(indent + 1)
            }
            let key = try repr(box.entries[i].key)
            try renderer.checkSize(out.count + key.bytes.count)
            out += key.bytes
            out.append(ascii: ": ")
            try format(
                box.entries[i].value, indent: indent + 1 + key.count + 2,
                allowance: n == order.count - 1 ? allowance + 1 : 1, level: level)
        }
        out.append(0x7D)
    }

    private mutating func format(
        _ items: [Value], _ indent: Int, _ allowance: Int, _ level: Int
    ) throws(TemplateError) {
        for (i, item) in items.enumerated() {
            if i > 0 {
                out.append(0x2C)
                try newline(indent + 1)
            }
            try format(item, indent: indent + 1, allowance: i == items.count - 1 ? allowance : 1, level: level)
        }
    }

    /// A long string as several literals, one to a line.
    private mutating func format(
        _ string: Text, _ whole: Text, _ start: Int, _ allowed: Int, _ level: Int
    ) throws(TemplateError) {
        var indent = start
        var allowance = allowed
        if level == 1 {
            indent += 1
            allowance += 1
        }
        let renderer = renderer
        func literal(_ text: Text) throws(TemplateError) -> Text {
            try renderer.touch(text, times: TextCost.decode)
            var bytes = [UInt8]()
            bytes.append(reprOf: text)
            return Text(bytes)
        }
        let lines = try string.splitLines(keepEnds: true, renderer)
        var chunks = [Text]()
        let maxWidth = Self.width - indent
        for (i, line) in lines.enumerated() {
            let isLastLine = i == lines.count - 1
            let rep = try literal(line)
            if rep.count <= maxWidth - (isLastLine ? allowance : 0) {
                chunks.append(rep)
                continue
            }
            let parts = try wordsWithSpace(line)
            var current = Text.empty
            for (j, part) in parts.enumerated() {
                let candidate = current + part
                let isLast = isLastLine && j == parts.count - 1
                if try literal(candidate).count > maxWidth - (isLast ? allowance : 0) {
                    if !current.isEmpty { chunks.append(try literal(current)) }
                    current = part
                } else {
                    current = candidate
                }
            }
            if !current.isEmpty { chunks.append(try literal(current)) }
        }
        if chunks.count == 1 { return out += whole.bytes }
        if level == 1 { out.append(0x28) }
        for (i, chunk) in chunks.enumerated() {
            if i > 0 { try newline(indent) }
            out += chunk.bytes
        }
        if level == 1 { out.append(0x29) }
    }

    private func wordsWithSpace(_ line: Text) throws(TemplateError) -> [Text] {
        try renderer.touch(line, times: TextCost.decode)
        var parts = [Text]()
        var i = 0
        while i < line.bytes.count {
            let word = line.skip(from: i) { !CharacterClasses.isSpace($0) }
            let end = line.skip(from: word, while: CharacterClasses.isSpace)
            try renderer.charge(parts: 1)
            parts.append(Text(line.bytes[i..<end]))
            i = end
        }
        return parts
    }
}
