import LeapCore
import LeapJSON
import LeapModel
import LeapOpenAIClient
import LeapOpenAIFormat
import LeapTestTraits
import Testing

@testable import LeapServing

/// The words of the format, where they have to be spelled once more: in public types, in the OpenAPI description, in
/// another module's table.
@Suite(.inTurns)
struct VocabularyTests {
    private let schemas: JSONValue

    init() throws {
        let document = APIDescription.document(
            of: try ServingSupport.server().table, page: try WebPage.shipped.get().files)
        schemas = try #require(document["components"]?["schemas"])
    }

    private func words(_ schema: JSONValue?) -> Set<String> { Set(schema?["enum"]?.array?.compactMap(\.string) ?? []) }

    @Test("The OpenAPI description has the words of the format")
    func description() {
        let reasons = Set(OpenAI.FinishReason.allCases.map(\.rawValue)).subtracting([
            // Nothing here holds a reply back.
            OpenAI.FinishReason.contentFilter.rawValue
        ])
        #expect(words(schemas["FinishReason"]) == reasons)
        let message = schemas["Message"]?["properties"]
        #expect(words(message?["role"]) == Set(OpenAI.Role.allCases.map(\.rawValue)))
        let texts = OpenAI.PartType.allCases.filter(\.isText)
        #expect(words(schemas["TextPart"]?["properties"]?["type"]) == Set(texts.map(\.rawValue)))
        let choices = schemas["ToolChoice"]?["anyOf"]?.array ?? []
        #expect(
            words(choices.first).subtracting([""]) == Set(OpenAI.ToolChoice.Mode.allCases.map(\.rawValue)))
        let types = choices.compactMap { $0["properties"]?["type"]?["const"]?.string }
        #expect(Set(types) == Set(OpenAI.ToolType.allCases.map(\.rawValue)).union([OpenAI.Key.allowedTools]))
        let forms = schemas["ResponseFormat"]?["oneOf"]?.array ?? []
        #expect(
            Set(forms.compactMap { $0["properties"]?["type"]?["const"]?.string })
                == Set(OpenAI.ResponseFormat.Kind.allCases.map(\.rawValue)))
    }

    @Test("The OpenAPI description has the members that are written")
    func members() {
        func names(_ schema: String) -> Set<String> { Set(schemas[schema]?["properties"]?.object?.keys ?? []) }
        var usage = OpenAI.Usage(promptTokens: 1, completionTokens: 1, cachedTokens: 1)
        usage.reasoningTokens = 1
        #expect(Set(usage.json.object?.keys ?? []) == names("Usage"))
        let error = OpenAI.ErrorBody(message: "m", type: .server, parameter: nil, code: nil).json
        #expect(
            Set(error["error"]?.object?.keys ?? [])
                == Set(schemas["ErrorDocument"]?["properties"]?["error"]?["properties"]?.object?.keys ?? []))
        var message = OpenAI.Message()
        message.role = .assistant
        message.content = "!"
        message.reasoning = "Let me"
        message.toolCalls = [OpenAI.ToolCall(id: "call_1", name: "dim", input: "{}")]
        message.toolCallID = "call_1"
        message.name = "dim"
        #expect(Set(message.object.keys) == names("Message"))
        #expect(OpenAI.Message(message.object) == message)
        let call = OpenAI.ToolCall(index: 2, id: "call_1", type: .custom, name: "note", input: "a")
        #expect(OpenAI.ToolCall(call.json) == call)
        let written = Set(call.json.object?.keys ?? []).subtracting([OpenAI.Key.index])
        #expect(written.isSubset(of: names("ToolCall")))
    }

    @Test("Roles of the app's messages and of the client's are roles of the format")
    func roles() {
        #expect(Set(LeapCore.ChatMessageRole.allCases.map(\.rawValue)) == canonicalRoles)
        #expect(Set(LeapOpenAIClient.ChatMessage.Role.allCases.map(\.rawValue)) == canonicalRoles)
        #expect(
            OpenAI.Role.allCases.allSatisfy { ChatMessageRole(openAI: $0.rawValue)?.rawValue == $0.canonical.rawValue })
        #expect(ChatMessageRole(openAI: "critic") == nil)
    }

    private var canonicalRoles: Set<String> { Set(OpenAI.Role.allCases.map(\.canonical.rawValue)) }

    @Test("Sampling values have the names that manifests and options have for them")
    func sampling() {
        let names: [(SamplingParameter, String)] = [
            (.temperature, OpenAI.Key.temperature), (.topP, OpenAI.Key.topP), (.topK, OpenAI.Key.topK),
            (.minP, OpenAI.Key.minP), (.repetitionPenalty, OpenAI.Key.repetitionPenalty),
            (.frequencyPenalty, OpenAI.Key.frequencyPenalty), (.presencePenalty, OpenAI.Key.presencePenalty),
        ]
        for (parameter, name) in names { #expect(parameter.key == name) }
    }

    @Test("Counts from outside do not overflow, and a total that is missing is the sum")
    func usage() throws {
        let largest = JSONValue.object(["prompt_tokens": .double(9e18), "completion_tokens": .double(9e18)])
        let usage = try #require(OpenAI.Usage(largest))
        #expect(usage.totalTokens == usage.promptTokens + usage.completionTokens && usage.cachedTokens == 0)
        #expect(OpenAI.Usage(.string("8")) == nil && OpenAI.Usage(nil) == nil)
        let whole = OpenAI.Usage(promptTokens: 8, completionTokens: 4, cachedTokens: 3)
        #expect(OpenAI.Usage(whole.json) == whole)
    }
}
