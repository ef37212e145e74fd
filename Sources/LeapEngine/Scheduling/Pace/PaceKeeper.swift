import LeapCompute

/// Keeps an engine's pace: limits the threads of its passes, and pauses behind them.
final class PaceKeeper {
    /// The time after which the source is asked again: conditions change in seconds, and passes take milliseconds.
    static let interval = Duration.seconds(1)
    /// The longest pause, so that a cancelled reply ends and a new one begins soon.
    static let longestPause = 1.0

    private let setting: PaceSetting
    /// The device whose threads are limited; nil of an engine that was unloaded.
    private var device: (any Device)?
    /// The number of threads that the device started.
    private let threads: Int
    private let counters: EngineCounters
    private let now: () -> ContinuousClock.Instant
    private var pace: ComputePace?
    private var version = 0
    private var asked: ContinuousClock.Instant?
    private var began: ContinuousClock.Instant?
    /// The seconds to pause before the next pass.
    private(set) var pause = 0.0

    /// - Parameters:
    ///   - setting: has the source of the pace.
    ///   - device: the device whose threads are limited.
    ///   - threads: the number of threads that it started.
    ///   - counters: told of the pace and of pauses.
    ///   - now: the time by which passes are measured.
    init(
        _ setting: PaceSetting, device: any Device, threads: Int, counters: EngineCounters,
        now: @escaping () -> ContinuousClock.Instant
    ) {
        self.setting = setting
        self.device = device
        self.threads = threads
        self.counters = counters
        self.now = now
    }

    /// Lets go of the device.
    func unload() { device = nil }

    /// Takes up the present pace before a pass.
    func beginPass() {
        pause = 0
        let (source, version) = setting.current
        guard let source else { return endPacing() }
        let time = now()
        began = time
        if pace != nil, version == self.version, let asked, time - asked < Self.interval { return }
        (self.version, asked) = (version, time)
        apply(source.pace(of: threads).clamped(to: threads))
    }

    /// Chooses the pause behind a pass.
    func endPass() {
        guard let began, let pace else { return }
        self.began = nil
        guard pace.dutyCycle < 1 else { return }
        let seconds = (now() - began).seconds
        pause = min(max(seconds, 0) * (1 / pace.dutyCycle - 1), Self.longestPause)
    }

    /// Pauses on the engine's thread; a command that comes ends the pause.
    func rest(in mailbox: Mailbox) {
        guard pause > 0 else { return }
        let start = now()
        mailbox.rest(.seconds(pause))
        counters.add(pausedSeconds: (now() - start).seconds)
        pause = 0
    }

    private func apply(_ new: ComputePace) {
        if new.threads != pace?.threads ?? threads { device?.limitThreads(to: new.threads) }
        pace = new
        counters.setPace(new)
    }

    /// Computes at full speed again, where a source was taken away.
    private func endPacing() {
        guard let pace else { return }
        if pace.threads != threads { device?.limitThreads(to: threads) }
        (self.pace, asked, began) = (nil, nil, nil)
        counters.setPace(nil)
    }
}
