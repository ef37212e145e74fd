import Foundation
import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Computed prefixes that are kept on disk.
@Suite(.inTurns)
struct PrefixStoreTests {
    /// A folder that is gone when the test is over.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("prefix-store-\(UUID().uuidString)")

        deinit { try? FileManager.default.removeItem(at: url) }

        var files: [URL] {
            let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.allObjects as? [URL]
            return (all ?? []).filter { !$0.hasDirectoryPath }
        }
    }

    private func sequence(_ count: Int, seed: UInt64 = 1) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<384, using: &random) }
    }

    private func store(
        _ folder: Folder, _ name: String = "lfm2", limit: Int = 100, type: KeyValueType = .f16, contextSize: Int = 1024
    ) throws -> (PrefixStore, SynchronousRunner) {
        let model = try Fixture.model(name)
        let runner = try SynchronousRunner(model: model, keyValueType: type, threads: 1, contextSize: contextSize)
        let store = PrefixStore(
            folder: folder.url.path, model: model, memory: runner.layout, contextSize: contextSize, maxEntries: limit)
        return (store, runner)
    }

    private func keep(_ tokens: [TokenID], _ store: PrefixStore, _ runner: SynchronousRunner) throws {
        runner.reset()
        _ = try runner.run(tokens[...], wanted: .none)
        store.insert(runner.sequence.shared(), of: tokens)
        store.flush()
    }

    @Test(
        "Another process goes on with the same bits",
        arguments: ["lfm2", "lfm3", "llama", "qwen35", "granitehybrid", "mistral3", "gpt-oss", "gemma3n", "gemma4"],
        TestLevel.isAll ? [1, 63, 64, 100, 128] : [64, 100])
    func anotherProcessGoesSame(name: String, length: Int) throws {
        try goesOn(name, length, .f16)
    }

    @Test(
        "Another process goes on with the same bits where keys and values are quantised",
        arguments: TestLevel.isAll ? [63, 64, 100] : [100])
    func anotherProcessQuantised(length: Int) throws {
        for name in ["lfm2", "lfm3", "llama", "qwen35", "granitehybrid", "falcon-h1", "nemotron-h"] {
            try goesOn(name, length, .q8_0)
        }
    }

    private func goesOn(_ name: String, _ length: Int, _ type: KeyValueType) throws {
        let folder = Folder()
        let begin = sequence(length)
        let whole = begin + sequence(10, seed: 5)
        let (first, firstRunner) = try store(folder, name, type: type)
        try keep(begin, first, firstRunner)
        firstRunner.reset()
        let expected = Array(try firstRunner.run(whole[...], wanted: .last))

        let (second, runner) = try store(folder, name, type: type)
        #expect(second.longestPrefix(of: whole, limit: whole.count - 1) == length)
        let match = second.load(whole, limit: whole.count - 1)
        #expect(match.count == length)
        try runner.sequence.adopt(match, of: whole)
        #expect(Array(try runner.run(whole[length...], wanted: .last)) == expected)
    }

    @Test("Sequences with a common prefix share its pages")
    func commonPrefixIsShared() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        let begin = sequence(128)
        try keep(begin + sequence(10, seed: 2), store, runner)
        #expect(folder.files.count == 3)
        try keep(begin + sequence(20, seed: 3), store, runner)
        #expect(folder.files.count == 4)
        #expect(store.longestPrefix(of: begin + sequence(50, seed: 3), limit: 500) == 148)
        #expect(store.longestPrefix(of: begin + sequence(50, seed: 4), limit: 500) == 128)
        #expect(store.longestPrefix(of: begin + sequence(50, seed: 3), limit: 127) == 64)
    }

    @Test("The least recently used entries are deleted")
    func leastRecentlyUsedEntries() throws {
        let folder = Folder()
        let (store, runner) = try store(folder, limit: 2)
        let sequences = (1...3).map { sequence(100, seed: $0) }
        try keep(sequences[0], store, runner)
        try keep(sequences[1], store, runner)
        #expect(store.load(sequences[0], limit: 100).count == 100)
        try keep(sequences[2], store, runner)
        #expect(sequences.map { store.longestPrefix(of: $0, limit: 100) } == [100, 0, 100])
        #expect(folder.files.count == 4)
        // What was used last is known to the next process too.
        let (again, _) = try self.store(folder, limit: 2)
        #expect(sequences.map { again.longestPrefix(of: $0, limit: 100) } == [100, 0, 100])
    }

    @Test("Other models, cache types and instruction sets have other files")
    func otherModelsCacheTypes() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        let tokens = sequence(70)
        try keep(tokens, store, runner)
        for (name, type) in [("lfm2moe", KeyValueType.f16), ("lfm2", .f32), ("lfm2", .q8_0)] {
            #expect(try self.store(folder, name, type: type).0.longestPrefix(of: tokens, limit: 70) == 0)
        }
        #expect(try self.store(folder).0.longestPrefix(of: tokens, limit: 70) == 70)
    }

    @Test("Damaged files are found out and deleted")
    func damagedFilesFoundOut() throws {
        var random = RandomGenerator(seed: 77)
        for round in 0..<TestLevel.rounds(3, all: 12) {
            let folder = Folder()
            let (store, runner) = try store(folder)
            let tokens = sequence(100)
            try keep(tokens, store, runner)
            for url in folder.files {
                var data = try Data(contentsOf: url)
                switch round % 4 {
                case 0: data.removeLast(Int.random(in: 1..<data.count, using: &random))
                case 1: data = Data()
                case 2: data.append(0)
                default:
                    let bit = Int.random(in: 0..<data.count * 8, using: &random)
                    data[bit / 8] ^= 1 << UInt8(bit % 8)
                }
                try data.write(to: url)
            }
            let match = store.load(tokens, limit: 100)
            #expect(match.count == 0 && match.pages.isEmpty, "round \(round)")
            #expect(folder.files.count == 1)
            #expect(store.longestPrefix(of: tokens, limit: 100) == 0)
        }
    }

    @Test("A folder that cannot be written keeps nothing and breaks nothing")
    func folderCannotWrittenKeeps() throws {
        let model = try Fixture.model("lfm2")
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 1, contextSize: 256)
        let store = PrefixStore(
            folder: "/proc/none/here", model: model, memory: runner.layout, contextSize: 256, maxEntries: 4)
        try keep(sequence(70), store, runner)
        #expect(store.longestPrefix(of: sequence(70), limit: 70) == 0)
    }

    @Test("A sequence that grows is one entry, and the page where it ended is kept once")
    func growingSequence() throws {
        let folder = Folder()
        let (store, runner) = try store(folder, limit: 1)
        let tokens = sequence(200)
        for (end, files) in [(10, 1), (30, 1), (64, 1), (70, 2), (130, 3)] {
            try keep(Array(tokens.prefix(end)), store, runner)
            #expect(folder.files.count == files, "\(end) tokens")
            #expect(PrefixFolder(folder.url.path).summary().entries == 1)
            #expect(store.longestPrefix(of: tokens, limit: 199) == end)
        }
    }

    @Test("Processes that share a directory find each other's prefixes, and together keep no more than allowed")
    func sharedDirectory() throws {
        let folder = Folder()
        let stores = try (0..<3).map { _ in try store(folder, limit: 5) }
        for round in 0..<12 {
            let (writer, runner) = stores[round % 3]
            let tokens = sequence(70, seed: UInt64(round))
            try keep(tokens, writer, runner)
            for (reader, _) in stores { #expect(reader.longestPrefix(of: tokens, limit: 69) == 64) }
            #expect(PrefixFolder(folder.url.path).summary().entries == min(round + 1, 5))
            #expect(folder.files.count == 2 * min(round + 1, 5))
        }
        // What one process reads, the others do not delete first.
        #expect(stores[0].0.load(sequence(70, seed: 7), limit: 70).count == 70)
        try keep(sequence(70, seed: 20), stores[1].0, stores[1].1)
        #expect(stores[2].0.longestPrefix(of: sequence(70, seed: 7), limit: 70) == 70)
        #expect(stores[2].0.longestPrefix(of: sequence(70, seed: 8), limit: 70) == 0)
    }

    @Test("The limit counts the entries of all models in a directory")
    func limitOfAllModels() throws {
        let folder = Folder()
        for (name, seed) in [("lfm2", 1), ("llama", 2), ("lfm2", 3), ("llama", 4)] as [(String, UInt64)] {
            let (store, runner) = try store(folder, name, limit: 2)
            try keep(sequence(70, seed: seed), store, runner)
        }
        #expect(PrefixFolder(folder.url.path).summary().entries == 2)
        #expect(try store(folder, "lfm2").0.longestPrefix(of: sequence(70, seed: 3), limit: 70) == 70)
        #expect(try store(folder, "llama").0.longestPrefix(of: sequence(70, seed: 4), limit: 70) == 70)
    }

    @Test("A file that cannot be read is not deleted, and what is before it counts")
    func unreadableStays() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        let tokens = sequence(200)
        try keep(tokens, store, runner)
        let files = folder.files.sorted { $0.lastPathComponent < $1.lastPathComponent }
        let chain = PageName.chain(of: tokens[...], after: store.identity)
        let second = try #require(files.first { $0.lastPathComponent == chain[1].fileName })
        try FileManager.default.removeItem(at: second)
        // A link that leads back to itself: opening it fails, as it does where no descriptor is left.
        try FileManager.default.createSymbolicLink(atPath: second.path, withDestinationPath: second.path)
        #expect(store.load(tokens, limit: 200).count == 64)
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: second.path)) != nil)
        #expect(folder.files.count == 4)
    }

    @Test("A pipe or a folder under the name of a page holds nothing up")
    func notAFile() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        let tokens = sequence(70)
        try keep(tokens, store, runner)
        for url in folder.files {
            try FileManager.default.removeItem(at: url)
            if url.lastPathComponent.contains("-64-") {
                #expect(mkfifo(url.path, 0o600) == 0)
            } else {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            }
        }
        #expect(store.load(tokens, limit: 70).count == 0)
        try keep(tokens, store, runner)
    }

    @Test("No flipped bit changes what is read: it is the same state, or less of it")
    func flippedBits() throws {
        var random = RandomGenerator(seed: 78)
        let rounds = ProcessInfo.processInfo.environment["OPEN_LEAP_FLIPS"].flatMap { Int($0) } ?? 200
        let folder = Folder()
        let (store, runner) = try store(folder)
        let tokens = sequence(100)
        func state(_ match: SharedState) -> [[UInt8]] {
            match.pages.map { [UInt8](UnsafeRawBufferPointer(start: $0.base, count: $0.byteCount)) }
                + [match.tail.map { [UInt8](UnsafeRawBufferPointer(start: $0.values, count: $0.byteCount)) } ?? []]
        }
        try keep(tokens, store, runner)
        let whole = state(store.load(tokens, limit: 100))
        #expect(whole.count == 3)
        let originals = try folder.files.map { ($0, try Data(contentsOf: $0)) }
        for round in 0..<rounds {
            let (url, data) = originals[round % 2]
            var damaged = data
            // Half of the flips hit the header, which is a thousandth of the file.
            let range = round % 4 < 2 ? 0..<128 * 8 : 0..<data.count * 8
            let bit = Int.random(in: range, using: &random)
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            try damaged.write(to: url)
            let match = store.load(tokens, limit: 100)
            let isFirst = url.lastPathComponent.contains("-64-")
            #expect(match.count == (isFirst ? 0 : 64), "bit \(bit) of \(url.lastPathComponent)")
            #expect(state(match).dropLast() == whole.prefix(match.pages.count))
            #expect(!FileManager.default.fileExists(atPath: url.path))
            try data.write(to: url)
        }
        #expect(state(store.load(tokens, limit: 100)) == whole)
    }

    @Test("What is no directory, may not be written to, or is gone keeps nothing and breaks nothing")
    func unusableDirectories() throws {
        let folder = Folder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("file")
        try Data("not a folder".utf8).write(to: file)
        let model = try Fixture.model("lfm2")
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 1, contextSize: 256)
        for path in [file.path, file.path + "/below", "/dev/null/cache"] {
            let store = PrefixStore(
                folder: path, model: model, memory: runner.layout, contextSize: 256, maxEntries: 4)
            try keep(sequence(70), store, runner)
            #expect(store.load(sequence(70), limit: 70).count == 0, "\(path)")
            #expect(PrefixFolder(path).problem?.isEmpty == false, "\(path)")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "not a folder")
        #expect(PrefixFolder(folder.url.path + "/not/there/yet").problem == nil)

        // A disk that was taken out: its folder is not made again where it was mounted.
        let disk = Folder()
        let (store, other) = try store(disk)
        try keep(sequence(70), store, other)
        try FileManager.default.removeItem(at: disk.url)
        try keep(sequence(70), store, other)
        #expect(!FileManager.default.fileExists(atPath: disk.url.path))
        #expect(store.load(sequence(70), limit: 70).count == 0)
    }

    @Test("Other versions and other programs keep what they have in the directory; clearing deletes pages only")
    func otherFiles() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        try keep(sequence(70), store, runner)
        let pages = try #require(folder.files.first).deletingLastPathComponent()
        let newer = folder.url.appendingPathComponent("prefixes-3")
        try FileManager.default.createDirectory(at: newer, withIntermediateDirectories: true)
        let others = [
            folder.url.appendingPathComponent("notes.txt"), pages.appendingPathComponent("notes.txt"),
            newer.appendingPathComponent("of-a-newer-version"),
        ]
        for url in others { try Data("mine".utf8).write(to: url) }
        try keep(sequence(130, seed: 3), store, runner)
        let unfinished = pages.appendingPathComponent("\(folder.files[0].lastPathComponent).1-1.tmp")
        try Data(count: 1000).write(to: unfinished)
        let summary = PrefixFolder(folder.url.path).summary()
        #expect(summary.entries == 2 && summary.pages == 5 && summary.temporaryBytes == 1000)
        #expect(try PrefixFolder(folder.url.path).clear() == summary.bytes + 1000)
        #expect(Set(folder.files.map(\.lastPathComponent)) == Set(others.map(\.lastPathComponent)))
        #expect(PrefixFolder(folder.url.path).summary() == PrefixFolder.Summary())
    }

    @Test("What a killed process did not finish is deleted when it is old")
    func unfinishedFiles() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        try keep(sequence(70), store, runner)
        let pages = try #require(folder.files.first).deletingLastPathComponent()
        let (old, new) = (pages.appendingPathComponent("a.1-1.tmp"), pages.appendingPathComponent("b.1-1.tmp"))
        for url in [old, new] { try Data(count: 10).write(to: url) }
        let past = Date(timeIntervalSinceNow: -7200)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: old.path)
        try keep(sequence(70, seed: 2), store, runner)
        #expect(!FileManager.default.fileExists(atPath: old.path))
        #expect(FileManager.default.fileExists(atPath: new.path))
    }

    @Test("An engine finds what an earlier one kept")
    func engineFindsWhatEarlier() async throws {
        let fixture = try Fixture.load("lfm2")
        let folder = Folder()
        for run in 0..<2 {
            var options = EngineOptions()
            options.keyValueType = .f32
            options.prefixCacheFolder = folder.url.path
            let engine = try Engine(model: try Fixture.model("lfm2"), options: options)
            #expect(run > 0 || folder.files.isEmpty)
            var tokens: [TokenID] = []
            let request = GenerationRequest(prompt: fixture.tokens, sampling: .greedy, maxTokens: 24)
            for await event in engine.makeSession().events(request) {
                if case .token(let token) = event { tokens.append(token) }
                if case .finished(let result) = event {
                    #expect(result.cachedPromptTokens == (run == 0 ? 0 : 64))
                    #expect(result.promptTokens == fixture.tokens.count - (run == 0 ? 0 : 64))
                }
            }
            #expect(tokens == fixture.greedy)
            await engine.unload()
        }
    }
}
