import LeapChat
import LeapModel
import LeapTokenizer

/// The latest chunks of a sound with the text that was written behind each: what the model reads of a sound without
/// end.
struct LiveWindow {
    private struct Chunk {
        let tokens: [TokenID]
        let part: MediaPart
        var text: [TokenID] = []
    }

    /// Vectors of the sound that the model reads at most: those of 30 seconds.
    static let maxVectors = 375

    private let start: [TokenID]
    /// Tokens of a prompt at most.
    private let maxTokens: Int
    private let maxVectors: Int
    private var chunks: [Chunk] = []
    private var vectorCount = 0
    private var tokenCount = 0

    /// - Parameters:
    ///   - start: the tokens in front of the sound.
    ///   - maxTokens: tokens of a prompt at most, enough for these and a chunk.
    init(start: [TokenID], maxTokens: Int, maxVectors: Int = Self.maxVectors) {
        self.start = start
        self.maxTokens = maxTokens
        self.maxVectors = maxVectors
        tokenCount = start.count
    }

    /// The prompt, which ends with what was added last.
    var prompt: [TokenID] { chunks.reduce(into: start) { $0 += $1.tokens + $1.text } }

    /// The parts of the sound in the prompt, in order.
    var parts: [MediaPart] { chunks.map(\.part) }

    /// True if the next chunk changes the beginning of the prompt.
    private func isFull(for count: Int) -> Bool {
        vectorCount + count > maxVectors || tokenCount + count > maxTokens
    }

    /// Adds a chunk.
    ///
    /// Where it has no room, the oldest chunks go with their text until half of the room is free, as the rest is
    /// computed again then.
    mutating func append(_ tokens: [TokenID], _ part: MediaPart) {
        if isFull(for: tokens.count) {
            let kept = (maxTokens - start.count) / 2
            while let first = chunks.first,
                vectorCount > maxVectors / 2 || tokenCount - start.count > kept || isFull(for: tokens.count)
            {
                vectorCount -= first.tokens.count
                tokenCount -= first.tokens.count + first.text.count
                chunks.removeFirst()
            }
        }
        chunks.append(Chunk(tokens: tokens, part: part))
        vectorCount += tokens.count
        tokenCount += tokens.count
    }

    /// Adds a token that the model wrote behind the latest chunk.
    mutating func append(_ token: TokenID) {
        guard !chunks.isEmpty else { return }
        chunks[chunks.count - 1].text.append(token)
        tokenCount += 1
    }
}
