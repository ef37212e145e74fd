import CLeapKernels
import CLeapMeasurement
import LeapBase
import LeapCPU
import LeapEngine
import LeapGGUF

/// The speed at which all threads together read memory: the best of several ways and kinds of pages.
package struct MemoryLimit: Sendable, Hashable {
    /// Bytes read from memory a second.
    package var bytesPerSecond: Double
    /// The speed that such reading keeps up for seconds: the median of further readings.
    package var sustainedBytesPerSecond: Double
    /// The way of reading and the memory that was read, for people: "one stream, prefetched, from the model's file".
    package var way: String

    /// Bytes that are read at a time: more than the caches of most processors hold.
    private static let readBytes = 512 << 20
    /// Readings that the sustained rate is the median of.
    private static let sustainedReadings = 41
    /// Models with less are not measured: a cache may hold them.
    private static let leastBytes = 256 << 20
    /// The number of bytes that the system maps as one page where it can.
    private static let hugePageBytes = 2 << 20

    /// Measures the file of `model` as it lies in memory, and memory of its own in small and in huge pages.
    static func measure(_ kernels: Kernels, model: GGUFFile?) -> MemoryLimit {
        var best = MemoryLimit(bytesPerSecond: 0, sustainedBytesPerSecond: 0, way: "not measured")
        func consider(_ bytes: UnsafeRawBufferPointer, _ place: String) {
            guard let base = bytes.baseAddress else { return }
            let peak = leap_peak_read(kernels.pool, base, bytes.count)
            guard peak.rate * 1e9 > best.bytesPerSecond else { return }
            let rates = (0..<sustainedReadings).map { _ in leap_read_rate(kernels.pool, base, bytes.count, peak.way) }
            best = MemoryLimit(
                bytesPerSecond: peak.rate * 1e9, sustainedBytesPerSecond: EngineBenchmark.median(rates) * 1e9,
                way: "\(String(cString: peak.name)), \(place)")
        }
        if let weights = model.map(weights), weights.count >= leastBytes { consider(weights, "from the model's file") }
        for huge in [false, true] {
            // Zeroed pages would all be one page of the system's: they have to be written to.
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: readBytes, alignment: hugePageBytes)
            defer { memory.deallocate() }
            if huge, !asksForHugePages(memory) { continue }
            memory.initializeMemory(as: UInt8.self, repeating: 1)
            consider(UnsafeRawBufferPointer(memory), huge ? "from huge pages" : "from private memory")
        }
        return best
    }

    /// From the first to the last byte of the first file's tensors, but no more than are read at a time: a large file
    /// is read dozens of times.
    private static func weights(of file: GGUFFile) -> UnsafeRawBufferPointer {
        let all = file.tensors.filter { $0.part == 0 && $0.byteCount > 0 }
        guard let first = all.min(by: { $0.fileOffset < $1.fileOffset }),
            let last = all.max(by: { $0.fileOffset < $1.fileOffset })
        else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let count = last.fileOffset + last.byteCount - first.fileOffset
        return UnsafeRawBufferPointer(start: first.data.baseAddress, count: min(count, readBytes))
    }

    /// Returns whether the system takes the wish; whether it has such pages to give shows in the rate.
    private static func asksForHugePages(_ memory: UnsafeMutableRawBufferPointer) -> Bool {
        #if canImport(Darwin)
            false
        #else
            madvise(memory.baseAddress, memory.count, Int32(MADV_HUGEPAGE)) == 0
        #endif
    }
}
