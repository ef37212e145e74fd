import LeapCompute
import LeapModel
import LeapTokenizer

/// Rows of a batch that are computed with the same adapters.
struct AdaptedRows {
    let adapters: AdapterSet
    /// In ascending order.
    fileprivate(set) var rows: [Int32] = []
}

/// The tokens of a pass as rows: which sequence each belongs to, and where it stands in it.
struct Batch {
    /// The sequences and their tokens, in the order of the rows.
    private(set) var segments: [BatchSegment] = []
    /// The position of each row in its sequence.
    private(set) var positions: [Int32] = []
    /// The three numbers of each row's ``RotaryPosition``; none where no layer tells rows and columns apart.
    private(set) var rotaryPositions: [Int32] = []
    /// For each row the last position of the picture that it belongs to, or its own; none where no layer asks for it.
    private(set) var imageEnds: [Int32] = []
    /// The segment of each row.
    private var owners: [Int] = []
    /// The rows that logits are wanted for.
    private var wanted: [Int] = []
    /// The rows that have adapters.
    private(set) var adapted: [AdaptedRows] = []
    /// True if the sequences' adapters are of the layers that run.
    ///
    /// Adapters find matrices by their place in the model's file, where layers of another file may have others.
    var isAdapted = true {
        didSet { if isAdapted != oldValue { findAdapted() } }
    }

    /// The number of rows.
    var count: Int { positions.count }

    /// The token of each row as the batch began; 0 where a vector comes in.
    var tokens: [TokenID] {
        segments.flatMap { segment -> [TokenID] in
            switch segment.inputs {
            case .tokens(let tokens, _): Array(tokens)
            case .vectors(let count, _): [TokenID](repeating: 0, count: count)
            }
        }
    }

    /// The sequence that a row belongs to.
    func sequence(of row: Int) -> SequenceState { segments[owners[row]].sequence }

    /// The position of the last token that comes in with a row's sequence.
    func lastPosition(of row: Int) -> Int {
        let segment = segments[owners[row]]
        return segment.sequence.count + segment.count - 1
    }

    /// The number of positions at the beginning of a row's text that see each other only.
    func mediaCount(of row: Int) -> Int { segments[owners[row]].mediaCount }

    /// Returns the vectors that come in at a row in place of a token; nil for a token.
    func vectors(of row: Int) -> (any InputVectors)? {
        let segment = segments[owners[row]]
        switch segment.inputs {
        case .vectors(_, let vectors): return vectors
        case .tokens(let tokens, let vectors):
            return tokens[tokens.startIndex + Int(positions[row]) - segment.sequence.count] < 0 ? vectors : nil
        }
    }

    /// Starts over with other segments; their tokens follow those that the sequences hold.
    ///
    /// - Parameters:
    ///   - isRotary: whether ``rotaryPositions`` are wanted.
    ///   - findsImages: whether ``imageEnds`` are wanted.
    ///   - isAdapted: see ``isAdapted``.
    mutating func begin(
        _ segments: [BatchSegment], isRotary: Bool = false, findsImages: Bool = false, isAdapted: Bool = true
    ) {
        self.segments = segments
        positions.removeAll(keepingCapacity: true)
        owners.removeAll(keepingCapacity: true)
        wanted.removeAll(keepingCapacity: true)
        for (owner, segment) in segments.enumerated() {
            for index in segment.wantedIndices { wanted.append(positions.count + index) }
            for index in 0..<segment.count {
                positions.append(Int32(segment.sequence.count + segment.offset + index))
                owners.append(owner)
            }
        }
        rotaryPositions.removeAll(keepingCapacity: true)
        if isRotary { for segment in segments { addRotaryPositions(of: segment) } }
        imageEnds.removeAll(keepingCapacity: true)
        if findsImages { for segment in segments { addImageEnds(of: segment) } }
        self.isAdapted = isAdapted
        findAdapted()
    }

    /// A picture is a run of vectors in place of tokens: tokens stand between two pictures, or the second begins a grid.
    ///
    /// Each place of a sound begins one, so sounds are seen from behind only.
    private mutating func addImageEnds(of segment: BatchSegment) {
        let first = imageEnds.count
        imageEnds += positions[first..<first + segment.count]
        guard case .tokens(let tokens, _) = segment.inputs else { return }
        for (index, token) in tokens.enumerated().reversed().dropFirst() {
            let next = tokens[tokens.startIndex + index + 1]
            if token < 0, next < 0, PlaceToken.step(of: next) != .grid {
                imageEnds[first + index] = imageEnds[first + index + 1]
            }
        }
    }

    private mutating func addRotaryPositions(of segment: BatchSegment) {
        func add(_ position: RotaryPosition) { rotaryPositions += [position.time, position.row, position.column] }
        switch segment.inputs {
        case .tokens(let tokens, _):
            var track = segment.sequence.rotary
            for _ in 0..<max(segment.offset, 0) { _ = track.advance(0) }
            for token in tokens { add(track.advance(token)) }
        case .vectors(let count, let vectors):
            for index in 0..<count { add(vectors.rotaryPosition(at: segment.sequence.count + index)) }
        }
    }

    private mutating func findAdapted() {
        adapted.removeAll(keepingCapacity: true)
        guard isAdapted, segments.contains(where: { !$0.sequence.adapters.isEmpty }) else { return }
        for (row, owner) in owners.enumerated() {
            let adapters = segments[owner].sequence.adapters
            guard !adapters.isEmpty else { continue }
            let group = adapted.firstIndex { $0.adapters.key == adapters.key }
            if group == nil { adapted.append(AdaptedRows(adapters: adapters)) }
            adapted[group ?? adapted.count - 1].rows.append(Int32(row))
        }
    }

    /// Leaves out the rows that no logits are wanted for.
    ///
    /// - Returns: the indices that the rows which stay had before, in ascending order; nil if all of them stay.
    mutating func keepWanted() -> [Int]? {
        guard wanted.count < count else { return nil }
        positions = wanted.map { positions[$0] }
        if !rotaryPositions.isEmpty { rotaryPositions = wanted.flatMap { rotaryPositions[3 * $0..<3 * $0 + 3] } }
        if !imageEnds.isEmpty { imageEnds = wanted.map { imageEnds[$0] } }
        owners = wanted.map { owners[$0] }
        findAdapted()
        return wanted
    }

    /// Forgets the segments, and with them the sequences and adapters.
    mutating func end() {
        segments.removeAll(keepingCapacity: true)
        adapted.removeAll(keepingCapacity: true)
    }
}
