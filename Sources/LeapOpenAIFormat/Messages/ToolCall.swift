package import LeapJSON

extension OpenAI {
    /// The type of a tool that a model may call.
    package enum ToolType: String, Sendable, Hashable, CaseIterable {
        /// Its arguments are a JSON object, which is written as text.
        case function
        /// Its input is a text.
        case custom
    }

    /// An entry of `tool_calls`: a call, or in a chunk a piece of one.
    package struct ToolCall: Sendable, Hashable {
        /// The position of the call in the reply, from 0; in chunks only.
        package var index: Int?
        /// The identifier that the result refers to.
        package var id: String?
        package var type: ToolType
        /// The name of the tool.
        package var name: String?
        /// The arguments of a function or the input of a custom tool; a string, but for endpoints that write an object.
        package var input: JSONValue?

        package init(
            index: Int? = nil, id: String?, type: ToolType = .function, name: String?, input: JSONValue?
        ) {
            self.index = index
            self.id = id
            self.type = type
            self.name = name
            self.input = input
        }

        /// Reads an entry, or the bare object with name and arguments inside of one; nil where it is no object.
        package init?(_ json: JSONValue) {
            guard let object = json.object else { return nil }
            self.init(object)
        }

        /// Reads the members of an entry, or of the bare object with name and arguments.
        package init(_ object: JSONObject) {
            index = object[Key.index]?.integer
            id = object[Key.id]?.string
            let function = object[Key.function]?.object
            let custom = function == nil ? object[Key.custom]?.object : nil
            type = custom == nil ? .function : .custom
            let inner = function ?? custom ?? object
            name = inner[Key.name]?.string
            input = inner[Key.arguments] ?? inner[Key.input]
        }

        /// The object with name and arguments inside of an entry, which is also the older `function_call`.
        package var inner: JSONValue {
            var object: JSONObject = [:]
            object[Key.name] = name.map { .string($0) }
            object[type == .function ? Key.arguments : Key.input] = input
            return .object(object)
        }

        /// The entry as JSON.
        package var json: JSONValue {
            var object: JSONObject = [:]
            object[Key.id] = id.map { .string($0) }
            object[Key.type] = .string(type.rawValue)
            object[type.rawValue] = inner
            object[Key.index] = index.map { .integer(Int64($0)) }
            return .object(object)
        }
    }
}
