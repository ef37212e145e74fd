import Foundation
import LeapBase
import LeapSDK

/// The commands that show figures: of the last answer, the model and the context.
extension ChatSession {
    func showStats() {
        if let stats = state.withLock({ $0.stats }) {
            Terminal.note("last answer: \(AnswerFigures.line(stats))")
        } else {
            Terminal.note("(no answer yet)")
        }
        Terminal.note(ModelFigures.line(runner.statistics))
    }

    func showContext() throws {
        let (conversation, runner, leftOut) = state.withLock { ($0.conversation, $0.runner, $0.leftOut) }
        let history = conversation.history
        let size = runner.contextSize
        guard history.contains(where: { $0.role != .system }) else {
            Terminal.note("(no messages yet; the context holds \(size) tokens)")
            return
        }
        let tokens = try runner.promptTokenCount(
            messages: history, functions: conversation.functions, addBosToken: true)
        let share = size > 0 ? String(format: " (%.1f %%)", 100 * Double(tokens) / Double(size)) : ""
        Terminal.note("\(tokens) of \(size) tokens\(share) in \(history.count) messages")
        if leftOut > 0 { Terminal.note("the last prompt left out the oldest \(leftOut) of them") }
    }
}
