/// Memory whose elements are read and written without checks, by code that keeps to its length.
final class JPEGBuffer<Element: BitwiseCopyable> {
    let count: Int
    let pointer: UnsafeMutablePointer<Element>

    init(count: Int, repeating value: Element) {
        self.count = count
        pointer = .allocate(capacity: count)
        pointer.initialize(repeating: value, count: count)
    }

    convenience init(_ values: [Element], or value: Element) {
        self.init(count: values.count, repeating: value)
        for (index, value) in values.enumerated() { pointer[index] = value }
    }

    deinit { pointer.deallocate() }
}
