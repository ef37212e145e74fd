import Foundation
import LeapBase
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A folder that is removed with its last reference.
private final class TestFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("weights-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The weights that the system is asked to read before a first pass computes with them.
@Suite(.inTurns)
struct WeightReadAheadTests {
    private static let mib = 1 << 20

    /// Addresses that nobody reads from.
    private func weights(_ sizes: [Int]) -> [UnsafeRawBufferPointer] {
        var address = 1 << 40
        return sizes.map { size in
            defer { address += size + 4096 }
            return UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: size)
        }
    }

    /// Records what is asked for.
    private final class Requests {
        var pieces: [UnsafeRawBufferPointer] = []
        var byteCount: Int { pieces.reduce(0) { $0 + $1.count } }

        func covers(_ bytes: UnsafeRawBufferPointer) -> Bool {
            var covered = 0
            for piece in pieces where covered < bytes.count {
                covered += piece.baseAddress == bytes.baseAddress.map { $0 + covered } ? piece.count : 0
            }
            return covered == bytes.count
        }
    }

    @Test("Weights are asked for in the order of the pass, each once, no farther ahead than the window")
    func order() throws {
        let weights = weights([3 * Self.mib + 77, 40 * Self.mib, 30 * Self.mib, 10 * Self.mib, 100 * Self.mib])
        let requests = Requests()
        let readAhead = WeightReadAhead(
            weights, isInMemory: { _ in false }, request: { requests.pieces.append($0) })
        let ends = weights.indices.map { index in weights[...index].reduce(0) { $0 + $1.count } }
        for (index, weight) in weights.enumerated() {
            #expect(!readAhead.isDone)
            readAhead.reach(try #require(weight.baseAddress))
            #expect(requests.covers(weight))
            let least = min(ends[index] + WeightReadAhead.window, ends[4])
            #expect((least..<least + WeightReadAhead.granule).contains(requests.byteCount))
        }
        #expect(readAhead.isDone)
        #expect(requests.byteCount == ends[4])
        #expect(weights.allSatisfy(requests.covers))
        #expect(requests.pieces.allSatisfy { $0.count <= WeightReadAhead.granule })
    }

    @Test("A pass that is stopped and begun again asks for nothing twice, and what another pass skips is left out")
    func interruptedPass() throws {
        let weights = weights([Int](repeating: 30 * Self.mib, count: 12))
        let requests = Requests()
        let readAhead = WeightReadAhead(
            weights, isInMemory: { _ in false }, request: { requests.pieces.append($0) })
        for index in [0, 1, 2, 0, 1, 2, 3] { readAhead.reach(try #require(weights[index].baseAddress)) }
        #expect(requests.byteCount == 4 * 30 * Self.mib + WeightReadAhead.window)
        readAhead.reach(try #require(UnsafeRawPointer(bitPattern: 4096)))
        #expect(requests.byteCount == 4 * 30 * Self.mib + WeightReadAhead.window)
        readAhead.reach(try #require(weights[10].baseAddress))
        #expect(readAhead.isDone)
        #expect(requests.covers(weights[10]) && requests.covers(weights[11]) && !requests.covers(weights[8]))
    }

    @Test("Weights that are in memory are not asked for")
    func weightsInMemory() throws {
        let weights = weights([8 * Self.mib, 8 * Self.mib])
        let requests = Requests()
        let first = try #require(weights[0].baseAddress)
        let readAhead = WeightReadAhead(
            weights, isInMemory: { $0 < first + 5 * Self.mib }, request: { requests.pieces.append($0) })
        readAhead.reach(first)
        #expect(readAhead.isDone)
        #expect(requests.byteCount == 11 * Self.mib)
    }

    @Test("Pages of a mapped file that were asked for come into memory")
    func pagesOfMappedFile() throws {
        let folder = try TestFolder()
        let path = folder.path + "/weights"
        try Data(repeating: 7, count: 5 * Self.mib + 3).write(to: URL(fileURLWithPath: path))
        let file = try OpenFile(path, .reading)
        #if canImport(Glibc)
            // So that the pages have to be read: where the system forgets them. Some keep all files in memory.
            fsync(file.descriptor)
            posix_fadvise(file.descriptor, 0, 0, Int32(POSIX_FADV_DONTNEED))
        #endif
        let count = 5 * Self.mib + 3
        let mapped = try #require(mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0))
        defer { munmap(mapped, count) }
        let bytes = UnsafeRawBufferPointer(start: mapped, count: count)
        let places = stride(from: 0, to: count, by: 64 << 10).map { UnsafeRawPointer(mapped) + $0 }
        FilePages.request(UnsafeRawBufferPointer(rebasing: bytes[11...]))
        var turns = 0
        while !places.allSatisfy(FilePages.isInMemory), turns < 12_000 {
            usleep(10_000)
            turns += 1
        }
        #expect(places.allSatisfy(FilePages.isInMemory))
        #expect(bytes.allSatisfy { $0 == 7 })
    }

    @Test(
        "A disk that reads far ahead is not asked, nor one of its partitions; one that does not tell is asked",
        arguments: [
            ("sys/class/bdi/DEVICE/read_ahead_kb", "8192", false),
            ("sys/class/bdi/DEVICE/read_ahead_kb", "1024", false),
            ("sys/class/bdi/DEVICE/read_ahead_kb", "128", true), ("sys/class/bdi/DEVICE/read_ahead_kb", "much", true),
            ("sys/class/bdi/DEVICE/read_ahead_kb", "-1", true), ("sys/dev/block/queue/read_ahead_kb", "4096", false),
            ("sys/dev/block/queue/read_ahead_kb", "64", true), ("sys/elsewhere", "4096", true),
        ])
    func disks(file: String, text: String, helps: Bool) throws {
        let folder = try TestFolder()
        let path = folder.path + "/model.gguf"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        let device = try #require(FileSystem.status(of: path)?.device)
        let major = (device >> 8) & 0xfff | (device >> 32) & 0xffff_f000
        let number = "\(major):\(device & 0xff | (device >> 12) & 0xffff_ff00)"
        let setting = folder.path + "/" + file.replacingOccurrences(of: "DEVICE", with: number)
        for place in [setting, folder.path + "/sys/dev/block/\(number)/partition"] {
            try FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: place).deletingLastPathComponent().path, withIntermediateDirectories: true)
            try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: place))
        }
        #expect(WeightReadAhead.helps(fileAt: path, disks: LinuxDisks(root: folder.path + "/")) == helps)
        #expect(WeightReadAhead.helps(fileAt: path + "-missing", disks: LinuxDisks(root: folder.path + "/")))
    }

    @Test("A pass comes to its weights in the order in which they are asked for", arguments: Fixture.names)
    func orderOfModels(name: String) throws {
        let model = try Fixture.model(name)
        let memory = MemoryPool(limit: .max)
        let layout = CacheLayout(model.layers.stack, keyValueType: .f16, pool: memory)
        let executor = CPUExecutor(model: model, layout: layout, kernels: try Kernels(threads: 1), contextSize: 64)
        let pass = executor.pass
        let requests = Requests()
        // Without a window what is left out of order is never asked for.
        pass.readAhead = WeightReadAhead(
            model.layers.sharedWeights, window: 0, isInMemory: { _ in false }, request: { requests.pieces.append($0) })
        let sequence = executor.makeSequence(limit: 64)
        _ = try executor.run([BatchSegment(sequence: sequence, tokens: [1, 2], wanted: .last)])
        #expect(pass.readAhead == nil)
        #expect(requests.byteCount == model.layers.sharedWeights.reduce(0) { $0 + $1.count })
        #expect(model.layers.sharedWeights.allSatisfy(requests.covers))
    }
}
