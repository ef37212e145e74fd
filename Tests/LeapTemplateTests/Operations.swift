@testable import LeapTemplate

/// Everything a template can do with a value, as expressions of `x`, and of `y`, which is equal to it and another
/// object.
///
/// An operation that is not listed by a name of its own is tried without arguments. So a filter, test, method or
/// operator that is added later is tried too, and has to be listed here only if it needs arguments, or if it does not
/// look at what it is given.
enum Operations {
    /// A value that is large in one way.
    enum Subject: String, CaseIterable {
        /// A long text of ASCII, and one of letters that are not.
        case ascii, letters
        /// A long list, a list of texts, a dict of many keys.
        case list, texts, dict
        /// An integer of many digits.
        case number
    }

    static var all: [String] {
        filters.map { "\($0)" } + tests + methods + operators + printers
    }

    // MARK: Filters

    private static let filterArguments: [String: [String]] = [
        "attr": ["x|attr('a')", "'a'|attr(x)"], "batch": ["x|batch(3)|list"], "d": ["x|d(1)", "missing|d(x)"],
        "default": ["x|default(1)"], "dictsort": ["x|dictsort", "x|dictsort(by='value')"],
        "format": ["x|format", "'%s'|format(x)", "'%r'|format(x)", "'%a'|format(x)", "'%s'|safe|format(x)"],
        "groupby": ["x|groupby(0)|list", "[[x], [y]]|groupby(0)|list"], "indent": ["x|indent", "'a'|indent(x)"],
        "items": ["x|items|list"], "join": ["x|join", "['a', 'b', 'c']|join(x)", "[x, x]|join"],
        "map": ["x|map('string')|list", "[x]|map('upper')|list", "[x]|map(attribute=0)|list"],
        "max": ["x|max", "[x, y]|max"], "min": ["x|min", "[x, y]|min"],
        "reject": ["x|reject|list", "[x]|reject('eq', y)|list"],
        "rejectattr": ["x|rejectattr('a')|list", "[[x]]|rejectattr(0, 'eq', y)|list"],
        "replace": ["x|replace('a', 'b')", "'a'|replace(x, 'b')", "'abc'|replace('a', x)"],
        "reverse": ["x|reverse|list"], "round": ["x|round", "1.5|round"],
        "select": ["x|select|list", "[x]|select('eq', y)|list"],
        "selectattr": ["x|selectattr('a')|list", "[[x]]|selectattr(0, 'eq', y)|list"], "slice": ["x|slice(3)|list"],
        "sort": ["x|sort", "[x, y]|sort"], "sum": ["x|sum", "[x, y]|sum(start=[])"],
        "tojson": ["x|tojson", "x|tojson(indent=1)", "x|tojson(ensure_ascii=true, sort_keys=true)"],
        "trim": ["x|trim", "'a'|trim(x)"], "truncate": ["x|truncate(10)", "x|truncate(10, true)"],
        "unique": ["x|unique|list", "[x, y]|unique|list"],
        "wordwrap": ["x|wordwrap(3)", "'a b c'|wordwrap(1, wrapstring=x)"],
        "xmlattr": ["x|xmlattr", "{'a': x}|xmlattr"], "abs": ["x|abs", "1|abs"],
        "filesizeformat": ["x|filesizeformat", "1|filesizeformat"], "float": ["x|float"], "int": ["x|int"],
    ]

    static var filters: [String] {
        Filter.allCases.flatMap { filterArguments[$0.rawValue] ?? ["x|\($0.rawValue)"] }
    }

    // MARK: Tests

    private static let unaryTests: Set<String> = [
        "odd", "even", "defined", "undefined", "filter", "test", "none", "boolean", "false", "true", "integer", "float",
        "lower", "upper", "string", "mapping", "number", "sequence", "iterable", "callable", "escaped",
    ]

    static var tests: [String] {
        Test.allCases.flatMap { test -> [String] in
            let name = test.rawValue
            if unaryTests.contains(name) { return ["[x]|select('\(name)')|list"] }
            return ["[x]|select('\(name)', y)|list"] + (test == .contained ? ["[1]|select('in', x)|list"] : [])
        }
    }

    // MARK: Methods

