package import LeapJSON

/// A function call that a model requests.
///
/// The app runs the function and answers with a `tool` message. A model can name a function that does not exist, or
/// give arguments that do not match its parameters. The call is delivered with the reason in ``issue``, so that the app
/// can tell the model.
public struct LeapFunctionCall: Sendable {
    /// The function's name, as the model wrote it.
    public let name: String
    /// The identifier that a ``ChatMessage/toolCallId`` refers to; nil if the call has none.
    public let id: String?
    /// The reason, in one line, why the call does not match the registered function; nil if it does.
    public let issue: String?
    /// The arguments in the order the model gave them; empty where they are no object.
    package let argumentObject: JSONObject
    /// The text in place of the arguments where that is no JSON object, such as one that another program cut off.
    package let argumentText: String?

    /// Creates a call.
    ///
    /// Numbers, booleans, strings, nil, arrays and dictionaries keep their JSON types. A value of any other type
    /// becomes the string that describes it.
    public init(name: String, arguments: [String: Any?], id: String? = nil) {
        self.init(name: name, arguments: JSONValue(any: arguments).object ?? [:], id: id)
    }

    /// Creates a call from arguments as JSON text; keeps the order of members and the notation of numbers.
    ///
    /// - Throws: ``LeapSerializationException`` if the text is not a JSON object.
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
    package init(
        name: String, arguments: JSONObject, argumentText: String? = nil, id: String? = nil, issue: String? = nil
    ) {
        self.name = name
        argumentObject = arguments
        self.argumentText = argumentText
        self.id = id
        self.issue = issue
    }

    /// The arguments by name, with their JSON types.
    ///
    /// Integers are `Int`, other numbers `Double`. The other types are `String`, `Bool`, `[Any]` and `[String: Any]`. A
    /// null is nil, and `NSNull` inside arrays and dictionaries.
    public var arguments: [String: Any?] {
        var arguments: [String: Any?] = [:]
        for member in argumentObject.members {
            arguments.updateValue(member.value == .null ? nil : member.value.foundationObject, forKey: member.key)
        }
        return arguments
    }

    /// The arguments as a JSON object, in the model's order.
    ///
    /// A call read from a history can have arguments that are not a JSON object, such as truncated JSON or plain text.
    /// This property then returns the text as it was read.
    public var argumentsJSON: String { argumentText ?? JSONWriter.string(.object(argumentObject)) }

    /// The arguments as a value: an object, or the text that stands in its place.
    package var argumentValue: JSONValue { argumentText.map { .string($0) } ?? .object(argumentObject) }

    /// The same call with an id.
    package func with(id: String) -> LeapFunctionCall {
        LeapFunctionCall(name: name, arguments: argumentObject, argumentText: argumentText, id: id, issue: issue)
    }

    /// Returns the same call with a description of what does not fit.
    package func with(issue: String?) -> LeapFunctionCall {
        LeapFunctionCall(name: name, arguments: argumentObject, argumentText: argumentText, id: id, issue: issue)
    }

    /// The same call under another name, and with names of its own for the arguments.
    func with(name: String, arguments: JSONObject) -> LeapFunctionCall {
        LeapFunctionCall(name: name, arguments: arguments, argumentText: argumentText, id: id, issue: issue)
    }

    /// The same call with an object in place of arguments that are text: `{"arguments": "…"}`.
    var withArgumentObject: LeapFunctionCall {
        guard let argumentText else { return self }
        return LeapFunctionCall(name: name, arguments: ["arguments": .string(argumentText)], id: id, issue: issue)
    }
}

extension LeapFunctionCall: Hashable {
    /// Compares the name, arguments and id; ignores the order of arguments.
    public static func == (a: LeapFunctionCall, b: LeapFunctionCall) -> Bool {
        a.name == b.name && a.argumentObject == b.argumentObject && a.argumentText == b.argumentText && a.id == b.id
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(argumentObject)
        hasher.combine(argumentText)
        hasher.combine(id)
    }
}

extension LeapFunctionCall: CustomStringConvertible {
    /// The call as `name{"argument": value}`.
    public var description: String { name + JSONWriter.string(argumentValue, style: .python) }
}
