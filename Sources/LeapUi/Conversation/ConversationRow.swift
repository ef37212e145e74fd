public import Foundation
public import Observation

/// A row of a conversation as a view shows it: a message, reasoning, a call or a problem.
///
/// The row's own content grows. So a view of all rows is made anew only when a row is added.
@MainActor
@Observable
public final class ConversationRow: Identifiable {
    /// The content of a row.
    public enum Content {
        /// A message of the person: its text, and the pictures that belong to it.
        case question(text: String, pictures: [Data])
        /// The reasoning of the model.
        case reasoning(MarkdownText)
        /// The answer of the model.
        case answer(MarkdownText)
        /// A call of a function.
        case call(ConversationCall)
        /// A problem that ended the reply.
        case problem(ConversationProblem)
    }

    /// The number of the row; no other row of the store has it.
    public nonisolated let id: Int
    /// The content.
    public let content: Content
    /// True if the model is writing the row.
    public internal(set) var isUnderWay: Bool
    /// False if only the row's head is shown: reasoning and calls begin so.
    public var isExpanded: Bool

    init(id: Int, _ content: Content, isUnderWay: Bool = false) {
        self.id = id
        self.content = content
        self.isUnderWay = isUnderWay
        isExpanded =
            switch content {
            case .reasoning, .call: false
            case .question, .answer, .problem: true
            }
    }

    /// The text for the clipboard: as the model wrote it, with the marks of Markdown.
    public var copyText: String {
        switch content {
        case .question(let text, _): text
        case .reasoning(let text), .answer(let text): text.source
        case .call(let call): ([call.call.description] + (call.result.map { [$0] } ?? [])).joined(separator: "\n")
        case .problem(let problem): problem.message
        }
    }
}
