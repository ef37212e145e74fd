import Testing

@testable import LeapTemplate

/// Whatever a template does with a value costs as much as there is of it.
struct WorkTests {
    private static func statement(_ operation: String) -> String {
        let isStatement = operation.hasPrefix("{{") || operation.hasPrefix("{%")
        return isStatement ? operation : "{% set z = \(operation) %}"
    }

    /// `x` and `y`: equal, and two objects.
    private static func context(_ subject: Operations.Subject, count: Int) -> TemplateObject {
        func value() -> TemplateValue {
            switch subject {
            case .ascii: .string(String(repeating: "ab cd-e\n", count: count / 8))
            case .letters: .string(String(repeating: "äß Ωé ", count: count / 10))
            case .list: .array((0..<count).map { .int($0) })
            case .texts: .array((0..<count / 8).map { .string("text \($0 % 97)") })
            case .dict: .object(TemplateObject((0..<count / 8).map { ("key\($0)", .int($0)) }))
            case .number: .largeInteger(String(repeating: "7", count: count / 2))
            }
        }
        return ["x": value(), "y": value()]
    }

    /// Returns the cost of an operation, in bytes; nil where it does not take such a value.
    private static func cost(_ template: ChatTemplate, _ context: TemplateObject) throws -> Int? {
        let (result, use) = try template.use(context, clock: Fixtures.clock)
        if case .failure(let error) = result, error.code != .raised { return nil }
        return use.steps * MemoryLayout<Value>.stride + use.workBytes
    }

    private static let texts: Set<Operations.Subject> = [.ascii, .letters]
    private static let containers: Set<Operations.Subject> = [.list, .texts, .dict]
    private static let all = texts.union(containers)

    /// Operations that take the same time however large the value is.
    private static let constant: [String: Set<Operations.Subject>] = {
        var constant: [String: Set<Operations.Subject>] = [:]
        // They do not look at it: they pass it on, keep it, or ask for its type.
        for operation in [
            "1|abs", "1.5|round", "1|filesizeformat", "x|attr('a')", "x|d(1)", "missing|d(x)", "x|default(1)", "x['a']",
            "x.a",
            "not x", "x and y", "x or y", "1 if x else 2", "[x, y]", "(x, y)", "{'a': x}", "namespace(a=x)",
            "joiner(x)()",
            "'a'.center(3, 'x')", "{% set a, b = [x, y] %}",
        ] { constant[operation] = all }
        for test in [
            "defined", "undefined", "none", "boolean", "false", "true", "integer", "float", "string", "mapping",
            "number", "sequence",
            "iterable", "callable", "escaped",
        ] { constant["[x]|select('\(test)')|list"] = all }
        // One item of it.
        constant["x|first"] = [.ascii, .letters, .list, .texts]
        constant["x|last"] = all
        for operation in ["x[0]", "x[-1]", "x|random", "[1][x]", "[x]|map(attribute=0)|list"] {
            constant[operation] = containers
        }
        constant["x[:3]"] = [.list, .texts]
        constant["{% for a in x %}{{ loop.length }}{% break %}{% endfor %}"] = [.list, .texts]
        // A key of it, or an object that is it.
        for operation in ["{'a': 1}[x]", "[x]|select('sameas', y)|list", "'ab'.translate(x)", "x.copy()"] {
            constant[operation] = containers
        }
        for operation in ["x.get('a')", "'zz' in x"] { constant[operation] = [.dict] }
        // The first item is the one that is looked for.
        for operation in ["[1]|select('in', x)|list", "1 in x"] { constant[operation] = [.list, .dict] }
        // A list knows how long it is, and is no number.
        for operation in ["x|count", "x|length", "x|int", "x|float"] { constant[operation] = containers }
        // A text is its own text; what is printed counts as output.
        for operation in ["x|safe", "x|string", "{{ x }}", "{{ x + y }}", "{{ raise_exception(x) }}"] {
            constant[operation] = texts
        }
        return constant
    }()

    @Test("Every operation takes some value, and costs more where there is more of it")
    func grows() throws {
        // Steps that cost nothing may be a few more or less; an item or a byte is one at least.
        let (small, large) = (100, 400)
        let contexts = Operations.Subject.allCases.map { subject in
            (subject, Self.context(subject, count: small), Self.context(subject, count: large))
        }
        for operation in Operations.all {
            let template = try ChatTemplate(source: Self.statement(operation))
            var isTaken = false
            for (subject, less, more) in contexts {
                guard let before = try Self.cost(template, less), let after = try Self.cost(template, more) else {
                    continue
                }
                isTaken = true
                // The digits of integers are bounded by themselves.
                if subject == .number { continue }
                let grows = after - before >= (large - small) * 3 / 4
                let isConstant = Self.constant[operation]?.contains(subject) ?? false
                #expect(
                    grows || isConstant,
                    "\(operation) on \(subject) is not accounted for: \(before) for \(small), \(after) for \(large)")
            }
            #expect(
                isTaken || Self.refused.contains(operation),
                "\(operation) takes none of the values: give it arguments in Operations")
        }
    }

    /// Operations that fail with every value, as they are not supported or have limits of their own.
    private static let refused: Set<String> = ["x.encode()", "range(x)", "3 ** x", "x ** y", "x ** 3"]

    @Test("Every operation ends on structures that hold themselves many times over", arguments: ["[]", "()"])
    func shared(_ brackets: String) throws {
        let (open, close) = (brackets.prefix(1), brackets.suffix(1))
        let prefix =
            "{% set ns = namespace(x=\(open)1, 2\(close), y=\(open)1, 2\(close)) %}{% for i in range(100) %}"
            + "{% set ns.x = \(open)ns.x, ns.x\(close) %}{% set ns.y = \(open)ns.y, ns.y\(close) %}{% endfor %}"
            + "{% set x = ns.x %}{% set y = ns.y %}"
        let limits = TemplateLimits(maxOutputBytes: 1 << 16, maxWorkBytes: 1 << 18, maxSteps: 3000)
        var ended = 0
        for operation in Operations.all {
            let template = try ChatTemplate(source: prefix + Self.statement(operation))
            let (result, _) = try template.use([:], limits: limits, clock: Fixtures.clock)
            if case .failure(let error) = result, error.code == .limit { ended += 1 }
        }
        #expect(ended > 30, "\(ended)")
    }

    @Test("Keys that are unlike hash unlike, so that no choice of keys makes a look-up slow")
    func hashes() {
        let large = Value(BigInt(10).power(400))
        func sum(_ i: Int) -> Value { Value((large.bigInteger ?? BigInt(0)) + BigInt(i)) }
        let kinds: [[Value]] = [
            (0..<500).map { .int(1 << 62 + $0) }, (0..<500).map(sum),
            (1...500).map { .object(RangeObject(start: 0, stop: 2 * $0, step: $0)) },
            (0..<500).map { .string(Text("key \($0)")) },
        ]
        for keys in kinds {
            let all = keys.map { DictKey($0) }
            #expect(Set(all).count == keys.count)
            #expect(Set(all.map(\.hashValue)).count > 490)
        }
        // A NaN equals nothing, so that each would be compared with all others.
        #expect(Set((0..<500).map { _ in DictKey(.float(.nan)) }).count == 1)
        // What is equal still hashes alike.
        #expect(Set([DictKey(.int(1)), DictKey(.float(1)), DictKey(.bool(true))]).count == 1)
        #expect(Set([DictKey(.float(0x1p80)), DictKey(Value(BigInt(1).shifted(left: 80)))]).count == 1)
    }
}
