import Foundation

/// The memory that this process alone has.
enum PrivateMemory {
    /// Bytes of private pages; 0 where the system does not tell.
    static var byteCount: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8) else { return 0 }
        return text.split(separator: "\n").reduce(0) { sum, line in
            guard line.hasPrefix("Private_") else { return sum }
            return sum + (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }
    }
}
