import LeapBase

/// Knows how much of the current thread's stack is left.
///
/// Templates choose how deep the renderer recurses. A count alone is not a guard: a thread may have 8 MB of stack or
/// 512 kB, and a renderer built for debugging needs several times as much.
struct StackGuard {
    private let start: UInt
    private var lowest: UInt?

    /// The number of bytes that one level of the tree may take, and the number that is kept for printing and comparing
    /// the deepest values; both measured, generously.
    #if DEBUG
        private static let bytesPerLevel: UInt = 4096
        private static let reserve: UInt = 320 << 10
    #else
        private static let bytesPerLevel: UInt = 1024
        private static let reserve: UInt = 96 << 10
    #endif

    /// The number of bytes of stack that any thread is assumed to have left when it renders.
    ///
    /// Asking the system costs more than most renderings.
    private static let assumed: UInt = 160 << 10

    init() { start = Self.currentAddress() }

    /// Fails where `height` more levels might not fit.
    mutating func check(height: Int) throws(TemplateError) {
        let needed = UInt(height) * Self.bytesPerLevel + Self.reserve
        let here = Self.currentAddress()
        if here <= start, start - here + needed <= Self.assumed { return }
        let lowest = lowest ?? Self.lowestAddress(from: start)
        self.lowest = lowest
        guard here > lowest, here - lowest > needed else {
            throw .limit("the template nests or recurses too deeply for the thread's stack")
        }
    }

    @inline(never)
    private static func currentAddress() -> UInt {
        var marker: UInt8 = 0
        return withUnsafePointer(to: &marker) { UInt(bitPattern: $0) }
    }

    #if canImport(Darwin)
        private static func lowestAddress(from start: UInt) -> UInt {
            let thread = pthread_self()
            return UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
        }
    #else
        private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

        /// A GNU extension that Swift's view of the C library leaves out.
        private static let getAttributes = dlsym(nil, "pthread_getattr_np").map {
            unsafeBitCast($0, to: GetAttributes.self)
        }

        private static func lowestAddress(from start: UInt) -> UInt {
            // Where the system does not say, a stack of half a megabyte.
            let unknown = start &- (448 << 10)
            return withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
                guard let attributes = memory.baseAddress, let getAttributes,
                    getAttributes(pthread_self(), attributes) == 0
                else { return unknown }
                defer { pthread_attr_destroy(attributes) }
                var address: UnsafeMutableRawPointer?
                var size = 0
                guard pthread_attr_getstack(attributes, &address, &size) == 0, let address else { return unknown }
                return UInt(bitPattern: address)
            }
        }
    #endif
}
