import LeapChat
import LeapCompute
import LeapJSON
import LeapModel
import LeapTokenizer
import LeapVision

extension LoadExtras {
    /// Reads the extras.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the key at fault.
    package init(_ text: String?) throws {
        self.init()
        guard let text, !text.allSatisfy(\.isWhitespace) else { return }
        for (key, value) in try Self.object(text).members { try set(key, to: value) }
    }

    private static func object(_ text: String) throws -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONParser.parse(text)
        } catch {
            throw LeapModelLoadingException(
                message: "the extras of the loading options are not JSON: \(error)", cause: error)
        }
        guard let object = value.object else {
            throw LeapModelLoadingException(
                "the extras of the loading options are \(value.kind); expected a JSON object")
        }
        return object
    }

    private mutating func set(_ key: String, to value: JSONValue) throws {
        switch key {
        case "kv_cache_type":
            keyValueType = try Self.choice(key, value)
        case "precision":
            precision = try Self.choice(key, value)
        case "ropeScaling":
            ropeScaling = try Self.ropeScaling(value)
        case "preTokenizer":
            preTokenizer = try Self.preTokenizer(value)
        case "adapters":
            adapters = try AdapterRequest.read(value)
        case "speculation":
            speculation = try SpeculationLoading(value)
        case "draftLayers":
            draftLayers = try Self.draftLayers(value)
        case "minImageTokens":
            pictures.minTokens = try Self.number(key, value, "a whole number of tokens, 1 to 16384", in: 1...16_384)
        case "maxImageTokens":
            pictures.maxTokens = try Self.number(key, value, "a whole number of tokens, 1 to 16384", in: 1...16_384)
        case "doImageSplitting":
            pictures.splits = try Self.flag(key, value)
        case "maxRemoteImageBytes":
            maxRemoteImageBytes = try Self.number(
                key, value, "a number of bytes, 0 to \(ImageLimits().maxBytes)", in: 0...ImageLimits().maxBytes)
        case "maxMemory":
            maxMemory = try Self.number(key, value, "a number of bytes, 1 or more", in: 1...Int.max)
        case "maxActiveGenerations":
            maxActiveGenerations = try Self.number(key, value, "a whole number, 1 or more", in: 1...Int.max)
        case "maxQueuedGenerations":
            maxQueuedGenerations = try Self.number(key, value, "a whole number, 0 or more", in: 0...Int.max)
        case "schedule":
            schedule = try Self.choice(key, value)
        case "sharedStepMilliseconds":
            sharedStepMilliseconds = try Self.number(
                key, value, "a whole number of milliseconds, 1 to 60000", in: 1...60000)
        case "gpuDevice":
            gpuDevice = try Self.gpuDevice(value)
        default:
            LeapLog.logger.warning("'\(key)' in the extras of the loading options is not known and has no effect")
        }
    }

    /// One of the cases of an enumeration, by its name.
    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ key: String, _ value: JSONValue
    ) throws -> Choice {
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
            let found = value.string.map { "'\($0)'" } ?? value.kind
            let known = Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw LeapModelLoadingException("'\(key)' in the extras is \(found); expected one of \(known)")
        }
        return choice
    }

    private static func number(
        _ key: String, _ value: JSONValue, _ expected: String, in range: ClosedRange<Int>
    ) throws -> Int {
        if let number = value.integer, range.contains(number) { return number }
        let found = value.integer.map(String.init) ?? value.string.map { "'\($0)'" } ?? value.kind
        throw LeapModelLoadingException("'\(key)' in the extras is \(found); expected \(expected)")
    }

    private static func flag(_ key: String, _ value: JSONValue) throws -> Bool {
        guard let flag = value.bool else {
            throw LeapModelLoadingException("'\(key)' in the extras is \(value.kind); expected true or false")
        }
        return flag
    }

    private static func draftLayers(_ value: JSONValue) throws -> DraftLayerUse {
        let text = value.string ?? value.integer.map(String.init)
        guard let use = text.flatMap({ DraftLayerUse($0) }) else {
            let found = text.map { "'\($0)'" } ?? value.kind
            throw LeapModelLoadingException(
                "'draftLayers' in the extras is \(found); expected 'auto', 'off' or a number of tokens, \(DraftLayerUse.range.lowerBound) to \(DraftLayerUse.range.upperBound)"
            )
        }
        return use
    }

    private static func preTokenizer(_ value: JSONValue) throws -> String {
        guard let name = value.string, Tokenizer.preTokenizers.contains(name) else {
            let found = value.string.map { "'\($0)'" } ?? value.kind
            throw LeapModelLoadingException(
                "'preTokenizer' in the extras is \(found); expected one of \(Tokenizer.preTokenizers.joined(separator: ", "))"
            )
        }
        return name
    }

    /// The number of a GPU as text, or a part of its name.
    private static func gpuDevice(_ value: JSONValue) throws -> String {
        guard let device = value.string ?? value.integer.map(String.init), !device.isEmpty else {
            throw LeapModelLoadingException(
                "'gpuDevice' in the extras is \(value.string == nil ? value.kind : "empty"); expected a GPU's number, counted from 0, or a part of its name"
            )
        }
        return device
    }

    private static func ropeScaling(_ value: JSONValue) throws -> RopeScaling {
        func refused(_ what: String, _ found: JSONValue?, _ expected: String) -> LeapModelLoadingException {
            let found = found.map { value in value.string.map { "'\($0)'" } ?? value.kind } ?? "missing"
            return LeapModelLoadingException("'\(what)' in the extras is \(found); expected \(expected)")
        }
        guard let object = value.object else {
            throw refused("ropeScaling", value, #"an object such as {"type": "linear", "factor": 2}"#)
        }
        let kinds = RopeScaling.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        guard let kind = object["type"]?.string.flatMap(RopeScaling.Kind.init(rawValue:)) else {
            throw refused("ropeScaling.type", object["type"], "one of \(kinds)")
        }
        var scaling = RopeScaling(kind)
        for (key, value) in object.members {
            switch key {
            case "type": break
            case "factor":
                guard let factor = value.double else {
                    throw refused("ropeScaling.factor", value, "a number, 1 or more")
                }
                scaling.factor = factor
            case "originalContext":
                guard let length = value.integer else {
                    throw refused("ropeScaling.originalContext", value, "a number of tokens")
                }
                scaling.originalContext = length
            default:
                throw LeapModelLoadingException(
                    "'ropeScaling.\(key)' in the extras is not known; expected 'type', 'factor' or 'originalContext'")
            }
        }
        if kind != .none, object["factor"] == nil {
            throw refused("ropeScaling.factor", nil, "a number, 1 or more: how many times the trained context")
        }
        do {
            return try scaling.validated()
        } catch {
            throw LeapModelLoadingException(message: "in the extras, \(error.message)", cause: error)
        }
    }
}
