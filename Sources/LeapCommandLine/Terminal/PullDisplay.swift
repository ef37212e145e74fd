import Foundation
import LeapBase
import LeapTransfers

/// Shows how far a transfer is: bars that move on a terminal, a line a second elsewhere.
///
/// A model of several files has a bar for the file under way and one for all of them; a line stays for every file that
/// is whole.
final class PullDisplay: Sendable {
    private let isTerminal: Bool
    private let width: Int
    private let state = Locked(State())

    private struct State {
        /// The lines on the terminal that are drawn over the next time.
        var drawn: [String] = []
        var lastTime = Date.distantPast
        var lastNote: String?
        var lastPhase: TransferProgress.Phase?
        var finishedFiles: Set<String> = []
    }

    /// - Parameter width: columns of the terminal; a longer line would wrap, and could not be drawn over.
    init(isTerminal: Bool, width: Int) {
        self.isTerminal = isTerminal
        self.width = width
    }

    func show(_ progress: TransferProgress) {
        var progress = progress
        for index in progress.files.indices {
            progress.files[index].name = PrintableOutput.of(progress.files[index].name)
        }
        progress.note = progress.note.map(PrintableOutput.of)
        let output = state.withLock { state -> String in
            isTerminal ? redraw(progress, &state) : line(progress, &state)
        }
        if !output.isEmpty { Terminal.draw(output) }
    }

    /// Leaves the lines of the bars.
    func end() {
        guard isTerminal, state.withLock({ !$0.drawn.isEmpty }) else { return }
        Terminal.draw("\n")
    }

    private func redraw(_ progress: TransferProgress, _ state: inout State) -> String {
        var staying: [String] = []
        if progress.files.count > 1 {
            for file in progress.files where file.bytes == file.total && file.bytes > 0 {
                guard state.finishedFiles.insert(file.name).inserted else { continue }
                staying.append("\(file.name)  \(ByteText.of(file.bytes))")
            }
        }
        let bar = width >= 70 ? 24 : 10
        var bars = [StatusLine.of(Self.figures(progress, bar: bar), width: width - 1)]
        if progress.phase == .downloading, progress.files.count > 1,
            let file = progress.files.first(where: { $0.bytes != $0.total })
        {
            bars.insert(StatusLine.of(Self.fileFigures(file, bar: bar), width: width - 1), at: 0)
        }
        // A wait is said as long as it lasts, a second fetch too.
        if let note = progress.note { bars.append((width >= 70 ? "             " : "  ") + note) }
        let lines = bars.map { String($0.prefix(max(1, width - 1))) }
        guard !staying.isEmpty || lines != state.drawn else { return "" }
        // Up to the first line of the last time, then everything below is cleared and drawn anew.
        let up = state.drawn.count > 1 ? "\u{1B}[\(state.drawn.count - 1)A" : ""
        state.drawn = lines
        let kept = staying.map { $0.prefix(max(1, width - 1)) + "\n" }.joined()
        return "\r\(up)\u{1B}[J\(kept)\(lines.joined(separator: "\n"))"
    }

    private func line(_ progress: TransferProgress, _ state: inout State) -> String {
        let now = Date()
        let isNews = progress.phase != state.lastPhase || progress.note != state.lastNote
        guard isNews || now.timeIntervalSince(state.lastTime) >= 1 else { return "" }
        state.lastPhase = progress.phase
        state.lastNote = progress.note
        state.lastTime = now
        return Self.line(progress) + (progress.note.map { "  (\($0))" } ?? "") + "\n"
    }

    private static func bar(_ fraction: Double, width: Int) -> String {
        let filled = Int(min(1, max(0, fraction)) * Double(width))
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "]"
    }

    /// One file: a bar, its share, and its name.
    private static func fileFigures(_ file: TransferProgress.File, bar width: Int) -> [StatusLine.Figure] {
        let fraction = file.total.map { $0 > 0 ? Double(file.bytes) / Double($0) : 1 } ?? 0
        let size = file.total.map { "\(ByteText.of(file.bytes)) of \(ByteText.of($0))" } ?? ByteText.of(file.bytes)
        return [
            .init("file".padded(to: 11), weight: 2), .init(bar(fraction, width: width), weight: 1),
            .init("\(Int(fraction * 100))%", weight: 9), .init(size, weight: 5), .init(file.name, weight: 6),
        ]
    }

    /// All files in one line, without a bar.
    static func line(_ progress: TransferProgress) -> String {
        StatusLine.of(figures(progress, bar: nil), width: .max)
    }

    /// All files: the phase, a bar where there is room for one, the share, bytes, speed, and time left.
    static func figures(_ progress: TransferProgress, bar width: Int?) -> [StatusLine.Figure] {
        let phase = progress.phase.rawValue
        var figures = [StatusLine.Figure(width == nil ? phase : phase.padded(to: 11), weight: 3)]
        if let width { figures.append(.init(bar(progress.fraction, width: width), weight: 1)) }
        figures.append(.init("\(Int(progress.fraction * 100))%", weight: 9))
        if let total = progress.total {
            figures.append(.init("\(ByteText.of(progress.bytes)) of \(ByteText.of(total))", weight: 6))
        } else if progress.bytes > 0 {
            figures.append(.init(ByteText.of(progress.bytes), weight: 6))
        }
        if progress.phase == .downloading {
            if progress.bytesPerSecond > 0 {
                figures.append(.init("\(ByteText.of(progress.bytesPerSecond))/s", weight: 4))
            }
            if let eta = eta(progress) { figures.append(.init("\(eta) left", weight: 7)) }
            if width == nil, progress.files.count > 1,
                let file = progress.files.first(where: { $0.bytes != $0.total })
            {
                figures.append(.init(file.name, weight: 2))
            }
        }
        return figures
    }

    /// Time left, as minutes and seconds, or with hours.
    static func eta(_ progress: TransferProgress) -> String? {
        guard let left = progress.secondsLeft, left < 100 * 3600 else { return nil }
        return StatusLine.duration(Int(left.rounded(.up)))
    }
}
