import Foundation
import LeapBase
import LeapUi

/// A conversation by voice at a terminal, or over a file.
struct VoiceSession: Sendable {
    let store: VoiceAssistantStore
    /// Nil where nobody presses keys.
    let keys: VoiceKeys?
    /// The file in the place of a microphone.
    let file: FileVoiceRecorder?
    let startsHandsFree: Bool
    let screen: VoiceScreen
    /// Messages that the latest prompt was made without, and what a person is told of them.
    let leftOut: @Sendable () -> (count: Int, note: String)

    /// Runs until the person leaves, the file is at its end, or the task is cancelled.
    func run() async throws {
        let shown = Task {
            var (screen, known) = (screen, 0)
            for await state in store.state {
                Self.write(screen.show(state, columns: Terminal.errorWidth))
                guard state.widgetState == .idle else { continue }
                let (count, note) = leftOut()
                if count > known { Self.write(screen.finish() + [.note(note + "\n")]) }
                known = count
            }
            Self.write(screen.finish())
        }
        let commands = Task {
            guard let keys else { return }
            for await command in keys.commands {
                switch command {
                case .intent(let intent): store.processIntent(intent: intent)
                case .toggleHandsFree:
                    store.processIntent(intent: .setHandsFree(!store.state.value.isHandsFree))
                case .leave: return
                }
            }
        }
        let problem: VoiceProblem?
        if let file {
            problem = await answer(file)
        } else {
            if startsHandsFree { store.processIntent(intent: .setHandsFree(true)) }
            problem = keys == nil ? await untilProblem() : nil
            await withTaskCancellationHandler {
                await commands.value
            } onCancel: {
                commands.cancel()
            }
        }
        commands.cancel()
        store.close()
        await shown.value
        if let problem { throw CommandError(problem.localizedDescription) }
    }

    /// Has everything in the file answered.
    private func answer(_ file: FileVoiceRecorder) async -> VoiceProblem? {
        store.processIntent(intent: startsHandsFree ? .setHandsFree(true) : .startListening)
        while await next() {
            let state = store.state.value
            if let problem = state.problem { return problem }
            if !startsHandsFree, state.widgetState == .listening { store.processIntent(intent: .stopListening) }
            if file.end.isSet, state.widgetState == .idle, startsHandsFree || state.replyCount > 0 { return nil }
        }
        return nil
    }

    /// Without keys, a problem with the microphone is the end.
    private func untilProblem() async -> VoiceProblem? {
        while await next() {
            let state = store.state.value
            if let problem = state.problem, !state.isHandsFree { return problem }
        }
        return nil
    }

    /// Waits a moment; false where the task was cancelled.
    private func next() async -> Bool { (try? await Task.sleep(for: .milliseconds(20))) != nil }

    private static func write(_ pieces: [VoiceScreen.Piece]) {
        for piece in pieces {
            switch piece {
            case .result(let text): Terminal.write(text)
            case .note(let text): Terminal.draw(text)
            }
        }
    }
}
