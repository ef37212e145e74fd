import LeapJSON

/// A call that a model asks for.
///
/// The app makes it and answers with a `tool` message. A model may name a function that does not exist or give arguments that
/// do not fit; ``issue`` says so, and the call is delivered all the same, so that the app can tell the model.
public struct LeapFunctionCall: Sendable {
    /// The function's name, as the model wrote it.
    public let name: String
    /// What a ``ChatMessage/toolCallId`` refers to; nil if it was never given one.
    public let id: String?
    /// What does not fit the function as it was registered, in one line; nil if everything does.
    public let issue: String?
    /// The arguments in the order the model gave them.
    package let argumentObject: JSONObject

    /// Makes a call.
    ///
    /// Numbers, booleans, strings, nil, arrays and dictionaries keep their JSON types; a value of any other type becomes the
    /// string that describes it.
    public init(name: String, arguments: [String: Any?], id: String? = nil) {
        self.init(name: name, arguments: JSONValue(any: arguments).object ?? [:], id: id)
    }

    /// Makes a call whose arguments are JSON: an object, whose order and numbers are kept.
    ///
    /// - Throws: ``LeapSerializationException`` where the text is no JSON object.
    public init(name: String, argumentsJSON text: String, id: String? = nil) throws {
        do {
            guard let object = try JSONParser.parse(text).object else {
                throw LeapSerializationException("the arguments of '\(name)' are not a JSON object")
            }
            self.init(name: name, arguments: object, id: id)
        } catch let failure as JSONParser.Failure {
            throw LeapSerializationException("the arguments of '\(name)' are not JSON: \(failure)", cause: failure)
        }
    }

    /// Disfavoured, so that an empty literal means the public initialiser.
    @_disfavoredOverload
    package init(name: String, arguments: JSONObject, id: String? = nil, issue: String? = nil) {
        self.name = name
        argumentObject = arguments
        self.id = id
        self.issue = issue
    }

    /// The arguments by name, with their JSON types.
    ///
    /// Integers are `Int`, other numbers `Double`, then `String`, `Bool`, `[Any]` and `[String: Any]`; null is nil, and `NSNull`
    /// inside arrays and dictionaries.
    public var arguments: [String: Any?] {
        var arguments: [String: Any?] = [:]
        for member in argumentObject.members {
            arguments.updateValue(member.value == .null ? nil : member.value.foundationObject, forKey: member.key)
        }
        return arguments
    }

    /// The arguments as a JSON object, in the order the model gave them.
    public var argumentsJSON: String {
        JSONWriter.string(.object(argumentObject))
    }

    /// The same call with an id.
    func with(id: String) -> LeapFunctionCall {
        LeapFunctionCall(name: name, arguments: argumentObject, id: id, issue: issue)
    }

    /// The same call with what does not fit.
    func with(issue: String?) -> LeapFunctionCall {
        LeapFunctionCall(name: name, arguments: argumentObject, id: id, issue: issue)
    }
}

extension LeapFunctionCall: Hashable {
    /// Compares name, arguments and id; the order of arguments makes no difference.
    public static func == (a: LeapFunctionCall, b: LeapFunctionCall) -> Bool {
        a.name == b.name && a.argumentObject == b.argumentObject && a.id == b.id
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(argumentObject)
        hasher.combine(id)
    }
}

extension LeapFunctionCall: CustomStringConvertible {
    /// The call as `name{"argument": value}`.
    public var description: String { name + JSONWriter.string(.object(argumentObject), style: .python) }
}
