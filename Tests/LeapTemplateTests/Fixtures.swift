import Foundation
import LeapTemplate
import Testing

/// The files next to the tests, and the clock the goldens were made with.
enum Fixtures {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    static let clock = FixedTemplateClock(
        TemplateDate(year: 2025, month: 3, day: 4, hour: 15, minute: 6, second: 7))

    static func json(_ path: String) throws -> TemplateValue {
        try TemplateValue(json: Array(Data(contentsOf: folder.appendingPathComponent(path))))
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(path)), as: UTF8.self)
    }

    static func files(in path: String, suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
            .filter { $0.hasSuffix(suffix) }.sorted()
    }

    static func object(_ value: TemplateValue?) -> TemplateObject {
        if case .object(let object)? = value { return object }
        return [:]
    }

    static func array(_ value: TemplateValue?) -> [TemplateValue]? {
        if case .array(let items)? = value { return items }
        return nil
    }

    /// Renders a template with variables, at the fixed time.
    static func render(_ source: String, _ context: TemplateObject = [:]) throws -> String {
        try ChatTemplate(source: source).render(context, clock: clock)
    }

    /// The error of compiling and rendering, where there is one.
    static func failure(
        of source: String, _ context: TemplateObject = [:], limits: TemplateLimits = .default
    ) -> TemplateError? {
        do {
            _ = try ChatTemplate(source: source).render(context, limits: limits, clock: clock)
            return nil
        } catch {
            return error
        }
    }
}
