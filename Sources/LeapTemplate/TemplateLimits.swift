/// Limits on the output, work and nesting of a template; beyond them, rendering stops with a typed error.
///
/// A chat template is as trustworthy as the model file that contains it. The defaults allow prompts of millions of
/// tokens, and stop a hostile template after a bounded amount of work.
public struct TemplateLimits: Sendable, Hashable {
    /// The maximum number of bytes of UTF-8 of one rendering, or of one string built during it.
    public var maxOutputBytes: Int

    /// The maximum number of bytes that one rendering processes.
    ///
    /// Strings and lists count each time they are created, copied, compared, searched or changed. An operation that
    /// takes longer for a byte than a copy counts the byte several times: 4 for searching, 16 for reading each code
    /// point, 64 for changing the case of letters that are not ASCII.
    public var maxWorkBytes: Int

    /// The maximum number of steps.
    ///
    /// Steps are statements (those with long expressions count several times), loop iterations, calls, and items that a
    /// filter, a comparison or a printer visits, each time it visits them.
    public var maxSteps: Int

    /// The maximum number of macro, `caller` and recursive-loop calls that are open at once.
    public var maxRecursionDepth: Int

    /// The maximum number of items of a `range()`.
    ///
    /// Jinja's sandbox uses 100,000.
    public var maxRangeCount: Int

    /// The maximum number of bits of an integer.
    public var maxIntegerBits: Int

    /// Limits for untrusted templates.
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
