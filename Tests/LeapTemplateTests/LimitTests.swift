import Foundation
import LeapTemplate
import LeapTestSupport
import Testing

/// Templates that would run for ever, build a gigabyte or recurse without end stop with a typed error.
struct LimitTests {
    static let loops =
        "{% for a in r %}{% for b in r %}{% for c in r %}{% for d in r %}{% endfor %}{% endfor %}"
        + "{% endfor %}{% endfor %}"

    @Test(
        "A template that would run for ever stops",
        arguments: [
            "{% set r = range(100000) %}" + loops,
            "{% set r = range(100000) %}{{ r|map('string')|map('upper')|list|sort|unique|list|length }}" + loops,
            "{% set r = range(100000) %}{% for a in r %}{{ r|sum }}{% endfor %}",
            "{% set r = range(100000)|list %}{% for a in range(100000) %}{{ a in r }}{{ r|join }}{% endfor %}",
            "{% set r = range(100000) %}{% for a in r %}{{ r|select('gt', -1)|list|length }}{% endfor %}",
            "{% set s = 'ab' * 100000 %}{% for a in range(100000) %}{{ s.replace('a', 'bb')|length }}{% endfor %}",
            "{% set s = 'ab' * 100000 %}{% for a in range(100000) %}{% set t = s[::-1] %}{% endfor %}",
            "{% set s = 'ab' * 100000 %}{% set t = 'a' ~ s[1:] %}{% for a in range(100000) %}{{ s == t }}{% endfor %}",
            "{% set s = 'ab' * 100000 %}{% for a in range(100000) %}{{ s < s ~ '' or 'bb' in s }}{% endfor %}",
            "{% set s = 'é' * 100000 %}{% for a in range(100000) %}{{ (s|upper)[0] ~ s.title()[5] ~ s[99] }}{% endfor %}",
            "{% set s = 'ab ' * 100000 %}{% for a in range(100000) %}{{ s|wordcount }}{{ s.split()|length }}{% endfor %}",
            "{{ ('a' * 900000)|wordwrap(1) }}", "{{ ('a-' * 400000)|wordwrap(3, wrapstring='') }}",
            "{{ ('(' * 900000)|urlize }}", "{{ ('a&b ' * 200000)|striptags }}",
            // What one step does.
            "{% for i in range(100000) %}{% set l = [" + String(repeating: "1,", count: 10_000) + "] %}{% endfor %}",
            "{% for i in range(100000) %}{% if i < 0 " + String(repeating: "or i < 0 ", count: 100)
                + "%}{% endif %}{% endfor %}",
            "{% set ns = namespace(dict(range(1000)|map('string')|batch(2))) %}"
                + "{% for i in range(100000) %}{% set ns.b = 1 %}{% endfor %}",
            "{% set n = 3 ** 5000 %}{% for i in range(100000) %}{{ (n * n) // n == n }}{% endfor %}",
            "{% for i in range(100000) %}{{ ('%.5000f' % 1.5)|length }}{% endfor %}",
            "{% for i in range(100000) %}{{ ('7' * 4000)|int > 1 }}{% endfor %}",
        ])
    func endless(_ source: String) throws {
        let limits = TemplateLimits(
            maxOutputBytes: 1 << 20, maxWorkBytes: TestLevel.rounds(4 << 20, all: 16 << 20),
            maxSteps: TestLevel.rounds(50_000, all: 200_000))
        let error = try #require(Fixtures.failure(of: source, limits: limits))
        #expect(error.code == .limit && error.line != nil, "\(error)")
    }

