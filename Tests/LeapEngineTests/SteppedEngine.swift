import LeapBase
import LeapGGUF
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The parts of an engine that live on its thread, driven step by step by the test.
final class SteppedEngine {
    let core: EngineCore
    private let mailbox = Mailbox()
    private var sessions: UInt64 = 0

    /// The notices that the engine would write to a log.
    let notices = Locked<[String]>([])

    convenience init(_ name: String, draft: String? = nil, _ change: (inout EngineOptions) -> Void = { _ in }) throws {
        try self.init(try Fixture.model(name), draft: try draft.map(Fixture.model), change)
    }

    init(
        _ model: Model, draft: (any DraftSource)? = nil, device: (any Device)? = nil, threads: Int = 1,
        pace: PaceSetting = PaceSetting(), _ change: (inout EngineOptions) -> Void = { _ in },
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) throws {
        var options = EngineOptions()
        options.keyValueType = .f32
        change(&options)
        core = try EngineCore(
            model: model, draft: draft, options: options, device: try device ?? CPUDevice(threads: 1),
            contextSize: options.contextSize ?? model.contextLength,
            mailbox: mailbox, threads: threads, pace: pace, now: now,
            onNotice: { [notices] notice in notices.withLock { $0.append(notice) } })
    }

    /// A generation and what it has reported.
    final class Running {
        let task = GenerationTask()
        let session: Session
        fileprivate let log = Locked<(tokens: [TokenID], result: GenerationResult?)>(([], nil))

        init(_ session: Session) { self.session = session }

        var tokens: [TokenID] { log.withLock { $0.tokens } }
        var result: GenerationResult? { log.withLock { $0.result } }

        /// The error that ended it.
        var error: EngineError? {
            if case .failed(let error)? = result?.reason { error as? EngineError } else { nil }
        }
    }

    func makeSession() -> Session {
        sessions += 1
        return Session(id: sessions, mailbox: mailbox)
    }

    func start(_ request: GenerationRequest, in session: Session? = nil, cancelled: Bool = false) -> Running {
        let running = Running(session ?? makeSession())
        if cancelled { running.task.cancel() }
        core.start(request, task: running.task, session: running.session) { [log = running.log] event in
            log.withLock { log in
                switch event {
                case .prefill, .speech: break
                case .token(let token): log.tokens.append(token)
                case .finished(let result): log.result = result
                }
            }
        }
        return running
    }

    /// Steps until nothing is left to do.
    func runToEnd() {
        while core.hasWork || core.isWaiting {
            takeMail()
            core.step { false }
        }
    }

    /// Does what other threads have for the core; waits for it where there is nothing else to do.
    func takeMail() {
        for command in mailbox.take(waiting: !core.hasWork && core.isWaiting) { command(core) }
    }
}
