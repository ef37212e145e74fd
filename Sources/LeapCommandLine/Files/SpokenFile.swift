import Foundation
import LeapAudio
import LeapBase
import LeapSDK

/// The sound of a reply, and the WAV or FLAC file that it becomes.
struct SpokenFile {
    private(set) var samples: [Float] = []
    private(set) var sampleRate = 0

    /// Takes what sounds of a response.
    mutating func add(_ response: MessagePiece) {
        guard case .audioSample(let piece, let rate) = response else { return }
        samples += piece
        sampleRate = rate
    }

    /// Seconds so far.
    var seconds: Double { Double(samples.count) / Double(max(1, sampleRate)) }

    /// Extensions of files that are written.
    static let extensions = ["wav", "flac"]
    /// Extensions of sounds that are not written here.
    private static let otherExtensions: Set<String> = [
        "mp3", "mp2", "ogg", "oga", "opus", "m4a", "m4b", "mp4", "aac", "aif", "aiff", "aifc", "caf", "webm",
        "wma",
        "amr", "au", "raw", "pcm",
    ]

    /// Looks whether a file can be written, before the work.
    ///
    /// - Parameter name: the option that names the file.
    /// - Throws: `CommandError` that names the option and the file.
    static func check(_ path: String, _ name: String) throws {
        let url = URL(fileURLWithPath: path)
        guard !otherExtensions.contains(url.pathExtension.lowercased()) else {
            throw CommandError(
                "\(name) \(path): leap writes only WAV and FLAC files; name it \(url.deletingPathExtension().lastPathComponent).wav or .flac and convert it"
            )
        }
        guard !FileSystem.isFolder(url.path) else { throw CommandError("\(name) \(path) is a folder: name a file") }
        let folder = url.deletingLastPathComponent().path
        guard FileSystem.isFolder(folder) else {
            throw CommandError("\(name) \(path) cannot be written: there is no folder \(folder)")
        }
        guard access(FileManager.default.fileExists(atPath: url.path) ? url.path : folder, W_OK) == 0 else {
            throw CommandError("\(name) \(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes samples of 16 bits, as FLAC where the file's name ends so.
    ///
    /// - Parameter name: the option that names the file.
    static func write(_ samples: [Float], sampleRate: Int, to path: String, _ name: String) throws {
        do {
            let url = URL(fileURLWithPath: path)
            let file =
                url.pathExtension.lowercased() == "flac"
                ? FLACEncoder.encode(samples, sampleRate: sampleRate)
                : WAVFile.encode(samples, sampleRate: sampleRate, asInt16: true)
            try file.write(to: url)
        } catch {
            throw CommandError("\(name) \(path) cannot be written: \(error.sentence)")
        }
    }

    /// Writes the file, or for `-` to standard output, and says so; without sound it says why there is none.
    func write(to path: String, _ name: String) throws {
        guard !samples.isEmpty else {
            throw CommandError(
                "\(name) \(path) is not written: the model answered in text alone; use an audio model with its decoder (vocoder), and a system message that asks for speech"
            )
        }
        if path == "-" {
            WAVFile.encode(samples, sampleRate: sampleRate, asInt16: true).withUnsafeBytes {
                OutputChannel.put($0, on: 1)
            }
            return
        }
        try Self.write(samples, sampleRate: sampleRate, to: path, name)
        Terminal.note("\(path): \(String(format: "%.1f", seconds)) seconds")
    }
}
