import Foundation
import LeapTestSupport
import Testing

@testable import LeapGrammar

/// Random and adversarial samplers: every walk ends, and what it wrote is valid.
///
/// `LEAP_WALK_STEPS` sets how many tokens are walked altogether (the acceptance run takes a million).
@Suite struct WalkTests {
    static let steps =
        Int(ProcessInfo.processInfo.environment["LEAP_WALK_STEPS"] ?? "") ?? TestLevel.rounds(4_000, all: 40_000)

    static let schemas: [String] =
        KeywordTable.all.map(\.schema) + WalkSchemas.all

    @Test("Schemas")
    func schemas() throws {
        var random = SeededGenerator(1)
        var walked = 0
        var round = 0
        var grammars: [String: CompiledGrammar] = [:]
        while walked < Self.steps {
            // Each round has every schema, with options of each kind among them.
            for (place, schema) in Self.schemas.enumerated() {
                let turn = round + place
                let order: GrammarOptions.PropertyOrder = turn % 3 == 2 ? .any : .declared
                let whitespace: GrammarOptions.Whitespace = turn % 5 == 4 ? .none : .bounded
                let options = GrammarOptions(propertyOrder: order, whitespace: whitespace)
                let name = "\(order) \(whitespace) \(schema)"
                let grammar = try grammars[name] ?? CompiledGrammar.jsonSchema(schema, options: options)
                grammars[name] = grammar
                let validator = try SchemaValidator(schema)
                for _ in 0..<TestLevel.rounds(1, all: 2) {
                    let walker = Self.walker(grammar, &random)
                    guard let (text, steps) = Self.walk(walker, &random, schema) else { continue }
                    walked += steps + 1
                    let string = String(decoding: text, as: UTF8.self)
                    #expect(Array(string.utf8) == text, "UTF-8")
                    let fault = try validator.fault(string)
                    #expect(fault == nil, "\(schema)\n\(order) \(string)")
                    #expect(Judge.accepts(grammar, string), "its bytes are accepted: \(schema)\n\(string)")
                }
            }
            round += 1
        }
    }

    @Test("Regular expressions")
    func regularExpressions() throws {
        var random = SeededGenerator(2)
        var walked = 0
        let patterns = [
            "[a-z]+", "(a|b)*abb", "a{2,5}b?", "(ab|a)(bc|c)*", "\\d{4}-\\d{2}-\\d{2}", "[^a]*", "[^a]{3}", "(a*)*b",
            "é|日本|[\\u{1F600}-\\u{1F64F}]{2}", "\"[^\"]*\"", "(x+x+)+y", "[ \\n]{0,9}z", "^(0|[1-9][0-9]*)$", "a|",
        ]
        let grammars = try patterns.map { try CompiledGrammar.regex($0) }
        let checks = try patterns.map { try Regex($0).matchingSemantics(.unicodeScalar).asciiOnlyCharacterClasses() }
        while walked < Self.steps / 4 {
            for index in patterns.indices {
                let walker = Self.walker(grammars[index], &random)
                guard let (text, steps) = Self.walk(walker, &random, patterns[index]) else { return }
                walked += steps + 1
                let string = String(decoding: text, as: UTF8.self)
                #expect(Array(string.utf8) == text, "UTF-8")
                if string.unicodeScalars.count < 200 {
                    #expect(try checks[index].wholeMatch(in: string) != nil, "\(patterns[index]) \(string)")
                }
            }
        }
    }

    @Test("Grammars")
    func grammars() throws {
        var random = SeededGenerator(3)
        var walked = 0
        let rows = GBNFTests.rows
        let grammars = try rows.map { try CompiledGrammar.gbnf($0.grammar) }
        while walked < Self.steps / 4 {
            for (row, grammar) in zip(rows, grammars) {
                guard let (text, steps) = Self.walk(Self.walker(grammar, &random), &random, row.name) else { return }
                walked += steps + 1
                let string = String(decoding: text, as: UTF8.self)
                #expect(Judge.accepts(grammar, string), "its bytes are accepted: \(row.name)\n\(string)")
            }
        }
    }

    private static func walker(_ grammar: CompiledGrammar, _ random: inout SeededGenerator) -> Walker {
        Walker(
            grammar: grammar, index: random.below(4) == 0 ? TestVocabulary.bytes : TestVocabulary.mixed,
            style: Walker.Style.allCases[random.below(Walker.Style.allCases.count)],
            freeSteps: [0, 5, 20, 60][random.below(4)],
            slack: random.below(2) == 0 ? nil : [0, 1, 2, 3, 7, 20, 60][random.below(7)],
            isHasty: random.below(3) == 0)
    }

    private static func walk(
        _ walker: Walker, _ random: inout SeededGenerator, _ source: String
    ) -> (text: [UInt8], steps: Int)? {
        do { return try walker.walk(&random) } catch {
            Issue.record("\(error)\n\(source)")
            return nil
        }
    }
}
