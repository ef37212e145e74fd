/// For every attention layer, where each page's keys and values are: the form in which the kernels take a sequence's cache.
final class PageTable {
    typealias Entry = UnsafeRawPointer?

    private let layout: CacheLayout
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int

    init(_ layout: CacheLayout) {
        self.layout = layout
        capacity = 8
        entries = .allocate(capacity: Self.size(layout, capacity))
        entries.initialize(repeating: nil, count: Self.size(layout, capacity))
    }

    deinit { entries.deallocate() }

    private static func size(_ layout: CacheLayout, _ capacity: Int) -> Int {
        max(layout.attention.count * 2 * capacity, 1)
    }

    /// The key pages of a layer, by page index; valid until the table changes.
    func keys(_ layer: Int) -> UnsafePointer<Entry> { UnsafePointer(entries + 2 * layer * capacity) }

    /// The value pages of a layer, by page index; valid until the table changes.
    func values(_ layer: Int) -> UnsafePointer<Entry> { UnsafePointer(entries + (2 * layer + 1) * capacity) }

    /// Enters a page.
    func set(_ index: Int, _ page: CachePage) {
        if index >= capacity { grow(to: max(2 * capacity, index + 1)) }
        for (layer, offsets) in layout.attention.enumerated() {
            entries[2 * layer * capacity + index] = UnsafeRawPointer(page.base + offsets.keys)
            entries[(2 * layer + 1) * capacity + index] = UnsafeRawPointer(page.base + offsets.values)
        }
    }

    private func grow(to newCapacity: Int) {
        let grown = UnsafeMutablePointer<Entry>.allocate(capacity: Self.size(layout, newCapacity))
        grown.initialize(repeating: nil, count: Self.size(layout, newCapacity))
        for row in 0..<2 * layout.attention.count {
            (grown + row * newCapacity).update(from: entries + row * capacity, count: capacity)
        }
        entries.deallocate()
        entries = grown
        capacity = newCapacity
    }
}
