import Foundation
import LeapBase
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Models that nobody uses any more, disk room, and backups.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct UnusedModelTests {
    private let content = Content(count: 100_000)

    /// An object that runs a model.
    private final class Runner {}

    private func bench(_ change: (inout TransferConfiguration) -> Void = { _ in }) throws -> Workbench {
        let content = content
        return try Workbench(change) { $0.serve(content) }
    }

    /// Sets the time of the last use of a model.
    private func setUse(of model: InstalledModel, daysAgo days: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -days * 24 * 3600)],
            ofItemAtPath: model.folder + "/.last-use")
    }

    private func days(_ count: Double) -> Date { Date(timeIntervalSinceNow: -count * 24 * 3600) }

    @Test("Models that were not used for a time are removed, after a dry run that removes nothing; others stay")
    func unused() async throws {
        let bench = try bench()
        let store = bench.store
        let (old, recent) = (try await bench.install("/old.gguf"), try await bench.install("/recent.gguf"))
        try setUse(of: old, daysAgo: 31)
        try setUse(of: recent, daysAgo: 29)
        let dry = try await store.removeUnused(since: days(30), isDryRun: true)
        #expect(dry.map(\.folder) == [old.folder])
        #expect(try store.list().count == 2)
        let removed = try await store.removeUnused(since: days(30), isDryRun: false)
        #expect(removed.map(\.folder) == [old.folder])
        #expect(try store.list().map(\.folder) == [recent.folder])
        #expect(!FileManager.default.fileExists(atPath: old.folder))
        // A request is a use.
        try setUse(of: recent, daysAgo: 31)
        _ = try await bench.install("/recent.gguf")
        #expect(try await store.removeUnused(since: days(30), isDryRun: false).isEmpty)
    }

    @Test("A model in memory stays for as long as the object that runs it exists, whatever frees space")
    func inMemory() async throws {
        let bench = try bench()
        let store = bench.store
        let model = try await bench.install("/old.gguf")
        try setUse(of: model, daysAgo: 400)
        var runner: Runner? = Runner()
        if let runner { InstallCenter.shared.noteUse(of: model.folder, by: runner) }
        #expect(try await store.removeUnused(since: days(30), isDryRun: true).isEmpty)
        #expect(try await store.removeUnused(since: days(30), isDryRun: false).isEmpty)
        #expect(try await store.cleanUp(toBytes: 0).isEmpty)
        #expect(try store.list().count == 1)
        runner = nil
        #expect(runner == nil)
        #expect(try await store.removeUnused(since: days(30), isDryRun: false).count == 1)
    }

    @Test("A model that is fetched again stays")
    func beingFetched() async throws {
        let content = content
        let (isSecond, isReleased) = (OneWaySwitch(), OneWaySwitch())
        let bench = try Workbench { request in
            request.serve(content).with { $0.isHeld = { isSecond.isSet && !isReleased.isSet } }
        }
        let model = try await bench.install()
        isSecond.set()
        try setUse(of: model, daysAgo: 400)
        let store = bench.store
        let again = Task { try await store.install(bench.model, force: true) }
        try await wait { InstallCenter.shared.progress(folder: model.folder) != nil }
        #expect(try await store.removeUnused(since: days(30), isDryRun: false).isEmpty)
        isReleased.set()
        #expect(try bench.bytes(try await again.value) == content.bytes)
    }

    @Test("A disk without room is an error that names the bytes needed and free, before the first byte of the file")
    func room() async throws {
        let bench = try bench { $0.diskMargin = 1 << 60 }
        let demand = try await bench.store.diskDemand(bench.model)
        #expect(demand.missing == Int64(content.count) && demand.needed == Int64(content.count) + 1 << 60)
        let free = try #require(demand.available)
        #expect(free > 0 && free < demand.needed)
        let error = await failure { try await bench.install() }
        #expect(error?.code == .insufficientSpace)
        #expect(error?.needed == demand.needed && error?.available ?? 0 > 0)
        #expect(error?.message.contains("are free") == true)
        #expect(bench.visibleModels.isEmpty && bench.partialFiles.isEmpty)
        #expect(bench.server.bytesSent <= 4)
    }

    @Test("A model that is there needs no room, and half of it needs the other half")
    func roomLeft() async throws {
        let bench = try bench()
        #expect(try await bench.store.diskDemand(bench.model).needed == Int64(content.count))
        _ = try await bench.install()
        let demand = try await bench.store.diskDemand(bench.model)
        #expect(demand.missing == 0 && demand.needed == 0)
    }

    @Test("The folder of a model is kept out of backups before its first byte, and a failure of that fails nothing")
    func backups() async throws {
        let bench = try bench()
        let marked = Locked<[(folder: String, files: [String])]>([])
        let store = ModelStore(
            configuration: bench.configuration, transport: bench.store.fetcher.transport,
            excludeFromBackup: { folder in
                let files = try FileManager.default.contentsOfDirectory(atPath: folder)
                marked.withLock { $0.append((folder, files)) }
            })
        let model = try await store.install(bench.model)
        #expect(marked.withLock { $0.map(\.folder) } == [model.folder])
        #expect(marked.withLock { $0.allSatisfy { $0.files.isEmpty } })
        let refusing = ModelStore(
            configuration: bench.configuration, transport: bench.store.fetcher.transport,
            excludeFromBackup: { _ in throw CocoaError(.fileWriteNoPermission) })
        let again = try await refusing.install(bench.model, force: true)
        #expect(try bench.bytes(again) == content.bytes)
    }
}
