import Foundation
import LeapAudioDemoModel
import LeapDecisionDemoModel
import LeapSDK
import LeapVisionDemoModel

/// One stop of the tour.
struct DemoStop: Sendable {
    let show: @Sendable (DemoGuide) async throws -> Void

    static let all = [story, question, memory, structure, tools, reasoning, pictures, speech, decisions]

    static let story = DemoStop { guide in
        guide.heading("A story, streamed as it is written")
        let chat = guide.runner.createConversation(systemPrompt: "You are a helpful assistant.")
        try await guide.ask("Tell me a story about a fox and a silver key.", in: chat, showsStats: true)
    }

    static let question = DemoStop { guide in
        guide.heading("A question")
        let chat = guide.runner.createConversation(systemPrompt: nil)
        try await guide.ask("What is the capital of Portugal?", in: chat)
    }

    static let memory = DemoStop { guide in
        guide.heading("A conversation: each turn computes only what is new")
        let chat = guide.runner.createConversation(systemPrompt: "You are a friendly assistant.")
        try await guide.ask("My name is Mira.", in: chat, showsStats: true)
        try await guide.ask("Tell me a joke.", in: chat, showsStats: true)
        try await guide.ask("What is my name?", in: chat, showsStats: true)
    }

    static let structure = DemoStop { guide in
        guide.heading("Structured output: an answer that always parses and fits its JSON Schema")
        let schema = """
            {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "city": {"type": "string"}}, \
            "required": ["name", "age", "city"], "additionalProperties": false}
            """
        guide.say("schema: \(schema)")
        let chat = guide.runner.createConversation(systemPrompt: nil)
        try await guide.ask(
            "Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.", in: chat,
            options: GenerationOptions.greedy.with(jsonSchema: schema).with(injectSchemaIntoPrompt: false))
    }

    static let tools = DemoStop { guide in
        guide.heading("A tool: the model calls it, your code answers, the model replies")
        let weather = LeapFunction(
            name: "get_weather", description: "Get the weather forecast of a city",
            parameters: [
                LeapFunctionParameter(name: "city", type: .string(StringType()), description: "City")
            ])
        let chat = guide.runner.createConversation(systemPrompt: "You are a helpful assistant.")
        chat.registerFunction(weather)
        let answer = try await guide.ask("What is the weather in Lisbon?", in: chat)
        for call in answer.calls {
            let result = #"{"temperature": 24, "conditions": "sunny"}"#
            guide.say("tool:  \(call.name)(\(call.argumentsJSON)) -> \(result)")
            chat.appendToHistory(message: ChatMessage(role: .tool, textContent: result))
        }
        if !answer.calls.isEmpty { try await guide.ask("", in: chat) }
    }

    static let reasoning = DemoStop { guide in
        guide.heading("Reasoning, separate from the answer")
        let chat = guide.runner.createConversation(systemPrompt: nil)
        try await guide.ask(
            "Anna has 7 apples and gets 5 more. How many apples does Anna have?", in: chat,
            options: GenerationOptions.greedy.with(enableThinking: true))
    }

    static let pictures = DemoStop { guide in
        guide.heading("Pictures, with the demo model that sees (demo-vision)")
        let runner = try await Leap.load(url: LeapVisionDemoModel.url)
        let chat = runner.createConversation(systemPrompt: nil)
        let shapes = LeapVisionDemoModel.Picture.shapes
        try await guide.ask(
            "What is in the picture?", picture: (shapes.rawValue, shapes.data), in: chat, showsStats: true)
        try await guide.ask("What color is the star?", in: chat, showsStats: true)
        let number = LeapVisionDemoModel.Picture.number
        try await guide.ask("What number is this?", picture: (number.rawValue, number.data), in: chat)
        await runner.unload()
    }

    static let speech = DemoStop { guide in
        guide.heading("Sound, with the demo model that hears and speaks (demo-audio)")
        let runner = try await Leap.load(url: LeapAudioDemoModel.url)
        let recording = LeapAudioDemoModel.Recording.whereabouts
        let chat = runner.createConversation(systemPrompt: SpeechPrompts.conversation)
        let answer = try await guide.ask(
            recording.text, sound: (recording.rawValue, try recording.data), in: chat, showsStats: true)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("leap-demo-answer.wav").path
        try answer.speech.write(to: path, "the answer")
        guide.say("The answer is spoken in \(path), and the model hears what it has said:")
        let ears = runner.createConversation(systemPrompt: SpeechPrompts.englishTranscription)
        let said = try Data(contentsOf: URL(fileURLWithPath: path))
        try await guide.ask("What was said?", sound: ("leap-demo-answer", said), in: ears)
        await runner.unload()
    }

    static let decisions = DemoStop { guide in
        guide.heading("Typed questions, each option with its probability (demo-decisions)")
        let runner = try await Leap.load(url: LeapDecisionDemoModel.labels)
        let mail = "You charged me twice for the printer. Please answer this week."
        guide.say("state: \(mail)")
        let answers = try await runner.decide(about: .text(mail)) {
            Question.yesNo("Is this spam?")
            Question.choice("Which team should read it?", ["billing", "support", "sales"])
            Question.score("How urgent is it?", levels: ["not", "soon", "today", "now"])
        }
        for line in DecisionTable(answers, columns: Terminal.size(of: 1).columns).lines {
            Terminal.writeLine(line.text, line.style)
        }
        await runner.unload()
    }
}
