import LeapTemplate
import Testing

/// Templates that are wrong or hostile end in a typed error that names the line.
struct BadTemplateTests {
    struct Case: CustomTestStringConvertible {
        let source: String
        let code: TemplateError.Code
        let line: Int
        var testDescription: String { String(source.prefix(60)) }

        init(_ source: String, _ code: TemplateError.Code, _ line: Int) {
            self.source = source
            self.code = code
            self.line = line
        }
    }

    @Test(
        "Malformed templates are refused when they are compiled",
        arguments: [
            Case("{{ 1", .syntax, 1), Case("a\n{% if x %}b", .syntax, 2), Case("\n\n{% endif %}", .syntax, 3),
            Case("{% for x %}{% endfor %}", .syntax, 1), Case("{{ 'abc }}", .syntax, 1), Case("{{ ] }}", .syntax, 1),
            Case("a\nb {# c", .syntax, 2), Case("{% raw %}x", .syntax, 1), Case("{% nope %}", .syntax, 1),
            Case("\n{{ x|nope }}", .unknownFilter, 2), Case("\n{{ x is nope }}", .unknownTest, 2),
            Case("{% break %}", .syntax, 1), Case("{% do [] %}", .syntax, 1), Case("{{ '\\x1' }}", .syntax, 1),
            Case("{% macro m(a, a) %}{% endmacro %}", .syntax, 1), Case("{% set 1 = 2 %}", .syntax, 1),
            Case("{% autoescape true %}{% endautoescape %}", .unsupported, 1),
            Case("{% for i in x %}{% extends 'y' %}{% endfor %}", .syntax, 1),
        ])
    func malformed(_ test: Case) throws {
        do {
            _ = try ChatTemplate(source: test.source)
            Issue.record("\(test.source) must not compile")
        } catch {
            #expect(error.code == test.code && error.line == test.line, "\(error)")
        }
    }

    @Test(
        "Templates that fail while they render name the line that failed",
        arguments: [
            Case("a\n{{ x.y.z }}", .undefined, 2), Case("{% if 1 %}\n\n{{ 1 + 'a' }}{% endif %}", .type, 3),
            Case("{% macro m() %}\n{{ 1 / 0 }}\n{% endmacro %}\n\n{{ m() }}", .value, 2),
            Case("{% for i in [1] %}\n{% if i.x.y %}{% endif %}{% endfor %}", .undefined, 2),
            Case("{% set x = 1 %}\n{% set x.y = 1 %}", .type, 2), Case("\n{{ [].append(1) }}", .security, 2),
            Case("{{ raise_exception('no') }}", .raised, 1), Case("\n{% include 'x' %}", .unsupported, 2),
            Case("{{ lipsum() }}", .unsupported, 1), Case("\n\n{{ x() }}", .undefined, 3),
            Case("{% if x %}\n{% elif 1|nope %}{% endif %}", .unknownFilter, 2),
            Case("\n{{ {}|tojson(indent=[]) }}", .type, 2), Case("{{ ''.join(1) }}", .type, 1),
        ])
    func failing(_ test: Case) throws {
        let error = try #require(Fixtures.failure(of: test.source))
        #expect(error.code == test.code && error.line == test.line, "\(error)")
    }

    @Test("raise_exception passes the template's own words on")
    func raised() throws {
        let error = try #require(Fixtures.failure(of: "\n{{ raise_exception('Only \\'user\\' turns!') }}"))
        #expect(error.message == "Only 'user' turns!")
        #expect(error.description == "template line 2: Only 'user' turns!")
    }

    @Test("The do tag is known where it is asked for")
    func doTag() throws {
        let template = try ChatTemplate(source: "{% do 1 + 1 %}x", allowsDo: true)
        #expect(try template.render([:]) == "x")
    }
}
