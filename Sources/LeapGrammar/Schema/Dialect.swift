/// The set of keywords of a schema: those of a draft, or of the vocabularies that its meta-schema names.
struct Dialect: Hashable, Sendable {
    enum Draft: Int, Comparable, CaseIterable {
        case draft4, draft6, draft7, draft2019, draft2020

        static func < (a: Draft, b: Draft) -> Bool { a.rawValue < b.rawValue }

        var name: String {
            switch self {
            case .draft4: "draft-04"
            case .draft6: "draft-06"
            case .draft7: "draft-07"
            case .draft2019: "2019-09"
            case .draft2020: "2020-12"
            }
        }
    }

    /// Parts of a draft that a meta-schema can leave out (from 2019-09 on).
    struct Vocabulary: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let core = Vocabulary(rawValue: 1)
        static let applicator = Vocabulary(rawValue: 2)
        static let unevaluated = Vocabulary(rawValue: 4)
        static let validation = Vocabulary(rawValue: 8)
        static let metaData = Vocabulary(rawValue: 16)
        static let format = Vocabulary(rawValue: 32)
        static let content = Vocabulary(rawValue: 64)
        static let all = Vocabulary(rawValue: 127)
    }

    var draft: Draft
    var vocabularies = Vocabulary.all
    /// False without `$schema`: then older spellings that mean nothing else in 2020-12 are read as well.
    var isStated = true

    /// Draft 3 is read as far as draft 4 kept it; what draft 4 gave up is refused where it stands.
    var isDraft3 = false

    /// The dialect of a schema without `$schema`.
    static let unstated = Dialect(draft: .draft2020, isStated: false)

    var name: String { isDraft3 ? "draft-03" : draft.name }

    /// The keyword that gives a schema its address.
    var identifier: String { draft == .draft4 ? "id" : "$id" }

    /// True if `$ref` makes everything next to it meaningless.
    var referenceStandsAlone: Bool { draft <= .draft7 }

    /// A keyword of this dialect; nil for what it does not know.
    func keyword(_ name: String) -> SchemaKeyword? {
        guard let found = SchemaKeyword.byDraft[draft.rawValue][name] else {
            return isStated ? nil : SchemaKeyword.olderSpellings[name]
        }
        guard vocabularies.contains(found.vocabulary) else { return nil }
        return isStated ? found : SchemaKeyword.olderSpellings[name] ?? found
    }
}

/// One keyword of some drafts: the table of all there are.
struct SchemaKeyword: Sendable {
    /// The content of a keyword's value.
    enum Content: Sendable {
        case schema, schemaOrBoolean, schemaOrSchemas
        case schemas
        case schemaMap, patternMap, dependencies
        case boolean, number, positiveNumber, count, countOrZero
        case string, pattern, uri, uriReference, localReference, anchor
        case types, values, names, someNames, nameMap, vocabularies, list
        case anything
    }

    let name: String
    let drafts: ClosedRange<Dialect.Draft>
    let vocabulary: Dialect.Vocabulary
    let content: Content

    private init(
        _ name: String, _ drafts: ClosedRange<Dialect.Draft>, _ vocabulary: Dialect.Vocabulary, _ content: Content
    ) {
        (self.name, self.drafts, self.vocabulary, self.content) = (name, drafts, vocabulary, content)
    }

    private static let always = Dialect.Draft.draft4...Dialect.Draft.draft2020
    private static let from6 = Dialect.Draft.draft6...Dialect.Draft.draft2020
    private static let from7 = Dialect.Draft.draft7...Dialect.Draft.draft2020
    private static let from2019 = Dialect.Draft.draft2019...Dialect.Draft.draft2020
    private static let upTo2019 = Dialect.Draft.draft4...Dialect.Draft.draft2019
    private static let only4 = Dialect.Draft.draft4...Dialect.Draft.draft4
    private static let only2019 = Dialect.Draft.draft2019...Dialect.Draft.draft2019
    private static let only2020 = Dialect.Draft.draft2020...Dialect.Draft.draft2020

    /// Every keyword with the drafts that have it; twice where a draft changed its value.
    static let all: [SchemaKeyword] = core + applicators + validation + annotations

    private static let core = [
        SchemaKeyword("id", only4, .core, .uriReference),
        SchemaKeyword("$id", from6, .core, .uriReference),
        SchemaKeyword("$schema", always, .core, .uri),
        SchemaKeyword("$ref", always, .core, .uriReference),
        SchemaKeyword("$comment", from7, .core, .string),
        SchemaKeyword("definitions", always, .core, .schemaMap),
        SchemaKeyword("$defs", from2019, .core, .schemaMap),
        SchemaKeyword("$anchor", from2019, .core, .anchor),
        SchemaKeyword("$vocabulary", from2019, .core, .vocabularies),
        SchemaKeyword("$recursiveRef", only2019, .core, .localReference),
        SchemaKeyword("$recursiveAnchor", only2019, .core, .boolean),
        SchemaKeyword("$dynamicRef", only2020, .core, .uriReference),
        SchemaKeyword("$dynamicAnchor", only2020, .core, .anchor),
    ]

