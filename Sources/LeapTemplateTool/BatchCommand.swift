import Foundation
import LeapTemplate

/// `batch` and `bench`: one JSON object with `template` and `context` (or `messages` and the other arguments) per line
/// in, one JSON object with `text` or `error` (or the time in microseconds) per line out.
enum BatchCommand {
    static func run(measuring: Bool) -> Int32 {
        while let line = readLine() {
            guard !line.isEmpty else { continue }
            var result = TemplateObject()
            do {
                let input = try TemplateValue(json: line)
                let template = try ChatTemplate(source: input["template"]?.stringValue ?? "")
                let clock = try fixedClock(input["now"]?.stringValue)
                if measuring {
                    result["microseconds"] = .float(try measure(template, input, clock))
                } else {
                    result["text"] = .string(try render(template, input, clock))
                }
            } catch {
                result["error"] = .string(error.description)
                result["code"] = .string(error.code.description)
                if let line = error.line { result["line"] = .int(line) }
            }
            print((try? TemplateValue.object(result).json()) ?? "{}")
        }
        return 0
    }

    private static func render(
        _ template: ChatTemplate, _ input: TemplateValue, _ clock: any TemplateClock
    ) throws(TemplateError) -> String {
        if case .object(let context)? = input["context"] { return try template.render(context, clock: clock) }
        func list(_ key: String) -> [TemplateValue]? {
            if case .array(let items)? = input[key] { return items }
            return nil
        }
        var extra = TemplateObject()
        if case .object(let given)? = input["extra"] { extra = given }
        return try template.render(
            messages: list("messages") ?? [], tools: list("tools"), documents: list("documents"),
            addGenerationPrompt: input["add_generation_prompt"] != .bool(false), extra: extra, clock: clock)
    }

    /// The least time of one rendering, in microseconds, over runs of about a millisecond each.
    private static func measure(
        _ template: ChatTemplate, _ input: TemplateValue, _ clock: any TemplateClock
    ) throws(TemplateError) -> Double {
        let timer = ContinuousClock()
        var best = Double.infinity
        let end = timer.now + .milliseconds(300)
        while timer.now < end {
            let start = timer.now
            for _ in 0..<10 { _ = try render(template, input, clock) }
            let elapsed = timer.now - start
            best = min(best, Double(elapsed.components.attoseconds) / 1e12 / 10)
        }
        return best
    }

    /// A clock at `YYYY-MM-DDTHH:MM:SS`.
    private static func fixedClock(_ text: String?) throws(TemplateError) -> any TemplateClock {
        guard let text else { return SystemTemplateClock() }
        let fields = text.split { $0 == "-" || $0 == "T" || $0 == ":" }.compactMap { Int($0) }
        guard fields.count == 6 else { throw TemplateError(.value, "\(text) is no YYYY-MM-DDTHH:MM:SS") }
        return FixedTemplateClock(
            TemplateDate(
                year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4],
                second: fields[5]))
    }
}
