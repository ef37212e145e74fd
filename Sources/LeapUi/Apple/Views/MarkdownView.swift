#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(SwiftUI))
    public import SwiftUI

    /// A Markdown text, also while it is being written.
    ///
    /// The blocks that are complete are not drawn again for each piece.
    public struct MarkdownView: View {
        private let text: MarkdownText

        /// Creates a view of a text.
        public init(_ text: MarkdownText) { self.text = text }

        /// The blocks, one below the other.
        public var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                FinishedBlocks(text: text)
                OpenBlock(text: text)
            }
            .textSelection(.enabled)
        }
    }

    private struct FinishedBlocks: View {
        let text: MarkdownText

        var body: some View {
            ForEach(text.finished) { block in MarkdownBlockView(block: block) }
        }
    }

    private struct OpenBlock: View {
        let text: MarkdownText

        var body: some View {
            if let block = text.open { MarkdownBlockView(block: block) }
        }
    }

    /// A block of a Markdown text.
    struct MarkdownBlockView: View {
        let block: MarkdownBlock

        var body: some View {
            switch block.kind {
            case .paragraph: words
            case .heading(let level): words.font(Self.font(level)).accessibilityAddTraits(.isHeader)
            case .item(let depth, let marker):
                HStack(alignment: .firstTextBaseline, spacing: 6) {
                    Text(marker)
                    words
                }
                .padding(.leading, CGFloat(depth) * 16)
                .accessibilityElement(children: .combine)
            case .quote: words.foregroundStyle(.secondary).padding(.leading, 12)
            case .code: CodeBlockView(code: block.plainText)
            case .rule: Divider().accessibilityHidden(true)
            case .table(let columns): MarkdownTableView(rows: block.rows, columns: columns)
            }
        }

        private var words: Text { Text(MarkdownRun.attributed(block.runs + [MarkdownRun(text: block.pending)])) }

        private static func font(_ level: Int) -> Font {
            switch level {
            case 1: .title2
            case 2: .title3
            default: .headline
            }
        }
    }

    /// Lines of code, which are not broken, and run from left to right in every language.
    private struct CodeBlockView: View {
        let code: String

        var body: some View {
            ScrollView(.horizontal) {
                Text(code).font(.system(.callout, design: .monospaced)).padding(.all, 8)
            }
            .background(RoundedRectangle(cornerRadius: 8).fill(Color.gray.opacity(0.15)))
            .environment(\.layoutDirection, .leftToRight)
        }
    }

    private struct MarkdownTableView: View {
        let rows: [[[MarkdownRun]]]
        let columns: [MarkdownBlock.ColumnAlignment]

        var body: some View {
            ScrollView(.horizontal) {
                Grid(horizontalSpacing: 12, verticalSpacing: 6) {
                    ForEach(rows.indices, id: \.self) { row in
                        GridRow {
                            ForEach(columns.indices, id: \.self) { column in
                                Text(MarkdownRun.attributed(cell(row, column)))
                                    .gridColumnAlignment(Self.alignment(columns[column]))
                            }
                        }
                    }
                }
            }
        }

        /// Returns a cell; rows may have fewer than the head.
        private func cell(_ row: Int, _ column: Int) -> [MarkdownRun] {
            column < rows[row].count ? rows[row][column] : []
        }

        private static func alignment(_ column: MarkdownBlock.ColumnAlignment) -> HorizontalAlignment {
            switch column {
            case .leading: .leading
            case .center: .center
            case .trailing: .trailing
            }
        }
    }
#endif
