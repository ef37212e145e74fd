import Foundation
import LeapMeasurement
import LeapTokenizer
import Testing

@testable import LeapEngine

/// Beginnings of texts that are kept on disk.
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

    private func text(_ count: Int, seed: UInt64 = 1) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<512, using: &random) }
    }

    private func store(
        _ folder: Folder, _ name: String = "lfm2", limit: Int = 100, type: KeyValueType = .f16, contextSize: Int = 1024
    ) throws -> (PrefixStore, SynchronousRunner) {
        let model = try Fixture.model(name)
        let runner = try SynchronousRunner(model: model, keyValueType: type, threads: 1, contextSize: contextSize)
        let store = PrefixStore(
            folder: folder.url.path, model: model, layout: runner.layout, contextSize: contextSize, textLimit: limit)
        return (store, runner)
    }

    private func keep(_ tokens: [TokenID], _ store: PrefixStore, _ runner: SynchronousRunner) throws {
        runner.reset()
        _ = try runner.run(tokens[...], wanted: .none)
        store.insert(tokens: tokens, pages: runner.sequence.pages, tail: runner.sequence.tailInputs())
        store.flush()
    }

    @Test("Another process goes on with the same bits", arguments: ["lfm2", "llama"], [1, 63, 64, 100, 128])
    func anotherProcessGoesSame(name: String, length: Int) throws {
        let folder = Folder()
        let begin = text(length)
        let whole = begin + text(10, seed: 5)
        let (first, firstRunner) = try store(folder, name)
        try keep(begin, first, firstRunner)
        firstRunner.reset()
        let expected = Array(try firstRunner.run(whole[...], wanted: .last))

        let (second, runner) = try store(folder, name)
        #expect(second.longestPrefix(of: whole, limit: whole.count - 1) == length)
        let match = second.load(whole, limit: whole.count - 1)
        #expect(match.count == length)
        try runner.sequence.adopt(match, of: whole)
        #expect(Array(try runner.run(whole[length...], wanted: .last)) == expected)
    }

    @Test("Texts that begin alike share their pages")
    func textsBeginAlikeShare() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        let begin = text(128)
        try keep(begin + text(10, seed: 2), store, runner)
        #expect(folder.files.count == 3)
        try keep(begin + text(20, seed: 3), store, runner)
        #expect(folder.files.count == 4)
        #expect(store.longestPrefix(of: begin + text(50, seed: 3), limit: 500) == 148)
        #expect(store.longestPrefix(of: begin + text(50, seed: 4), limit: 500) == 128)
        #expect(store.longestPrefix(of: begin + text(50, seed: 3), limit: 127) == 64)
    }

    @Test("The least recently used texts are deleted")
    func leastRecentlyUsedTexts() throws {
        let folder = Folder()
        let (store, runner) = try store(folder, limit: 2)
        let texts = (1...3).map { text(100, seed: $0) }
        try keep(texts[0], store, runner)
        try keep(texts[1], store, runner)
        #expect(store.load(texts[0], limit: 100).count == 100)
        try keep(texts[2], store, runner)
        #expect(texts.map { store.longestPrefix(of: $0, limit: 100) } == [100, 0, 100])
        #expect(folder.files.count == 4)
        // What was used last is known to the next process too.
        let (again, _) = try self.store(folder, limit: 2)
        #expect(texts.map { again.longestPrefix(of: $0, limit: 100) } == [100, 0, 100])
    }

    @Test("Other models, cache types and instruction sets have other files")
    func otherModelsCacheTypes() throws {
        let folder = Folder()
        let (store, runner) = try store(folder)
        let tokens = text(70)
        try keep(tokens, store, runner)
        for (name, type) in [("lfm2moe", KeyValueType.f16), ("lfm2", .f32)] {
            #expect(try self.store(folder, name, type: type).0.longestPrefix(of: tokens, limit: 70) == 0)
        }
        #expect(try self.store(folder).0.longestPrefix(of: tokens, limit: 70) == 70)
    }

    @Test("Damaged files are found out and deleted")
    func damagedFilesFoundOut() throws {
        var random = RandomGenerator(seed: 77)
        for round in 0..<12 {
            let folder = Folder()
            let (store, runner) = try store(folder)
            let tokens = text(100)
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
            folder: "/proc/none/here", model: model, layout: runner.layout, contextSize: 256, textLimit: 4)
        try keep(text(70), store, runner)
        #expect(store.longestPrefix(of: text(70), limit: 70) == 0)
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
