import Foundation
import LeapBase
import LeapJSON
import LeapSDK
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapHybrid

/// Decisions that choose what handles a message.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct DecisionRouterTests {
    private static let sides: [DecisionRouter<ModelSide>.Branch] = [
        .init("short", description: "a short question", .device), .init("long", description: "a hard problem", .cloud),
    ]

    @Test("The likeliest branch is chosen, and another one only without enough confidence")
    func branches() async throws {
        let device = try await HybridSupport.device()
        let text = "What is the capital of Portugal?"
        let plain = try await DecisionRouter(device, "Who answers?", branches: Self.sides).route(text)
        let alone = try await device.decide(
            [
                .choice(
                    "Who answers?", Self.sides.map { Question.Option($0.name, description: $0.description) },
                    name: "route")
            ], about: .text(text),
            options: DecisionOptions())
        #expect(plain.answer == alone[0] && plain.isConfident)
        #expect(plain.branch.name == plain.answer.choice && plain.value == Self.sides[plain.answer.index].value)
        // A threshold that no answer of this model reaches.
        let other = try #require(Self.sides.first { $0.name != plain.branch.name })
        let careful = DecisionRouter(
            device, "Who answers?", branches: Self.sides, otherwise: other.name, minimumConfidence: 1,
            options: DecisionOptions(temperature: 1000))
        let route = try await careful.route(text)
        #expect(!route.isConfident && route.branch.name == other.name && route.value == other.value)
        // Without one to take instead, it is the likeliest.
        let likeliest = try await DecisionRouter(
            device, "Who answers?", branches: Self.sides, minimumConfidence: 1,
            options: DecisionOptions(temperature: 1000)
        ).route(text)
        #expect(!likeliest.isConfident && likeliest.branch.name == likeliest.answer.choice)
    }

    @Test("Cases of an enumeration and functions are branches")
    func values() async throws {
        let device = try await HybridSupport.device()
        let sides = DecisionRouter(device, "Which side?", of: ModelSide.self, otherwise: .cloud)
        #expect(sides.branches.map(\.name) == ["device", "cloud"] && sides.otherwise == "cloud")
        let side = try await sides.route(ChatMessage(role: .user, textContent: "Hello"))
        #expect(side.value.rawValue == side.answer.choice)
        let functions = ["weather", "clock"].map { LeapFunction(name: $0, description: "the \($0)", parameters: []) }
        let router = DecisionRouter(device, functions: functions)
        #expect(
            router.question.kind
                == .choice(functions.map { Question.Option($0.name, description: $0.description) }))
        let tool = try await router.route("How late is it?")
        #expect(tool.value.name == tool.answer.choice)
    }

    @Test("Wrong routers are errors that name the field")
    func wrong() async throws {
        let device = try await HybridSupport.device()
        let cases: [(DecisionRouter<ModelSide>, String)] = [
            (DecisionRouter(device, "a", branches: Self.sides, otherwise: "c"), "otherwise"),
            (DecisionRouter(device, "a", branches: Self.sides, minimumConfidence: 2), "minimumConfidence"),
            (DecisionRouter(device, "a", branches: []), "questions.route.options"),
        ]
        for (router, field) in cases {
            let error = await #expect(throws: LeapDecisionException.self) { try await router.route("b") }
            #expect(error?.field == field)
        }
    }

    @Test("A rule chooses the side of a reply by a decision, and leaves it to the next one where that fails")
    func rule() async throws {
        let server = try Server { _ in HybridSupport.reply("From afar.") }
        defer { server.stop() }
        let device = try await HybridSupport.device()
        let text = "What is the capital of Portugal?"
        let route = try await DecisionRouter(device, "Who answers?", branches: Self.sides).route(text)
        // The same decision sends the message to either side, by what its branch stands for.
        for side in ModelSide.allCases {
            let branches = Self.sides.map { branch in
                DecisionRouter<ModelSide>.Branch(
                    branch.name, description: branch.description,
                    branch.name == route.branch.name ? side : side.other)
            }
            let router = HybridRouter(
                device: device, cloud: HybridSupport.cloud(server),
                rules: [.decision(DecisionRouter(device, "Who answers?", branches: branches))], otherwise: side.other)
            let conversation = router.createConversation(systemPrompt: nil)
            _ = try await Delivered(
                conversation.generateResponse(userTextMessage: text, generationOptions: HybridSupport.brief))
            #expect(conversation.lastRoute?.side == side && conversation.lastRoute?.reason == "decision")
        }
        let failing = HybridRouter(
            device: device, cloud: HybridSupport.cloud(server),
            rules: [.decision(DecisionRouter(device, "a", branches: []))], otherwise: .cloud)
        let conversation = failing.createConversation(systemPrompt: nil)
        _ = try await Delivered(conversation.generateResponse(userTextMessage: text))
        #expect(conversation.lastRoute?.side == .cloud && conversation.lastRoute?.reason == "otherwise")
    }
}
