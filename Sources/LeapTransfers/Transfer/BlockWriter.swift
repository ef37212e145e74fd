import Foundation
import LeapBase

/// Bytes of a file in a row, on their way to the disk.
final class Block: @unchecked Sendable {
    // Sendable although it has state: it has one owner at a time, the answer that fills it, the queue that writes it,
    // or the pool.
    private(set) var offset: Int64 = 0
    private(set) var count = 0
    private let storage: UnsafeMutableRawBufferPointer

    init(size: Int) {
        storage = .allocate(byteCount: size, alignment: 64)
    }

    deinit { storage.deallocate() }

    var isFull: Bool { count == storage.count }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    func begin(at offset: Int64) {
        self.offset = offset
        count = 0
    }

    /// Takes as many bytes as fit.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, storage.count - count)
        UnsafeMutableRawBufferPointer(rebasing: storage[count..<count + taken])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        count += taken
        return taken
    }
}

/// Writes blocks of a file on a thread of its own, so that the thread that reads the network goes on reading.
///
/// FoundationNetworking serves every connection of a process from one thread, 16 KiB at a time; while that thread
/// writes to a file, nothing arrives. At most ``BlockWriter/limit`` blocks wait: after that the network waits for the
/// disk, and memory stays small.
final class BlockWriter: Sendable {
    /// Blocks that wait to be written, at most.
    static let limit = 4

    private let blockSize: Int
    private let queue = DispatchQueue(label: "open-leap.write", qos: .utility)
    private let room = DispatchSemaphore(value: BlockWriter.limit)
    /// Blocks that are used again: to get a new one from the system costs more than to fill it.
    private let pool = Locked<[Block]>([])

    init(blockSize: Int) {
        self.blockSize = blockSize
    }

    /// An empty block.
    func block(at offset: Int64) -> Block {
        let block = pool.withLock { $0.popLast() } ?? Block(size: blockSize)
        block.begin(at: offset)
        return block
    }

    /// Has a block written; waits while too many are on their way.
    func submit(_ block: Block, write: @escaping @Sendable (Block) -> Void) {
        room.wait()
        queue.async { [self] in
            write(block)
            pool.withLock { $0.append(block) }
            room.signal()
        }
    }

    /// Waits until everything that was handed over is written.
    func drain() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    /// The same for who has no task to wait in.
    func drainNow() {
        queue.sync {}
    }
}

/// Collects the bytes of one answer into blocks.
struct BlockFiller {
    private let partial: PartialState
    private var block: Block?
    /// The offset of the next byte.
    private(set) var position: Int64

    init(_ partial: PartialState, at position: Int64) {
        self.partial = partial
        self.position = position
    }

    /// Takes bytes.
    ///
    /// - Throws: what went wrong with blocks that were handed over before.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let current = block ?? partial.writer.block(at: position)
            block = current
            let taken = current.append(rest)
            position += Int64(clamping: taken)
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            if current.isFull { try flush() }
        }
    }

    /// Hands over what is there.
    mutating func flush() throws {
        guard let full = block else { return }
        block = nil
        try partial.submit(full)
    }

    /// Goes back to `position`, because what came after it was wrong.
    mutating func retreat(to position: Int64) {
        block = nil
        self.position = position
    }
}
