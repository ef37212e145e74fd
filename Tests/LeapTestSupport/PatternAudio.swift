import Foundation

/// The sound that the script of the audio fixtures makes too: no file is needed for it.
package enum PatternAudio {
    /// A tone that rises, and noise, at 16 kHz.
    package static func samples(_ count: Int) -> [Float] {
        var state = 12345
        return (0..<count).map { index in
            state = (state &* 1_103_515_245 &+ 12345) & 0x7FFF_FFFF
            let noise = Double(state) / 0x1p30 - 1
            let time = Double(index) / 16000
            return Float(0.3 * sin(2 * Double.pi * (200 + 450 * time) * time) + 0.05 * noise)
        }
    }
}
