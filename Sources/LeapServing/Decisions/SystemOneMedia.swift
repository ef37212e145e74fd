import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The pictures and sounds of a request of `/v1/systemone`: in messages, in `files` or `images`, and as `assets`.
struct SystemOneMedia {
    /// The maximum number of pictures and sounds.
    static let maxCount = 8

    private var found: [(value: Source, place: String)] = []

    private enum Source {
        /// A part of a message.
        case part(JSONValue)
        /// A `data:` address, or Base64.
        case address(String)
        case bytes(Data)
    }

    /// The place of each in the request.
    var places: [String] { found.map(\.place) }

    /// The parts for the model.
    ///
    /// - Throws: ``LeapDecisionException`` that names the one at fault.
    func parts() throws -> [ChatMessageContent] {
        guard found.count <= Self.maxCount else {
            throw LeapDecisionException(
                field: found[Self.maxCount].place,
                "there are \(found.count) pictures and sounds: give \(Self.maxCount) at most")
        }
        return try found.map { source, place in
            do {
                let content: ChatMessageContent
                switch source {
                case .part(let value): content = try ChatMessageContent(json: value, place: place)
                case .address(let text): content = try Self.content(text, place)
                case .bytes(let data): content = .image(data)
                }
                if !content.isAddress { try content.validate() }
                return content
            } catch let error as LeapSerializationException {
                throw LeapDecisionException(field: place, error.message, cause: error)
            }
        }
    }

    private static func content(_ text: String, _ place: String) throws -> ChatMessageContent {
        guard text.hasPrefix("data:audio/"), let comma = text.firstIndex(of: ",") else {
            return try .image(picture: text, place: place)
        }
        let encoded = String(text[text.index(after: comma)...])
        return try ChatMessageContent(
            json: .object([
                OpenAI.Key.type: .string(OpenAI.PartType.inputAudio.rawValue),
                OpenAI.Key.inputAudio: .object([OpenAI.Key.data: .string(encoded)]),
            ]), place: place)
    }

    // MARK: Messages

    /// Takes pictures and sounds out of a state that is a conversation; any other state stays as it is.
    mutating func taken(from state: JSONValue) -> JSONValue {
        if case .array(let messages) = state, let rest = taken(fromMessages: messages, "state") { return .array(rest) }
        if case .object(var object) = state, let messages = object["messages"]?.array,
            let rest = taken(fromMessages: messages, "state.messages")
        {
            object["messages"] = .array(rest)
            return .object(object)
        }
        return state
    }

    /// - Returns: nil where the values are no messages.
    private mutating func taken(fromMessages values: [JSONValue], _ place: String) -> [JSONValue]? {
        guard !values.isEmpty, values.allSatisfy({ $0["role"]?.string != nil }) else { return nil }
        return values.enumerated().map { index, value in
            guard var message = value.object, let parts = message["content"]?.array else { return value }
            var rest: [JSONValue] = []
            for (number, part) in parts.enumerated() {
                switch part[OpenAI.Key.type]?.string.flatMap(OpenAI.PartType.init(rawValue:)) {
                case .imageURL?, .inputAudio?:
                    found.append((.part(part), "\(place)[\(index)].content[\(number)]"))
                default: rest.append(part)
                }
            }
            if rest.count < parts.count { message["content"] = .array(rest) }
            return .object(message)
        }
    }

    // MARK: Files

    /// Adds `files` and `images`: `data:` addresses, or parts of messages.
    mutating func addFiles(_ fields: inout RequestFields) throws {
        for name in ["files", "images"] {
            for (index, value) in (try fields.array(name) ?? []).enumerated() {
                let place = "\(name)[\(index)]"
                switch value {
                case .string(let text): found.append((.address(text), place))
                case .object: found.append((.part(value), place))
                default:
                    throw LeapDecisionException(field: place, "is \(value.kind); expected a data: address")
                }
            }
        }
        if let videos = fields.value("videos"), videos != .array([]) {
            throw LeapDecisionException(field: "videos", "videos are not read here: send pictures of them in \"files\"")
        }
    }

    // MARK: Assets

    /// Adds `assets`, and writes the number of the picture in the place of each placeholder.
    ///
    /// - Parameter parts: the parts of the form that assets name.
    mutating func addAssets(
        _ fields: inout RequestFields, parts: [MultipartForm.Part], to state: inout JSONValue,
        _ questions: inout JSONValue?
    ) throws {
        guard let assets = try fields.object("assets") else { return }
        guard assets.count <= Self.maxCount else {
            throw LeapDecisionException(
                field: "assets", "there are \(assets.count): give \(Self.maxCount) pictures at most")
        }
        var names: [(placeholder: String, number: String)] = []
        for (placeholder, value) in assets.members {
            let place = "assets.\(placeholder)"
            guard let object = value.object, !placeholder.isEmpty else {
                throw LeapDecisionException(field: place, "must be an object, with a name that is not empty")
            }
            if let type = object["type"], type != .null, type != "image" {
                throw LeapDecisionException(field: place + ".type", "expected \"image\"")
            }
            if let name = object["part"]?.string {
                guard let part = parts.first(where: { $0.name == name }) else {
                    throw LeapDecisionException(field: place + ".part", "names no part of the form")
                }
                found.append((.bytes(Data(part.bytes)), place))
            } else if let text = object["data_base64"]?.string {
                found.append((.address(text), place))
            } else {
                throw LeapDecisionException(field: place, "has neither \"data_base64\" nor \"part\"")
            }
            names.append((placeholder, "[image \(found.count)]"))
        }
        // A placeholder that begins with another one is looked for before it.
        names.sort { $0.placeholder.utf8.count > $1.placeholder.utf8.count }
        let found = names.map { (Array($0.placeholder.utf8), Array($0.number.utf8)) }
        state = Self.replaced(state, found)
        questions = questions.map { Self.replaced($0, found) }
    }

    /// The value with the numbers of pictures; what was written is not looked at again.
    private static func replaced(_ value: JSONValue, _ names: [(placeholder: [UInt8], number: [UInt8])]) -> JSONValue {
        switch value {
        case .string(let text):
            let bytes = Array(text.utf8)
            var written: [UInt8] = []
            var index = 0
            while index < bytes.count {
                if let name = names.first(where: { bytes[index...].starts(with: $0.placeholder) }) {
                    written += name.number
                    index += name.placeholder.count
                } else {
                    written.append(bytes[index])
                    index += 1
                }
            }
            return .string(String(decoding: written, as: UTF8.self))
        case .array(let values): return .array(values.map { replaced($0, names) })
        case .object(let object):
            return .object(JSONObject(object.members.map { ($0.key, replaced($0.value, names)) }))
        default: return value
        }
    }
}
