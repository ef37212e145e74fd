import LeapBase

extension [UInt8] {
    /// Longest needle searched by comparing at each candidate; longer ones use a table, so that no needle makes the
    /// search quadratic.
    static var plainNeedleLimit: Int { 32 }

    /// The offset of the first `needle` in `range`, or nil.
    ///
    /// An empty needle is found at the start.
    func firstOffset(of needle: [UInt8], in range: Range<Int>) -> Int? {
        if needle.isEmpty { return range.lowerBound }
        guard range.count >= needle.count else { return nil }
        if needle.count > Self.plainNeedleLimit { return tableSearch(needle, in: range, last: false) }
        return withUnsafeBufferPointer { hay in
            needle.withUnsafeBufferPointer { pattern in
                guard let base = hay.baseAddress, let wanted = pattern.baseAddress else { return nil }
                var from = range.lowerBound
                let end = range.upperBound - pattern.count + 1
                while from < end, let hit = memchr(base + from, Int32(pattern[0]), end - from) {
                    let at = base.distance(to: hit.assumingMemoryBound(to: UInt8.self))
                    if memcmp(base + at, wanted, pattern.count) == 0 { return at }
                    from = at + 1
                }
                return nil
            }
        }
    }

    /// The offset of the last `needle` in `range`, or nil.
    ///
    /// An empty needle is found at the end.
    func lastOffset(of needle: [UInt8], in range: Range<Int>) -> Int? {
        if needle.isEmpty { return range.upperBound }
        guard range.count >= needle.count else { return nil }
        if needle.count > Self.plainNeedleLimit { return tableSearch(needle, in: range, last: true) }
        return withUnsafeBufferPointer { hay in
            needle.withUnsafeBufferPointer { pattern in
                guard let base = hay.baseAddress, let wanted = pattern.baseAddress else { return nil }
                var at = range.upperBound - pattern.count
                while at >= range.lowerBound {
                    if hay[at] == pattern[0], memcmp(base + at, wanted, pattern.count) == 0 { return at }
                    at -= 1
                }
                return nil
            }
        }
    }

    /// Knuth–Morris–Pratt: linear whatever the needle.
    private func tableSearch(_ needle: [UInt8], in range: Range<Int>, last: Bool) -> Int? {
        var fallback = [Int](repeating: 0, count: needle.count)
        var k = 0
        for i in 1..<needle.count {
            while k > 0, needle[i] != needle[k] { k = fallback[k - 1] }
            if needle[i] == needle[k] { k += 1 }
            fallback[i] = k
        }
        var found: Int?
        k = 0
        for i in range {
            while k > 0, self[i] != needle[k] { k = fallback[k - 1] }
            if self[i] == needle[k] { k += 1 }
            if k == needle.count {
                found = i - k + 1
                if !last { return found }
                k = fallback[k - 1]
            }
        }
        return found
    }
}

extension Text {
    func contains(_ needle: Text) -> Bool {
        bytes.firstOffset(of: needle.bytes, in: 0..<bytes.count) != nil
    }

    func hasPrefix(_ prefix: Text) -> Bool { bytes.matches(prefix.bytes, at: 0) }

    func hasSuffix(_ suffix: Text) -> Bool {
        bytes.matches(suffix.bytes, at: bytes.count - suffix.bytes.count)
    }

    /// The byte range between code points `start` and `end` as Python's search methods clip them, or nil when the
    /// window is empty in a way that finds nothing (start past end).
    func window(_ start: Int?, _ end: Int?) -> Range<Int>? {
        if start == nil, end == nil { return 0..<bytes.count }
        let count = self.count
        var from = start ?? 0
        var to = end ?? count
        if from < 0 { from = max(0, from + count) }
        if to < 0 { to = max(0, to + count) }
        to = min(to, count)
        guard from <= to else { return nil }
        return byteOffset(of: from)..<byteOffset(of: to)
    }

    /// Non-overlapping occurrences of `needle` in a byte range.
    func occurrences(of needle: Text, in range: Range<Int>) -> Int {
        if needle.isEmpty { return bytes.codePointCount(in: range) + 1 }
        var from = range.lowerBound
        var count = 0
        while let at = bytes.firstOffset(of: needle.bytes, in: from..<range.upperBound) {
            count += 1
            from = at + needle.bytes.count
        }
        return count
    }

    /// Python's `str.replace`; `limit` < 0 replaces all.
    func replacing(_ old: Text, with new: Text, limit: Int) -> Text {
        if limit == 0 { return self }
        var out = [UInt8]()
        var remaining = limit
        if old.isEmpty {
            var i = 0
            while remaining != 0 {
                out += new.bytes
                remaining -= 1
                guard i < bytes.count else { return Text(out) }
                let start = i
                _ = bytes.codePoint(at: &i)
                out += bytes[start..<i]
            }
            out += bytes[i...]
            return Text(out)
        }
        var from = 0
        while remaining != 0, let at = bytes.firstOffset(of: old.bytes, in: from..<bytes.count) {
            if from == 0 { out.reserveCapacity(bytes.count) }
            out += bytes[from..<at]
            out += new.bytes
            from = at + old.bytes.count
            remaining -= 1
        }
        if from == 0, out.isEmpty { return self }
        out += bytes[from...]
        return Text(out)
    }
}
