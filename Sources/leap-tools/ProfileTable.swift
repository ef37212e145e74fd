import LeapCommandLine
import LeapMeasurement

/// A profile as text: for prefill and for decode, a table of operations and one of threads.
enum ProfileTable {
    /// The tables, after the limits that they compare with.
    static func text(_ report: ProfileReport, _ options: EngineBenchmark.Options) -> String {
        let limits = report.limits
        let depth = options.depth > 0 ? " at \(options.depth)" : ""
        return [
            "limits measured: memory \(giga(limits.memory.bytesPerSecond)) GB/s (\(limits.memory.way);"
                + " \(giga(limits.memory.sustainedBytesPerSecond)) sustained),"
                + " int8 \(giga(limits.integerOperationsPerSecond)) GOPS,"
                + " float \(giga(limits.floatOperationsPerSecond)) GFLOPS,"
                + " 16-bit float \(giga(limits.halfOperationsPerSecond)) GFLOPS",
            table("prefill \(options.prompt)", report.prefill),
            threads("prefill \(options.prompt)", report.prefill),
            table("decode \(options.generate)\(depth)", report.decode),
            threads("decode \(options.generate)\(depth)", report.decode),
            reading(report.reading),
        ].compactMap(\.self).joined(separator: "\n\n")
    }

    private static func reading(_ reading: ProfileReport.Reading) -> String? {
        guard reading.products > 0 else { return nil }
        return "one token's products tried two kernels that read weights: of \(reading.products) kinds,"
            + " \(reading.second) took the second"
    }

    private static func table(_ title: String, _ phase: ProfileReport.Phase) -> String {
        let header = line("\(title): \(String.rounded(phase.seconds * 1000)) ms", cells: headings)
        return ([header] + phase.rows.map(row)).joined(separator: "\n")
    }

    private static func threads(_ title: String, _ phase: ProfileReport.Phase) -> String {
        let header = line("\(title): threads", cells: ["shared ms", "alone ms", "idle ms", "asleep ms", "% idle"])
        let rows = phase.threads.enumerated().map { index, thread in
            line(
                "thread \(index)",
                cells: [
                    String.rounded(thread.sharedSeconds * 1000), String.rounded(thread.aloneSeconds * 1000),
                    String.rounded(thread.waitingSeconds * 1000), String.rounded(thread.asleepSeconds * 1000),
                    String.rounded(thread.shareIdle * 100),
                ])
        }
        return ([header] + rows).joined(separator: "\n")
    }

    private static let headings = ["calls", "ms", "% time", "MB read", "GB/s", "GOPS", "% limit"]

    private static func row(_ row: ProfileReport.Row) -> String {
        let seconds = max(row.seconds, 1e-9)
        let cells: [String] = [
            row.calls > 0 ? "\(row.calls)" : "",
            String.rounded(row.seconds * 1000),
            String.rounded(row.shareOfTime * 100),
            row.bytes > 0 ? String.rounded(Double(row.bytes) * 1e-6) : "",
            row.bytes > 0 ? giga(Double(row.bytes) / seconds) : "",
            row.operations > 0 ? giga(Double(row.operations) / seconds) : "",
            row.shareOfLimit.map { String.rounded($0 * 100) } ?? "",
        ]
        return line(row.name, cells: cells)
    }

    private static func line(_ name: String, cells: [String]) -> String {
        name.padded(to: 48) + cells.map { $0.leftPadded(to: 10) }.joined()
    }

    private static func giga(_ value: Double) -> String { String.rounded(value * 1e-9) }
}

/// A profile as one JSON object.
struct ProfileJSON: Encodable {
    struct Operation: Encodable {
        let name: String
        let calls: Int
        let ms: Double
        let share_of_time: Double
        let bytes: Int
        let operations: Int
        let share_of_limit: Double?
    }

    struct Thread: Encodable {
        let shared_ms: Double
        let alone_ms: Double
        let idle_ms: Double
        let asleep_ms: Double
        let share_idle: Double
    }

    struct Phase: Encodable {
        let ms: Double
        let operations: [Operation]
        let threads: [Thread]

        init(_ phase: ProfileReport.Phase) {
            ms = phase.seconds * 1000
            operations = phase.rows.map {
                Operation(
                    name: $0.name, calls: $0.calls, ms: $0.seconds * 1000, share_of_time: $0.shareOfTime,
                    bytes: $0.bytes, operations: $0.operations, share_of_limit: $0.shareOfLimit)
            }
            threads = phase.threads.map {
                Thread(
                    shared_ms: $0.sharedSeconds * 1000, alone_ms: $0.aloneSeconds * 1000,
                    idle_ms: $0.waitingSeconds * 1000, asleep_ms: $0.asleepSeconds * 1000, share_idle: $0.shareIdle)
            }
        }
    }

    let limit_bytes_per_second: Double
    let limit_sustained_bytes_per_second: Double
    let limit_memory_way: String
    let limit_int8_operations_per_second: Double
    let limit_float_operations_per_second: Double
    let limit_half_operations_per_second: Double
    let reading_products: Int
    let reading_second: Int
    let prefill: Phase
    let decode: Phase

    init(_ report: ProfileReport) {
        limit_bytes_per_second = report.limits.memory.bytesPerSecond
        limit_sustained_bytes_per_second = report.limits.memory.sustainedBytesPerSecond
        limit_memory_way = report.limits.memory.way
        limit_int8_operations_per_second = report.limits.integerOperationsPerSecond
        limit_float_operations_per_second = report.limits.floatOperationsPerSecond
        limit_half_operations_per_second = report.limits.halfOperationsPerSecond
        reading_products = report.reading.products
        reading_second = report.reading.second
        prefill = Phase(report.prefill)
        decode = Phase(report.decode)
    }
}
