import LeapBase
import LeapGGUF

/// Reads an architecture's numbers from a file's metadata, each checked against its range before anything is made of
/// it.
package struct HyperparameterReader {
    let metadata: GGUFMetadata
    /// The prefix of the keys, as in `lfm2.block_count`.
    let architecture: String

    /// The names that were asked for.
    private let asked = AskedNames()

    /// The full name of a key, which is then a known one.
    func key(_ name: String) -> String {
        asked.insert(name)
        return "\(architecture).\(name)"
    }

    /// Refuses files with keys of the architecture that nothing has asked for: they may change what is to be computed.
    ///
    /// - Parameter harmless: names that change nothing; one that ends with a dot stands for all that begin with it.
    func refuseUnknown(except harmless: [String]) throws(EngineError) {
        let prefix = "\(architecture)."
        for key in metadata.keys.sorted() where key.hasPrefix(prefix) {
            let name = String(key.dropFirst(prefix.count))
            let isHarmless = harmless.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 }
            guard !isHarmless, !asked.contains(name) else { continue }
            throw EngineError(
                .unsupportedArchitecture,
                "this version does not know the key \(ShownText.of(key)), which may change the model's results: use a newer version",
                field: key)
        }
    }

    private func invalid(_ name: String, _ found: String, _ expected: String) -> EngineError {
        let key = key(name)
        return EngineError(
            .invalidMetadata,
            "\(key) is \(found) but has to be \(expected): the file is damaged or not for this version: get it again, or use a newer release",
            field: key)
    }

    private func missing(_ name: String, _ expected: String) -> EngineError {
        let key = key(name)
        return EngineError(
            .invalidMetadata, "\(key) is missing: an \(architecture) model needs it (\(expected))", field: key)
    }

    /// A whole number within a range, or nil where the key is absent.
    func optionalInt(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = try metadata.uint(key(name)) else { return nil }
        guard let int = Int(exactly: value), range.contains(int) else {
            throw invalid(name, "\(value)", "between \(range.lowerBound) and \(range.upperBound)")
        }
        return int
    }

    /// A whole number within a range.
    func int(_ name: String, in range: ClosedRange<Int>) throws -> Int {
        guard let value = try optionalInt(name, in: range) else {
            throw missing(name, "a number between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// A finite number within a range, or nil where the key is absent.
    func optionalFloat(_ name: String, in range: ClosedRange<Float>) throws -> Float? {
        guard let value = try metadata.float(key(name)).map({ Float($0) }) else { return nil }
        guard range.contains(value) else {
            throw invalid(name, "\(value)", "between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// A finite number within a range.
    func float(_ name: String, in range: ClosedRange<Float>) throws -> Float {
        guard let value = try optionalFloat(name, in: range) else {
            throw missing(name, "a number between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// A flag, or nil where the key is absent.
    func optionalBool(_ name: String) throws -> Bool? { try metadata.bool(key(name)) }

    /// A string, or nil where the key is absent.
    func optionalString(_ name: String) throws -> String? { try metadata.string(key(name)) }

    /// One flag per layer, or nil where the key is absent.
    func optionalFlags(_ name: String, layers: Int) throws -> [Bool]? {
        guard case .array(let array)? = metadata[key(name)] else { return nil }
        guard array.elementType == .bool, let flags = try metadata.bools(key(name)) else {
            return try perLayer(name, layers: layers, in: 0...1).map { $0 == 1 }
        }
        guard flags.count == layers else {
            throw invalid(name, "\(flags.count) flags long", "\(layers) long, one for each layer")
        }
        return flags
    }

    /// One flag per layer.
    func flags(_ name: String, layers: Int) throws -> [Bool] {
        guard let flags = try optionalFlags(name, layers: layers) else {
            guard metadata[key(name)] == nil else {
                throw invalid(name, "one value", "a list of \(layers), one for each layer")
            }
            throw missing(name, "true or false for each of the \(layers) layers")
        }
        return flags
    }

    /// One number per layer: written as a single number for all, or as an array with one for each.
    func perLayer(_ name: String, layers: Int, in range: ClosedRange<Int>) throws -> [Int] {
        let full = key(name)
        guard let value = metadata[full] else {
            throw missing(name, "a number, or one for each of the \(layers) layers")
        }
        guard case .array = value else {
            return [Int](repeating: try int(name, in: range), count: layers)
        }
        guard let values = try metadata.ints(full) else { throw missing(name, "\(layers) numbers") }
        guard values.count == layers else {
            throw invalid(name, "\(values.count) numbers long", "\(layers) long, one for each layer")
        }
        return try values.enumerated().map { index, value in
            guard let int = Int(exactly: value), range.contains(int) else {
                throw invalid(
                    "\(name)[\(index)]", "\(value)", "between \(range.lowerBound) and \(range.upperBound)")
            }
            return int
        }
    }
}

/// The hyperparameters that all decoder architectures have.
struct CommonHyperparameters {
    /// Number of layers that compute the next token; a file may have more after them, which predict tokens after that,
    /// see ``DraftLayers``, or are ``decisionBlocks``.
    let layers: Int
    /// The index of the first block that predicts further tokens; nil where the metadata counts none.
    let draftBlock: Int?
    /// Number of blocks behind the layers that are a decision model's head.
    let decisionBlocks: Int
    /// Length of the vectors between the layers.
    let embedding: Int
    /// The longest sequence that the model was trained on, in tokens.
    let contextLength: Int
    /// Query heads of each layer.
    let heads: [Int]
    /// Key and value heads of each layer; 0 where a layer has no attention.
    let keyValueHeads: [Int]
    /// Elements of one head.
    let headDimension: Int
    /// Inner length of each layer's feed-forward network.
    let feedForward: [Int]
    /// The epsilon of the norms.
    let epsilon: Float

    /// Limits that no model comes near and within which products of any three do not overflow.
    static let lengthRange = 1...(1 << 20)

    /// Reads and checks them.
    ///
    /// - Parameter countsAllBlocks: whether blocks that propose tokens are layers too.
    init(_ reader: HyperparameterReader, countsAllBlocks: Bool = false) throws {
        let blocks = try reader.int("block_count", in: 1...4096)
        let trunk =
            countsAllBlocks
            ? blocks : blocks - (try reader.optionalInt(DraftLayers.countKey, in: 0...(blocks - 1)) ?? 0)
        draftBlock = trunk < blocks ? trunk : nil
        if try reader.maskDecisionType() == nil {
            decisionBlocks = 0
        } else {
            guard trunk > 1 else {
                throw EngineError(
                    .invalidMetadata,
                    "\(reader.key("decision.block_count")) has to be less than the \(trunk) in \(reader.key("block_count")): the head of a decision model needs a layer in front of it; the file was not converted correctly: convert it again",
                    field: reader.key("decision.block_count"))
            }
            decisionBlocks = try reader.int("decision.block_count", in: 1...(trunk - 1))
        }
        layers = trunk - decisionBlocks
        embedding = try reader.int("embedding_length", in: Self.lengthRange)
        contextLength = try reader.int("context_length", in: 1...Int(Int32.max))
        heads = try reader.perLayer("attention.head_count", layers: blocks, in: 1...65536)
        keyValueHeads =
            reader.metadata[reader.key("attention.head_count_kv")] == nil
            ? heads : try reader.perLayer("attention.head_count_kv", layers: blocks, in: 0...65536)
        // Where every layer has experts, files may leave out what a dense layer would have.
        let isSparse =
            reader.metadata[reader.key("feed_forward_length")] == nil
            && reader.metadata[reader.key("expert_feed_forward_length")] != nil
        feedForward =
            isSparse
            ? Array(repeating: 0, count: blocks)
            : try reader.perLayer("feed_forward_length", layers: blocks, in: 0...(1 << 22))
        epsilon =
            try reader.optionalFloat("attention.layer_norm_rms_epsilon", in: 0...1)
            ?? reader.optionalFloat("attention.layer_norm_epsilon", in: 0...1)
            ?? reader.float("attention.layer_norm_rms_epsilon", in: 0...1)
        let key = try reader.optionalInt("attention.key_length", in: 1...AttentionBlock.largestHead)
        let value = try reader.optionalInt("attention.value_length", in: 1...AttentionBlock.largestHead)
        guard key != nil || embedding % heads[0] == 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(heads[0]), which does not divide \(reader.key("embedding_length")) \(embedding), and no head length is given",
                field: reader.key("attention.head_count"))
        }
        let dimension = key ?? embedding / heads[0]
        if let value, value != dimension {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.value_length")) is \(value) but keys have \(dimension) elements: heads whose keys and values differ in length are not supported",
                field: reader.key("attention.value_length"))
        }
        guard (1...AttentionBlock.largestHead).contains(dimension) else {
            throw EngineError(
                .invalidMetadata,
                "a head has \(dimension) elements (\(reader.key("embedding_length")) \(embedding) over \(heads[0]) heads): 1 to \(AttentionBlock.largestHead) are supported",
                field: reader.key("attention.head_count"))
        }
        headDimension = dimension
        for (layer, (q, kv)) in zip(heads, keyValueHeads).enumerated() where kv > 0 && q % kv != 0 {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count_kv")) gives layer \(layer) \(kv) key/value heads for \(q) query heads: the second has to be a multiple of the first",
                field: reader.key("attention.head_count_kv"))
        }
    }
}
