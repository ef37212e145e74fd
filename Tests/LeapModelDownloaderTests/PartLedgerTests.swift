import Foundation
import LeapBase
import LeapHTTP
import LeapModelDownloader
import LeapTestTraits
import LeapTransfers
import Testing

/// The parts that background transfers keep over a relaunch, and the callers that they tell; the session that feeds the
/// ledger exists on Apple's systems only.
@Suite(.inServerTurns)
final class PartLedgerTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "leap-ledger-" + UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func key(_ range: Range<Int64>, query: String = "", validator: String? = "\"one\"") -> PartKey {
        PartKey(
            url: URL(string: "https://storage.example/models/tide.gguf\(query)")!, validator: validator, range: range)
    }

    /// A file such as the system hands over.
    private func file(_ range: Range<Int64>) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(range.map { UInt8(truncatingIfNeeded: $0 * 7) }).write(to: url)
        return url
    }

    private func arrive(_ ledger: PartLedger, _ task: Int, _ range: Range<Int64>, status: Int = 206) throws {
        ledger.finish(
            task, key(range), status: status,
            fields: ["Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000", "ETag": "\"one\""],
            file: try file(range))
        ledger.end(task, error: nil)
    }

    /// The bytes that a part delivers for a request.
    private func read(_ part: ArrivedPart, _ wanted: Range<Int64>) throws -> (
        head: HTTPHead, taken: Range<Int64>, bytes: [UInt8]
    ) {
        let body = CollectedBody(maxBytes: .max)
        let (head, taken) = try part.deliver(wanted, to: HTTPReceiver(collecting: body))
        return (head, taken, body.bytes)
    }

    @Test(
        "A part that arrived while nobody waited is there for the next process, whatever the signature of its address")
    func relaunch() throws {
        let before = PartLedger(folder: folder)
        before.begin(1, key(100..<300, query: "?signature=a"))
        try arrive(before, 1, 100..<300)
        let after = PartLedger(folder: folder)
        #expect(after.arrived(key(300..<400)) == nil)
        #expect(after.arrived(key(100..<300, validator: "\"two\"")) == nil)
        let part = try #require(after.arrived(key(150..<250, query: "?signature=b")))
        let (head, taken, bytes) = try read(part, 150..<250)
        #expect(head.status == 206 && head["content-range"] == "bytes 150-249/1000" && head["etag"] == "\"one\"")
        #expect(taken == 150..<250 && bytes == (150..<250).map { UInt8(truncatingIfNeeded: Int64($0) * 7) })
    }

    @Test("A request that reaches further than the part gets what is there")
    func shorter() throws {
        let ledger = PartLedger(folder: folder)
        try arrive(ledger, 1, 0..<50)
        let part = try #require(ledger.arrived(key(40..<400)))
        let (head, taken, bytes) = try read(part, 40..<400)
        #expect(taken == 40..<50 && bytes.count == 10 && head["content-range"] == "bytes 40-49/1000")
    }

    @Test("A file is removed when all of its bytes were taken over, and not before")
    func removal() throws {
        let ledger = PartLedger(folder: folder)
        try arrive(ledger, 1, 0..<100)
        let part = try #require(ledger.arrived(key(0..<100)))
        ledger.consumed(0..<60, of: part)
        #expect(FileManager.default.fileExists(atPath: part.file.path))
        ledger.consumed(60..<100, of: part)
        #expect(!FileManager.default.fileExists(atPath: part.file.path))
        #expect(ledger.arrived(key(0..<100)) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("A task that an earlier process left behind is waited for, by several at a time")
    func adoption() throws {
        let ledger = PartLedger(folder: folder)
        ledger.begin(7, key(0..<200))
        #expect(ledger.running(key(200..<300)) == nil)
        let task = try #require(ledger.running(key(100..<200)))
        let ends = Locked<[Range<Int64>]>([])
        let arriving = Locked<Int64>(0)
        for _ in 0..<2 {
            let number = ledger.wait(
                for: task, arriving: { bytes in arriving.withLock { $0 += bytes } },
                end: { outcome in ends.withLock { $0.append((try? outcome.get())?.key.range ?? 0..<0) } })
            #expect(number != nil)
        }
        ledger.progress(7, bytes: 30)
        try arrive(ledger, 7, 0..<200)
        #expect(arriving.withLock { $0 } == 60)
        #expect(ends.withLock { $0 } == [0..<200, 0..<200])
        #expect(ledger.running(key(0..<200)) == nil)
        #expect(ledger.wait(for: task, arriving: { _ in }, end: { _ in }) == nil)
    }

    @Test(
        "Whoever waits is told once, in whatever order cancellation, failure and the session's end come",
        arguments: 0..<64)
    func once(seed: Int) throws {
        let ledger = PartLedger(folder: folder)
        let told = Locked<[Int]>(Array(repeating: 0, count: 6))
        var steps: [() -> Void] = []
        for waiter in 0..<6 {
            let task = waiter / 2
            ledger.begin(task, key(Int64(task * 100)..<Int64(task * 100 + 100)))
            let number = ledger.wait(for: task, arriving: { _ in }, end: { _ in told.withLock { $0[waiter] += 1 } })
            steps.append { if let number { _ = ledger.cancel(number, task: task) } }
        }
        for task in 0..<3 { steps.append { ledger.end(task, error: task == 0 ? nil : CancellationError()) } }
        steps.append { ledger.endAll(CancellationError()) }
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        for index in steps.indices.reversed() {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            steps.swapAt(index, Int(state >> 33) % (index + 1))
        }
        for step in steps { step() }
        #expect(told.withLock { $0 } == Array(repeating: 1, count: 6))
    }

    @Test("The last one to stop waiting ends the task, the others do not")
    func lastOne() throws {
        let ledger = PartLedger(folder: folder)
        ledger.begin(1, key(0..<10))
        let numbers = (0..<2).map { _ in ledger.wait(for: 1, arriving: { _ in }, end: { _ in }) }
        let (first, second) = (try #require(numbers[0]), try #require(numbers[1]))
        #expect(!ledger.cancel(first, task: 1))
        #expect(ledger.cancel(second, task: 1))
        #expect(!ledger.cancel(second, task: 1))
    }

    @Test("An answer that is no part of the file is told to those who wait and kept for nobody")
    func refusals() throws {
        let ledger = PartLedger(folder: folder)
        ledger.begin(1, key(0..<10))
        let status = Locked(0)
        _ = ledger.wait(
            for: 1, arriving: { _ in }, end: { outcome in status.withLock { $0 = (try? outcome.get())?.status ?? -1 } })
        try arrive(ledger, 1, 0..<10, status: 403)
        #expect(status.withLock { $0 } == 403 && ledger.arrived(key(0..<10)) == nil)
        try arrive(ledger, 2, 0..<10, status: 500)
        #expect(PartLedger(folder: folder).arrived(key(0..<10)) == nil)
    }

    @Test("Files that cannot be read, and old ones, are removed and not used")
    func strays() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: folder.appendingPathComponent("x.part"))
        try Data([1]).write(to: folder.appendingPathComponent("y.part"))
        try Data("{".utf8).write(to: folder.appendingPathComponent("y.part.json"))
        _ = PartLedger(folder: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let ledger = PartLedger(folder: folder)
        try arrive(ledger, 1, 0..<10)
        let file = try #require(ledger.arrived(key(0..<10))).file
        let old = Date(timeIntervalSinceNow: -8 * 24 * 3600)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file.path)
        #expect(PartLedger(folder: folder).arrived(key(0..<10)) == nil)
    }

    @Test("A task's description comes back as it was, and what is no description is none")
    func descriptions() {
        let key = key(5..<9)
        #expect(PartKey(key.description) == key)
        #expect(PartKey(nil) == nil && PartKey("") == nil && PartKey("{}") == nil && PartKey("a part") == nil)
    }

    @Test("The system's handler is called once, on the main queue, whichever comes first", arguments: [true, false])
    @MainActor
    func events(handlerFirst: Bool) async {
        final class Count { var value = 0 }
        let count = Count()
        let events = BackgroundEvents()
        // As UIKit hands it over: neither Sendable nor isolated.
        let handler: () -> Void = { count.value += 1 }
        if handlerFirst { events.handle(handler) } else { events.end() }
        if handlerFirst { events.end() } else { events.handle(handler) }
        #expect(count.value == 0)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(count.value == 1)
        events.end()
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(count.value == 1)
    }
}
