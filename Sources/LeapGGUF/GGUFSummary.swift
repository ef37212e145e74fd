/// A description of a model file in the terms that its user knows: the answer of `leap inspect`.
///
/// Built from header data alone; no weights are read. Fields the file does not have are nil. Nothing throws: a key of
/// the wrong type is left out and named in ``warnings``.
package struct GGUFSummary: Sendable {
    /// The share of the model that is stored in one type.
    package struct TypeShare: Sendable, Equatable {
        /// The type.
        package var type: GGUFTensorType
        /// Tensors of this type.
        package var tensorCount: Int
        /// Their elements.
        package var elementCount: Int
        /// Their bytes; 0 when the type is not known.
        package var byteCount: Int
    }

    /// A description of an adapter.
    package struct Adapter: Sendable, Equatable {
        /// `adapter.type`: "lora".
        package var type: String?
        /// `adapter.lora.alpha`.
        package var alpha: Double?
        /// The ranks of its matrices, each once, in ascending order.
        package var ranks: [Int]
        /// The number of the model's tensors that it changes.
        package var tensorCount: Int
    }

    /// One line of the tensor list.
    package struct TensorLine: Sendable, Equatable {
        /// The name.
        package var name: String
        /// The type in which the elements are stored.
        package var type: GGUFTensorType
        /// The sizes, fastest first.
        package var shape: [Int]
        /// Bytes of the data.
        package var byteCount: Int
        /// The offset of the data in its file.
        package var fileOffset: Int
        /// The index of the file of a split model that has the tensor, from 0.
        package var part: Int
    }

    /// The file as the caller named it.
    package var path: String
    /// Bytes of all files together.
    package var byteCount: Int
    /// The number of files: 1 unless the model is split.
    package var partCount: Int
    /// The GGUF version.
    package var version: UInt32
    /// The boundary tensor data starts on, in bytes.
    package var alignment: Int

    /// `general.architecture`.
    package var architecture: String?
    /// `general.type`: "model", "adapter" and so on.
    package var type: String?
    /// The projector's description of itself; nil for other files.
    package var projector: GGUFProjector?
    /// The contents of a decoder of speech; nil for other files.
    package var speechDecoder: GGUFSpeechDecoder?
    /// A description of how pictures are cut for it; nil where nobody has given one.
    package var pictures: String?
    /// The adapter's description; nil for other files.
    package var adapter: Adapter?
    /// `general.name`.
    package var name: String?
    /// `general.license`.
    package var license: String?
    /// The quantisation by name, from `general.file_type`.
    package var fileType: String?

    /// Elements of all tensors.
    package var parameterCount: Int
    /// The types in use, the one with most bytes first.
    package var types: [TypeShare]
    /// The longest context the model was trained for, in tokens.
    package var contextLength: Int?
    /// The number of layers.
    package var layerCount: Int?
    /// The number of them, the last ones, that predict further tokens; nil where the file counts none.
    package var draftLayerCount: Int?
    /// The width of the residual stream.
    package var embeddingLength: Int?
    /// The width of the feed-forward layers, one number or one per layer.
    package var feedForwardLengths: [Int]
    /// Attention heads, one number or one per layer.
    package var headCounts: [Int]
    /// Key-value heads, one number or one per layer; a layer with 0 has no attention.
    package var keyValueHeadCounts: [Int]
    /// Experts of a mixture-of-experts model.
    package var expertCount: Int?
    /// Experts that work on one token.
    package var expertUsedCount: Int?

    /// `tokenizer.ggml.model`: the kind of tokenizer.
    package var tokenizerModel: String?
    /// `tokenizer.ggml.pre`: how text is split before it.
    package var tokenizerPre: String?
    /// Tokens in the vocabulary.
    package var vocabularySize: Int?
    /// Entries of the merge list.
    package var mergeCount: Int?
    /// Bytes of the chat template; nil where there is none.
    package var chatTemplateByteCount: Int?
    /// Names of further chat templates.
    package var chatTemplateNames: [String]
    /// The type of a decision model, `A.decision.type`; nil for other models.
    package var decisionType: String?

    /// Every metadata pair, in file order.
    package var metadata: [(key: String, value: GGUFValue)]
    /// Every tensor, in file order.
    package var tensors: [TensorLine]
    /// Oddities of the file: keys of a wrong type, types this package has no layout for.
    package var warnings: [String]

    /// Summarises an open file.
    package init(_ file: GGUFFile) {
        self.init(
            path: file.path, byteCount: file.byteCount, partCount: file.partPaths.count, version: file.version,
            alignment: file.alignment, metadata: file.metadata, tensors: file.tensors)
    }

    private init(
        path: String, byteCount: Int, partCount: Int, version: UInt32, alignment: Int, metadata: GGUFMetadata,
        tensors: GGUFTensors
    ) {
        var keys = LenientKeys(metadata: metadata)
        self.path = path
        self.byteCount = byteCount
        self.partCount = partCount
        self.version = version
        self.alignment = alignment
        let architecture = keys.string("general.architecture")
        self.architecture = architecture
        type = keys.string("general.type")
        name = keys.string("general.name")
        license = keys.string("general.license")
        fileType = keys.integer("general.file_type").map { GGUFFileType.name(of: $0) }

        // A projector's layers are those of its tower.
        let described = GGUFProjector(metadata)
        let prefix =
            described.map { GGUFProjector.keyPrefix(hasVision: $0.hasVision, hasAudio: $0.hasAudio) } ?? architecture
            ?? "unknown"
        contextLength = keys.integer("\(prefix).context_length")
        layerCount = keys.integer("\(prefix).block_count")
        draftLayerCount = keys.integer("\(prefix).nextn_predict_layers").flatMap { $0 > 0 ? $0 : nil }
        embeddingLength = keys.integer("\(prefix).embedding_length")
        // Encoders of sound are published with a number there that is not theirs.
        feedForwardLengths =
            prefix == "clip.audio" ? [] : keys.integers("\(prefix).feed_forward_length")
        headCounts = keys.integers("\(prefix).attention.head_count")
        keyValueHeadCounts = keys.integers("\(prefix).attention.head_count_kv")
        expertCount = keys.integer("\(prefix).expert_count")
        expertUsedCount = keys.integer("\(prefix).expert_used_count")

        tokenizerModel = keys.string("tokenizer.ggml.model")
        tokenizerPre = keys.string("tokenizer.ggml.pre")
        vocabularySize =
            keys.strings("tokenizer.ggml.tokens")?.count ?? keys.integer("\(prefix).vocab_size")
        mergeCount = keys.strings("tokenizer.ggml.merges")?.count
        chatTemplateByteCount = keys.string("tokenizer.chat_template")?.utf8.count
        chatTemplateNames = keys.strings("tokenizer.chat_templates").map(Array.init) ?? []
        decisionType = keys.string("\(prefix).decision.type")

        (self.tensors, types) = Self.list(tensors)
        parameterCount = types.reduce(0) { $0.saturatingAdd($1.elementCount) }
        if type == "adapter" { adapter = Self.adapter(&keys, tensors) }
        projector = described
        speechDecoder = GGUFSpeechDecoder(self.tensors.lazy.map { ($0.name, $0.shape) })
        self.metadata = metadata.pairs
        warnings = keys.warnings
        for share in types where !share.type.isKnown {
            warnings.append("\(share.tensorCount) tensors are stored as \(share.type), which has no known layout")
        }
        if architecture == nil { warnings.append("'general.architecture' is missing: no engine can run this file") }
    }

    /// The tensor list, and the types in use, the one with most bytes first.
    private static func list(_ tensors: GGUFTensors) -> (lines: [TensorLine], types: [TypeShare]) {
        var shares: [GGUFTensorType: TypeShare] = [:]
        let lines = tensors.map { tensor in
            var share =
                shares[tensor.type] ?? TypeShare(type: tensor.type, tensorCount: 0, elementCount: 0, byteCount: 0)
            share.tensorCount += 1
            // A tensor of unknown type may claim any shape: sums saturate.
            share.elementCount = share.elementCount.saturatingAdd(tensor.elementCount)
            share.byteCount = share.byteCount.saturatingAdd(tensor.byteCount)
            shares[tensor.type] = share
            return TensorLine(
                name: tensor.name, type: tensor.type, shape: tensor.shape, byteCount: tensor.byteCount,
                fileOffset: tensor.fileOffset, part: tensor.part)
        }
        let types = shares.values.sorted { ($0.byteCount, $0.type.rawValue) > ($1.byteCount, $1.type.rawValue) }
        return (lines, types)
    }

    private static func adapter(_ keys: inout LenientKeys, _ tensors: GGUFTensors) -> Adapter {
        let halves = tensors.filter { $0.name.hasSuffix(".lora_b") }
        return Adapter(
            type: keys.string("adapter.type"), alpha: keys.number("adapter.lora.alpha"),
            ranks: Set(halves.map(\.rowElementCount)).sorted(), tensorCount: halves.count)
    }
}

/// Reads keys for a summary: what has the wrong type becomes a warning.
private struct LenientKeys {
    var metadata: GGUFMetadata
    var warnings: [String] = []

    mutating func string(_ key: String) -> String? { attempt { try $0.string(key) } }
    mutating func strings(_ key: String) -> GGUFStringArray? { attempt { try $0.strings(key) } }
    mutating func number(_ key: String) -> Double? {
        attempt { try $0.float(key).flatMap { $0.isFinite ? Double($0) : nil } }
    }
    mutating func integer(_ key: String) -> Int? { attempt { try $0.uint(key).map { Int(clamping: $0) } } }

    /// One integer, or an array of them.
    mutating func integers(_ key: String) -> [Int] {
        if case .array? = metadata[key] {
            return attempt { try $0.ints(key)?.map { Int($0) } } ?? []
        }
        return integer(key).map { [$0] } ?? []
    }

    private mutating func attempt<T>(_ read: (GGUFMetadata) throws -> T?) -> T? {
        do {
            return try read(metadata)
        } catch {
            warnings.append((error as? GGUFError)?.message ?? "\(error)")
            return nil
        }
    }
}

extension Int {
    fileprivate func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
