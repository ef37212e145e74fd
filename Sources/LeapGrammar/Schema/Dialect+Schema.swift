import LeapJSON

/// The dialects that `$schema` names.
extension Dialect {
    /// The dialect of a standard meta-schema's address; nil where it is none.
    ///
    /// Addresses are taken with `http` and `https`, with and without the empty fragment, and for the hyper-schemas,
    /// which say the same about instances. Draft 5 has draft 4's keywords.
    init?(standard uri: String) {
        var address = Substring(URIReference.split(uri).address)
        for prefix in ["https://", "http://"] where address.hasPrefix(prefix) { address.removeFirst(prefix.count) }
        guard address.hasPrefix("json-schema.org/") else { return nil }
        for (path, draft) in Self.paths where address.contains(path) {
            self.init(draft: draft)
            isDraft3 = path == Self.draft3
            return
        }
        guard ["schema", "hyper-schema"].contains(address.split(separator: "/").dropFirst().joined(separator: "/"))
        else { return nil }
        self = .unstated
    }

    private static let draft3 = "/draft-03/"
    private static let paths: [(String, Draft)] = [
        (draft3, .draft4), ("/draft-04/", .draft4), ("/draft-05/", .draft4), ("/draft-06/", .draft6),
        ("/draft-07/", .draft7), ("/2019-09/", .draft2019), ("/2020-12/", .draft2020),
    ]

    /// The dialect of a meta-schema that stands in the document.
    ///
    /// - Throws: ``GrammarError`` without a place, where it demands a vocabulary that is not known.
    init(metaSchema: JSONObject) throws(GrammarError) {
        let own = metaSchema["$schema"]?.string.flatMap { Dialect(standard: $0) } ?? .unstated
        guard let entries = metaSchema["$vocabulary"]?.object else {
            self = own
            return
        }
        var draft = own.draft
        var vocabularies = Vocabulary.core
        for (uri, isRequired) in entries.members {
            guard let (itsDraft, vocabulary) = Self.vocabulary(uri) else {
                if isRequired.bool == false { continue }
                throw GrammarError(
                    .unsupported, "the meta-schema requires the unknown vocabulary \"\(uri)\"; relax $schema"
                )
            }
            if vocabulary == .core { draft = itsDraft }
            vocabularies.insert(vocabulary)
        }
        self.init(draft: draft, vocabularies: vocabularies)
    }

    private static func vocabulary(_ uri: String) -> (Draft, Vocabulary)? {
        for draft in [Draft.draft2019, .draft2020] {
            let prefix = "https://json-schema.org/draft/\(draft.name)/vocab/"
            guard uri.hasPrefix(prefix) else { continue }
            switch String(uri.dropFirst(prefix.count)) {
            case "core": return (draft, .core)
            case "applicator": return (draft, .applicator)
            case "unevaluated" where draft == .draft2020: return (draft, .unevaluated)
            case "validation": return (draft, .validation)
            case "meta-data": return (draft, .metaData)
            case "format" where draft == .draft2019: return (draft, .format)
            case "format-annotation" where draft == .draft2020: return (draft, .format)
            case "format-assertion" where draft == .draft2020: return (draft, .format)
            case "content": return (draft, .content)
            default: return nil
            }
        }
        return nil
    }
}
