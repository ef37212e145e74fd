import Foundation
import LeapVision

/// A small picture as what a terminal is sent to show it: ASCII, with control sequences of its own.
enum ImagePreview {
    /// Pixels that a preview has at most.
    static let maxWidth = 320
    static let maxHeight = 240

    /// The picture made small, for a terminal.
    static func text(of image: RGBImage, for terminal: PreviewProtocol) -> String {
        let small = image.fitted(width: maxWidth, height: maxHeight)
        return switch terminal {
        case .kitty: kitty(small)
        case .iTerm: iTerm(small)
        case .sixel: SixelEncoder.text(of: small)
        }
    }

    /// A PNG file in pieces of 4096 characters; the terminal is asked for no answer, which would be read as typed.
    private static func kitty(_ image: RGBImage) -> String {
        let encoded = Array(Data(image.pngFile).base64EncodedString().utf8)
        var text = ""
        for start in stride(from: 0, to: encoded.count, by: 4096) {
            let end = min(start + 4096, encoded.count)
            let keys = start == 0 ? "a=T,f=100,q=2," : ""
            text += "\u{1B}_G\(keys)m=\(end < encoded.count ? 1 : 0);"
            text += String(decoding: encoded[start..<end], as: UTF8.self) + "\u{1B}\\"
        }
        return text
    }

    private static func iTerm(_ image: RGBImage) -> String {
        let file = Data(image.pngFile)
        return "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(image.width)px;height=\(image.height)px:"
            + file.base64EncodedString() + "\u{7}"
    }
}
