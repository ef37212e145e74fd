import LeapTemplate
import Testing

/// Our own templates, construct by construct, against what CPython's Jinja2 rendered
/// (`Scripts/make-template-goldens.py`).
struct GoldenTests {
    @Test(
        "Every construct renders what CPython renders",
        arguments: [
            "expressions", "filters", "loops", "macros", "scopes-and-blocks", "various", "whitespace-and-syntax",
        ])
    func constructs(_ name: String) throws {
        let context = Fixtures.object(try Fixtures.json("Goldens/context.json"))
        var templates = try Fixtures.text("Goldens/\(name).cases.txt").components(separatedBy: "\n----\n")
        templates[templates.count - 1].removeLast()
        let goldens = try #require(Fixtures.array(try Fixtures.json("Goldens/\(name).golden.json")))
        try #require(goldens.count == templates.count)
        for (template, golden) in zip(templates, goldens) {
            let rendered: String?
            do {
                rendered = try Fixtures.render(template, context)
            } catch let error as TemplateError {
                #expect(golden["text"] == nil, "\(template) must render, but: \(error)")
                // The whole result cannot be encoded; no one line is at fault.
                if template.contains("ud83d") { continue }
                #expect(error.line != nil, "the error of \(template) must name a line: \(error)")
                continue
            }
            let expected = golden["text"]?.stringValue
            #expect(
                rendered?.utf8.elementsEqual((expected ?? "").utf8) == (expected != nil),
                "\(template) rendered \(rendered ?? ""), not \(expected ?? golden["error"]?.stringValue ?? "")")
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts = [String]()
        var rest = Array(utf8)[...]
        let mark = Array(separator.utf8)
        var part = [UInt8]()
        while let byte = rest.first {
            if rest.starts(with: mark) {
                parts.append(String(decoding: part, as: UTF8.self))
                part = []
                rest = rest.dropFirst(mark.count)
            } else {
                part.append(byte)
                rest = rest.dropFirst()
            }
        }
        return parts + [String(decoding: part, as: UTF8.self)]
    }
}
