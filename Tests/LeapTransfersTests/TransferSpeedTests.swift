import Foundation
import LeapBase
import LeapHTTP
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Speed and time left, on a clock that tests set.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct TransferSpeedTests {
    private static let second: UInt64 = 1_000_000_000

    /// A speed after looks at these times, in seconds, with the bytes that came since the look before.
    private func speed(_ looks: [(seconds: Double, bytes: Int64)]) -> TransferSpeed {
        var speed = TransferSpeed()
        for look in looks { speed.add(look.bytes, at: UInt64(look.seconds * 1e9)) }
        return speed
    }

    @Test("A steady transfer has its speed from the first stretch on, and a time left after two seconds")
    func steady() {
        #expect(speed([]).bytesPerSecond == 0 && speed([]).secondsLeft(missing: 10) == nil)
        // What came before the first look took an unknown time.
        #expect(speed([(5, 1_000_000)]).bytesPerSecond == 0)
        let second = speed([(0, 0), (1, 1000)])
        #expect(second.bytesPerSecond == 1000 && second.secondsLeft(missing: 5000) == nil)
        let looks = (0...30).map { (seconds: Double($0) / 10, bytes: Int64($0 == 0 ? 0 : 100)) }
        let three = speed(looks)
        #expect(three.bytesPerSecond == 1000)
        #expect(abs((three.secondsLeft(missing: 5000) ?? 0) - 5) < 1e-6)
        #expect(three.secondsLeft(missing: 0) == 0)
    }

    @Test("How often somebody looks changes nothing: looks within a few milliseconds are one")
    func looks() {
        var often = TransferSpeed()
        for step in 0...4000 { often.add(step == 0 ? 0 : 1, at: UInt64(step) * Self.second / 1000) }
        let rarely = speed([(0, 0), (2, 2000), (4, 2000)])
        #expect(abs(often.bytesPerSecond - 1000) <= 1 && rarely.bytesPerSecond == 1000)
    }

    @Test("The speed follows a change within seconds; the time left follows it later, and ends where nothing arrives")
    func change() {
        var speed = TransferSpeed()
        for step in 0...200 { speed.add(step == 0 ? 0 : 1000, at: UInt64(step) * Self.second / 10) }
        let before = speed.secondsLeft(missing: 1_000_000) ?? 0
        #expect(speed.bytesPerSecond == 10_000 && abs(before - 100) < 1e-6)
        // A tenth of it for three seconds.
        for step in 201...230 { speed.add(100, at: UInt64(step) * Self.second / 10) }
        #expect(speed.bytesPerSecond < 5000)
        let after = speed.secondsLeft(missing: 1_000_000) ?? 0
        #expect(after > before && after < before * 1.4)
        // Nothing for ten minutes, while somebody looks.
        for step in 0..<6000 { speed.add(0, at: UInt64(231 + step) * Self.second / 10) }
        #expect(speed.bytesPerSecond == 0 && speed.secondsLeft(missing: 1_000_000) == nil)
    }

    @Test("A process that was suspended measures anew, and neither bytes nor clocks that go back break anything")
    func suspended() {
        let after = speed([(0, 0), (5, 5000), (3600, 9_000_000), (3601, 50)])
        #expect(after.bytesPerSecond == 50 && after.secondsLeft(missing: 50) == nil)
        let back = speed([(5, 0), (4, 100), (5, 100), (6, -300)]).bytesPerSecond
        #expect(back > 0 && back < 100)
        #expect(speed([(0, 0), (1, .max), (1.01, .max), (2, .max)]).bytesPerSecond > 0)
    }

    @Test("A wait is told with its reason, has no time left, and ends when bytes arrive")
    func waits() {
        let time = Locked<UInt64>(0)
        let meter = ProgressMeter(now: { time.withLock { $0 } })
        meter.setFiles([("a", 0, 1000, nil), ("b", 0, 1000, nil)])
        meter.setPhase(.downloading)
        func look(after seconds: UInt64) -> TransferProgress {
            time.withLock { $0 += seconds * Self.second }
            return meter.sample()
        }
        _ = look(after: 0)
        meter.set(file: 0, bytes: 0)
        meter.set(file: 0, bytes: 400)
        let moving = look(after: 4)
        #expect(moving.bytesPerSecond == 100 && abs((moving.secondsLeft ?? 0) - 16) < 1e-6)
        #expect(moving.wait == nil && moving.note == nil)
        for wait in [TransferWait.wifi, .fullDataNetwork, .network, .system] {
            meter.setWait(wait)
            let waiting = look(after: 0)
            #expect(waiting.wait == wait && waiting.note == wait.text && waiting.secondsLeft == nil)
        }
        // Another connection brings bytes.
        meter.set(file: 1, bytes: 0)
        meter.set(file: 1, bytes: 100)
        let again = look(after: 1)
        #expect(again.wait == nil && again.note == nil && again.secondsLeft != nil)
        meter.finish()
        #expect(meter.progress.secondsLeft == nil && meter.progress.fraction == 1)
    }

    @Test("Over connections that drop, and after a stop, speed and time left are those of the bytes that arrived")
    func drops() async throws {
        let content = Content(count: 3_000_017)
        let (gate, sent) = (Gate(), Counter())
        let bench = try Workbench { request in
            request.serve(content).with {
                $0.longestPiece = 16 << 10
                $0.onSent = { sent.add($0) }
                $0.isHeld = { sent.count >= gate.limit }
                if request.index % 3 == 1 { $0.closesAfter = 300_000 }
            }
        }
        let time = Locked<UInt64>(0)
        func begin() -> (meter: ProgressMeter, task: Task<InstalledModel, any Error>) {
            let meter = ProgressMeter(now: { time.withLock { $0 } })
            let (store, model) = (bench.store, bench.model)
            return (meter, Task { try await store.perform(model, force: false, meter: meter) })
        }
        let total = Double(content.count)
        gate.set(1_000_000)
        let first = begin()
        try await wait { first.meter.progress.bytes >= 800_000 }
        let start = first.meter.sample()
        #expect(start.bytesPerSecond == 0 && start.secondsLeft == nil)
        gate.set(2_000_000)
        try await wait { first.meter.progress.bytes >= 1_800_000 }
        time.withLock { $0 += 4 * Self.second }
        let later = first.meter.sample()
        let rate = Double(later.bytes - start.bytes) / 4
        #expect(later.bytesPerSecond == Int64(rate.rounded()))
        #expect(abs((later.secondsLeft ?? 0) - (total - Double(later.bytes)) / rate) < 1e-3)
        first.task.cancel()
        _ = await first.task.result
        // What is on disk already was not fetched now: it has no speed.
        let second = begin()
        try await wait { second.meter.progress.phase == .downloading }
        let resumed = second.meter.sample()
        #expect(resumed.bytes >= 1_500_000 && resumed.bytesPerSecond == 0)
        gate.set(.max)
        let model = try await second.task.value
        time.withLock { $0 += 2 * Self.second }
        let end = second.meter.sample()
        // The first block of a file counts as what was there.
        let left = (total - Double(resumed.bytes)) / 2
        #expect(Double(end.bytesPerSecond) > left * 0.8 && Double(end.bytesPerSecond) <= left + 1)
        #expect(try bench.bytes(model) == content.bytes)
        // Nothing but what was under way when it stopped came twice.
        #expect(bench.server.bytesSent < content.count + 700_000)
    }

    @Test("A transfer that no caller waits for has a speed for those who look")
    func unattended() async throws {
        let content = Content(count: 3_000_017)
        let (gate, sent) = (Gate(), Counter())
        let bench = try Workbench { request in
            request.serve(content).with {
                $0.longestPiece = 16 << 10
                $0.onSent = { sent.add($0) }
                $0.isHeld = { sent.count >= gate.limit }
            }
        }
        let store = bench.store
        let folder = store.folder(of: bench.model)
        gate.set(1_000_000)
        InstallCenter.shared.start(bench.model, force: false, in: store)
        try await wait { InstallCenter.shared.progress(folder: folder)?.bytes ?? 0 >= 500_000 }
        gate.set(2_000_000)
        try await wait { InstallCenter.shared.progress(folder: folder)?.bytesPerSecond ?? 0 > 0 }
        gate.set(.max)
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    /// A transport whose requests wait for Wi-Fi until a test lets them go.
    private struct WaitingTransport: Transport {
        let inner = StandardTransport.make()
        let isReleased: OneWaySwitch

        var allowsWaiting: Bool { inner.allowsWaiting }

        func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
            receiver.waiting(.wifi)
            while !isReleased.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
            return try await inner.send(request, to: receiver)
        }
    }

    @Test("A wait for Wi-Fi is told in the progress of an installation, which goes on by itself")
    func installation() async throws {
        let content = Content(count: 300_000)
        let bench = try Workbench { $0.serve(content) }
        let isReleased = OneWaySwitch()
        let store = ModelStore(
            configuration: bench.configuration, transport: WaitingTransport(isReleased: isReleased))
        let (meter, model) = (ProgressMeter(), bench.model)
        let task = Task { try await store.perform(model, force: false, meter: meter) }
        try await wait { meter.progress.wait == .wifi }
        #expect(meter.progress.note == "waiting for Wi-Fi")
        #expect(bench.server.requests.isEmpty)
        isReleased.set()
        #expect(try bench.bytes(try await task.value) == content.bytes)
        #expect(meter.progress.wait == nil && meter.progress.note == nil)
    }
}
