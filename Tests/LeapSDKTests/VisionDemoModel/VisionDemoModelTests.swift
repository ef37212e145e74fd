import Foundation
import LeapJSON
import LeapSDK
import LeapTestSupport
import LeapVisionDemoModel
import Testing

/// The vision demo model: pictures really get right answers.
struct VisionDemoModelTests {
    /// Many questions are asked about each picture: what is computed for it is kept.
    private static let runner = Task {
        try await Leap.load(
            url: LeapVisionDemoModel.url,
            options: LiquidInferenceEngineOptions(
                bundlePath: LeapVisionDemoModel.url.path,
                cacheOptions: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true)))
    }

    private static func conversation() async throws -> any Conversation {
        try await runner.value.createConversation(systemPrompt: nil)
    }

    private static func ask(
        _ conversation: any Conversation, _ question: String, _ pictures: [Data] = [],
        options: GenerationOptions = DemoModel.greedy
    ) async throws -> String {
        let content = pictures.map { ChatMessageContent.image($0) } + [.text(question)]
        return try await conversation.generateResponse(
            message: ChatMessage(role: .user, content: content), generationOptions: options
        ).collect().text
    }

    @Test(
        "A picture gets right answers, and so do further questions about it",
        arguments: [
            (
                LeapVisionDemoModel.Picture.shapes,
                [
                    ("How many shapes are there?", "3."), ("What color is the star?", "Blue."),
                    ("Where is the circle?", "Top left."), ("What shape is the red object?", "A circle."),
                    ("Is there a ring?", "No."), ("What is at the top left?", "A red circle."),
                ]
            ),
            (.number, [("What number is this?", "42."), ("What color is the number?", "Purple.")]),
            (
                .chart,
                [
                    ("How many bars are there?", "4."), ("Which bar is the tallest?", "The orange bar."),
                    ("How high is the red bar?", "4."), ("Is the blue bar higher than the green bar?", "Yes."),
                ]
            ),
        ])
    func answers(picture: LeapVisionDemoModel.Picture, questions: [(String, String)]) async throws {
        let chat = try await Self.conversation()
        for (index, (question, answer)) in questions.enumerated() {
            #expect(try await Self.ask(chat, question, index == 0 ? [picture.data] : []) == answer, "\(question)")
        }
    }

    @Test("Two pictures in a message are told apart, and a later one joins them")
    func several() async throws {
        let chat = try await Self.conversation()
        let (shapes, number, chart) = try (
            LeapVisionDemoModel.Picture.shapes.data, LeapVisionDemoModel.Picture.number.data,
            LeapVisionDemoModel.Picture.chart.data
        )
        #expect(try await Self.ask(chat, "In the second picture, what number is this?", [shapes, number]) == "42.")
        #expect(try await Self.ask(chat, "In the first picture, what color is the star?") == "Blue.")
        let later = try await Self.conversation()
        #expect(try await Self.ask(later, "What number is this?", [number]) == "42.")
        #expect(try await Self.ask(later, "Which bar is the tallest?", [chart]) == "The orange bar.")
    }

    @Test("A schema holds the answer about a picture to its form, and the values are right")
    func schema() async throws {
        let chat = try await Self.conversation()
        let schema = """
            {"type": "object", "properties": {"number": {"type": "integer"}, "color": {"type": "string"}}, \
            "required": ["number", "color"]}
            """
        let reply = try await Self.ask(
            chat, "Describe the picture as JSON.", [LeapVisionDemoModel.Picture.number.data],
            options: DemoModel.greedy.with(jsonSchema: schema))
        let object = try #require(JSONParser.parse(reply).object)
        #expect(object["number"]?.integer == 42)
        #expect(object["color"]?.string == "purple")
    }

    @Test("Without a picture it talks as the demo model does")
    func text() async throws {
        let chat = try await Self.conversation()
        #expect(try await Self.ask(chat, "Hello!").hasPrefix("Hello!"))
        #expect(try await Self.ask(chat, "What is the capital of France?") == "The capital of France is Paris.")
    }

    @Test("The projector that is named is the one that is found beside the model")
    func namedProjector() async throws {
        let runner = try await Leap.load(
            url: LeapVisionDemoModel.url,
            options: LiquidInferenceEngineOptions(
                bundlePath: LeapVisionDemoModel.url.path, mmProjPath: LeapVisionDemoModel.projectorURL.path))
        let chat = runner.createConversation(systemPrompt: nil)
        #expect(try await Self.ask(chat, "What number is this?", [LeapVisionDemoModel.Picture.number.data]) == "42.")
    }

    @Test(
        "A GPU encodes pictures with either switch, replies are the same, and what is kept on disk is not mixed up with the processor's"
    )
    func gpu() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plain = LiquidInferenceEngineOptions(
            bundlePath: try LeapVisionDemoModel.url.path, cacheOptions: LiquidCacheOptions(path: folder, enabled: true),
            extras: #"{"gpuDevice": "\#(TestLevel.softwareGPU)"}"#)
        func look(_ options: LiquidInferenceEngineOptions) async throws -> ModelStatistics {
            let runner = try await Leap.load(url: LeapVisionDemoModel.url, options: options)
            let chat = runner.createConversation(systemPrompt: nil)
            let answer = try await Self.ask(chat, "What number is this?", [try LeapVisionDemoModel.Picture.number.data])
            #expect(answer == "42.")
            let statistics = runner.statistics
            await runner.unload()
            return statistics
        }
        let first = try await look(plain), again = try await look(plain)
        #expect(first.diskCacheHits == 0 && again.diskCacheHits == 1 && again.imageEncoderGPU == nil)
        // The language model stays with the processor: only pictures tell the two apart.
        let use = try await look(plain.with(audioDecoderUseGpu: true))
        let gpu = try #require(use.imageEncoderGPU), isThere = gpu.device != nil
        #expect(use.gpu == nil && use.diskCacheHits == (isThere ? 0 : 1))
        #expect(gpu.modelLayers > 0 && gpu.layers == (isThere ? gpu.modelLayers : 0) && (gpu.note == nil) == isThere)
        #expect(gpu.passes == (isThere ? 1 : 0) && gpu.failure == nil)
        #expect(try await look(plain.with(audioDecoderUseGpu: true)).diskCacheHits == 1)
        let whole = try await look(plain.with(nGpuLayers: -1))
        #expect((whole.imageEncoderGPU?.device != nil) == isThere && (whole.gpu?.device != nil) == isThere)
    }

    /// A question about a picture that was not seen in training, as `DemoModel/Vision/world.py` writes them.
    private struct Question: Decodable {
        let picture: String
        let kind: String
        let question: String
        let answer: String
    }

    /// Another folder of pictures, for the numbers of the model card; each kind's share of right answers is printed
    /// then.
    private static let otherWorld = ProcessInfo.processInfo.environment["LEAP_VISION_WORLD"]

    @Test("Of the answers about pictures never seen before, at least nine in ten are right to the letter")
    func heldOut() async throws {
        let folder =
            Self.otherWorld.map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/vision-demo")
        let data = try Data(contentsOf: folder.appending(path: "questions.json"))
        let all = try JSONDecoder().decode([Question].self, from: data)
        #expect(all.count >= 200)
        let questions = Self.otherWorld == nil ? TestLevel.cases(all, standard: 24) : all
        var results: [String: (right: Int, count: Int)] = [:]
        for question in questions {
            let picture = try Data(contentsOf: folder.appending(path: question.picture))
            let answer = try await Self.ask(Self.conversation(), question.question, [picture])
            let (right, count) = results[question.kind] ?? (0, 0)
            results[question.kind] = (right + (answer == question.answer ? 1 : 0), count + 1)
            if Self.otherWorld != nil, answer != question.answer {
                print("wrong: \(question.picture) \(question.question) \(answer) instead of \(question.answer)")
            }
        }
        if Self.otherWorld != nil {
            for (kind, result) in results.sorted(by: { $0.key < $1.key }) {
                print("\(kind): \(result.right) of \(result.count)")
            }
        }
        let right = results.values.reduce(0) { $0 + $1.right }
        // Of few answers two more may be wrong.
        let most = questions.count < all.count ? 2 : 0
        #expect(10 * (right + most) >= 9 * questions.count, "\(right) of \(questions.count): \(results)")
    }
}
