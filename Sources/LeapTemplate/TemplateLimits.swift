/// Limits of what a template may produce, compute and nest before rendering stops with a typed error.
///
/// A chat template comes with a model, so it is as trustworthy as the file it was downloaded in. The defaults leave
/// room for prompts of millions of tokens, and stop a hostile template after a bounded amount of work, whatever it
/// does.
public struct TemplateLimits: Sendable, Hashable {
    /// The most bytes of UTF-8 one rendering, or one string built on the way, may hold.
    public var maxOutputBytes: Int

    /// The most bytes that one rendering may build or go through: strings and lists that are made, copied, compared,
    /// searched or changed, each as often as that happens.
    ///
    /// An operation that takes longer for a byte than copying it does counts it several times: 4 for searching, 16
    /// for looking at each code point, 64 for changing the case of letters that are not ASCII.
    public var maxWorkBytes: Int

    /// The most steps: statements executed (those with long expressions count several), loop iterations, calls, and
    /// items that a filter, a comparison or a printer looks at, however often they are held.
    public var maxSteps: Int

    /// The maximum number of macro, `caller` and recursive-loop calls that are open at once.
    public var maxRecursionDepth: Int

    /// The most items a `range()` may have.
    ///
    /// Jinja's sandbox uses 100,000.
    public var maxRangeCount: Int

    /// The most bits an integer may have.
    public var maxIntegerBits: Int

    /// Limits for templates from anywhere.
    public static let `default` = TemplateLimits()

    /// Creates limits; every argument has a default.
    public init(
        maxOutputBytes: Int = 64 << 20,
        maxWorkBytes: Int = 512 << 20,
        maxSteps: Int = 20_000_000,
        maxRecursionDepth: Int = 180,
        maxRangeCount: Int = 100_000,
        maxIntegerBits: Int = 1 << 16
    ) {
        self.maxOutputBytes = maxOutputBytes
        self.maxWorkBytes = maxWorkBytes
        self.maxSteps = maxSteps
        self.maxRecursionDepth = maxRecursionDepth
        self.maxRangeCount = maxRangeCount
        self.maxIntegerBits = maxIntegerBits
    }

    /// The maximum depth of lists, dicts and tuples, in values given and in values built.
    static let maxValueDepth = 128

    /// The maximum depth of statements and expressions in a template.
    static let maxSyntaxDepth = 200

    /// The maximum number of decimal digits of an integer that becomes text, as in CPython.
    static let maxIntegerDigits = 4300
}
