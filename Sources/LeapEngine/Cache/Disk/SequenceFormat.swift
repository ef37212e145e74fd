package import LeapBase
import LeapCompute
import LeapModel
package import LeapTokenizer

/// The state of a sequence outside of an engine.
package struct SequenceSnapshot: Sendable {
    /// The tokens whose state it is.
    package let tokens: [TokenID]
    /// The key of the adapters that they were computed with; nil without adapters.
    package let adapters: StableHash?
    let prefix: SharedPrefix
}

/// The form of states of sequences in a file: the pages of the cache on disk, one behind the other.
///
/// A state is of use only where the same model computes with the same instruction set, type of keys and values and
/// rotation of positions; the same tokens then give the same bits.
package struct SequenceFormat: Sendable {
    /// The reason why a state could not be read.
    package enum Failure: String, CodedError {
        /// The bytes are not what they should be.
        case damaged
        /// The file cannot be read, or there is no memory for the state.
        case unavailable

        package var code: Failure { self }
        package var message: String {
            self == .damaged ? "it is damaged" : "it cannot be read, or there is no memory for it"
        }
    }

    private let file: PageFile
    /// Stands for the model: a copy of its file has the same.
    package let model: StableHash
    /// The instruction set that computes here.
    package let instructionSet: String
    /// The type of keys and values.
    package let keyValueType: String
    /// The maximum number of tokens of a sequence.
    package let contextSize: Int

    init(model: Model, memory: any StateMemory, contextSize: Int) {
        self.model = WeightIdentity.of(model)
        instructionSet = memory.arithmetic
        keyValueType = memory.keyValueType.rawValue
        self.contextSize = contextSize
        file = PageFile(memory: memory, identity: ModelIdentity.ofState(model, memory, contextSize: contextSize))
    }

    /// Stands for everything that a state depends on.
    package var identity: StableHash { file.identity }

    private func names(_ tokens: [TokenID], _ adapters: StableHash?) -> [PageName] {
        PageName.chain(of: tokens[...], after: file.root(adapters))
    }

    /// Bytes that the state of a sequence takes in a file.
    package func byteCount(tokenCount: Int) -> Int {
        guard tokenCount > 0 else { return 0 }
        let full = (tokenCount - 1) / StatePage.length
        let rest = tokenCount - full * StatePage.length
        let none = StableHash()
        let page = PageName(after: none, ArraySlice(repeating: 0, count: StatePage.length))
        let last = PageName(after: none, ArraySlice(repeating: 0, count: rest))
        return full * file.byteCount(page, end: StatePage.length, hasTail: false)
            + file.byteCount(last, end: tokenCount, hasTail: true)
    }

    /// Writes a state.
    package func write(_ snapshot: SequenceSnapshot, to publication: FilePublication) throws {
        let match = snapshot.prefix.match
        var start = 0
        for (name, page) in zip(names(snapshot.tokens, snapshot.adapters), match.pages) {
            let end = start + name.length
            let inputs = end == match.count && file.needsTail(name) ? match.tail : nil
            try file.withParts(
                name, snapshot.tokens[start..<end], end: end, PageFile.Contents(page: page, inputs: inputs)
            ) {
                for part in $0 { try publication.append(part) }
            }
            start = end
        }
    }

    /// Reads the state of a sequence.
    ///
    /// - Parameters:
    ///   - tokens: at most as many as the context holds.
    ///   - adapters: the key of the adapters that they were computed with.
    ///   - offset: where it begins in the file.
    package func read(
        _ tokens: [TokenID], adapters: StableHash?, from source: OpenFile, at offset: Int
    ) throws(Failure) -> SequenceSnapshot {
        var match = SharedState()
        var offset = offset
        for name in names(tokens, adapters) {
            let end = match.count + name.length
            let isLast = end == tokens.count
            switch file.read(name, tokens[match.count..<end], end: end, hasTail: isLast, from: source, at: offset) {
            case .found(let contents):
                match.pages.append(contents.page)
                match.tail = contents.inputs
            case .missing, .damaged: throw .damaged
            case .unavailable: throw .unavailable
            }
            match.count = end
            offset += file.byteCount(name, end: end, hasTail: isLast)
        }
        return SequenceSnapshot(tokens: tokens, adapters: adapters, prefix: SharedPrefix(match))
    }
}
