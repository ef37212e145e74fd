import LeapJSON
import LeapTestSupport
import Testing

@testable import LeapGrammar

@Suite struct RegexTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var pattern: String
        var valid: [String]
        var invalid: [String]
        var testDescription: String { pattern }
    }

    /// Whole texts.
    static let rows: [Row] = [
        Row(
            pattern: "(?i)straße|K", valid: ["straße", "STRAẞE", "Straße", "k", "K", "\u{212A}"],
            invalid: ["strasse", "x"]),
        Row(pattern: "a(?i:b)c", valid: ["abc", "aBc"], invalid: ["Abc", "abC"]),
        Row(pattern: "(a(?i)b)c", valid: ["abc", "aBc"], invalid: ["Abc", "aBC"]),
        Row(pattern: "(?i)a(?-i:b)c", valid: ["abc", "AbC"], invalid: ["aBc"]),
        Row(pattern: "(?i)[^a-c]", valid: ["d", "D", "é"], invalid: ["a", "B", "C"]),
        Row(pattern: "(?i)[x-z]σ", valid: ["xσ", "Zς", "YΣ"], invalid: ["aσ", "xs"]),
        Row(pattern: "(?i)ı|İ", valid: ["ı", "İ"], invalid: ["i", "I"]),
        Row(pattern: "(?is)A.", valid: ["a\n", "Ab"], invalid: ["a"]),
        Row(pattern: #"\p{Script=Greek}+"#, valid: ["αβγ", "Ω"], invalid: ["a", "я", "1"]),
        Row(pattern: #"\p{sc=Latn}\P{Script=Latin}"#, valid: ["a1", "éя"], invalid: ["ab", "яa"]),
        Row(pattern: #"[\p{scx=Deva}]"#, valid: ["क", "।"], invalid: ["a", "1"]),
        Row(pattern: #"\p{sc=Deva}"#, valid: ["क"], invalid: ["।"]),
        Row(pattern: #"\bfoo\b.*"#, valid: ["foo", "foo bar", "foo-"], invalid: ["foobar", "foo_", " foo"]),
        Row(pattern: #".*\bfoo\b.*"#, valid: ["foo", "a foo.", "(foo)"], invalid: ["afoo", "foob", "fo"]),
        Row(pattern: #"(\b\w+\b ?)+"#, valid: ["a", "ab cd ", "a b"], invalid: ["", " a", "a  b"]),
        Row(pattern: #"a\Bb|a\B-"#, valid: ["ab"], invalid: ["a-"]),
        Row(pattern: #"(a\b|-){2,3}"#, valid: ["a-", "-a", "a-a", "---"], invalid: ["aa", "a", "aa-"]),
        Row(pattern: #"^(?!x).*$"#, valid: ["", "a", "ax"], invalid: ["x", "xa"]),
        Row(
            pattern: #"^(?=.*\d)(?=.*[a-z])(?!.*\s)[ -~]{4,6}$"#, valid: ["abc1", "1aaaaa"],
            invalid: ["abcd", "1234", "ab 1", "ab1", "abcde12"]),
        Row(pattern: #"(?!foo$|bar$)\w+"#, valid: ["fo", "foox", "ba"], invalid: ["foo", "bar", ""]),
        Row(pattern: #"a(?=b)(b|c)d"#, valid: ["abd"], invalid: ["acd", "ad"]),
        Row(pattern: #".*(?<!\.)$"#, valid: ["", "a", ".a"], invalid: [".", "a."]),
        Row(pattern: #"\w+(?<=ing)"#, valid: ["ing", "going"], invalid: ["in", "ings"]),
        Row(pattern: #"(a|b(?!c)).?"#, valid: ["a", "ac", "b", "bd"], invalid: ["bc"]),
    ]

    @Test("Patterns match their texts and no others", arguments: rows)
    func texts(_ row: Row) throws {
        let grammar = try CompiledGrammar.regex(row.pattern)
        for text in row.valid {
            #expect(Judge.accepts(grammar, text), "\(text) is valid")
            #expect(Judge.masksAccept(grammar, text), "the masks let \(text) through")
        }
        for text in row.invalid {
            #expect(!Judge.accepts(grammar, text), "\(text) is not valid")
            #expect(!Judge.masksAccept(grammar, text), "the masks stop \(text)")
        }
    }

    @Test(
        "What has no exact meaning is refused, with its place",
        arguments: [
            (#"ab\hc"#, "character 3"), (#"\R"#, "character 1"), (#"[a\h]"#, "character 3"), (#"\q"#, "\\q"),
            ("x[[:alpha:]]", "POSIX class"), ("[^[:digit:]a]", "POSIX class"), (#"a\uD800"#, "surrogate"),
            (#"[\uDC00-\uDFFF]"#, "surrogate"), (#"\u{D800}"#, "surrogate"), (#"(a)\1"#, "back-reference"),
            ("(a(?=b))*", "character 2"), ("(?>a)", "character 2"), ("(?m)^a", "flag"),
            (#"\p{Script=Klingon}"#, "Klingon"),
            (#"\b(?=a)"#, "lookaround"), (#"(?i)\bk"#, "ignores case"), ("a(?=b(?!c))", "inside another"),
        ])
    func refusal(_ pattern: String, _ what: String) {
        do {
            _ = try CompiledGrammar.regex(pattern)
            Issue.record("compiled")
        } catch {
            #expect(error.code == .unsupported, "\(error)")
            #expect(error.reason.contains(what), "\(error)")
        }
    }

    // MARK: Against trying every way

    indirect enum Node {
        case text(String)
        case start, end, boundary, noBoundary
        case sequence([Node])
        case choice([Node])
        case repeated(Node, Int, Int)
        case look(Node, isAhead: Bool, isNegated: Bool)

        var source: String {
            switch self {
            case .text(let text): text
            case .start: "^"
            case .end: "$"
            case .boundary: "\\b"
            case .noBoundary: "\\B"
            case .sequence(let parts): parts.map(\.source).joined()
            case .choice(let parts): "(?:" + parts.map(\.source).joined(separator: "|") + ")"
            case .repeated(let body, let low, let high): "(?:\(body.source)){\(low),\(high < 0 ? "" : String(high))}"
            case .look(let body, let isAhead, let isNegated):
                "(?\(isAhead ? "" : "<")\(isNegated ? "!" : "=")\(body.source))"
            }
        }
    }

    static func isWord(_ text: [Character], _ index: Int) -> Bool {
        index >= 0 && index < text.count && text[index] != "-"
    }

    static func matches(_ node: Node, _ text: [Character], _ start: Int, _ then: (Int) -> Bool) -> Bool {
        switch node {
        case .text(let part):
            return start + part.count <= text.count && Array(part) == Array(text[start..<start + part.count])
                && then(start + part.count)
        case .start: return start == 0 && then(start)
        case .end: return start == text.count && then(start)
        case .boundary: return isWord(text, start - 1) != isWord(text, start) && then(start)
        case .noBoundary: return isWord(text, start - 1) == isWord(text, start) && then(start)
        case .sequence(let parts):
            guard let first = parts.first else { return then(start) }
            return matches(first, text, start) { matches(.sequence(Array(parts.dropFirst())), text, $0, then) }
        case .choice(let parts): return parts.contains { matches($0, text, start, then) }
        case .repeated(let body, let low, let high):
            if low > 0 {
                return matches(body, text, start) {
                    matches(.repeated(body, low - 1, high < 0 ? -1 : high - 1), text, $0, then)
                }
            }
            if then(start) { return true }
            if high == 0 { return false }
            return matches(body, text, start) { end in
                end > start && matches(.repeated(body, 0, high < 0 ? -1 : high - 1), text, end, then)
            }
        case .look(let body, true, let isNegated):
            return matches(body, text, start) { _ in true } != isNegated && then(start)
        case .look(let body, false, let isNegated):
            return (0...start).contains { first in matches(body, text, first) { $0 == start } } != isNegated
                && then(start)
        }
    }

    static func node(_ depth: Int, _ random: inout SeededGenerator, looks: Bool, boundaries: Bool) -> Node {
        func inner(_ random: inout SeededGenerator) -> Node {
            node(depth - 1, &random, looks: looks, boundaries: boundaries)
        }
        switch random.below(depth == 0 ? 4 : 9) {
        case 0, 1: return .text(["a", "b", "-", "ab", "", "b-"][random.below(6)])
        case 2: return boundaries ? (random.below(3) > 0 ? .boundary : .noBoundary) : .text("-")
        case 3: return random.below(3) > 0 ? .text("a") : random.below(2) == 0 ? .start : .end
        case 4, 5: return .sequence((0..<2 + random.below(2)).map { _ in inner(&random) })
        case 6: return .choice((0..<2).map { _ in inner(&random) })
        case 7 where looks:
            let body = node(1, &random, looks: false, boundaries: false)
            return .look(body, isAhead: random.below(4) > 0, isNegated: random.below(2) == 0)
        default:
            let low = random.below(2)
            return .repeated(inner(&random), low, random.below(2) == 0 ? -1 : low + random.below(2))
        }
    }

    @Test("Random patterns match what trying every way matches", arguments: [(false, true), (true, false)])
    func random(_ looks: Bool, _ boundaries: Bool) throws {
        var random = SeededGenerator(looks ? 21 : 22)
        var texts = [""]
        for length in 1...3 {
            for number in 0..<[1, 3, 9, 27][length] {
                var rest = number
                var text = ""
                for _ in 0..<length {
                    text.append(["a", "b", "-"][rest % 3])
                    rest /= 3
                }
                texts.append(text)
            }
        }
        var judged = 0
        for _ in 0..<TestLevel.rounds(40, all: 140) {
            let node = Node.sequence(
                (0..<1 + random.below(3)).map { _ in
                    Self.node(2, &random, looks: looks, boundaries: boundaries)
                })
            let source = node.source
            let members = [("type", JSONValue.string("string")), ("pattern", .string(source))]
            let schema = JSONWriter.bytes(.object(JSONObject(members)), style: .python)
            do {
                let whole = try CompiledGrammar.regex(source)
                for text in texts {
                    let expected = Self.matches(node, Array(text), 0) { $0 == text.count }
                    #expect(Judge.accepts(whole, text) == expected, "\(text.debugDescription) in \(source)")
                }
                judged += 1
            } catch { #expect(error.code == .unsupported || error.code == .unsatisfiable, "\(error) \(source)") }
            do {
                let found = try CompiledGrammar.jsonSchema(utf8: schema)
                for text in texts {
                    let expected = (0...text.count).contains { Self.matches(node, Array(text), $0) { _ in true } }
                    #expect(Judge.accepts(found, "\"\(text)\"") == expected, "\(text.debugDescription) has \(source)")
                }
            } catch { #expect(error.code == .unsupported || error.code == .unsatisfiable, "\(error) \(source)") }
        }
        #expect(judged > TestLevel.rounds(12, all: 60), "\(judged)")
    }
}
