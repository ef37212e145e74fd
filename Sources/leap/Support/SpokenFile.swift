import Foundation
import LeapAudio
import LeapSDK

/// The sound of a reply, and the WAV file that it becomes.
struct SpokenFile {
    private(set) var samples: [Float] = []
    private(set) var sampleRate = 0

    /// Takes what sounds of a response.
    mutating func add(_ response: MessageResponse) {
        guard case .audioSample(let piece, let rate) = response else { return }
        samples += piece
        sampleRate = rate
    }

    /// Seconds so far.
    var seconds: Double { Double(samples.count) / Double(max(1, sampleRate)) }

    /// Writes samples of 16 bits.
    ///
    /// - Parameter name: the option that names the file.
    static func write(_ samples: [Float], sampleRate: Int, to path: String, _ name: String) throws {
        do {
            try WAVFile.encode(samples, sampleRate: sampleRate, asInt16: true).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandError("\(name) \(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Writes the file, and says so; without sound it says why there is none.
    func write(to path: String, _ name: String) throws {
        guard !samples.isEmpty else {
            throw CommandError(
                "\(name) \(path) is not written: the model answered in text alone; use an audio model with its decoder (vocoder), and a system message that asks for speech"
            )
        }
        try Self.write(samples, sampleRate: sampleRate, to: path, name)
        Terminal.note("\(path): \(String(format: "%.1f", seconds)) seconds")
    }
}
