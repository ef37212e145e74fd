import LeapJSON

/// Errors of `/v1/systemone` for both kinds of its clients: `error` as llama-server has it, `detail` as TypeSafe has it.
///
/// Clients of TypeSafe's read `error` first where both are there, so one body suits all.
enum SystemOneError {
    /// The header by which TypeSafe's clients name themselves.
    static let clientHeader = "x-typesafe-sdk"
    /// The members of questions and assets that errors name behind the name of one, which may have dots itself.
    private static let members = ["instructions", "options", "levels", "criteria", "part", "type"]

    /// The error with the status that a client knows it by: 422 for TypeSafe's, whose own servers use it.
    ///
    /// - Parameter headers: those of the request.
    static func error(_ error: any Error, _ headers: [String: String]) -> APIError {
        var error = APIError(error)
        if error.status == 400, headers[clientHeader] != nil { error.status = 422 }
        return error
    }

    /// The error as a document; what is wrong with a request has its place in `detail`.
    static func document(of error: APIError) -> JSONValue {
        guard [400, 422].contains(error.status), var document = error.json.object else { return error.json }
        var words = Substring(error.message)
        if let field = error.parameter, words.hasPrefix(field + ": ") { words = words.dropFirst(field.count + 2) }
        document["detail"] = .array([
            .object([
                "loc": .array(location(of: error.parameter)), "msg": .string(String(words)), "type": "value_error",
            ])
        ])
        return .object(document)
    }

    /// The path of a field in the body.
    static func location(of field: String?) -> [JSONValue] {
        var path: [JSONValue] = ["body"]
        guard var rest = field.map({ Substring($0) }) else { return path }
        // Options of ours are members of the body itself.
        if rest.hasPrefix("options.") { rest = rest.dropFirst("options.".count) }
        let collection = ["questions", "assets"].first { rest.hasPrefix($0 + ".") }
        if let collection {
            rest = rest.dropFirst(collection.count + 1)
            let end = memberStart(in: rest)
            path += [.string(collection), .string(String(rest[..<end]))]
            rest = rest[end...]
        }
        for part in rest.split(separator: ".") {
            let pieces = part.split(separator: "[")
            guard let name = pieces.first else { continue }
            let isCriteria = collection == "questions" && ["options", "levels"].contains(name)
            path.append(isCriteria ? "criteria" : .string(String(name)))
            for index in pieces.dropFirst() {
                path.append(Int64(index.dropLast()).map { JSONValue.integer($0) } ?? .string(String(index.dropLast())))
            }
        }
        return path
    }

    /// The index of the dot in front of a member behind a name; the end where there is none.
    private static func memberStart(in text: Substring) -> Substring.Index {
        for start in text.indices where text[start] == "." {
            let rest = text[text.index(after: start)...]
            for member in members where rest.hasPrefix(member) {
                let next = rest.dropFirst(member.count).first
                if next == nil || next == "." || next == "[" { return start }
            }
        }
        return text.endIndex
    }
}