    private static let methodArguments: [String: [String]] = [
        "center": ["x.center(3)", "'a'.center(3, 'x')"], "count": ["x.count('zz')"], "endswith": ["x.endswith(y)"],
        "find": ["x.find('zz')", "x.find(y)", "x.find('zz', 1)"],
        "format": ["x.format()", "'{}'.format(x)", "'{!r}'.format(x)"],
        "format_map": ["x.format_map({})", "'{a}'.format_map({'a': x})"], "index": ["x.index('b')", "x.index(y)"],
        "join": ["x.join(['a', 'b', 'c'])", "'-'.join(x)", "'-'.join([x, x])"], "ljust": ["x.ljust(3)"],
        "lstrip": ["x.lstrip('ab ')", "'a'.lstrip(x)"],
        "maketrans": ["x.maketrans(x, y)"], "partition": ["x.partition('zz')", "'a'.partition(x)"],
        "removeprefix": ["x.removeprefix(y)"], "removesuffix": ["x.removesuffix(y)"],
        "replace": ["x.replace('a', 'b')", "x.replace('a', 'bcd')", "'abc'.replace('a', x)"],
        "rfind": ["x.rfind('zz')"], "rindex": ["x.rindex('b')"], "rjust": ["x.rjust(3)"],
        "rpartition": ["x.rpartition('zz')"], "rsplit": ["x.rsplit()", "x.rsplit('b')"], "rstrip": ["x.rstrip('ab ')"],
        "split": ["x.split()", "x.split('b')", "'a'.split(x)"],
        "startswith": ["x.startswith(y)", "x.startswith((y, y))"],
        "strip": ["x.strip('ab ')"], "translate": ["x.translate({})", "'ab'.translate(x)"], "zfill": ["x.zfill(3)"],
    ]

    static var methods: [String] {
        StringMethod.allCases.flatMap { methodArguments[$0.rawValue] ?? ["x.\($0.rawValue)()"] }
            + DictMethod.allCases.flatMap { method -> [String] in
                switch method {
                case .get: ["x.get('a')", "{'a': 1}.get(x)"]
                case .fromkeys: ["{}.fromkeys(x)"]
                case .copy, .items, .keys, .values: ["x.\(method.rawValue)()|list"]
                }
            } + ["[1, x].count(y)", "[1, x].index(y)", "x.count(y)", "x.copy()"]
    }

    // MARK: Operators, look-ups and calls

    static var operators: [String] {
        Arithmetic.Operator.allCases.flatMap { ["x \($0.rawValue) y", "x \($0.rawValue) 3", "3 \($0.rawValue) x"] }
            + Comparison.Operator.allCases.map { "x \($0.rawValue) y" }
            + [
                "x == y", "x != y", "[x] == [y]", "{1: x} == {1: y}", "x in y", "x in [y]", "x not in [y]", "1 in x",
                "'zz' in x",
                "x ~ y", "x[1:]", "x[::2]", "x[::-1]", "x[:3]", "x[0]", "x[-1]", "x['a']", "x.a", "{'a': 1}[x]",
                "[1][x]",
                "not x", "x and y", "x or y", "1 if x else 2", "-x", "+x", "[x, y]", "(x, y)", "{'a': x}", "{x: 1}",
                "x.keys() == y.keys()",
                "dict(x)", "dict(**x)", "namespace(a=x)", "cycler(*x)", "joiner(x)()", "range(x)", "strftime_now(x)",
            ]
    }

    // MARK: What prints

    /// Statements rather than expressions.
    static let printers = [
        "{{ x }}", "{{ [x] }}", "{{ (x,) }}", "{{ {'a': x} }}", "{{ namespace(a=x) }}", "{{ x.items() }}",
        "{{ x|tojson }}", "{{ x + y }}",
        "{% set z %}{{ x }}{% endset %}", "{% filter upper %}{{ x }}{% endfilter %}",
        "{% macro m(a) %}{{ a }}{% endmacro %}{% set z = m(x) %}",
        "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{% set z = m(*x) %}",
        "{% macro m() %}{{ caller(x) }}{% endmacro %}{% set z %}{% call(a) m() %}{{ a }}{% endcall %}{% endset %}",
        "{% for a in x %}{% endfor %}", "{% for a in x if a %}{% endfor %}",
        "{% for a in [x, y] %}{% if loop.changed(a) %}{% endif %}{% endfor %}",
        "{% for a in x %}{{ loop.length }}{% break %}{% endfor %}",
        "{% for a in [1] %}{% set z = loop.cycle(*x) %}{% endfor %}", "{% set a, b = [x, y] %}",
        "{{ raise_exception(x) }}",
    ]
}
