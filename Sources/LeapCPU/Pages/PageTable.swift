import LeapCompute
import LeapModel

/// For every attention layer, where each page's keys and values are: the form in which the kernels take a sequence's
/// cache.
final class PageTable {
    /// The address of a page's keys or values of one layer; nil without a page.
    typealias PageAddress = UnsafeRawPointer?

    private let layout: CacheLayout
    private var memory: AlignedMemory?
    private var capacity = 0

    private static let minCapacity = 8

    /// A table without pages, which takes no memory.
    init(_ layout: CacheLayout) { self.layout = layout }

    private var addresses: UnsafeMutablePointer<PageAddress>? { memory?.base.assumingMemoryBound(to: PageAddress.self) }

    private func byteCount(_ capacity: Int) -> Int {
        layout.attention.count * 2 * capacity * MemoryLayout<PageAddress>.stride
    }

    /// Bytes that the table takes for this many pages beyond what it has.
    func addedByteCount(for pageCount: Int) -> Int {
        pageCount > capacity ? byteCount(grownCapacity(pageCount)) - byteCount(capacity) : 0
    }

    private func grownCapacity(_ pageCount: Int) -> Int { max(2 * capacity, pageCount, Self.minCapacity) }

    /// The key pages of a layer, by page index; valid until the table changes.
    func keys(_ layer: Int) -> UnsafePointer<PageAddress> { row(2 * layer) }

    /// The value pages of a layer, by page index; valid until the table changes.
    func values(_ layer: Int) -> UnsafePointer<PageAddress> { row(2 * layer + 1) }

    private func row(_ index: Int) -> UnsafePointer<PageAddress> {
        // Made by reserve(_:), before any layer runs.
        UnsafePointer(addresses.unsafelyUnwrapped + index * capacity)
    }

    /// Takes the memory for this many pages.
    func reserve(_ pageCount: Int) throws(EngineError) {
        guard pageCount > capacity, !layout.attention.isEmpty else { return }
        let grownCapacity = grownCapacity(pageCount)
        let grown = try AlignedMemory(byteCount: byteCount(grownCapacity), pool: layout.pool)
        if let addresses {
            let target = grown.base.assumingMemoryBound(to: PageAddress.self)
            for row in 0..<2 * layout.attention.count {
                (target + row * grownCapacity).update(from: addresses + row * capacity, count: capacity)
            }
        }
        memory = grown
        capacity = grownCapacity
    }

    /// Enters a page, whose place is reserved.
    func set(_ index: Int, _ page: StatePage) {
        guard let addresses, index < capacity else { return }
        for (layer, offsets) in layout.attention.enumerated() {
            addresses[2 * layer * capacity + index] = UnsafeRawPointer(page.base + offsets.keys)
            addresses[(2 * layer + 1) * capacity + index] = UnsafeRawPointer(page.base + offsets.values)
        }
    }

    /// Gives the memory back.
    func removeAll() {
        memory = nil
        capacity = 0
    }
}
