/// A constraint on a generated property.
///
/// The macro reads the literals in the source; a value of this type has no content.
public struct GuideConstraint: Sendable {
    /// A number within the closed range.
    public static func range(_ range: ClosedRange<Int>) -> GuideConstraint { GuideConstraint() }
    /// A number within the closed range.
    public static func range(_ range: ClosedRange<Double>) -> GuideConstraint { GuideConstraint() }
    /// A number no smaller than the bound.
    public static func range(_ range: PartialRangeFrom<Int>) -> GuideConstraint { GuideConstraint() }
    /// A number no larger than the bound.
    public static func range(_ range: PartialRangeThrough<Int>) -> GuideConstraint { GuideConstraint() }
    /// A number no smaller than this.
    public static func minimum(_ value: Int) -> GuideConstraint { GuideConstraint() }
    /// A number no smaller than this.
    public static func minimum(_ value: Double) -> GuideConstraint { GuideConstraint() }
    /// A number no larger than this.
    public static func maximum(_ value: Int) -> GuideConstraint { GuideConstraint() }
    /// A number no larger than this.
    public static func maximum(_ value: Double) -> GuideConstraint { GuideConstraint() }

    /// An array of exactly this many elements.
    public static func count(_ count: Int) -> GuideConstraint { GuideConstraint() }
    /// An array whose number of elements is within the range.
    public static func count(_ range: ClosedRange<Int>) -> GuideConstraint { GuideConstraint() }
    /// An array of at least this many elements.
    public static func minimumCount(_ count: Int) -> GuideConstraint { GuideConstraint() }
    /// An array of at most this many elements.
    public static func maximumCount(_ count: Int) -> GuideConstraint { GuideConstraint() }
    /// Constrains each element of an array.
    public static func element(_ constraint: GuideConstraint) -> GuideConstraint { GuideConstraint() }

    /// One of these strings.
    public static func anyOf(_ values: [String]) -> GuideConstraint { GuideConstraint() }
    /// Exactly this string.
    public static func constant(_ value: String) -> GuideConstraint { GuideConstraint() }
    /// A string that the ECMA regular expression matches, with the meaning of JSON Schema's `pattern`.
    public static func pattern(_ pattern: String) -> GuideConstraint { GuideConstraint() }
}
