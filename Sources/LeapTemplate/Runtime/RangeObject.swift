/// Python's `range`.
final class RangeObject: Object {
    let start: Int
    let stop: Int
    let step: Int
    let count: Int

    init(start: Int, stop: Int, step: Int) {
        self.start = start
        self.stop = stop
        self.step = step
        let (span, overflow) =
            step > 0
            ? stop.subtractingReportingOverflow(start) : start.subtractingReportingOverflow(stop)
        if overflow {
            count = (step > 0) == (stop > start) ? Int.max : 0
        } else {
            count = span <= 0 ? 0 : Int((UInt(span) - 1) / step.magnitude) + 1
        }
    }

    override var typeName: String { "range" }
    override var isTrue: Bool { count > 0 }
    override var length: Int? { count }
    override var isSubscriptable: Bool { true }
    override var repr: String {
        step == 1 ? "range(\(start), \(stop))" : "range(\(start), \(stop), \(step))"
    }

    subscript(index: Int) -> Int { start + index * step }

    func contains(_ value: Int) -> Bool {
        guard count > 0 else { return false }
        let last = self[count - 1]
        guard value >= min(start, last), value <= max(start, last) else { return false }
        return (value - start) % step == 0
    }

    override func item(_ key: Value) -> Value? {
        guard let index = key.index else { return nil }
        let i = index < 0 ? index &+ count : index
        return i >= 0 && i < count ? .int(self[i]) : nil
    }

    func slice(_ bounds: SliceBounds) -> RangeObject {
        // A step too large for a word takes one item at most, so any large one does.
        let (newStep, overflow) = step.multipliedReportingOverflow(by: bounds.step)
        return RangeObject(
            start: start + bounds.start * step, stop: start + bounds.stop * step,
            step: overflow ? (step < 0) == (bounds.step < 0) ? Int.max : -Int.max : newStep)
    }

    override func attribute(_ key: AttributeKey, _ renderer: Renderer) -> Value? {
        switch key.name {
        case "start": .int(start)
        case "stop": .int(stop)
        case "step": .int(step)
        case "count", "index": .object(BoundMethod(.object(self), key.name))
        default: nil
        }
    }

    override func iterator() -> ValueIterator? { RangeIterator(self, reversed: false) }
    override var isReversible: Bool { true }
    override func reversedIterator(_ renderer: Renderer) -> ValueIterator? { RangeIterator(self, reversed: true) }

    override func isEqual(to other: Object, _ renderer: Renderer) -> Bool {
        (other as? RangeObject).map(isEqual) ?? false
    }

    func isEqual(to other: RangeObject) -> Bool {
        count == other.count && (count == 0 || start == other.start && (count == 1 || step == other.step))
    }

    override func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        if count > 0 { hasher.combine(start) }
        if count > 1 { hasher.combine(step) }
    }
}

private final class RangeIterator: ValueIterator {
    private let range: RangeObject
    private let isReversed: Bool
    private var position = 0

    init(_ range: RangeObject, reversed: Bool) {
        self.range = range
        isReversed = reversed
        super.init(name: "range_iterator")
    }

    override func next(_ renderer: Renderer) -> Value? {
        guard position < range.count else { return nil }
        position += 1
        return .int(range[isReversed ? range.count - position : position - 1])
    }
}
