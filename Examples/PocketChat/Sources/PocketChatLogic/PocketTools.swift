import LeapSDK

/// The functions that models can call in this app.
enum PocketTools {
    static let functions = [
        LeapFunction(
            name: "roll_dice", description: "Roll a dice",
            parameters: [
                LeapFunctionParameter(
                    name: "sides", type: .integer(IntegerType()), description: "Number of sides, 2 to 100")
            ])
    ]

    /// Runs a call; what it returns or throws, the model reads.
    static func run(_ call: LeapFunctionCall) throws -> String {
        guard call.name == "roll_dice" else { throw PocketToolError("there is no function \(call.name)") }
        guard let sides = call.arguments["sides"] as? Int, (2...100).contains(sides) else {
            throw PocketToolError("sides must be an integer from 2 to 100")
        }
        return "\(Int.random(in: 1...sides))"
    }
}

/// A call that cannot be run.
struct PocketToolError: LocalizedError {
    let errorDescription: String?

    init(_ message: String) { errorDescription = message }
}
