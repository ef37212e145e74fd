extension Text {
    enum Side {
        case left, right, both
    }

    /// `strip`, `lstrip` and `rstrip`; nil strips white space.
    func stripped(_ side: Side, of characters: Text? = nil) -> Text {
        var from = 0
        var to = bytes.count
        let set = characters.map { Set($0.codePoints) }
        func drops(_ c: UInt32) -> Bool { set?.contains(c) ?? CharacterClasses.isSpace(c) }
        if side != .right {
            while from < to {
                var next = from
                guard drops(bytes.codePoint(at: &next)) else { break }
                from = next
            }
        }
        if side != .left {
            while to > from {
                var next = to
                guard drops(bytes.codePoint(before: &next)) else { break }
                to = next
            }
        }
        return from == 0 && to == bytes.count ? self : Text(bytes[from..<to])
    }

    /// `strip`, `lstrip` and `rstrip`, accounted for as far as the text is looked at.
    func stripped(_ side: Side, of characters: Text?, _ renderer: Renderer) throws(TemplateError) -> Text {
        if let characters { try renderer.touch(characters, times: TextCost.properties) }
        let rest = stripped(side, of: characters)
        try renderer.touch(bytes: (bytes.count - rest.bytes.count) &* TextCost.decode)
        return rest
    }

    // The splitting methods account for the parts they make; their callers, for the text.

    /// `split(separator, limit)`; `limit` < 0 splits everywhere.
    ///
    /// The separator must not be empty.
    func split(_ separator: Text, limit: Int, _ renderer: Renderer) throws(TemplateError) -> [Text] {
        var out = [Text]()
        var from = 0
        var remaining = limit
        while remaining != 0, let at = bytes.firstOffset(of: separator.bytes, in: from..<bytes.count) {
            try renderer.charge(parts: 1)
            out.append(Text(bytes[from..<at]))
            from = at + separator.bytes.count
            remaining -= 1
        }
        out.append(from == 0 ? self : Text(bytes[from...]))
        return out
    }

    func splitFromRight(_ separator: Text, limit: Int, _ renderer: Renderer) throws(TemplateError) -> [Text] {
        var out = [Text]()
        var to = bytes.count
        var remaining = limit
        while remaining != 0, let at = bytes.lastOffset(of: separator.bytes, in: 0..<to) {
            try renderer.charge(parts: 1)
            // The last of long separators is found by going through the whole text.
            if separator.bytes.count > [UInt8].plainNeedleLimit { try renderer.touch(bytes: to &* TextCost.search) }
            out.append(Text(bytes[(at + separator.bytes.count)..<to]))
            to = at
            remaining -= 1
        }
        out.append(to == bytes.count ? self : Text(bytes[..<to]))
        return out.reversed()
    }

    /// `split()` on runs of white space.
    func splitOnSpace(limit: Int, _ renderer: Renderer) throws(TemplateError) -> [Text] {
        var out = [Text]()
        var i = 0
        var remaining = limit
        while true {
            i = skip(from: i, while: CharacterClasses.isSpace)
            guard i < bytes.count else { return out }
            if remaining == 0 {
                out.append(Text(bytes[i...]).stripped(.right))
                return out
            }
            let start = i
            i = skip(from: i) { !CharacterClasses.isSpace($0) }
            try renderer.charge(parts: 1)
            out.append(Text(bytes[start..<i]))
            remaining -= 1
        }
    }

    func splitOnSpaceFromRight(limit: Int, _ renderer: Renderer) throws(TemplateError) -> [Text] {
        var out = [Text]()
        var end = bytes.count
        var remaining = limit
        while true {
            end = skipBack(from: end, while: CharacterClasses.isSpace)
            guard end > 0 else { break }
            if remaining == 0 {
                out.append(Text(bytes[..<end]).stripped(.left))
                break
            }
            let stop = end
            end = skipBack(from: end) { !CharacterClasses.isSpace($0) }
            try renderer.charge(parts: 1)
            out.append(Text(bytes[end..<stop]))
            remaining -= 1
        }
        return out.reversed()
    }

    func splitLines(keepEnds: Bool = false, _ renderer: Renderer) throws(TemplateError) -> [Text] {
        var out = [Text]()
        var i = 0
        while i < bytes.count {
            let start = i
            var end = i
            while i < bytes.count {
                end = i
                let c = bytes.codePoint(at: &i)
                if CharacterClasses.isLineBreak(c) {
                    if c == 0x0D, i < bytes.count, bytes[i] == 0x0A { i += 1 }
                    break
                }
                end = i
            }
            try renderer.charge(parts: 1)
            out.append(Text(bytes[start..<(keepEnds ? i : end)]))
        }
        return out
    }

    /// The first offset at or after `from` whose code point fails `condition`.
    func skip(from: Int, while condition: (UInt32) -> Bool) -> Int {
        var i = from
        while i < bytes.count {
            var next = i
            guard condition(bytes.codePoint(at: &next)) else { break }
            i = next
        }
        return i
    }

    private func skipBack(from: Int, while condition: (UInt32) -> Bool) -> Int {
        var i = from
        while i > 0 {
            var next = i
            guard condition(bytes.codePoint(before: &next)) else { break }
            i = next
        }
        return i
    }
}
