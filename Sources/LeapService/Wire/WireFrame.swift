package import Foundation
import LeapBase

/// A message on the socket: its length in four bytes (the lowest first), its kind in one, and so many bytes.
package struct WireFrame: Sendable, Hashable {
    /// The kind of the bytes, by which they are read.
    package enum Kind: UInt8, Sendable {
        /// JSON of a ``ClientMessage`` or ``ServiceMessage``.
        case message = 1
        /// A ``GenerationStep``.
        case step = 2
        /// A ``ImageFrame``.
        case image = 3
        /// A ``SpeechStep``.
        case speech = 4
    }

    /// The bytes before the payload.
    static let headerByteCount = 5

    package var kind: Kind
    package var payload: [UInt8]

    package init(_ kind: Kind, _ payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }

    /// The bytes on the socket.
    package var bytes: [UInt8] {
        let count = UInt32(clamping: payload.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) } + [kind.rawValue] + payload
    }
}

/// The file of a picture, a sound or a spoken reply on its way to the service: the generation that lacks it, in four
/// bytes (the lowest first), and the file.
package struct ImageFrame: Sendable {
    /// The bytes before the file.
    package static let headerByteCount = 4

    package var generation: UInt32
    package var file: Data

    package init(generation: UInt32, file: Data) {
        self.generation = generation
        self.file = file
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.headerByteCount else { return nil }
        generation = (0..<4).reduce(0) { $0 | UInt32(bytes[$1]) << (8 * UInt32($1)) }
        file = Data(bytes[Self.headerByteCount...])
    }

    package var frame: WireFrame {
        WireFrame(.image, (0..<4).map { UInt8(truncatingIfNeeded: generation >> (8 * UInt32($0))) } + file)
    }
}

/// The error of bytes on the socket that are no frames.
package struct FrameError: CodedError, Hashable {
    /// The kinds of error.
    package enum Code: String, Sendable { case tooLong, unknownKind }

    package let code: Code
    package let message: String

    /// A frame has more bytes than it may.
    package static func tooLong(_ count: Int, limit: Int) -> FrameError {
        FrameError(code: .tooLong, message: "a message has \(count) bytes and may have \(limit)")
    }

    /// A frame says that it is of a kind that there is not.
    package static func unknownKind(_ kind: UInt8) -> FrameError {
        FrameError(code: .unknownKind, message: "a message is of the unknown kind \(kind)")
    }
}

/// Finds the frames in the bytes of a socket; holds no more than one frame that is not whole yet, and what came with
/// it.
package struct FrameReader: Sendable {
    /// The bytes that a message may have.
    package var limit: Int
    /// The bytes that a payload with a picture may have.
    package var imageLimit = 0
    private var buffer: [UInt8] = []
    private var start = 0

    package init(limit: Int) { self.limit = limit }

    /// Adds bytes that arrived.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next frame that is whole; nil if there is none.
    ///
    /// - Throws: for a frame that is too long, as soon as its header is there.
    package mutating func next() throws(FrameError) -> WireFrame? {
        guard buffer.count - start >= WireFrame.headerByteCount else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(buffer[start + $1]) << (8 * $1) }
        guard let kind = WireFrame.Kind(rawValue: buffer[start + 4]) else { throw .unknownKind(buffer[start + 4]) }
        let limit =
            switch kind {
            case .message: limit
            case .step: min(limit, GenerationStep.byteCount)
            case .image: imageLimit
            case .speech: min(limit, SpeechStep.maxByteCount)
            }
        guard count <= limit else { throw .tooLong(count, limit: limit) }
        let first = start + WireFrame.headerByteCount
        guard buffer.count - first >= count else { return nil }
        start = first + count
        return WireFrame(kind, Array(buffer[first..<start]))
    }
}

/// One step of a generation, in 36 bytes: there may be thousands in a second.
package struct GenerationStep: Sendable, Hashable {
    /// An event of a generation.
    package enum Event: Sendable, Hashable {
        case prefill(done: Int32, total: Int32)
        case token(Int32)
    }

    static let byteCount = 36

    package var generation: UInt32
    package var event: Event
    /// Tokens so far: of the prompt, of it restored, generated, proposed, accepted.
    package var progress: [Int32]

    package init(generation: UInt32, event: Event, progress: [Int32]) {
        self.generation = generation
        self.event = event
        self.progress = progress
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let words = (0..<9).map { word in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * word + $1]) << (8 * UInt32($1)) }
        }
        generation = words[0]
        let values = words[2...].map { Int32(bitPattern: $0) }
        switch words[1] {
        case 0: event = .prefill(done: values[0], total: values[1])
        case 1: event = .token(values[0])
        default: return nil
        }
        progress = Array(values[2...])
    }

    package var frame: WireFrame {
        let (kind, first, second): (UInt32, Int32, Int32) =
            switch event {
            case .prefill(let done, let total): (0, done, total)
            case .token(let token): (1, token, 0)
            }
        let values = [first, second] + progress.prefix(5) + Array(repeating: 0, count: max(0, 5 - progress.count))
        let words = [generation, kind] + values.map { UInt32(bitPattern: $0) }
        return WireFrame(
            .step, words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } })
    }
}
