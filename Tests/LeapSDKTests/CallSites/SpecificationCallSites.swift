import LeapSDK
import Testing

/// Conversations in the forms of version 0.7.
@MainActor
struct SpecificationCallSites {
    let desk = Desk()

    func streamCases(conversation: Conversation) async {
        let question = ChatMessage(role: .user, content: [.text("When is low water?")])
        do {
            for try await response in conversation.generateResponse(
                message: question,
                generationOptions: GenerationOptions(temperature: 0.2, maxTokens: 24)
            ) {
                switch response {
                case .chunk(let delta):
                    desk.show(delta)
                case .reasoningChunk(let thought):
                    print("the desk thinks:", thought)
                case .functionCall(let calls):
                    desk.note(calls)
                case .audioSample(let samples, let sampleRate):
                    desk.play(samples, at: sampleRate)
                case .complete(let completion):
                    let text = completion.message.content.compactMap { item in
                        if case .text(let value) = item { return value }
                        return nil
                    }.joined()
                    desk.show(text)
                    if let stats = completion.stats { print(stats.promptTokens, stats.completionTokens) }
                    print(completion.info.finishReason)
                }
            }
        } catch {
            desk.show("The desk is closed: \(error)")
        }
    }

    func generateWithCallbacks(runner: ModelRunner, conversation: Conversation, settings: GenerationOptions) async
        -> Bool
    {
        await withCheckedContinuation { done in
            let handler = runner.generateResponse(
                conversation: conversation,
                generationOptions: settings,
                onResponseCallback: { message in
                    if case .complete = message { done.resume(returning: true) }
                },
                onErrorCallback: { error in
                    print(error.message)
                    done.resume(returning: false)
                }
            )
            // Stops before the end: that is one completion, too.
            handler.stop()
        }
    }

    func generateWithCallback(conversation: Conversation, question: ChatMessage) async {
        await withCheckedContinuation { done in
            let handler = conversation.generateResponse(message: question) { response in
                if case .complete = response { done.resume() }
            }
            handler?.stop()
        }
    }

    func constrainToType(conversation: Conversation) async throws -> String {
        var options = GenerationOptions(temperature: 0.2, topP: 0.9)
        options.setResponseFormat(type: Departure.self)
        options = options.with(maxTokens: 64)
        var json = ""
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, content: [.text("Announce a ferry.")]),
            generationOptions: options
        ) {
            if case .chunk(let text) = response { json += text }
        }
        return json
    }

    func exportObjects(conversation: Conversation) throws -> (Data, ChatMessage) {
        let payload: [[String: Any]] = try conversation.exportToJSON()
        let data = try JSONSerialization.data(withJSONObject: payload, options: [])
        let object: [String: Any] = ["role": "assistant", "content": "High water is at four."]
        return (data, try ChatMessage(from: object))
    }

    func chooseParser() -> [GenerationOptions] {
        let hermes = GenerationOptions()
        hermes.functionCallParser = HermesFunctionCallParser()
        let raw = GenerationOptions()
        raw.functionCallParser = nil
        return [
            hermes, raw,
            GenerationOptions(
                temperature: nil, topP: nil, minP: nil, repetitionPenalty: nil, jsonSchemaConstraint: nil,
                functionCallParser: LFMFunctionCallParser()),
        ]
    }

    func describeFunction() -> LeapFunction {
        LeapFunction(
            name: "book_berth",
            description: "Keeps a berth for a ship",
            parameters: [
                LeapFunctionParameter(
                    name: "kind", type: .string(StringType(enumValues: ["ferry", "yacht"])),
                    description: "What comes in"),
                LeapFunctionParameter(name: "length", type: .number(NumberType()), description: "Metres"),
                LeapFunctionParameter(
                    name: "pier",
                    type: .integer(IntegerType(description: "Counted from the lighthouse", enumValues: [1, 2])),
                    description: "Which pier", optional: true),
                LeapFunctionParameter(
                    name: "power", type: .boolean(BooleanType()), description: "Whether it needs power"),
                LeapFunctionParameter(
                    name: "crew", type: .array(ArrayType(itemType: .string(StringType()))), description: "Names"),
                LeapFunctionParameter(
                    name: "cargo",
                    type: .object(ObjectType(properties: ["note": .null(NullType())], required: [])),
                    description: "Load"),
            ]
        )
    }

    func catchErrors(from file: URL) async -> String {
        do {
            _ = try await Leap.load(url: file)
            return "loaded"
        } catch LeapError.modelLoadingFailure {
            return "modelLoadingFailure"
        } catch LeapError.promptExceedContextLengthFailure {
            return "promptExceedContextLengthFailure"
        } catch let error as LeapError {
            switch error {
            case .generationFailure: return "generationFailure"
            case .serializationFailure: return "serializationFailure"
            case .loadModelFailure: return "loadModelFailure"
            default: return error.localizedDescription
            }
        } catch {
            return "other"
        }
    }

    @Test("Call sites of version 0.7 run")
    func run() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: nil)
        await streamCases(conversation: conversation)
        #expect(conversation.history.count == 2)
        let (data, message) = try exportObjects(conversation: conversation)
        #expect(try JSONSerialization.jsonObject(with: data) is [Any])
        #expect(message.role == .assistant)
        let last = ChatMessage(role: .user, textContent: "And high water?")
        await generateWithCallback(conversation: conversation, question: last)
        let settings = GenerationOptions().with(maxTokens: 8)
        let other = runner.createConversationFromHistory(history: [last])
        #expect(await generateWithCallbacks(runner: runner, conversation: other, settings: settings))
        let json = try await constrainToType(conversation: runner.createConversation(systemPrompt: nil))
        _ = try JSONDecoder().decode(Departure.self, from: Data(json.utf8))
        #expect(chooseParser().map { $0.functionCallParser == nil } == [false, true, false])
        #expect(describeFunction().parameters.count == 6)
        #expect(await catchErrors(from: URL(fileURLWithPath: "/no/such.gguf")) == "modelLoadingFailure")
    }
}
