import Foundation
import LeapTestSupport
import Testing

/// Inputs made to take time or memory, and what becomes of them.
enum WorstCases {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The kind of source that the probe is told to read.
        var kind: String
        var name: String
        var text: String
        /// The text that the probe's first line begins with.
        var beginning = "compiled"
        /// True if following it ends with the matcher's typed failure.
        var isGivenUp = false
        /// True if a build without optimisation takes several seconds for it.
        var isSlow = false
        /// True if the standard level has it: one of each kind, and one that is refused.
        var isStandard = false
        var testDescription: String { "\(kind): \(name)" }
    }

    /// In debug builds without those that take long in them, unless `LEAP_WORST_CASES` is `all`.
    static let all: [Row] = {
        let all = grammars + patterns + schemas
        #if DEBUG
            if ProcessInfo.processInfo.environment["LEAP_WORST_CASES"] != "all" { return all.filter { !$0.isSlow } }
        #endif
        return all
    }()

    /// Those of this level of the tests.
    static let chosen = TestLevel.isAll ? all : all.filter(\.isStandard)

    private static func joined(_ count: Int, _ separator: String = "", _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: separator)
    }

    /// Rules that each name their successor in a pattern (`@`), `count` deep.
    private static func chain(_ count: Int, _ pattern: String, end: String) -> String {
        "root ::= a0\n"
            + joined(count) { index in
                "a\(index) ::= " + pattern.replacing("@", with: "a\(index + 1)") + "\n"
            } + "a\(count) ::= \(end)"
    }

    /// Three letters or digits, different ones for each number below 238,328.
    private static func word(_ number: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return String([letters[number % 62], letters[number / 62 % 62], letters[number / 3_844 % 62]])
    }

    private static let grammars: [Row] = [
        Row(kind: "gbnf", name: "rules that double, empty at the end", text: chain(40, "@ @", end: "\"\"")),
        Row(kind: "gbnf", name: "rules that double, optional at the end", text: chain(40, "@ @", end: "\"x\"?")),
        Row(
            kind: "gbnf", name: "rules that double, repeated at the end", text: chain(40, "@ @", end: "[a-z]*"),
            isStandard: true),
        Row(
            kind: "gbnf", name: "rules that double, a letter at the end", text: chain(40, "@ @", end: "\"x\""),
            beginning: "refused: tooComplex", isStandard: true),
        Row(kind: "gbnf", name: "once or twice, 25 deep", text: chain(25, "@ @ | @", end: "\"x\"")),
        Row(kind: "gbnf", name: "once or twice, 60 deep", text: chain(60, "@ @ | @", end: "\"x\"?"), isSlow: true),
        Row(
            kind: "gbnf", name: "170,000 words in one rule",
            text: "root ::= " + joined(170_000, "|") { "\"\(word($0))\"" }, isSlow: true),
        Row(
            kind: "gbnf", name: "200,000 times one word in one rule",
            text: "root ::= " + joined(200_000, "|") { _ in "\"x\"" }),
        Row(
            kind: "gbnf", name: "words beside recursion",
            text: "root ::= r? (" + joined(120_000, "|") { "\"\(word($0))\"" } + ")\nr ::= \"(\" root \")\""),
        Row(
            kind: "gbnf", name: "30,000 alternatives that recur",
            text: "root ::= (" + joined(30_000, "|") { "\"\(word($0))\" root" } + ")?", isGivenUp: true, isSlow: true),
        Row(
            kind: "gbnf", name: "a row of 400,000 rules",
            text: "root ::= " + joined(400_000, " ") { _ in "a" } + "\na ::= \"x\" a | \"y\"", isSlow: true),
        Row(
            kind: "gbnf", name: "copies of copies",
            text: "root ::= " + joined(20_000, " ") { _ in "a{2000}" } + "\na ::= \"x\" a \"z\" | \"y\"",
            beginning: "refused: tooComplex", isSlow: true),
        Row(
            kind: "gbnf", name: "counts inside counts",
            text: "root ::= (([ab]{0,100} [bc]{0,100}){0,100} [ac]{0,100}){0,100}", isSlow: true),
        Row(
            kind: "gbnf", name: "optional parts a hundred times in a recursive rule",
            text: "root ::= e\ne ::= \"a\" e \"b\" | \"a\" (e | \"\"){0,100}", isGivenUp: true, isSlow: true),
        Row(
            kind: "gbnf", name: "a grammar inside its own optional parts",
            text: "root ::= a a | a\na ::= b b | b?\nb ::= c{0,30} c*\nc ::= [ab]? | root", isGivenUp: true,
            isSlow: true),
        Row(
            kind: "gbnf", name: "doubling left recursion", text: "root ::= s\ns ::= s s s | s s | \"a\" | \"\"",
            isSlow: true),
        Row(
            kind: "gbnf", name: "left recursion through 300 rules",
            text: "root ::= a0\n" + joined(300) { "a\($0) ::= \"x\" | a\(($0 + 1) % 300) \"c\"\n" },
            beginning: "refused: tooComplex"),
        Row(
            kind: "gbnf", name: "one literal of a million characters",
            text: "root ::= \"\(String(repeating: "x", count: 900_000))\"", isSlow: true),
        Row(
            kind: "gbnf", name: "two long literals that part at their end",
            text:
                "root ::= \"\(String(repeating: "x", count: 400_000))\" | \"\(String(repeating: "x", count: 400_000))y\"",
            isSlow: true),
        Row(
            kind: "gbnf", name: "3,000 classes of 200 characters",
            text: "root ::= \"q\" | "
                + joined(3_000, " | ") { rule in
                    "["
                        + String(
                            String.UnicodeScalarView(
                                (0..<100).compactMap {
                                    Unicode.Scalar(0x100 + UInt32(3 * (rule * 7 + $0 * 13) % 50_000))
                                }))
                        + "] root"
                }, isSlow: true),
    ]

    private static let patterns: [Row] = [
        Row(kind: "regex", name: "full stops", text: String(repeating: ".*", count: 550), isGivenUp: true),
        Row(
            kind: "regex", name: "many lookaheads",
            text: "^" + joined(40) { "(?!.*\(word($0)))(?=.*\(word($0 + 100)))" } + ".*$",
            beginning: "refused: tooComplex", isSlow: true
        ),
        Row(
            kind: "regex", name: "word boundaries in repetitions", text: "((\\w+\\b ?){1,20}|a\\b){1,30}",
            isStandard: true),
        Row(
            kind: "regex", name: "thousands of case-insensitive classes",
            text: "(?i)" + joined(500) { _ in "[\\p{Alphabetic}\\p{Script=Latin}]" }),
        Row(
            kind: "regex", name: "150 counted groups",
            text: joined(150) { "\(Character(Unicode.Scalar(UInt8(97 + $0 % 26)))){0,150}" }),
        Row(kind: "regex", name: "50 counted groups of one letter", text: joined(50) { _ in "a{0,150}" }, isSlow: true),
        Row(
            kind: "regex", name: "nested counts", text: "((((a{1,1000}){1,1000}){1,1000}){1,1000}){1,1000}",
            isGivenUp: true, isSlow: true),
        Row(kind: "regex", name: "exponentially many states", text: "(((a|b)*a(a|b){30}){0,50}c?)*"),
        Row(kind: "regex", name: "optional letters before as many", text: "(a?){600}a{600}"),
        Row(
            kind: "regex", name: "nested repetitions",
            text: String(repeating: "(", count: 190) + "a|b" + String(repeating: "c)*", count: 190), isSlow: true),
        Row(
            kind: "regex", name: "Unicode classes, counted",
            text: joined(10) { _ in "(\\p{L}|\\p{N}|[^\\p{Lu}]|\\P{S}){1,500}" }, isSlow: true),
        Row(kind: "regex", name: "a million repetitions", text: "(a|b){0,1000000}(a|c){0,1000000}"),
        Row(kind: "regex", name: "words", text: "(" + joined(1_500, "|") { "w\($0)x{0,9}" } + ")*"),
    ]

    private static let schemas: [Row] = [
        Row(
            kind: "schema", name: "300 overlapping oneOf branches",
            text: "{\"oneOf\":["
                + joined(300, ",") {
                    "{\"properties\":{\"a\($0)\":{\"type\":\"integer\"}},\"minProperties\":\($0 % 7)}"
                } + "]}",
            beginning: "refused: tooComplex"),
        Row(
            kind: "schema", name: "300 oneOf branches with required keys",
            text: "{\"oneOf\":["
                + joined(300, ",") { "{\"properties\":{\"a\($0)\":{\"type\":\"integer\"}},\"required\":[\"a\($0)\"]}" }
                + "]}",
            beginning: "refused: tooComplex", isSlow: true),
        Row(
            kind: "schema", name: "60 overlapping patterns",
            text: "{\"type\":\"string\",\"oneOf\":[" + joined(60, ",") { "{\"pattern\":\"a\($0)b\"}" } + "]}",
            beginning: "refused: tooComplex", isSlow: true),
        Row(
            kind: "schema", name: "patterns with exponentially many states together",
            text: "{\"type\":\"string\",\"allOf\":["
                + joined(40, ",") { "{\"pattern\":\"(a|b)*\($0 % 2 == 0 ? "a" : "b")(a|b){\($0)}\"}" } + "]}",
            isGivenUp: true, isSlow: true),
        Row(
            kind: "schema", name: "8,000 constants in anyOf",
            text: "{\"anyOf\":[" + joined(8_000, ",") { "{\"const\":\"w\($0)\"}" } + "]}", isStandard: true),
        Row(
            kind: "schema", name: "references that need the one before",
            text: "{\"type\":\"array\",\"prefixItems\":[" + joined(3_000, ",") { "{\"$ref\":\"#/$defs/a\($0)\"}" }
                + "],\"$defs\":{\"a0\":{\"type\":\"null\"}"
                + joined(2_999) {
                    ",\"a\($0 + 1)\":{\"type\":\"object\",\"properties\":{\"x\":{\"$ref\":\"#/$defs/a\($0)\"}},\"required\":[\"x\"]}"
                } + "}}"),
    ]
}
