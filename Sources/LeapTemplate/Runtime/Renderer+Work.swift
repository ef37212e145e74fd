// What operations cost, in the two units of `TemplateLimits`: steps for items, bytes for texts.
//
// The factors are generous estimates of how many times longer than copying a byte an operation takes for one, so that
// the limits bound the time whatever a template does.
extension Renderer {
    /// Bytes that one object (a list, a text of its own, a bound method) counts besides what it holds.
    static let objectBytes = 64

    /// Accounts for texts that an operation makes of another one, apart from their bytes.
    func charge(parts: Int) throws(TemplateError) {
        let (bytes, overflow) = parts.multipliedReportingOverflow(by: Self.objectBytes)
        try touch(bytes: overflow ? Int.max : bytes)
    }

    /// Accounts for a pass over a text in which a byte takes `factor` times as long as copying it.
    @inline(__always)
    func touch(_ text: Text, times factor: Int) throws(TemplateError) {
        // No text is so long that this overflows: the largest is what fits memory.
        try touch(bytes: text.bytes.count &* factor)
    }

    /// Accounts for a search for `needle`; long ones need a table of themselves.
    func touch(_ text: Text, searchedFor needle: Text) throws(TemplateError) {
        try touch(text, times: TextCost.search)
        if needle.bytes.count > [UInt8].plainNeedleLimit { try touch(needle, times: 16) }
    }

    /// Accounts for changing the case of a text, which takes a table look-up for every code point that is not ASCII.
    func touch(caseOf text: Text) throws(TemplateError) {
        try touch(text, times: text.isASCII ? TextCost.search : TextCost.properties)
    }

    /// Accounts for arithmetic on the digits of integers that do not fit a word: as many operations as the product.
    func touch(digits a: Int, by b: Int) throws(TemplateError) {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        try step(overflow ? Int.max : product / 16)
    }

    /// Accounts for turning an integer into text or back, which is quadratic in its digits.
    func touch(textOf integer: BigInt) throws(TemplateError) {
        try touch(digits: integer.digits.count, by: integer.digits.count)
    }

    /// Accounts for making the text of a float with so many digits.
    func touch(floatDigits: Int) throws(TemplateError) {
        let digits = min(max(0, floatDigits), 1 << 20)
        try step(8 + digits * digits / 256)
    }

    /// Accounts for finding out what a name that is not a literal means.
    func touch(name: Text) throws(TemplateError) {
        try step(16)
        try touch(name, times: 4)
    }

    /// Accounts for hashing a key and comparing it with the one that is there.
    ///
    /// Finds out on the way whether it can be hashed: a tuple that holds itself twice, sixty times over, must not be
    /// walked without a count.
    ///
    /// - Returns: the name of the type that Python cannot hash; nil where the key can be.
    func unhashableType(of key: Value) throws(TemplateError) -> String? {
        switch key {
        case .string(let text), .markup(let text): try touch(text, times: 2)
        case .list, .dict: return key.typeName
        case .tuple(let box):
            for item in box.items {
                try step(3)
                if let name = try unhashableType(of: item) { return name }
            }
        case .big(let box): try touch(bytes: box.value.digits.count &* 16)
        case .object(let object): return object.isHashable ? nil : object.typeName
        case .missing, .undefined, .none, .bool, .int, .float: break
        }
        return nil
    }

    /// Fails where the key cannot be hashed, and accounts for hashing it.
    func checkHashable(_ key: Value) throws(TemplateError) {
        if let name = try unhashableType(of: key) { throw .type("unhashable type: '\(name)'") }
    }
}

/// Factors by which a byte counts as work, by the operation on it.
enum TextCost {
    /// Copied, compared or counted.
    static let copy = 1
    /// Searched for a text, or replaced byte by byte.
    static let search = 4
    /// Decoded, each code point looked at on its own.
    static let decode = 16
    /// Decoded, each code point looked up in Unicode's tables or made a text of its own.
    static let properties = 64
}

/// The steps and the work that one rendering used up.
struct TemplateUse: Sendable, Equatable {
    /// The steps of ``TemplateLimits/maxSteps``.
    var steps: Int
    /// The bytes of ``TemplateLimits/maxWorkBytes``.
    var workBytes: Int
}
