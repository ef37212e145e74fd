import Foundation
import LeapAudio
import LeapBase
import LeapSDK

/// Samples that come piece by piece: those of a file, or standard input while it is recorded.
struct LiveInput: Sendable {
    private enum Source: Sendable {
        case file(WAVFile, next: Int)
        case input(SoundStream)
        case over
    }

    /// Pieces of a second of a file.
    private static let pieces = 10

    private let name: String
    private var source: Source
    /// Samples per second; nil as long as that is not known.
    private(set) var sampleRate: Int?

    /// The samples of a sound that was read.
    ///
    /// - Parameter name: the option or argument that names it, and its path.
    init(_ sound: ChatMessageContent, name: String) throws {
        guard case .audio(let data) = sound else { throw CommandError("\(name): there is no audio") }
        do {
            let file = try AudioFile.read(data)
            (source, sampleRate) = (.file(file, next: 0), file.sampleRate)
        } catch {
            throw CommandError("\(name): \(error.message)")
        }
        self.name = name
    }

    /// Standard input.
    ///
    /// - Parameters:
    ///   - rawRate: samples per second of raw samples; nil for a file.
    ///   - name: the option or argument that names it.
    init(rawRate: Int?, name: String) throws {
        try StandardInput.take(for: name)
        source = .input(SoundStream(rawRate: rawRate))
        self.name = name
    }

    /// The next samples, as soon as there are any; nil at the end, or when the task is cancelled.
    mutating func next() async throws -> [Float]? {
        switch source {
        case .file(let file, let start):
            guard start < file.sampleCount, !Task.isCancelled else { return nil }
            let end = min(file.sampleCount, start + max(1, file.sampleRate / Self.pieces))
            source = .file(file, next: end)
            return file.samples(start..<end)
        case .input(var stream):
            while true {
                let bytes = try await StandardInput.readPiece(for: name)
                let samples: [Float]
                do {
                    samples = bytes.isEmpty ? try stream.finish() : try stream.append(bytes)
                } catch {
                    throw CommandError("\(name): \(error.message)")
                }
                sampleRate = stream.sampleRate
                source = bytes.isEmpty ? .over : .input(stream)
                if !samples.isEmpty { return samples }
                if bytes.isEmpty { return nil }
            }
        case .over: return nil
        }
    }

    /// All samples up to the end, as a file; nil where there are none.
    mutating func rest() async throws -> ChatMessageContent? {
        var samples: [Float] = []
        while let piece = try await next() {
            samples += piece
            guard samples.count <= Self.maxSamples else {
                throw CommandError("\(name): there are more than \(Self.maxSamples) samples: use a shorter recording")
            }
        }
        guard let sampleRate, !samples.isEmpty else { return nil }
        return .fromFloatSamples(samples, sampleRate: sampleRate)
    }

    /// Samples of standard input that are kept for a model that reads whole recordings.
    private static let maxSamples = 128 << 20
}
