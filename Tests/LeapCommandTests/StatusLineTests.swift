import LeapTransfers
import Testing

@testable import LeapCommandLine

/// Lines of figures fit the terminal.
struct StatusLineTests {
    @Test("What matters least is left out first, and nothing is wider than the terminal")
    func figures() {
        let figures = [
            StatusLine.Figure("phase", weight: 3), .init("[####]", weight: 1), .init("45%", weight: 9),
            .init("2:05 left", weight: 7),
        ]
        #expect(StatusLine.of(figures, width: 80) == "phase  [####]  45%  2:05 left")
        #expect(StatusLine.of(figures, width: 25) == "phase  45%  2:05 left")
        #expect(StatusLine.of(figures, width: 14) == "45%  2:05 left")
        #expect(StatusLine.of(figures, width: 2) == "45")
        #expect(StatusLine.duration(59) == "0:59" && StatusLine.duration(3725) == "1:02:05")
    }

    @Test("A download fits 60 columns, and tells its share and the time left at 40", arguments: [60, 40, 20])
    func download(width: Int) {
        var progress = TransferProgress(phase: .downloading, total: 23_456_789_012, fraction: 0.436)
        progress.bytes = 10_234_567_890
        progress.bytesPerSecond = 12_345_678
        progress.secondsLeft = 1070.4
        let line = StatusLine.of(PullDisplay.figures(progress, bar: 10), width: width - 1)
        #expect(line.count < width && line.contains("43%"), "\(line)")
        #expect(width < 40 || line.contains("17:51 left"), "\(line)")
        #expect(width < 60 || (line.contains("10.2 GB of 23.5 GB") && line.hasPrefix("downloading")), "\(line)")
    }

    @Test("A prompt that is computed tells its share, tokens, speed and the time left, as far as they are known")
    func prompt() {
        var figures = PromptDisplay.Figures(done: 1200, total: 8000, rate: 220)
        #expect(
            figures.line(width: 80) == "reading the prompt  15%  1200 of 8000 tokens  220 tokens/s  0:31 left")
        #expect(figures.line(width: 40) == "15%  1200 of 8000 tokens  0:31 left")
        figures.total = nil
        #expect(figures.line(width: 80) == "reading the prompt  1200 tokens  220 tokens/s")
        #expect(PromptDisplay.Figures().line(width: 80) == "reading the prompt")
    }
}
