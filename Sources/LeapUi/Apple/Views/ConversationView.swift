#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    public import SwiftUI

    /// A conversation with a model: messages, reasoning, calls and problems as rows, and a field below them.
    ///
    /// ```swift
    /// ConversationView(store: store)
    /// ```
    /// Texts follow the person's text size, colours light and dark mode, and rows the direction of the language.
    /// Messages, pictures and buttons have labels for VoiceOver.
    public struct ConversationView: View {
        private let store: ConversationStore
        private let labels: ConversationLabels

        /// Creates a view of a conversation.
        public init(store: ConversationStore, labels: ConversationLabels = .init()) {
            self.store = store
            self.labels = labels
        }

        /// The rows and the field.
        public var body: some View {
            VStack(spacing: 0) {
                ScrollView {
                    LazyVStack(alignment: .leading, spacing: 14) {
                        ForEach(store.rows) { row in ConversationRowView(store: store, row: row, labels: labels) }
                        if let line = labels.leftOut(store.leftOutCount) {
                            Text(line).font(.caption).foregroundStyle(.secondary)
                        }
                        if isAnswered { actions }
                    }
                    .padding()
                }
                // What is written stays in view, unless the person scrolls up.
                .defaultScrollAnchor(.bottom)
                ConversationComposer(store: store, labels: labels)
            }
        }

        /// True if the last row is a complete answer.
        private var isAnswered: Bool {
            guard !store.isReplying, case .answer? = store.rows.last?.content else { return false }
            return true
        }

        private var actions: some View {
            HStack(spacing: 16) {
                Button(labels.copy) { if let row = store.rows.last { Pasteboard.copy(row.copyText) } }
                Button(labels.retry, action: store.retry).disabled(!store.canRetry)
                Button(labels.edit, action: store.editLast).disabled(!store.canRetry)
            }
            .font(.callout)
        }
    }
#endif
