import ArgumentParser
import Foundation
import LeapDemoModel
import LeapSDK

/// `leap demo`: a guided tour on the embedded model.
///
/// With a terminal it waits for Return between the stops; without one it runs to its end by itself.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Take a guided tour of the features with the embedded models.",
        discussion: "Nothing is downloaded. Without a terminal the tour runs to its end by itself."
    )

    func run() async throws {
        let started = ContinuousClock.now
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let guide = DemoGuide(runner: runner)
        guide.introduce(loadTime: ContinuousClock.now - started)
        for stop in DemoStop.all {
            guard await guide.wait() else { break }
            try await stop.show(guide)
        }
        await runner.unload()
        guide.farewell()
    }
}
