import Testing

@testable import LeapGrammar

@Suite struct GBNFTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var grammar: String
        var valid: [String]
        var invalid: [String]
        var testDescription: String { name }
    }

    static let json = #"""
        # Objects of JSON.
        root ::= map
        any ::= map | list | text | number | "true" sp | "false" sp | "null" sp
        map ::= "{" sp (
            entry
            ("," sp entry)*
          )? "}" sp   # no comma at the end
        entry ::= text ":" sp any
        list ::= "[" sp (any ("," sp any)*)? "]" sp
        text ::= "\"" ([^"\\\x00-\x1F] | "\\" ([bfnrt"\\] | "u" hex{4}))* "\"" sp
        hex ::= [0-9a-fA-F]
        number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [-+]? [0-9]+)? sp
        sp ::= ("\n" [ \t]{0,20} | " ")?
        """#

    static let rows: [Row] = [
        Row(name: "literal", grammar: #"root ::= "yes""#, valid: ["yes"], invalid: ["", "no", "yess", "ye"]),
        Row(
            name: "alternatives", grammar: #"root ::= "a" | "bc" | "b""#, valid: ["a", "b", "bc"], invalid: ["", "c"]),
        Row(
            name: "alternatives on lines of their own",
            grammar: "root ::= \"a\" |\n  \"b\" | # or\n  other\nother ::=\n  \"c\"\n", valid: ["a", "b", "c"],
            invalid: ["", "d"]),
        Row(name: "empty alternative", grammar: #"root ::= "a" |"#, valid: ["", "a"], invalid: ["aa"]),
        Row(name: "empty literal", grammar: #"root ::= "" "a" """#, valid: ["a"], invalid: [""]),
        Row(
            name: "escapes", grammar: #"root ::= "\x41\u00e9\U0001F600\n\t\r\\\"" [\]\[\\\-\x42]"#,
            valid: ["Aé😀\n\t\r\\\"]", "Aé😀\n\t\r\\\"B", "Aé😀\n\t\r\\\"-"], invalid: ["Aé😀\n\t\r\\\"C", "A"]),
        Row(
            name: "classes", grammar: "root ::= [a-cx] [^0-9\\n] [-a] [a-]", valid: ["aé-a", "xz--"],
            invalid: ["d---", "a0--", "a\n--", "a-b-"]),
        Row(name: "any character", grammar: "root ::= . .", valid: ["ab", "日\n"], invalid: ["a", "abc"]),
        Row(
            name: "repetitions", grammar: #"root ::= "a"* "b"+ "c"? "d"{2} "e"{1,} "f"{0,2}"#,
            valid: ["bdde", "aabbcddeeff"], invalid: ["dde", "bccdde", "bde", "bddde", "bdd", "bddefff"]),
        Row(name: "groups", grammar: #"root ::= ("a" | "b" "c")+ ("d")?"#, valid: ["abcad"], invalid: ["b", "ad d"]),
        Row(
            name: "rules", grammar: "root ::= a-1 a_2\na-1 ::= [0-9]\na_2 ::= a-1 a-1", valid: ["123"],
            invalid: ["12", "1234"]),
        Row(
            name: "recursion in the middle", grammar: #"root ::= "(" root ")" | "x""#, valid: ["x", "((x))"],
            invalid: ["(x", "x)", "()"]),
        Row(name: "recursion at the end", grammar: #"root ::= [ab] root |"#, valid: ["", "abba"], invalid: ["c"]),
        Row(
            name: "repeated recursion",
            grammar: "root ::= list{2,3} end*\nlist ::= \"[\" list* \"]\"\nend ::= \".\" end?",
            valid: ["[][]", "[[][]][][]...", "[][[]]."], invalid: ["[]", "[][][][]", "[][", "."]),
        Row(
            name: "repetition of what may be empty", grammar: "root ::= a* \"!\"\na ::= (\"(\" a \")\")?",
            valid: ["!", "()!", "(())()!"], invalid: ["", "(!", ")!"]),
        Row(
            name: "left recursion",
            grammar: "root ::= e\ne ::= e \"+\" t | t\nt ::= t \"*\" f | f\nf ::= \"(\" e \")\" | [0-9]",
            valid: ["1", "1+2", "1+2*3*(4+5)"], invalid: ["", "+1", "1+", "1+*2", "(1"]),
        Row(
            name: "left recursion through another rule and an empty part",
            grammar: "root ::= a \"x\"\na ::= \" \"? b \"1\" | \"1\"\nb ::= a \"2\"",
            valid: ["1x", "121x", " 121x", "  12121x"], invalid: ["", "x", "12x", " 1x", "   12121x"]),
        Row(
            name: "a rule that is twice itself", grammar: "root ::= s\ns ::= s s | \"a\" | \"\"",
            valid: ["", "a", "aaaa"],
            invalid: ["b", "ab"]),
        Row(
            name: "a rule that is itself", grammar: "root ::= s\ns ::= s | \"a\" s | \"b\"", valid: ["b", "aab"],
            invalid: ["", "a"]),
        Row(name: "a byte-order mark", grammar: "\u{FEFF}root ::= \"a\"", valid: ["a"], invalid: ["", "\u{FEFF}a"]),
        Row(
            name: "rules that never end are left out", grammar: "root ::= \"a\" | loop\nloop ::= \"b\" loop",
            valid: ["a"], invalid: ["b", "ba"]),
        Row(name: "another line end", grammar: "root ::= a\r\na ::= \"x\" # end\r\n", valid: ["x"], invalid: [""]),
        Row(
            name: "JSON", grammar: json,
            valid: ["{}", "{\"a\":[1, 2.5e3, {\"b\": null}], \"c\": \"\\u00e9\\n é\"} ", "{\n  \"a\": true\n}"],
            invalid: ["", "[]", "{\"a\":}", "{\"a\":[1,]}", "{\"a\":\"\n\"}", "{}}"]),
    ]

    /// With more ways to read a text the longer it is.
    static let ambiguousRows: [Row] = [
        Row(
            name: "left recursion behind rules that may be empty",
            grammar: "root ::= a\na ::= n a \"x\" | \"y\"\nn ::= \"z\"? m\nm ::= a?",
            valid: ["y", "yx", "zyx", "yyx", "zyyx", "yzyxx", "zzyxx"], invalid: ["", "x", "z", "zy", "xy", "yyyx"])
    ]

    @Test("Grammars admit their texts and no others", arguments: rows + ambiguousRows)
    func texts(_ row: Row) throws {
        let grammar = try CompiledGrammar.gbnf(row.grammar)
        for text in row.valid {
            #expect(Judge.accepts(grammar, text), "\(text) is valid")
            #expect(Judge.masksAccept(grammar, text), "the masks let \(text) through")
        }
        for text in row.invalid {
            #expect(!Judge.accepts(grammar, text), "\(text) is not valid")
            #expect(!Judge.masksAccept(grammar, text), "the masks stop \(text)")
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var grammar: String
        var code: GrammarError.Code
        var pointer: String
        var names: String
        var testDescription: String { grammar }
    }

    static let refusals: [Refusal] = [
        Refusal(grammar: "", code: .invalidGrammar, pointer: "1:1", names: "\"root\""),
        Refusal(grammar: "start ::= \"a\"", code: .invalidGrammar, pointer: "1:1", names: "\"root\""),
        Refusal(grammar: "root ::= a\n\na ::= \"x\" b", code: .invalidGrammar, pointer: "3:11", names: "\"b\""),
        Refusal(grammar: "\u{FEFF}root = \"a\"", code: .invalidGrammar, pointer: "1:6", names: "::="),
        Refusal(grammar: "root = \"a\"", code: .invalidGrammar, pointer: "1:6", names: "::="),
        Refusal(grammar: "root ::= \"a", code: .invalidGrammar, pointer: "1:10", names: "end"),
        Refusal(grammar: "root ::= [a", code: .invalidGrammar, pointer: "1:10", names: "']'"),
        Refusal(grammar: "root ::= (\"a\"\nb ::= \"x\"", code: .invalidGrammar, pointer: "2:3", names: "')'"),
        Refusal(grammar: "root ::= (\"a\"", code: .invalidGrammar, pointer: "1:10", names: "')'"),
        Refusal(grammar: "root ::= \"a\")", code: .invalidGrammar, pointer: "1:13", names: "')'"),
        Refusal(grammar: "root ::= * \"a\"", code: .invalidGrammar, pointer: "1:10", names: "repeat"),
        Refusal(grammar: "root ::= \"a\"{3,2}", code: .invalidGrammar, pointer: "1:13", names: "at least 3"),
        Refusal(grammar: "root ::= \"a\"{x}", code: .invalidGrammar, pointer: "1:14", names: "number"),
        Refusal(grammar: "root ::= \"\\q\"", code: .invalidGrammar, pointer: "1:11", names: "escape"),
        Refusal(grammar: "root ::= \"\\uD800\"", code: .invalidGrammar, pointer: "1:11", names: "character"),
        Refusal(grammar: "root ::= [z-a]", code: .invalidGrammar, pointer: "1:11", names: "range"),
        Refusal(grammar: "root ::= \"a\"\nroot ::= \"b\"", code: .invalidGrammar, pointer: "2:1", names: "1:1"),
        Refusal(grammar: "root ::= <[12]>", code: .unsupported, pointer: "1:10", names: "token"),
        Refusal(grammar: "root ::= \"a\" root", code: .unsatisfiable, pointer: "1:1", names: "\"root\""),
        Refusal(grammar: "root ::= []", code: .unsatisfiable, pointer: "1:1", names: "\"root\""),
        Refusal(
            grammar: "root ::= " + String(repeating: "(", count: 5_000), code: .tooComplex, pointer: "1:110",
            names: "parentheses"),
    ]

    @Test("What cannot be read or would not end is refused, with its place", arguments: refusals)
    func refusal(_ row: Refusal) {
        do {
            _ = try CompiledGrammar.gbnf(row.grammar)
            Issue.record("compiled")
        } catch {
            #expect(error.code == row.code, "\(error)")
            #expect(error.pointer == row.pointer, "\(error)")
            #expect(error.reason.contains(row.names), "\(error)")
        }
    }

    @Test("Another rule can be the root")
    func anotherRuleCanRoot() throws {
        let grammar = try CompiledGrammar.gbnf("a ::= \"x\"\nb ::= a a", root: "b")
        #expect(Judge.accepts(grammar, "xx"))
        #expect(!Judge.accepts(grammar, "x"))
    }

    /// Every rule twice its successor: 2³⁰ characters if it were written out.
    @Test("Rules that unfold exponentially stay small")
    func rulesUnfoldExponentiallyStay() throws {
        var text = "root ::= a0\n"
        for index in 0..<30 { text += "a\(index) ::= a\(index + 1) a\(index + 1)\n" }
        text += "a30 ::= \"x\""
        let grammar = try CompiledGrammar.gbnf(text)
        #expect(grammar.matcher(vocabulary: TestVocabulary.bytes).minimumBytesToFinish == 1 << 30)
    }

    @Test("A long chain of rules compiles")
    func longChainRulesCompiles() throws {
        var text = "root ::= a0\n"
        for index in 0..<3_990 { text += "a\(index) ::= \"x\" a\(index + 1)\n" }
        text += "a3990 ::= \"(\" root \")\" | \"y\""
        let grammar = try CompiledGrammar.gbnf(text)
        #expect(grammar.matcher(vocabulary: TestVocabulary.bytes).minimumBytesToFinish == 3_991)
    }
}
