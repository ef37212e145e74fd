import LeapBase
package import LeapGGUF

/// The method by which a model answers questions, as its file says.
package struct DecisionMethod: Sendable, Hashable {
    /// The type of the model.
    package var type: DecisionModelType
    /// The template of a question's prompt.
    package var template: String
    /// The temperatures by question, or by question and bucket: `choice`, `choice.3_5`.
    package var temperatures: [String: Double]
    /// The tokens around the parts of prompts; nil for types without masks.
    package var layout: MaskLayout?

    /// The metadata key of the template.
    package static let templateKey = "tokenizer.chat_template.systemone"

    package init(type: DecisionModelType, template: String, temperatures: [String: Double] = [:]) {
        self.type = type
        self.template = template
        self.temperatures = temperatures
    }

    /// The names below `A.decision.` that are read; those of mask scores are the head's.
    private static let known: Set<String> = ["type", "block_count", "max_head_tokens"]

    /// Reads the method of a file; nil where the file is no decision model.
    ///
    /// - Throws: `GGUFError` for a value of another type; ``EngineError`` for a type, key or temperature that is not
    ///   known, and for keys of decisions without a type.
    package init?(_ metadata: GGUFMetadata, architecture: String) throws {
        let prefix = "\(architecture).decision."
        guard let name = try metadata.string(prefix + "type") else {
            guard let key = metadata.keys.sorted().first(where: { $0.hasPrefix(prefix) }) else { return nil }
            throw EngineError(
                .invalidMetadata,
                "\(prefix)type is missing: the key \(ShownText.of(key)) needs it; the file was not converted correctly: convert it again",
                field: prefix + "type")
        }
        guard let type = DecisionModelType(rawValue: name) else {
            let list = DecisionModelType.allCases.map(\.rawValue).joined(separator: ", ")
            let found =
                DecisionModelType.unread.contains(name)
                ? "decision models of the type \"\(name)\" are not read yet"
                : "the type of decision model \"\(ShownText.of(name))\" is not known"
            throw EngineError(
                .unsupportedArchitecture, "\(prefix)type: \(found): this version reads \(list)",
                field: prefix + "type")
        }
        var temperatures: [String: Double] = [:]
        for key in metadata.keys.sorted() where key.hasPrefix(prefix) {
            let rest = String(key.dropFirst(prefix.count))
            if rest.hasPrefix("temperature.") {
                temperatures[String(rest.dropFirst("temperature.".count))] = try Self.temperature(key, metadata)
            } else if !Self.known.contains(rest) {
                throw EngineError(
                    .unsupportedArchitecture,
                    "this version does not know the key \(ShownText.of(key)), which may change the model's answers: use a newer version",
                    field: key)
            }
        }
        guard let template = try metadata.string(Self.templateKey) else {
            throw EngineError(
                .invalidMetadata,
                "\(Self.templateKey) is missing: a decision model (\(prefix)type is \"\(name)\") needs the template of its prompts",
                field: Self.templateKey)
        }
        self.init(type: type, template: template, temperatures: temperatures)
    }

    /// A temperature, which some converters write as text.
    private static func temperature(_ key: String, _ metadata: GGUFMetadata) throws -> Double {
        let text = if case .string(let text)? = metadata[key] { text.string } else { nil as String? }
        let value = try text.map { Double($0) } ?? metadata.float(key).map { Double($0) }
        guard let value, value.isFinite, value > 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(ShownText.of(key)) is \(ShownText.of(text ?? value.map { "\($0)" } ?? "no number")) but has to be a number above 0: the file was not converted correctly; convert it again",
                field: key)
        }
        return value
    }
}
