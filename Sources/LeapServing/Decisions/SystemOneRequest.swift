import LeapBase
import LeapChat
import LeapJSON

/// A request of `POST /v1/systemone`, as TypeSafe's API and llama-server have it.
struct SystemOneRequest: Sendable {
    let order: DecisionOrder

    /// Reads a body: JSON, or a form with it in the part `request`.
    ///
    /// - Throws: ``APIError`` or ``LeapDecisionException`` that names the field at fault.
    init(_ body: RequestBody, contentType: String?) throws {
        guard HeaderParameters.parse(contentType ?? "").0 == "multipart/form-data" else {
            try self.init(try body.members(), parts: [])
            return
        }
        let form = try MultipartForm(body.bytes, contentType: contentType)
        guard let first = form.parts.first(where: { $0.name == "request" }) else {
            throw APIError.invalid("the form has no part 'request', which holds the questions as JSON", "request")
        }
        try self.init(
            try RequestBody(Array(first.bytes)).members(), parts: form.parts.filter { $0.name != "request" })
    }

    private init(_ members: JSONObject, parts: [MultipartForm.Part]) throws {
        var fields = RequestFields(members)
        let model = try fields.string("model")
        guard members["state"] != nil else {
            throw LeapDecisionException(field: "state", "must be provided, as a string, an object or an array")
        }
        var media = SystemOneMedia()
        var questions = fields.value("questions")
        var state = media.taken(from: try Self.state(fields.value("state")))
        try media.addFiles(&fields)
        try media.addAssets(&fields, parts: parts, to: &state, &questions)
        let content: DecisionState.Content =
            switch state {
            case .null: .none
            case .string(let text): .text(text)
            default: .json(state)
            }
        order = DecisionOrder(
            model: model, questions: try Question.list(systemOne: questions),
            state: DecisionState(content, media: try media.parts()), mediaPlaces: media.places,
            options: try DecisionOrder.options(&fields), ignored: fields.ignored)
    }

    /// A state that is text, an object, an array or nothing.
    private static func state(_ value: JSONValue?) throws -> JSONValue {
        switch value ?? .null {
        case .bool, .number:
            throw LeapDecisionException(
                field: "state", "is \((value ?? .null).kind); expected a string, an object or an array")
        case let state: return state
        }
    }
}
