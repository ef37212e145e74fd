package import Foundation

/// The `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Seconds to wait, at least 0 and at most a year; nil if the answer asks for none, or in neither form.
    ///
    /// A date is compared with the answer's own `Date`: the clocks of the two machines need not agree.
    package static func seconds(_ head: HTTPHead, now: Date = Date()) -> Double? {
        seconds(head["retry-after"], now: date(head["date"]) ?? now)
    }

    package static func seconds(_ text: String?, now: Date = Date()) -> Double? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if let seconds = OutsideNumber.seconds(text) { return seconds }
        return date(text).map { OutsideNumber.seconds($0.timeIntervalSince(now)) }
    }

    private static func date(_ text: String?) -> Date? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), (1...64).contains(text.utf8.count) else {
            return nil
        }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
