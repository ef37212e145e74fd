import Foundation
import LeapBase
import LeapJSON
import LeapTestTraits
import Logging
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct JSONLogHandlerTests {
    /// The lines that loggers of a label write in `body`.
    private static func lines(
        level: Logger.Level = .info, provider: Logger.MetadataProvider? = nil, _ body: (inout Logger) -> Void
    ) throws -> [JSONValue] {
        let written = Locked<[[UInt8]]>([])
        var logger = Logger(label: "a label") { label in
            JSONLogHandler(label: label, level: level, metadataProvider: provider) { line in
                written.withLock { $0.append(line) }
            }
        }
        body(&logger)
        return try written.withLock { $0 }.map { line in
            #expect(line.last == 0x0A && line.filter { $0 == 0x0A }.count == 1)
            return try JSONParser.parse(line)
        }
    }

    @Test("A line is one object with time, level, logger and message")
    func plain() throws {
        let lines = try Self.lines { $0.warning("a \"message\"\nof two lines") }
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line.object?.keys == ["time", "level", "logger", "message"])
        #expect(line["level"] == "warning" && line["logger"] == "a label")
        #expect(line["message"] == "a \"message\"\nof two lines")
        let time = try #require(line["time"]?.string)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let age = try style.parse(time).timeIntervalSinceNow
        #expect(abs(age) < 3600 && time.hasSuffix("Z"))
    }

    @Test("Names of requests stand beside the message, all else is in the fields, numbers as numbers")
    func metadata() throws {
        let provider = Logger.MetadataProvider { ["request_id": "r", "x": "of the provider", "z": "only there"] }
        let lines = try Self.lines(provider: provider) { logger in
            logger[metadataKey: "x"] = "of the logger"
            logger[metadataKey: "own"] = "1"
            logger.info(
                "m",
                metadata: [
                    "trace_id": "t", "x": "of the line", "whole": .stringConvertible(3),
                    "part": .stringConvertible(0.5),
                    "isTrue": .stringConvertible(true), "list": ["a", ["b": "c"]],
                ])
        }
        let line = try #require(lines.first)
        #expect(line["request_id"] == "r" && line["trace_id"] == "t")
        let expected: JSONObject = [
            "isTrue": .bool(true), "list": .array(["a", .object(["b": "c"])]), "own": "1", "part": .double(0.5),
            "whole": .integer(3), "x": "of the line", "z": "only there",
        ]
        #expect(line["fields"] == .object(expected))
        #expect(line["fields"]?.object?.keys == expected.keys.sorted())
    }

    @Test("Lines below the level are not written, long texts are cut")
    func limits() throws {
        let lines = try Self.lines(level: .notice) { logger in
            logger.info("not written")
            logger.notice(
                "\(String(repeating: "x", count: 100_000))", metadata: ["a": "\(String(repeating: "é", count: 50_000))"]
            )
        }
        #expect(lines.count == 1)
        #expect(
            lines.first?["message"]?.string?.count == 16_385 && lines.first?["fields"]?["a"]?.string?.count == 16_385)
    }
}