    @Test(
        "A template that would build a gigabyte stops before it does",
        arguments: [
            "{{ 'a' * 2000000000 }}", "{{ 'abc' * 9223372036854775807 }}", "{{ [1] * 1000000000000 }}",
            "{{ 'a'.center(9000000000) }}", "{{ 'a'.ljust(9000000000) }}", "{{ '5'.zfill(9000000000) }}",
            "{{ '%9000000000d' % 1 }}", "{{ '%.2000000f' % 1.5 }}", "{{ '{:900000000}'.format(1) }}",
            "{{ '{:.900000}'.format(1.5) }}", "{{ 'a\tb'.expandtabs(9000000000) }}",
            "{{ 'a'|indent(9000000000, true) }}", "{{ {}|tojson(indent=9000000000) }}", "{{ 'a'|center(9000000000) }}",
            "{{ [1]|batch(9000000000, 'x')|list }}", "{{ ('a' * 60000).replace('', 'a' * 60000) }}",
            "{{ ('a' * 600000).replace('a', 'aa') }}", "{{ ('a' * 100000).join(['b'] * 1000) }}",
            "{{ (['a' * 100000] * 1000) | join }}",
            "{% set ns = namespace(s='ab') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
            "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
            "{% set s = 'a' * 100000 %}{% for i in range(100000) %}{{ s }}{% endfor %}",
            "{% macro m() %}{{ 'a' * 100000 }}{% endmacro %}{% for i in range(100000) %}{{ m() }}{% endfor %}",
            "{% set x %}{% for i in range(100000) %}{{ 'a' * 10000 }}{% endfor %}{% endset %}",
            "{{ range(100000)|map('string')|join('a' * 10000) }}", "{{ 2 ** 100000000 }}", "{{ 9 ** 9 ** 9 ** 99999 }}",
            "{{ 10 ** 5000 * 10 ** 50000 }}", "{{ range(1000000) }}", "{{ range(-1000000, 9223372036854775807) }}",
            "{% set ns = namespace(n=2) %}{% for i in range(100) %}{% set ns.n = ns.n * ns.n %}{% endfor %}",
            "{{ '{:060000000,}'.format(1) }}", "{{ '{:_>60000000}'.format(1) }}",
            "{{ ('a' * 1000).replace('a', 'b' * 1000000) }}",
            "{{ ('a b ' * 100)|wordwrap(1, wrapstring='x' * 900000) }}",
            "{{ strftime_now('%1024d' * 100000) }}", "{{ ('a b ' * 1000)|urlize(rel='x' * 900000) }}",
            "{{ [[[[1]]]]|tojson(indent='x' * 900000) }}", "{{ [1, 2, 3]|tojson(separators=['x' * 900000, ':']) }}",
            "{{ {'a': 1, 'b': 'x' * 900000, 'c': 'x' * 900000}|xmlattr }}",
            "{{ {'a': 'x' * 500000, 'b': 'x' * 500000, 'c': 'x' * 500000}|urlencode }}",
            "{{ {'x' * 900000: {'a': 'b' * 90, 'c': 'd' * 90}}|pprint }}", "{{ ('a\n' * 500000).splitlines()|length }}",
            "{{ ('a ' * 500000).split()|length }}", "{{ ('a' * 900000)|last ~ (('a' * 900000)|reverse|list) }}",
            "{{ 'a' ~ 'b' * 900000 ~ 'b' * 900000 ~ 'b' * 900000 }}", "{{ 'a' + 'b' * 900000 + 'b' * 900000 }}",
        ])
    func gigabyte(_ source: String) throws {
        let limits = TemplateLimits(
            maxOutputBytes: 1 << 20, maxWorkBytes: TestLevel.rounds(4 << 20, all: 16 << 20))
        let error = try #require(Fixtures.failure(of: source, limits: limits), "\(source) must fail")
        #expect(error.code == .limit, "\(source): \(error)")
    }

    /// A list that holds itself twice, many times over: a few dozen lists, and more items than fit any machine.
    static let doubled =
        "{% set ns = namespace(s=[1], t=[1]) %}{% for i in range(100) %}{% set ns.s = [ns.s, ns.s] %}"
        + "{% set ns.t = [ns.t, ns.t] %}{% endfor %}{% set s = ns.s %}{% set t = ns.t %}"

