import LeapEngine
import LeapJSON
import LeapModel
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct GenerationOptionsTests {
    @Test("Has the documented defaults")
    func defaults() {
        let options = GenerationOptions()
        #expect(
            options.temperature == nil && options.topP == nil && options.minP == nil && options.repetitionPenalty == nil
        )
        #expect(
            options.topK == nil && options.rngSeed == nil && options.maxTokens == nil
                && options.jsonSchemaConstraint == nil)
        #expect(options.functionCallParser is AutomaticFunctionCallParser)
        #expect(
            options.injectSchemaIntoPrompt && !options.inlineThinkingTags && !options.enableThinking
                && options.extras == nil)
        #expect(options.contextOverflowPolicy == .fail && options.stopSequences.isEmpty)
    }

    @Test("Builders return new options and leave the old ones alone")
    func builders() {
        let options = GenerationOptions()
        let changed = options.with(temperature: 0.3).with(topP: 0.9).with(minP: 0.15).with(repetitionPenalty: 1.05)
            .with(topK: 40)
            .with(rngSeed: 7).with(jsonSchema: "{}").with(maxTokens: 12).with(injectSchemaIntoPrompt: false)
            .with(inlineThinkingTags: true).with(enableThinking: true).with(functionCallParser: nil).with(extras: "{}")
            .with(contextOverflowPolicy: .trimOldestTurns).with(stopSequences: ["x"])
        #expect(
            changed.temperature == 0.3 && changed.topP == 0.9 && changed.minP == 0.15
                && changed.repetitionPenalty == 1.05)
        #expect(
            changed.topK == 40 && changed.rngSeed == 7 && changed.jsonSchemaConstraint == "{}"
                && changed.maxTokens == 12)
        #expect(!changed.injectSchemaIntoPrompt && changed.inlineThinkingTags && changed.enableThinking)
        #expect(changed.functionCallParser == nil && changed.extras == "{}")
        #expect(changed.contextOverflowPolicy == .trimOldestTurns && changed.stopSequences == ["x"])
        #expect(options.temperature == nil && options.functionCallParser != nil)
    }

    @Test("Takes any subset of its arguments, and parsers that are no subclass")
    func initialisers() {
        #expect(GenerationOptions(temperature: 0.6, topP: 0.9).topP == 0.9)
        #expect(GenerationOptions(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05).repetitionPenalty == 1.05)
        #expect(GenerationOptions(functionCallParser: nil).functionCallParser == nil)
        #expect(
            GenerationOptions(functionCallParser: HermesFunctionCallParser()).functionCallParser
                is HermesFunctionCallParser)
        let foreign = GenerationOptions(temperature: 1, functionCallParser: ForeignParser())
        #expect(foreign.functionCallParser == nil)
        #expect(foreign.snapshot.functionCallParser is ForeignParser)
    }

    @Test("A response format sets the schema")
    func responseFormat() {
        let options = GenerationOptions()
        options.setResponseFormat(type: Good.self)
        #expect(options.jsonSchemaConstraint == #"{"type":"object"}"#)
        // What is no schema is told by the generation.
        options.setResponseFormatType(Bad.self)
        #expect(options.jsonSchemaConstraint == Bad.jsonSchema())
        let compat = GenerationOptionsCompat()
        compat.setResponseFormat(jsonSchema: "{}")
        #expect(compat.jsonSchemaConstraint == "{}")
    }

    @Test("A schema that was read already is the same as its text")
    func readSchema() throws {
        let text = #"{"type":"object","properties":{"b":true,"a":true}}"#
        let options = GenerationOptions()
        options.schema = ReplySchema(try JSONParser.parse(text))
        #expect(options.jsonSchemaConstraint == text && options.schema == ReplySchema(text: text))
        #expect(try options.schema?.value() == JSONParser.parse(text))
        // The order of properties is that of the reply.
        let other = #"{"type":"object","properties":{"a":true,"b":true}}"#
        #expect(options.schema != ReplySchema(try JSONParser.parse(other)))
    }

    @Test("Extras are read, and unknown keys named")
    func extras() throws {
        let (extras, unknown) = try GenerationExtras.parse(
            #"{"toolChoice":"required","contextOverflow":"trimOldestTurns","stop":"x","chatTemplateArguments":{"a":1},"what":1,"speculation":"lookup"}"#
        )
        #expect(extras.toolChoice == .required && extras.contextOverflowPolicy == .trimOldestTurns)
        #expect(extras.stopSequences == ["x"] && extras.templateArguments["a"] == .integer(1))
        #expect(unknown == ["what"] && extras.speculation == .lookup)
        #expect(try GenerationExtras.parse(#"{"speculation":{"mode":"off"}}"#).extras.speculation == .off)
        for wrong in [#"true"#, #""fast""#, #"{"mode":1}"#, #"{"mode":"lookup","length":3}"#] {
            let error = #expect(throws: LeapGenerationException.self) {
                try GenerationExtras.parse(#"{"speculation":\#(wrong)}"#)
            }
            #expect(error?.message.contains("'off', 'lookup'") == true)
        }
        #expect(try GenerationExtras.parse(nil).extras.toolChoice == nil)
        #expect(try GenerationExtras.parse(#"{"toolChoice":"f"}"#).extras.toolChoice == .function("f"))
        let named = #"{"tool_choice":{"type":"function","function":{"name":"g"}}}"#
        #expect(try GenerationExtras.parse(named).extras.toolChoice == .function("g"))
    }

    @Test(
        "Every sampling parameter may stand in the extras, by its name or its key",
        arguments: SamplingParameter.allCases)
    func samplingExtras(parameter: SamplingParameter) throws {
        for spelling in [parameter.name, parameter.key] {
            let (extras, unknown) = try GenerationExtras.parse(#"{"\#(spelling)": 1}"#)
            #expect(extras.sampling == [parameter: 1] && unknown.isEmpty)
        }
    }

    @Test(
        "Says what is wrong with extras",
        arguments: [
            ("{", "not JSON"), ("[]", "expected a JSON object"),
            (#"{"toolChoice":1}"#, "'toolChoice' in the extras is a number"),
            (#"{"contextOverflow":"x"}"#, "'fail' or 'trimOldestTurns'"), (#"{"stop":1}"#, "a string or an array"),
            (#"{"presencePenalty":"much"}"#, "'presencePenalty' in the extras is 'much'; expected a number"),
        ])
    func extrasErrors(text: String, expected: String) {
        let error = #expect(throws: LeapGenerationException.self) { try GenerationExtras.parse(text) }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test("Finish reasons keep their old spelling, statistics their sums")
    func results() {
        #expect(GenerationFinishReason.exceed_context == .exceedContext)
        let stats = GenerationStats(promptTokens: 5, completionTokens: 3, tokenPerSecond: 1)
        #expect(stats.totalTokens == 8 && stats.reusedPromptTokens == 0)
        let completion = MessageCompletion(
            message: ChatMessage(role: .assistant, textContent: "x"), finishReason: .stop, stats: stats)
        #expect(completion.fullMessage == completion.message && completion.info.stats == stats)
        guard case .complete(let complete) = onEnum(of: .complete(completion)) else {
            Issue.record("not complete")
            return
        }
        #expect(complete.finishReason == .stop)
    }
}

private struct Good: GeneratableType, Codable {
    static let typeDescription = "good"
    static func jsonSchema() -> String { #"{"type":"object"}"# }
}

private struct Bad: GeneratableType, Codable {
    static let typeDescription = "bad"
    static func jsonSchema() -> String { "no JSON" }
}

private struct ForeignParser: LeapFunctionCallParserProtocol {
    var toolCallStartToken: String { "<" }
    var toolCallEndToken: String { ">" }
    func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] { [] }
    func dump(_ functionCalls: [LeapFunctionCall]) -> String { "" }
}
