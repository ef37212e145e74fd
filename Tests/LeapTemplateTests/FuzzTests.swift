import LeapTemplate
import LeapTestSupport
import Testing

/// Whatever the template and the values: a text or a typed error, soon, and never a trap.
struct FuzzTests {
    private static let limits = TemplateLimits(maxOutputBytes: 1 << 18, maxWorkBytes: 4 << 20, maxSteps: 20_000)

    private static let fragments = [
        "{{", "}}", "{%", "%}", "{#", "#}", "-", "+", "~", "*", "**", "/", "//", "%", "(", ")", "[", "]", "{", "}", ".",
        ",",
        ":", "|", "=", "==", "<", "!", " ", "\n", "if", "else", "elif", "endif", "for", "in", "endfor", "set", "endset",
        "macro", "endmacro", "call", "endcall", "filter", "endfilter", "not", "and", "or", "is", "loop", "loop.index",
        "recursive", "break", "raw", "endraw", "with", "endwith", "block", "endblock", "generation", "namespace(",
        "range(",
        "9223372036854775807", "-9223372036854775808", "1e308", "0", "'", "\"", "\\", "é", "😀", "\u{0}", "messages",
        "x",
        "|tojson", "|join", "|sort", "|map('upper')", "|batch(2)", "|round(400)", ".split()", ".format(x)", "[::-1]",
        "[-9223372036854775808:]", "|indent(-1)", "|center(50)", "|int(0, 36)", "|slice(-1)", "|truncate(3)",
        "|default",
        "|groupby('role')", "|unique", "|sum", "|wordwrap(1)", "|pprint", "|urlize", "|xmlattr", "|striptags", "|e",
    ]

    @Test("Mutated chat templates", arguments: 0..<12)
    func mutations(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = ["turns", "strict", "schemas", "parts"]
        for round in 0..<TestLevel.rounds(7, all: 60) {
            var bytes = Array(try Fixtures.text("Goldens/chat/\(names[round % 4]).jinja").utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.remove(at: at)
                case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(contentsOf: (Self.fragments.randomElement(using: &random) ?? "").utf8, at: at)
                case 3: bytes.removeSubrange(at..<min(bytes.count, at + 40))
                default:
                    let to = Int.random(in: 0..<bytes.count, using: &random)
                    bytes.insert(contentsOf: Array(bytes[min(at, to)..<min(min(at, to) + 30, bytes.count)]), at: to)
                }
                if bytes.isEmpty { bytes = [0x61] }
            }
            render(String(decoding: bytes, as: UTF8.self), seed, &random)
        }
    }

    @Test("Templates of random pieces", arguments: 0..<12)
    func pieces(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 1000)
        for _ in 0..<250 {
            var source = "{{ "
            for _ in 0..<Int.random(in: 1...14, using: &random) {
                source +=
                    (Self.fragments.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
            }
            render(source + (Bool.random(using: &random) ? " }}" : ""), seed, &random)
        }
    }

    @Test("Every filter, test and method on every kind of value", arguments: 0..<8)
    func operations(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 2000)
        let filters = [
            "abs", "attr", "batch", "capitalize", "center", "count", "default", "dictsort", "e", "filesizeformat",
            "first",
            "float", "forceescape", "format", "groupby", "indent", "int", "items", "join", "last", "list", "lower",
            "map",
            "max", "min", "pprint", "reject", "rejectattr", "replace", "reverse", "round", "safe", "select",
            "selectattr",
            "slice", "sort", "string", "striptags", "sum", "title", "tojson", "trim", "truncate", "unique", "upper",
            "urlencode", "urlize", "wordcount", "wordwrap", "xmlattr",
        ]
        let methods = [
            "split", "rsplit", "strip", "replace", "join", "format", "center", "zfill", "expandtabs", "find", "rfind",
            "count",
            "index", "partition", "translate", "maketrans", "splitlines", "startswith", "endswith", "get", "items",
            "keys",
            "copy", "fromkeys", "ljust", "title", "casefold", "swapcase", "cycle", "next", "bit_length", "format_map",
        ]
        let operators = [
            "+", "-", "*", "/", "//", "%", "**", "~", "<", "==", "in", "and", "is divisibleby", "is sameas", "is in",
        ]
        for _ in 0..<250 {
            let a = value(&random)
            let arguments = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random) }.joined(
                separator: ", ")
            let source =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: "{{ \(a)|\(filters.randomElement(using: &random) ?? "")(\(arguments))|list }}"
                case 1: "{{ \(a).\(methods.randomElement(using: &random) ?? "")(\(arguments)) }}"
                case 2: "{{ \(a) \(operators.randomElement(using: &random) ?? "") \(value(&random)) }}"
                default: "{{ \(a)[\(value(&random)):\(value(&random)):\(value(&random))] }}"
                }
            render(source, seed, &random)
        }
    }

    private func value(_ random: inout SeededGenerator) -> String {
        [
            "none", "true", "1", "0", "-1", "3", "9223372036854775807", "(-9223372036854775807 - 1)", "2**70",
            "-(2**70)",
            "1.5", "-0.0", "1e308", "(1e308 * 10)", "'a'", "''", "' a b '", "'é😀\\u0301'", "'%s %d %(a)s'",
            "'{} {0} {a!r:>9}'",
            "'\\ud800'", "[]", "[1, 'a', none]", "[[1], [2]]", "{}", "{'a': 1}", "{1: [2]}", "()", "(1, 2)", "range(5)",
            "range(0)", "x", "undefined_name", "namespace(a=1)", "messages", "messages[0]", "'<b>'|safe", "cycler(1)",
            "dict",
            "[3, 1, 2]|map('string')", "{'a': 1}.items()", "messages[9]", "joiner()", "'x'.upper",
        ].randomElement(using: &random) ?? "none"
    }

    private func render(_ source: String, _ seed: UInt64, _ random: inout SeededGenerator) {
        let context: TemplateObject = [
            "messages": [
                ["role": "user", "content": "hi"],
                ["role": "assistant", "content": .array([nil, 1, ["type": "text"]])],
            ],
            "x": Bool.random(using: &random) ? "text" : ["a": 1.5], "tools": [["name": "f"]], "bos_token": "<s>",
        ]
        do {
            _ = try ChatTemplate(source: source).render(context, limits: Self.limits, clock: Fixtures.clock)
        } catch {
            #expect(!error.message.isEmpty, "seed \(seed): \(source)")
        }
    }
}
