import LeapTestSupport
import Testing

@testable import LeapGrammar

/// Masks inside keys: what objects share of them, and what earlier keys take away.
@Suite("Masks inside keys")
struct KeyMaskTests {
    private static let pieces = [
        "a", "ab", "ab\"", "ab\":", "abc", "abc\"", "abc\":1", "b\"", "c\":", "\\u0061", "\\u0061b\"", "\\u0061b\":1",
        "c\\u0063", "\\\"", "é", "é\"", "é\":1", "\\u00e9\":", "na", "name", "name\"", "names\":", "x-", "x-a\":1",
        "a\":1,\"a",
        String(repeating: "a", count: 30), String(repeating: "a", count: 30) + "\":1",
    ]

    private static let index = TestVocabulary.make(pieces: pieces)

    private static let object = ##"{"type":"object","additionalProperties":{"type":"integer"}"##

    static let rows: [(schema: String, text: String)] = [
        (object + "}", ##"{"ab":1,"abc":2,"é":3,"a":4,"abcd":5,"b":6}"##),
        (object + "}", ##"{"a\"b":1,"\u0061b":2,"ab\\":3,"b":1}"##),
        (
            object + "}",
            "{\"" + String(repeating: "a", count: 70) + "\":1,\"" + String(repeating: "a", count: 71) + "\":2}"
        ),
        (
            object + ##","properties":{"name":{},"names":{},"ab":{}}}"##,
            ##"{"abc":1,"name":[],"na":2,"names":{"ab":1,"a":2},"ab":0}"##
        ),
        (
            ##"{"type":"object","properties":{"x-a":{"const":7},"name":{"type":"boolean"}},"patternProperties":{"^(x-|na)[a-e]*$":{"type":"integer"}},"additionalProperties":false}"##,
            ##"{"x-b":1,"name":true,"na":2,"x-a":7,"x-ab":3}"##
        ),
        (
            ##"{"type":"object","patternProperties":{"^(ab?|abc)$":{"type":"integer"}},"properties":{"ab":{}},"additionalProperties":false}"##,
            ##"{"abc":1,"a":2,"ab":3}"##
        ),
        (
            ##"{"type":"object","properties":{"o":{"type":"object","properties":{"ab":{"minimum":5}},"patternProperties":{"^a[a-c]{0,3}$":{"type":"integer"}},"additionalProperties":false},"p":{"type":"object","required":["abc"],"patternProperties":{"^a[a-c]{0,3}$":{"type":"string","minLength":9}},"additionalProperties":false}},"additionalProperties":{"type":"object","patternProperties":{"^a[a-c]{0,3}$":{"type":"integer"}},"maxProperties":2,"additionalProperties":false}}"##,
            ##"{"o":{"aa":1,"ab":5,"abc":2},"p":{"abc":"123456789","aa":"123456789"},"q":{"aa":1,"ab":2}}"##
        ),
        (
            ##"{"anyOf":[{"type":"object","required":["ab"],"properties":{"ab":{"const":1}},"patternProperties":{"^a":{"type":"integer"}}},{"type":"object","patternProperties":{"^ab":{"type":"integer"}},"propertyNames":{"maxLength":3}}]}"##,
            ##"{"abc":1,"a":2,"ab":1}"##
        ),
    ]

    @Test(
        "At every byte a token is in the mask exactly where it may come, whatever keys were written before",
        arguments: rows)
    func exactness(_ row: (schema: String, text: String)) throws {
        // The declared order takes few of the keys that were written before: one schema shows it.
        let orders: [GrammarOptions.PropertyOrder] =
            TestLevel.isAll || row.schema == Self.rows[0].schema ? [.any, .declared] : [.any]
        for order in orders {
            let matcher = try Judge.schema(row.schema, order: order).matcher(vocabulary: Self.index)
            var isFollowed = 0
            for byte in row.text.utf8 {
                let mask = matcher.mask()
                let least = matcher.minimumTokensToFinish
                let last = matcher.mask(remaining: least)
                var hasOne = matcher.isAccepting
                var wrong: [Int32] = []
                for token in 0..<Int32(Self.index.vocabulary.count) where Self.index.vocabulary.isText(token) {
                    let isSet = mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1
                    let isAllowed = matcher.allows(token)
                    if isSet != isAllowed { wrong.append(token) }
                    guard last[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 else { continue }
                    if !isAllowed { wrong.append(token) }
                    hasOne = true
                }
                #expect(wrong.isEmpty, "\(order) \(row.text.prefix(isFollowed)) tokens \(wrong)")
                #expect(hasOne, "something ends the text in time")
                guard matcher.accept(bytes: [byte]) else { break }
                isFollowed += 1
            }
            if order == .any { #expect(isFollowed == row.text.utf8.count, "\(row.text)") }
        }
    }
}
