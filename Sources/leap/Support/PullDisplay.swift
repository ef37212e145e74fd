import Foundation
import LeapGGUF
import LeapTransfers

/// Shows how far a transfer is: a bar that moves on a terminal, a line a second elsewhere.
final class PullDisplay: Sendable {
    private let isTerminal: Bool
    private let state = Locked(State())

    private struct State {
        var lastLine = ""
        var lastTime = Date.distantPast
        var lastPhase: TransferProgress.Phase?
        var finishedFiles: Set<String> = []
    }

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    func show(_ progress: TransferProgress) {
        let output = state.withLock { state -> String in
            isTerminal ? redraw(progress, &state) : line(progress, &state)
        }
        if !output.isEmpty { FileHandle.standardError.write(Data(output.utf8)) }
    }

    /// Leaves the line of the bar.
    func end() {
        guard isTerminal, state.withLock({ !$0.lastLine.isEmpty }) else { return }
        FileHandle.standardError.write(Data("\n".utf8))
    }

    private func redraw(_ progress: TransferProgress, _ state: inout State) -> String {
        var output = ""
        // A line stays for every file that is whole, the bar is below.
        for file in progress.files where progress.files.count > 1 && file.bytes == file.total && file.bytes > 0 {
            guard state.finishedFiles.insert(file.name).inserted else { continue }
            output += "\r\u{1B}[K  \(file.name)  \(ByteText.of(file.bytes))\n"
        }
        let text = Self.bar(progress)
        guard text != state.lastLine || !output.isEmpty else { return "" }
        state.lastLine = text
        return output + "\r\u{1B}[K" + text
    }

    private func line(_ progress: TransferProgress, _ state: inout State) -> String {
        let now = Date()
        guard progress.phase != state.lastPhase || now.timeIntervalSince(state.lastTime) >= 1 else { return "" }
        state.lastPhase = progress.phase
        state.lastTime = now
        return Self.text(progress) + "\n"
    }

    /// The phase, a bar, the share, bytes, speed, and time left, in one line.
    static func bar(_ progress: TransferProgress, width: Int = 24) -> String {
        let filled = Int(progress.fraction * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return text(progress).replacingOccurrences(
            of: "  ", with: "  [\(bar)]  ", range: text(progress).range(of: "  "))
    }

    static func text(_ progress: TransferProgress) -> String {
        var parts = ["\(progress.phase.rawValue)", "\(Int(progress.fraction * 100))%"]
        if let total = progress.total {
            parts.append("\(ByteText.of(progress.bytes)) of \(ByteText.of(total))")
        } else if progress.bytes > 0 {
            parts.append(ByteText.of(progress.bytes))
        }
        if progress.phase == .downloading {
            if progress.bytesPerSecond > 0 { parts.append("\(ByteText.of(progress.bytesPerSecond))/s") }
            if let eta = eta(progress) { parts.append(eta) }
            if progress.files.count > 1, let file = progress.files.first(where: { $0.bytes != $0.total }) {
                parts.append(file.name)
            }
        }
        return parts.joined(separator: "  ")
    }

    /// Time left, as minutes and seconds, or with hours.
    static func eta(_ progress: TransferProgress) -> String? {
        guard let total = progress.total, progress.bytesPerSecond > 0 else { return nil }
        let seconds = Int((Double(total - progress.bytes) / Double(progress.bytesPerSecond)).rounded(.up))
        guard seconds < 100 * 3600 else { return nil }
        let tail = String(format: "%02d", seconds % 60)
        return seconds < 3600
            ? "\(seconds / 60):\(tail)" : "\(seconds / 3600):\(String(format: "%02d", seconds / 60 % 60)):\(tail)"
    }
}
