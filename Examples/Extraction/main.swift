import LeapDemoModel
import LeapSDK
import LeapSDKMacros

// Reads lines of text and writes what they tell of people as CSV.
//
//     swift run Extraction [MODEL.gguf] <LINES
@Generatable("A person")
struct Person: Codable, Sendable {
    @Guide("The name")
    let name: String

    @Guide("The age in years", .range(0...130))
    let age: Int

    @Guide("The city")
    let city: String
}

/// The person that a text tells of; every reply has the form of the type, as the grammar of its schema allows nothing
/// else.
func person(in text: String, by runner: any ModelRunner) async throws -> Person {
    let options = GenerationOptions().with(temperature: 0).with(maxTokens: 120).with(injectSchemaIntoPrompt: false)
    return try await runner.createConversation().generate(
        Person.self, userTextMessage: "Extract name, age and city as JSON: \(text)", generationOptions: options)
}

/// A cell of a table, quoted where it has to be.
func cell(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""
}

let arguments = CommandLine.arguments.dropFirst()
let runner = try await Leap.load(url: try arguments.first.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url)
var failures = 0
print("name,age,city")
while let line = readLine() {
    do {
        let person = try await person(in: line, by: runner)
        print([cell(person.name), String(person.age), cell(person.city)].joined(separator: ","))
    } catch let error as LeapException {
        failures += 1
        FileHandle.standardError.write(Data("\(line): \(error.localizedDescription)\n".utf8))
    }
}
exit(failures == 0 ? 0 : 1)
