#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    import SwiftUI

    /// A row of a conversation; it is drawn anew when its own content changes.
    struct ConversationRowView: View {
        let store: ConversationStore
        let row: ConversationRow
        let labels: ConversationLabels

        var body: some View {
            switch row.content {
            case .question(let text, let pictures): QuestionView(text: text, pictures: pictures, labels: labels)
            case .reasoning(let text): ReasoningView(store: store, row: row, text: text, labels: labels)
            case .answer(let text):
                MarkdownView(text)
                    .accessibilityElement(children: .contain)
                    .accessibilityLabel(labels.fromModel)
                    .contextMenu { Button(labels.copy) { Pasteboard.copy(row.copyText) } }
            case .call(let call): CallView(row: row, call: call, labels: labels)
            case .problem(let problem): ProblemView(store: store, problem: problem, labels: labels)
            }
        }
    }

    private struct QuestionView: View {
        let text: String
        let pictures: [Data]
        let labels: ConversationLabels

        var body: some View {
            HStack {
                Spacer(minLength: 32)
                VStack(alignment: .trailing, spacing: 6) {
                    ForEach(pictures.indices, id: \.self) { index in
                        PictureView(data: pictures[index], label: labels.picture)
                    }
                    if !text.isEmpty { Text(text).textSelection(.enabled) }
                }
                .padding(.all, 10)
                .background(RoundedRectangle(cornerRadius: 14).fill(Color.accentColor.opacity(0.15)))
            }
            .accessibilityElement(children: .combine)
            .accessibilityLabel("\(labels.fromPerson): \(text)")
            .contextMenu { Button(labels.copy) { Pasteboard.copy(text) } }
        }
    }

    private struct ReasoningView: View {
        let store: ConversationStore
        @Bindable var row: ConversationRow
        let text: MarkdownText
        let labels: ConversationLabels

        var body: some View {
            VStack(alignment: .leading, spacing: 6) {
                DisclosureGroup(isExpanded: $row.isExpanded) {
                    MarkdownView(text).font(.callout).foregroundStyle(.secondary)
                } label: {
                    Text(row.isUnderWay ? labels.thinking : labels.thoughts).font(.callout).foregroundStyle(.secondary)
                }
                if row.isUnderWay { Button(labels.answerNow, action: store.endThinking) }
            }
            .contextMenu { Button(labels.copy) { Pasteboard.copy(row.copyText) } }
        }
    }

    private struct CallView: View {
        @Bindable var row: ConversationRow
        let call: ConversationCall
        let labels: ConversationLabels

        var body: some View {
            DisclosureGroup(isExpanded: $row.isExpanded) {
                VStack(alignment: .leading, spacing: 6) {
                    Text(call.call.argumentsJSON)
                    if let result = call.result { Text(result).foregroundStyle(.secondary) }
                }
                .font(.system(.caption, design: .monospaced))
                .textSelection(.enabled)
                .environment(\.layoutDirection, .leftToRight)
            } label: {
                HStack(spacing: 6) {
                    Image(systemName: "wrench.and.screwdriver").accessibilityHidden(true)
                    Text(call.call.name)
                    Text(labels.description(of: call.state)).foregroundStyle(.secondary)
                }
                .font(.callout)
                .accessibilityElement(children: .combine)
            }
            .contextMenu { Button(labels.copy) { Pasteboard.copy(row.copyText) } }
        }
    }

    private struct ProblemView: View {
        let store: ConversationStore
        let problem: ConversationProblem
        let labels: ConversationLabels

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                HStack(alignment: .firstTextBaseline, spacing: 6) {
                    Image(systemName: "exclamationmark.triangle").accessibilityHidden(true)
                    Text(problem.message).textSelection(.enabled)
                }
                .foregroundStyle(.red)
                ForEach(store.remedies(of: problem), id: \.self) { remedy in
                    Button(labels.button(of: remedy)) { store.perform(remedy) }.disabled(store.isReplying)
                }
            }
            .contextMenu { Button(labels.copy) { Pasteboard.copy(problem.message) } }
        }
    }
#endif
