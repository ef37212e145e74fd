import Foundation

extension String {
    /// The text with spaces after it.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text with spaces before it.
    package func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// A measured number with as many places as it deserves.
    package static func rounded(_ value: Double) -> String {
        String(format: value >= 100 || value == value.rounded() ? "%.0f" : "%.2f", value)
    }
}
