extension Text {
    /// Python's `s[start:stop:step]` with the indexes already clipped (see `SliceBounds`).
    func slice(_ bounds: SliceBounds, codePoints: Int) -> Text {
        if bounds.step == 1 {
            if bounds.count == codePoints { return self }
            if bounds.count == 0 { return .empty }
            let from = byteOffset(of: bounds.start)
            let to = byteOffset(of: bounds.start + bounds.count)
            return Text(bytes[from..<to])
        }
        var out = [UInt8]()
        if codePoints == bytes.count {
            out.reserveCapacity(bounds.count)
            for i in bounds.indexes { out.append(bytes[i]) }
        } else {
            let points = self.codePoints
            for i in bounds.indexes { out.append(codePoint: points[i]) }
        }
        return Text(out)
    }

    /// The code point at `index`, which may be negative; nil out of range.
    func character(at index: Int) -> Text? {
        if isASCII {
            let i = index < 0 ? index + bytes.count : index
            return bytes.indices.contains(i) ? Text([bytes[i]]) : nil
        }
        let total = count
        let i = index < 0 ? index + total : index
        guard i >= 0, i < total else { return nil }
        var offset = byteOffset(of: i)
        let start = offset
        _ = bytes.codePoint(at: &offset)
        return Text(bytes[start..<offset])
    }

    /// The code points that begin in the first `count` bytes.
    func prefix(bytes count: Int) -> Text {
        guard count < bytes.count else { return self }
        var end = max(0, count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return Text(bytes[..<end])
    }

    /// The last code point; nil where there is none.
    var lastCharacter: Text? {
        guard !bytes.isEmpty else { return nil }
        var start = bytes.count
        _ = bytes.codePoint(before: &start)
        return Text(bytes[start...])
    }

    /// Every code point as a text of its own.
    var characters: [Text] {
        var out = [Text]()
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count {
            let start = i
            _ = bytes.codePoint(at: &i)
            out.append(Text(bytes[start..<i]))
        }
        return out
    }

    var reversed: Text {
        if isASCII { return Text(Array(bytes.reversed())) }
        return Text(codePoints: codePoints.reversed())
    }
}

/// A Python slice clipped to a sequence's length, as `slice.indices` gives it.
struct SliceBounds {
    let start: Int
    let stop: Int
    let step: Int
    let count: Int

    /// Clips a slice's ends to a length.
    ///
    /// `step` must not be 0.
    init(start: Int?, stop: Int?, step: Int, length: Int) {
        let lower = step < 0 ? -1 : 0
        let upper = step < 0 ? length - 1 : length
        func clip(_ value: Int?, _ absent: Int) -> Int {
            guard let value else { return absent }
            if value < 0 { return max(lower, value &+ length) }
            return min(value, upper)
        }
        let from = clip(start, step < 0 ? upper : lower)
        let to = clip(stop, step < 0 ? lower : upper)
        self.start = from
        self.stop = to
        self.step = step
        if step > 0 {
            count = to > from ? (to - from - 1) / step + 1 : 0
        } else {
            // -(Int.min) does not exist; such a step takes one item at most.
            count = from > to ? (step == Int.min ? 1 : (from - to - 1) / -step + 1) : 0
        }
    }

    var indexes: some Sequence<Int> {
        let first = start
        let step = step
        return (0..<count).lazy.map { first + $0 * step }
    }
}
