import LeapGGUF

/// The tokenizer keys of a file's metadata, with this module's errors.
struct TokenizerMetadata {
    let metadata: GGUFMetadata
    /// True if views into the file may be kept.
    var fileStaysOpen = false

    /// The names of the keys, without their common start.
    enum Key: String {
        case model, pre, tokens, merges, scores
        case tokenTypes = "token_type"
        case charsMap = "precompiled_charsmap"
        case bos = "bos_token_id"
        case eos = "eos_token_id"
        case eot = "eot_token_id"
        case eom = "eom_token_id"
        case unknown = "unknown_token_id"
        case separator = "seperator_token_id"
        case padding = "padding_token_id"
        case mask = "mask_token_id"
        case fillPad = "fim_pad_token_id"
        case fillRepository = "fim_rep_token_id"
        case fillFile = "fim_sep_token_id"
        case addBOS = "add_bos_token"
        case addEOS = "add_eos_token"
        case addSeparator = "add_sep_token"
        case addSpacePrefix = "add_space_prefix"
        case removeExtraWhitespace = "remove_extra_whitespaces"
        case lowercase = "normalizer.lowercase"
        case stripAccents = "normalizer.strip_accents"

        /// The key as files have it.
        var name: String { "tokenizer.ggml.\(rawValue)" }
    }

    func string(_ key: Key) throws -> String? { try typed { try metadata.string(key.name) } }
    func bool(_ key: Key) throws -> Bool? { try typed { try metadata.bool(key.name) } }
    func uint(_ key: Key) throws -> UInt64? { try typed { try metadata.uint(key.name) } }
    func strings(_ key: Key) throws -> GGUFStringArray? { try typed { try metadata.strings(key.name) } }
    func ints(_ key: Key) throws -> [Int64]? { try typed { try metadata.ints(key.name) } }
    func codes(_ key: Key) throws -> [UInt8]? { try typed { try metadata.codes(key.name) } }
    func floats(_ key: Key) throws -> [Float]? { try typed { try metadata.floats(key.name) } }

    /// `general.name`, or nothing.
    var modelName: String { (try? metadata.string("general.name")) ?? "" }
    /// `general.architecture`, or nothing.
    var architecture: String { (try? metadata.string("general.architecture")) ?? "" }

    /// The value at `key`.
    ///
    /// - Throws: ``TokenizerError`` with `missingKey` if there is none.
    func required<T>(_ key: Key, _ value: T?) throws -> T {
        guard let value else {
            throw TokenizerError(
                .missingKey, field: key.name,
                message:
                    "\(place)metadata key '\(key.name)' is missing, but the tokenizer needs it. The "
                    + "file has no usable vocabulary: convert the model again or use another file.")
        }
        return value
    }

    /// An error about `key`.
    func invalid(_ key: Key, _ problem: String) -> TokenizerError {
        TokenizerError(
            .invalidMetadata, field: key.name,
            message:
                "\(place)metadata key '\(key.name)' \(problem). The model was not converted correctly: convert it again "
                + "or use another file.")
    }

    private var place: String { metadata.path.map { "\($0): " } ?? "" }

    private func typed<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as GGUFError {
            throw TokenizerError(.invalidMetadata, field: error.field, message: "\(error)")
        }
    }
}
