package import Foundation
import LeapAudio
package import LeapBase
import LeapHashing
package import LeapModel
package import LeapTokenizer

/// The speech of a reply while it is written, and the file that a message keeps of it.
package struct SpokenReply {
    private let decoder: StableHash?
    private var items: [SpeechRecord.Item] = []
    private var samples: [Float] = []
    /// Frames so far, the ends of speech included.
    package private(set) var frameCount = 0

    /// - Parameters:
    ///   - decoder: the decoder that it is spoken with; nil where it is not.
    ///   - opening: the tokens of the reply that the prompt ends with.
    package init(decoder: StableHash?, opening: [TokenID] = []) {
        self.decoder = decoder
        if decoder != nil { items = opening.map { .token($0) } }
    }

    /// True if there are samples of speech.
    package var hasAudio: Bool { !samples.isEmpty }

    package mutating func append(_ token: TokenID) {
        if decoder != nil { items.append(.token(token)) }
    }

    package mutating func append(_ piece: SpeechPiece) {
        if let frame = piece.frame {
            items.append(.frame(frame))
            frameCount += 1
        }
        samples += piece.samples
    }

    /// A WAV file of what was said; nil where nothing was.
    ///
    /// - Parameters:
    ///   - text: the message's text.
    ///   - isWhole: whether that is all that was written, so that the message can be repeated by its tokens and frames.
    package func file(text: String, isWhole: Bool) -> Data? {
        guard hasAudio, let decoder else { return nil }
        let record = isWhole ? SpeechRecord(decoder: decoder, text: text, items: items) : nil
        return WAVFile.encode(
            samples, sampleRate: SpeechDecoder.sampleRate, asInt16: true,
            chunk: record.map { (SpeechRecord.chunkName, $0.bytes) })
    }
}

/// The tokens and codes that a model wrote when it spoke: the chunk of a WAV file from which a later prompt repeats
/// them.
struct SpeechRecord: Equatable {
    enum Item: Equatable {
        case token(TokenID)
        case frame(SpeechFrame)
    }

    static let chunkName = "leap"
    private static let version: UInt8 = 1
    private static let headerLength = 1 + 16 + 32

    /// The hash that names the decoder.
    let decoder: StableHash
    /// SHA-256 of the text that goes with it.
    let textDigest: [UInt8]
    let items: [Item]

    init(decoder: StableHash, text: String, items: [Item]) {
        self.decoder = decoder
        textDigest = SHA256.hash(Data(text.utf8))
        self.items = items
    }

    /// Reads a chunk; nil for one that is damaged or of another version.
    init?(_ bytes: Data) {
        let bytes = [UInt8](bytes)
        func number(_ start: Int, _ width: Int) -> UInt64 {
            (0..<width).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
        }
        guard bytes.count >= Self.headerLength, bytes[0] == Self.version else { return nil }
        decoder = StableHash(low: number(1, 8), high: number(9, 8))
        textDigest = Array(bytes[17..<Self.headerLength])
        var items: [Item] = []
        var position = Self.headerLength
        while position < bytes.count {
            switch bytes[position] {
            case 0:
                guard position + 5 <= bytes.count else { return nil }
                let token = TokenID(bitPattern: UInt32(number(position + 1, 4)))
                guard token >= 0 else { return nil }
                items.append(.token(token))
                position += 5
            case 1, 2:
                // Frames of the first form have no number of codes in front.
                let isFirst = bytes[position] == 1
                let start = position + (isFirst ? 1 : 2)
                guard start <= bytes.count else { return nil }
                let count = isFirst ? SpeechForm.lfm2Audio.codebookCount : Int(bytes[position + 1])
                guard isFirst || count != SpeechForm.lfm2Audio.codebookCount, start + 2 * count <= bytes.count,
                    let frame = SpeechFrame(codes: (0..<count).map { UInt16(number(start + 2 * $0, 2)) })
                else { return nil }
                items.append(.frame(frame))
                position = start + 2 * count
            default: return nil
            }
        }
        self.items = items
    }

    /// The bytes of the chunk, as ``init(_:)`` reads them.
    var bytes: [UInt8] {
        var bytes = [Self.version]
        for word in [decoder.low, decoder.high] { bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        bytes += textDigest
        for item in items {
            switch item {
            case .token(let token):
                bytes.append(0)
                bytes += (0..<4).map { UInt8(truncatingIfNeeded: token >> (8 * $0)) }
            case .frame(let frame):
                let isFirst = frame.codes.count == SpeechForm.lfm2Audio.codebookCount
                bytes += isFirst ? [1] : [2, UInt8(truncatingIfNeeded: frame.codes.count)]
                for code in frame.codes { bytes += [UInt8(truncatingIfNeeded: code), UInt8(code >> 8)] }
            }
        }
        return bytes
    }
}
