import LeapTestTraits
import Testing

@testable import LeapMCP

/// The times at which servers are started again.
@Suite(.inServerTurns)
struct RestartsTests {
    private static func restarts() -> Restarts {
        Restarts(waits: [.zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8)], window: .seconds(600))
    }

    @Test("Each start of those that follow each other waits longer, and the sixth within the time is none")
    func waits() {
        var restarts = Self.restarts()
        var (now, waits) = (Duration.seconds(100), [Duration]())
        while let wait = restarts.wait(at: now) {
            waits.append(wait)
            now += wait
            restarts.begin(at: now)
            // A start may take its time: the wait counts from its end.
            now += .seconds(3)
            restarts.end(at: now)
        }
        #expect(waits == [.zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(restarts.wait(at: .seconds(699)) == nil)
        #expect(restarts.wait(at: .seconds(700)) == .zero)
    }

    @Test("A server that ran for longer than the wait is started at once; starts that are long ago do not count")
    func late() {
        var restarts = Self.restarts()
        for second in 0..<4 { restarts.begin(at: .seconds(second)) }
        restarts.end(at: .seconds(5))
        #expect(restarts.wait(at: .seconds(6)) == .seconds(7))
        #expect(restarts.wait(at: .milliseconds(12_500)) == .milliseconds(500))
        #expect(restarts.wait(at: .seconds(100)) == .zero)
        restarts.begin(at: .seconds(650))
        restarts.end(at: .seconds(650))
        #expect(restarts.wait(at: .seconds(650)) == .seconds(1))
    }

    @Test("Without waits nothing is started again")
    func none() { #expect(Restarts(waits: [], window: .seconds(600)).wait(at: .zero) == nil) }
}
