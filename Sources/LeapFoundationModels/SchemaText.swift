#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    import Foundation
    import FoundationModels
    import LeapChat
    import LeapJSON

    /// Schemas of FoundationModels as JSON Schema.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    enum SchemaText {
        /// The JSON Schema, with members of objects in the order that `x-order` gives.
        ///
        /// The encoder's own order changes from run to run: the same tools would be another prompt, and nothing
        /// computed could be used again.
        static func json(_ schema: GenerationSchema) throws -> JSONValue {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let text = String(decoding: try encoder.encode(schema), as: UTF8.self)
            return ordered(try JSONParser.parse(text))
        }

        private static func ordered(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let items): return .array(items.map(ordered))
            case .object(var object):
                if let names = object["x-order"]?.array?.compactMap(\.string),
                    let properties = object["properties"]?.object
                {
                    let rest = properties.keys.filter { !names.contains($0) }
                    object.set(
                        "properties",
                        .object(JSONObject((names + rest).compactMap { name in properties[name].map { (name, $0) } })))
                    object = JSONObject(object.members.filter { $0.key != "x-order" }.map { ($0.key, $0.value) })
                }
                return .object(JSONObject(object.members.map { ($0.key, ordered($0.value)) }))
            default: return value
            }
        }

        /// A tool as a function.
        static func function(_ tool: Transcript.ToolDefinition) throws -> LeapFunction {
            do {
                return try LeapFunction(
                    name: tool.name, description: tool.description, parametersSchema: try json(tool.parameters))
            } catch {
                throw LanguageModelError.unsupportedGenerationGuide(
                    .init(schemaName: tool.name, debugDescription: "the tool '\(tool.name)': \(error)"))
            }
        }
    }
#endif