    private static let applicators = [
        SchemaKeyword("allOf", always, .applicator, .schemas),
        SchemaKeyword("anyOf", always, .applicator, .schemas),
        SchemaKeyword("oneOf", always, .applicator, .schemas),
        SchemaKeyword("not", always, .applicator, .schema),
        SchemaKeyword("if", from7, .applicator, .schema),
        SchemaKeyword("then", from7, .applicator, .schema),
        SchemaKeyword("else", from7, .applicator, .schema),
        SchemaKeyword("items", upTo2019, .applicator, .schemaOrSchemas),
        SchemaKeyword("items", only2020, .applicator, .schema),
        SchemaKeyword("prefixItems", only2020, .applicator, .schemas),
        SchemaKeyword("additionalItems", only4, .applicator, .schemaOrBoolean),
        SchemaKeyword("additionalItems", .draft6 ... .draft2019, .applicator, .schema),
        SchemaKeyword("contains", from6, .applicator, .schema),
        SchemaKeyword("properties", always, .applicator, .schemaMap),
        SchemaKeyword("patternProperties", always, .applicator, .patternMap),
        SchemaKeyword("additionalProperties", only4, .applicator, .schemaOrBoolean),
        SchemaKeyword("additionalProperties", from6, .applicator, .schema),
        SchemaKeyword("propertyNames", from6, .applicator, .schema),
        SchemaKeyword("dependencies", .draft4 ... .draft7, .applicator, .dependencies),
        SchemaKeyword("dependentSchemas", from2019, .applicator, .schemaMap),
        SchemaKeyword("unevaluatedItems", only2019, .applicator, .schema),
        SchemaKeyword("unevaluatedItems", only2020, .unevaluated, .schema),
        SchemaKeyword("unevaluatedProperties", only2019, .applicator, .schema),
        SchemaKeyword("unevaluatedProperties", only2020, .unevaluated, .schema),
    ]

    private static let validation = [
        SchemaKeyword("type", always, .validation, .types),
        SchemaKeyword("enum", always, .validation, .values),
        SchemaKeyword("const", from6, .validation, .anything),
        SchemaKeyword("multipleOf", always, .validation, .positiveNumber),
        SchemaKeyword("maximum", always, .validation, .number),
        SchemaKeyword("exclusiveMaximum", only4, .validation, .boolean),
        SchemaKeyword("exclusiveMaximum", from6, .validation, .number),
        SchemaKeyword("minimum", always, .validation, .number),
        SchemaKeyword("exclusiveMinimum", only4, .validation, .boolean),
        SchemaKeyword("exclusiveMinimum", from6, .validation, .number),
        SchemaKeyword("maxLength", always, .validation, .count),
        SchemaKeyword("minLength", always, .validation, .countOrZero),
        SchemaKeyword("pattern", always, .validation, .pattern),
        SchemaKeyword("maxItems", always, .validation, .count),
        SchemaKeyword("minItems", always, .validation, .countOrZero),
        SchemaKeyword("uniqueItems", always, .validation, .boolean),
        SchemaKeyword("maxContains", from2019, .validation, .count),
        SchemaKeyword("minContains", from2019, .validation, .count),
        SchemaKeyword("maxProperties", always, .validation, .count),
        SchemaKeyword("minProperties", always, .validation, .countOrZero),
        SchemaKeyword("required", only4, .validation, .someNames),
        SchemaKeyword("required", from6, .validation, .names),
        SchemaKeyword("dependentRequired", from2019, .validation, .nameMap),
        SchemaKeyword("format", always, .format, .string),
    ]

    private static let annotations = [
        SchemaKeyword("title", always, .metaData, .string),
        SchemaKeyword("description", always, .metaData, .string),
        SchemaKeyword("default", always, .metaData, .anything),
        SchemaKeyword("examples", from6, .metaData, .list),
        SchemaKeyword("readOnly", from7, .metaData, .boolean),
        SchemaKeyword("writeOnly", from7, .metaData, .boolean),
        SchemaKeyword("deprecated", from2019, .metaData, .boolean),
        SchemaKeyword("contentMediaType", from7, .content, .string),
        SchemaKeyword("contentEncoding", from7, .content, .string),
        SchemaKeyword("contentSchema", from2019, .content, .schema),
    ]

    /// Per draft: its keywords by name.
    static let byDraft: [[String: SchemaKeyword]] = Dialect.Draft.allCases.map { draft in
        var result: [String: SchemaKeyword] = [:]
        for keyword in all where keyword.drafts.contains(draft) { result[keyword.name] = keyword }
        return result
    }

    /// Spellings of earlier drafts that are read where no draft is named.
    static let olderSpellings: [String: SchemaKeyword] = {
        let names: Set<String> = [
            "items", "additionalItems", "dependencies", "$recursiveRef", "$recursiveAnchor",
        ]
        var result: [String: SchemaKeyword] = [:]
        for keyword in all where names.contains(keyword.name) && keyword.drafts.lowerBound < .draft2020 {
            result[keyword.name] = keyword
        }
        return result
    }()

    /// Returns the drafts that have a keyword of that name, in words; nil if it is not a keyword, or where leaving it
    /// out changes nothing about instances.
    static func origin(of name: String) -> String? { origins[name] }

    private static let origins: [String: String] = {
        let silent: Set<String> = ["$comment", "$defs", "definitions", "$vocabulary"]
        var spans: [String: ClosedRange<Dialect.Draft>] = [:]
        for keyword in all where !silent.contains(keyword.name) {
            if keyword.vocabulary == .metaData || keyword.vocabulary == .content { continue }
            let known = spans[keyword.name] ?? keyword.drafts
            let lower = min(known.lowerBound, keyword.drafts.lowerBound)
            spans[keyword.name] = lower...max(known.upperBound, keyword.drafts.upperBound)
        }
        return spans.mapValues { span in
            if span.lowerBound == span.upperBound { return span.lowerBound.name + " alone" }
            if span.upperBound == .draft2020 { return span.lowerBound.name + " and later" }
            return "\(span.lowerBound.name) to \(span.upperBound.name)"
        }
    }()
}
