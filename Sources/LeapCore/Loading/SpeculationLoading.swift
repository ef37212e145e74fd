import LeapChat
import LeapEngine
import LeapJSON
package import LeapModel

/// The speculation that a model is loaded for: the value of the key `speculation`.
package struct SpeculationLoading: Sendable, Hashable, Codable {
    /// The method by which generations propose tokens, where their own extras do not say; nil where the extras of
    /// loading do not say either.
    package var mode: Speculation?
    /// `draftModel`: the file of the draft model; nil where there is none.
    package var draftModel: String?

    /// Makes the loading of a model without speculation.
    init() {}

    /// A draft model proposes.
    package init(draftModel: String) {
        mode = .draft
        self.draftModel = draftModel
    }

    /// Returns the method for a model: what was asked for, else that of its layers that predict further tokens.
    ///
    /// - Parameter usesDraftLayers: whether such layers propose tokens where they are asked.
    func mode(usesDraftLayers: Bool) -> Speculation { mode ?? (usesDraftLayers ? .draft : .off) }

    /// Reads the key's value.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names what is at fault.
    init(_ value: JSONValue) throws {
        guard let object = value.object else {
            let mode = try Self.mode(value, "speculation")
            self.mode = mode
            guard mode != .draft else { throw Self.missing }
            return
        }
        for (key, value) in object.members {
            switch key {
            case "mode": mode = try Self.mode(value, "speculation.mode")
            case "draftModel":
                guard let path = value.string, !path.isEmpty else {
                    throw LeapModelLoadingException(
                        "'speculation.draftModel' in the extras is \(value.string == nil ? value.kind : "empty"); expected the path of a GGUF file"
                    )
                }
                draftModel = path
            default:
                throw LeapModelLoadingException(
                    "'speculation.\(key)' in the extras is not known; expected 'mode' or 'draftModel'")
            }
        }
        if object["mode"] == nil {
            guard draftModel != nil else {
                throw LeapModelLoadingException(
                    "'speculation.mode' in the extras is missing; expected 'off', 'lookup' or 'draft'")
            }
            mode = .draft
        }
        guard mode != .draft || draftModel != nil else { throw Self.missing }
    }

    private static func mode(_ value: JSONValue, _ key: String) throws -> Speculation {
        guard let mode = value.string.flatMap(Speculation.init(rawValue:)) else {
            let found = value.string.map { "'\($0)'" } ?? value.kind
            throw LeapModelLoadingException(
                #"'\#(key)' in the extras is \#(found); expected 'off', 'lookup' or {"mode": "draft", "draftModel": PATH}"#
            )
        }
        return mode
    }

    private static let missing = LeapModelLoadingException(
        #"'speculation' in the extras is 'draft' without a draft model; expected {"mode": "draft", "draftModel": PATH}"#
    )
}
