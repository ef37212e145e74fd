import Foundation
import LeapTestSupport
import LeapVision
import Testing

@testable import LeapCommandLine

/// Pictures as terminals are sent them.
struct ImagePreviewTests {
    private static let red = RGBImage(width: 1, height: 1, bytes: [255, 0, 0])
    private static let file =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAAD0lEQVR4AQEEAPv/AP8AAAMBAQCNHeWCAAAAAElFTkSuQmCC"

    @Test("kitty gets a PNG file and is asked for no answer, in pieces of 4096 characters")
    func kitty() {
        #expect(
            ImagePreview.text(of: Self.red, for: .kitty) == "\u{1B}_Ga=T,f=100,q=2,m=0;\(Self.file)\u{1B}\\")
        let large = RGBImage(width: 60, height: 40, bytes: (0..<7200).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let text = ImagePreview.text(of: large, for: .kitty)
        let pieces = text.components(separatedBy: "\u{1B}\\").dropLast()
        #expect(pieces.count == 3)
        #expect(pieces.first?.hasPrefix("\u{1B}_Ga=T,f=100,q=2,m=1;") == true)
        #expect(pieces.dropFirst().first?.hasPrefix("\u{1B}_Gm=1;") == true)
        #expect(pieces.last?.hasPrefix("\u{1B}_Gm=0;") == true)
        let parts = pieces.map { $0.split(separator: ";", maxSplits: 1)[1] }
        #expect(parts.allSatisfy { $0.count <= 4096 })
        #expect(parts.dropLast().allSatisfy { $0.count % 4 == 0 })
        #expect(parts.joined() == Data(large.pngFile).base64EncodedString())
    }

    @Test("iTerm2 gets a PNG file with its size in bytes and pixels")
    func iTerm() {
        #expect(
            ImagePreview.text(of: Self.red, for: .iTerm)
                == "\u{1B}]1337;File=inline=1;size=72;width=1px;height=1px:\(Self.file)\u{7}")
    }

    @Test("Sixels have the colours that are there, bands of six rows, and counted runs")
    func sixel() {
        let two = RGBImage(width: 2, height: 1, bytes: [255, 0, 0, 0, 0, 255])
        #expect(
            SixelEncoder.text(of: two)
                == "\u{1B}Pq\"1;1;2;1#5;2;0;0;100#180;2;100;0;0#5?@$#180@\u{1B}\\")
        let white = RGBImage(width: 5, height: 7, bytes: Array(repeating: 250, count: 105))
        #expect(
            SixelEncoder.text(of: white) == "\u{1B}Pq\"1;1;5;7#215;2;100;100;100#215!5~-#215!5@\u{1B}\\")
        // The middle grey lies between two steps.
        let grey = RGBImage(width: 1, height: 2, bytes: [100, 100, 100, 0, 51, 153])
        #expect(SixelEncoder.text(of: grey) == "\u{1B}Pq\"1;1;1;2#9;2;0;20;60#86;2;40;40;40#9A$#86@\u{1B}\\")
    }

    @Test(
        "Large pictures are made small with their proportions, and small ones stay", arguments: PreviewProtocol.allCases
    )
    func size(terminal: PreviewProtocol) throws {
        let sizes = [
            (640, 480, (320, 240)), (30_000, 8, (320, 1)), (8, 3000, (1, 240)), (320, 240, (320, 240)), (5, 3, (5, 3)),
            (321, 240, (320, 239)),
        ]
        for (width, height, expected) in TestLevel.cases(sizes, standard: 4) {
            let image = RGBImage(
                width: width, height: height, bytes: Array(repeating: 9, count: 3 * width * height))
            let small = image.fitted(width: ImagePreview.maxWidth, height: ImagePreview.maxHeight)
            #expect(small.width == expected.0 && small.height == expected.1, "\(width)x\(height)")
            let text = ImagePreview.text(of: image, for: terminal)
            // What a terminal is sent has control characters at the begin and end of sequences only.
            #expect(text.utf8.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x1B || $0 == 7) })
        }
    }

    @Test("Only terminals that are known to show pictures are sent some, and none inside of tmux or screen")
    func detection() {
        for (environment, expected): ([String: String], PreviewProtocol?) in [
            ([:], nil), (["TERM": "xterm-256color"], nil), (["TERM": "dumb", "KITTY_WINDOW_ID": "1"], nil),
            (["KITTY_WINDOW_ID": "1"], nil), (["TERM": "xterm-kitty"], .kitty),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty), (["TERM": "xterm-ghostty"], .kitty),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .kitty),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iTerm),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iTerm),
            (["TERM": "xterm", "TERM_PROGRAM": "mintty"], .iTerm),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iTerm),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], nil),
            (["TERM": "foot"], .sixel), (["TERM": "foot-extra"], .sixel), (["TERM": "mlterm-256color"], .sixel),
            (["TERM": "xterm-sixel"], .sixel), (["TERM": "football"], nil),
            (["TERM": "screen-256color", "TERM_PROGRAM": "iTerm.app"], nil),
            (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], nil),
            (["TERM": "xterm-kitty", "TMUX": "/tmp/t"], nil), (["TERM": "xterm-kitty", "STY": "1.pts"], nil),
        ] {
            #expect(PreviewProtocol(environment) == expected, "\(environment)")
        }
    }
}
