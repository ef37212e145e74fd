import LeapSDK

/// A mail, whose JSON the model reads.
struct Mail: Codable, Sendable {
    let from: String
    let subject: String
    let body: String
}

/// A mailbox of made mails.
enum Mailbox {
    static let teams: [Question.Option] = [
        Question.Option("billing", description: "invoices, payments and refunds"),
        Question.Option("support", description: "things that do not work"),
        Question.Option("sales", description: "offers and new orders"),
    ]

    private static let names = ["Ana", "Ben", "Chi", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jun"]
    private static let subjects = [
        ("Invoice", "You charged me twice for the order. Please pay the money back."),
        ("It does not start", "The machine has stopped working since the update. What can I do?"),
        ("An offer", "We need twenty machines for our school. How much are they?"),
        ("You have won", "Click the link now to get your free prize!"),
        ("Address", "We have moved. Please send the next bill to the new address."),
    ]

    /// Returns so many different mails.
    static func mails(_ count: Int) -> [Mail] {
        (0..<count).map { number in
            let (subject, body) = subjects[number % subjects.count]
            let name = names[number / subjects.count % names.count]
            return Mail(from: name, subject: "\(subject) (\(number + 1))", body: "\(body)\n\(name)")
        }
    }
}
