import Foundation

/// The queue a session delivers its events on.
///
/// Apple's `URLSession` reads no further while its delegate is busy. FoundationNetworking puts every 16 KiB that
/// libcurl hands it on the delegate queue and reads on: with a disk slower than the network, the file piles up in
/// memory (300 MB of a 1 GB file on loopback). So there the queue runs its blocks at once, on the session's own thread,
/// which then reads nothing until the bytes are written. Each session carries one exchange, so it keeps no other
/// exchange waiting.
enum DeliveryQueue {
    static func make() -> OperationQueue {
        #if canImport(Darwin)
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.qualityOfService = .utility
            return queue
        #else
            return ImmediateQueue()
        #endif
    }
}

#if !canImport(Darwin)
    private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
        // Sendable: adds no state.
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif
