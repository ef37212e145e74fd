import Foundation

/// The `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// Seconds to wait from `now`, at least 0; nil if the text is neither form.
    static func seconds(_ text: String?, now: Date = Date()) -> Double? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if let seconds = Int(text) { return seconds < 0 ? nil : Double(seconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = formatter.date(from: text) else { return nil }
        return max(0, date.timeIntervalSince(now))
    }
}
