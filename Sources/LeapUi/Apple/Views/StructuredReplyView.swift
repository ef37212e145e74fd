#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    import LeapCore
    public import SwiftUI

    /// A value that a model fills in, member by member while it is written.
    public struct StructuredReplyView<Value: GeneratableType & Decodable & Sendable>: View {
        private let store: StructuredReplyStore<Value>
        private let labels: ConversationLabels

        /// Creates a view of a value.
        public init(store: StructuredReplyStore<Value>, labels: ConversationLabels = .init()) {
            self.store = store
            self.labels = labels
        }

        /// The members, one below the other.
        public var body: some View {
            VStack(alignment: .leading, spacing: 10) {
                ForEach(store.fields) { field in StructuredFieldView(field: field, labels: labels) }
                if let problem = store.problem { Text(problem.message).foregroundStyle(.red) }
                if store.isReplying {
                    Button(labels.stop, action: store.stop)
                } else if store.canRetry {
                    Button(labels.retry, action: store.retry)
                }
            }
            .textSelection(.enabled)
        }
    }

    /// A member, with those within it further in.
    struct StructuredFieldView: View {
        let field: StructuredField
        let labels: ConversationLabels

        var body: some View {
            VStack(alignment: .leading, spacing: 2) {
                if !field.label.isEmpty { Text(field.label).font(.caption).foregroundStyle(.secondary) }
                switch field.content {
                case .text(let text), .number(let text): Text(text)
                case .flag(let isOn):
                    Image(systemName: isOn ? "checkmark" : "xmark").accessibilityLabel(isOn ? labels.yes : labels.no)
                case .none: Text("–")
                case .fields(let fields):
                    ForEach(fields) { field in StructuredFieldView(field: field, labels: labels) }
                        .padding(.leading, 12)
                }
            }
            .accessibilityElement(children: .combine)
        }
    }
#endif
