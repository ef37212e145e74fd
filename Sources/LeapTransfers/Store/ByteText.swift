import Foundation

/// Counts of bytes as people read them.
package enum ByteText {
    /// In decimal units, as disks and networks are sold: `697 MB`, `1.25 GB`.
    package static func of(_ bytes: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var value = Double(bytes)
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        if unit == 0 { return "\(bytes) bytes" }
        return String(
            format: value < 10 ? "%.2f %@" : value < 100 ? "%.1f %@" : "%.0f %@", value, units[unit] as NSString)
    }
}
