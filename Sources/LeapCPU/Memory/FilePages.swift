import LeapBase

/// Pages of files that are mapped into memory.
enum FilePages {
    /// Bytes that one call asks for: systems take no more of a wish than the disk's read-ahead size, 128 KiB where
    /// nobody changed it.
    private static let requestBytes = 128 << 10

    /// Returns true if the page at an address is in memory.
    ///
    /// Linux says yes of files that the user neither owns nor may write.
    static func isInMemory(_ address: UnsafeRawPointer) -> Bool {
        let page = Int(getpagesize())
        let start = UnsafeMutableRawPointer(mutating: address - Int(bitPattern: address) % page)
        return isFirst { mincore(start, page, $0) }
    }

    /// The first bit of the byte that a call fills, or true where it fails; systems differ in whether the byte has a
    /// sign.
    private static func isFirst<Byte: FixedWidthInteger>(_ call: (UnsafeMutablePointer<Byte>) -> Int32) -> Bool {
        var byte: Byte = 0
        return call(&byte) != 0 || byte & 1 != 0
    }

    /// Asks the system to read bytes soon, and does not wait for them.
    static func request(_ bytes: UnsafeRawBufferPointer) {
        guard var at = bytes.baseAddress else { return }
        let end = at + bytes.count
        at -= Int(bitPattern: at) % Int(getpagesize())
        while at < end {
            let count = min(requestBytes, end - at)
            // Only a wish: where the system does not take it, the page is read when it is first used.
            madvise(UnsafeMutableRawPointer(mutating: at), count, Int32(MADV_WILLNEED))
            at += count
        }
    }
}