    @Test(
        "A structure that holds itself many times over is neither printed nor compared to its end",
        arguments: [
            "{{ s }}", "{{ s|tojson }}", "{{ s == t }}", "{{ s != t }}", "{{ s < t }}", "{{ s in [t] }}",
            "{{ [t].index(s) }}",
            "{{ [t].count(s) }}", "{{ [s, t]|sort }}", "{{ [s, t]|min }}", "{{ [s, t]|groupby(0) }}", "{{ s|pprint }}",
            "{{ s|string|length }}", "{{ s ~ 'a' }}", "{{ '%s' % [s] }}", "{{ '{}'.format(s) }}",
            "{{ '{!r}'.format(s) }}",
            "{{ [s]|join }}", "{{ {'a': s}|xmlattr }}", "{{ {'a': s}|urlencode }}", "{{ s|upper }}",
            "{{ s|replace('a', 'b') }}",
            "{{ {'a': s} == {'a': t} }}", "{{ raise_exception(s) }}", "{{ namespace(a=s) }}", "{{ s is lower }}",
            "{{ s|e }}",
            "{{ [s]|select('eq', t)|list }}", "{% for i in [s, t] %}{{ loop.changed(i) }}{% endfor %}",
            "{% macro m() %}{{ varargs }}{% endmacro %}{{ m(s) }}", "{{ s|wordwrap }}{{ s|string }}",
        ])
    func shared(_ operation: String) throws {
        let limits = TemplateLimits(maxOutputBytes: 1 << 18, maxWorkBytes: 4 << 20, maxSteps: 50_000)
        for doubled in [
            Self.doubled,
            Self.doubled.replacing("[1]", with: "(1, 2)").replacing("= [ns", with: "= (ns").replacing(
                "] %}", with: ") %}"),
        ] {
            let error = Fixtures.failure(of: doubled + operation, limits: limits)
            // Where such values are not taken at all, that is said without looking at them.
            #expect(error != nil, "\(operation) must fail")
            #expect((error?.message.utf8.count ?? 0) < 10_000)
        }
        #expect(
            Fixtures.failure(of: Self.doubled + operation, limits: limits)?.code == .limit
                || operation.contains("wordwrap"))
    }

    @Test(
        "Keys that hold themselves many times over are not hashed to their end, and no message prints them",
        arguments: [
            "{{ {s: 1} }}", "{{ {'a': 1}[s] }}", "{{ [s, t]|unique|list }}", "{{ {}.fromkeys([s]) }}",
            "{{ {'a': 1}.get(s) }}",
            "{{ s in {'a': 1} }}", "{{ s is filter }}", "{{ [1].index(s) }}", "{{ 'a'[s] }}", "{{ 5[s] }}",
            "{{ [1]|map(s)|list }}",
        ])
    func keys(_ operation: String) throws {
        let limits = TemplateLimits(maxOutputBytes: 1 << 18, maxWorkBytes: 4 << 20, maxSteps: 50_000)
        let tuples =
            "{% set ns = namespace(s=(1, 2), t=(1, 2)) %}{% for i in range(100) %}{% set ns.s = (ns.s, ns.s) %}"
            + "{% set ns.t = (ns.t, ns.t) %}{% endfor %}{% set s = ns.s %}{% set t = ns.t %}"
        for source in [Self.doubled, tuples] {
            let error = Fixtures.failure(of: source + operation, limits: limits)
            #expect((error?.message.utf8.count ?? 0) < 1000, "\(operation)")
        }
    }

    @Test("A template's own message is not longer than a page")
    func message() throws {
        let error = try #require(Fixtures.failure(of: "{{ raise_exception('é' * 100000) }}"))
        #expect(error.code == .raised && error.message.utf8.count < 5000 && error.message.hasSuffix("é…"))
    }

    @Test("A template of many variables in many branches is refused rather than compiled for minutes")
    func branches() throws {
        let source = (0..<6000).map { "{% if a\($0) %}{% set b\($0) = 1 %}{% endif %}" }.joined()
        let error = try #require(Fixtures.failure(of: source))
        #expect(error.code == .limit, "\(error)")
        let usual = (0..<300).map { "{% if a\($0) %}{% set b\($0) = 1 %}{% endif %}" }.joined()
        #expect(Fixtures.failure(of: usual) == nil)
    }

    @Test("The default limits leave room for a prompt of a million tokens")
    func roomForLongPrompts() throws {
        let content = String(repeating: "The quick brown fox. ", count: 200_000)
        let text = try Fixtures.render(
            "{% for m in ms %}{{ '<' + m.role + '>' + m.content | trim + '\n' }}{% endfor %}",
            [
                "ms": [
                    ["role": "user", "content": .string(content)], ["role": "assistant", "content": .string(content)],
                ]
            ])
        #expect(text.utf8.count > 8_000_000)
    }

    /// Templates that recurse without end, or nest 10,000 levels deep; longer than a line of a log.
    private static let nested: [String] = [
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro a(n) %}{{ b(n + 1) }}{% endmacro %}{% macro b(n) %}{{ a(n + 1) }}{% endmacro %}{{ a(0) }}",
        "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}",
        "{% for i in [[1]] recursive %}{{ loop([i]) }}{% endfor %}",
        "{{ " + String(repeating: "(", count: 10_000) + "1" + String(repeating: ")", count: 10_000) + " }}",
        "{{ " + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) + " }}",
        "{{ " + String(repeating: "{'a':", count: 10_000) + "1" + String(repeating: "}", count: 10_000) + " }}",
        "{{ " + String(repeating: "not ", count: 10_000) + "1 }}",
        "{{ " + String(repeating: "-", count: 10_000) + "1 }}",
        "{{ 1" + String(repeating: "|string", count: 10_000) + " }}",
        "{{ x" + String(repeating: ".x", count: 10_000) + " }}",
        "{{ x" + String(repeating: "[0]", count: 10_000) + " }}",
        "{{ x" + String(repeating: "()", count: 10_000) + " }}",
        "{{ 1" + String(repeating: " - 1", count: 10_000) + " }}",
        "{{ 1" + String(repeating: " or 1", count: 10_000) + " }}",
        "{{ 1" + String(repeating: " if 1 else 1", count: 10_000) + " }}",
        "{{ x is " + String(repeating: "not ", count: 2) + "y }}{% if " + String(repeating: "(", count: 10_000),
        String(repeating: "{% if 1 %}", count: 10_000),
        String(repeating: "{% for a in b %}", count: 10_000),
        "{% set ns = namespace(l=[]) %}{% for i in range(10000) %}{% set ns.l = [ns.l] %}{% endfor %}",
        "{% set ns = namespace(l=()) %}{% for i in range(10000) %}{% set ns.l = (ns.l,) %}{% endfor %}",
        "{% set ns = namespace(l={}) %}{% for i in range(10000) %}{% set ns.l = {'a': ns.l} %}{% endfor %}",
        "{% set ns = namespace(l=[]) %}{% for i in range(10000) %}{% set ns.l = ns.l|map('upper') %}{% endfor %}",
        "{% set ns = namespace(l=1) %}{% for i in range(10000) %}{% set ns.l = cycler(ns.l) %}{% endfor %}",
        "{% set ns = namespace(l=1) %}{% for i in range(10000) %}{% set ns.l = joiner(ns.l) %}{% endfor %}",
        "{% set ns = namespace(l=1) %}{% for i in range(10000) %}{% set ns.l = namespace(l=ns.l) %}{% endfor %}"
            + "{{ ns }}",
    ]

    @Test("A template that recurses or nests 10,000 levels deep stops", arguments: nested.indices)
    func deep(index: Int) throws {
        let source = Self.nested[index]
        let error = try #require(Fixtures.failure(of: source), "\(source.prefix(60)) must fail")
        #expect(error.code == .limit || error.code == .syntax, "\(source.prefix(60)): \(error)")
    }

    @Test("Long flat templates are no deep ones")
    func flat() throws {
        #expect(try Fixtures.render("{{ ''" + String(repeating: " + 'a'", count: 10_000) + " }}").utf8.count == 10_000)
        #expect(try Fixtures.render("{{ ''" + String(repeating: " ~ 'a'", count: 10_000) + " }}").utf8.count == 10_000)
        #expect(try Fixtures.render("{{ [" + String(repeating: "1,", count: 10_000) + "]|length }}") == "10000")
        #expect(try Fixtures.render(String(repeating: "{% if 1 %}a{% endif %}", count: 5_000)).utf8.count == 5_000)
        let branches = String(repeating: "{% elif 0 %}", count: 5_000)
        #expect(try Fixtures.render("{% if 0 %}" + branches + "{% else %}b{% endif %}") == "b")
    }

    @Test(
        "Chains and cycles of namespaces, macros and loops are let go of without recursion",
        arguments: [
            "{% set ns = namespace(l=1) %}{% for i in range(50000) %}{% set ns.l = namespace(l=ns.l) %}{% endfor %}x",
            "{% set ns = namespace() %}{% set ns.me = ns %}{{ ns }}{{ ns == ns }}",
            "{% set ns = namespace(m=1) %}{% macro n(p) %}{% macro m() %}{{ p }}{% endmacro %}{% set ns.m = m %}"
                + "{% endmacro %}{% for i in range(5000) %}{{ n(ns.m) }}{% endfor %}x",
            "{% set ns = namespace(l=1) %}{% for i in range(20000) %}{% for j in [1] %}{% set c = loop.changed(ns.l) %}"
                + "{% set ns.l = loop %}{% endfor %}{% endfor %}x",
        ])
    func chains(_ source: String) throws {
        #expect(Fixtures.failure(of: source) == nil)
    }

    @Test("Recursion ends in an error on a thread with little stack, at any depth it starts from")
    func smallStack() throws {
        let sources = [
            "{% macro m(n) %}{% if 1 %}{% for i in [1] %}{{ (m(n + 1) ~ 'x')|upper|lower }}{% endfor %}{% endif %}"
                + "{% endmacro %}{{ m(0) }}",
            "{% for i in [[1]] recursive %}{% with a = 1 %}{% filter upper %}{{ loop([i]) }}{% endfilter %}{% endwith %}"
                + "{% endfor %}",
            "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}",
            "{{ " + String(repeating: "[", count: 190) + "1" + String(repeating: "]", count: 190) + "|tojson }}",
        ]
        for source in sources {
            for stack in [512 << 10, 1 << 20] {
                let done = DispatchSemaphore(value: 0)
                let thread = Thread {
                    _ = Fixtures.failure(of: source)
                    done.signal()
                }
                thread.stackSize = stack
                thread.start()
                done.wait()
            }
        }
    }

    @Test("Values that nest too deeply are refused before they are walked")
    func deepValues() throws {
        var value = TemplateValue.array([])
        for _ in 0..<1000 { value = .array([value]) }
        let error = try #require(Fixtures.failure(of: "{{ x|tojson }}", ["x": value]))
        #expect(error.code == .limit)
    }
}
