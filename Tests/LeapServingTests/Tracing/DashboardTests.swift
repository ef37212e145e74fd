import Foundation
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// `docs/grafana-dashboard.json` shows figures that servers really have.
@Suite(.inTurns)
struct DashboardTests {
    /// Figures of `leap-server` alone, which carries the requests and sends the spans, by the file that names them.
    private static let ofProgram = [
        "leap_http_response_start_seconds": "Sources/leap-server/HTTPExchange.swift",
        "leap_http_request_seconds": "Sources/leap-server/HTTPExchange.swift",
        "leap_otlp_spans_exported_total": "Sources/LeapServing/Tracing/OTLP/OTLPExporter.swift",
        "leap_otlp_spans_dropped_total": "Sources/LeapServing/Tracing/OTLP/OTLPExporter.swift",
    ]

    private static func text(_ path: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private let dashboard: JSONValue
    private let panels: [JSONValue]

    init() throws {
        dashboard = try JSONParser.parse(try Self.text("docs/grafana-dashboard.json"))
        panels = dashboard["panels"]?.array ?? []
    }

    /// The expressions of all panels.
    private var expressions: [String] {
        panels.flatMap { $0["targets"]?.array ?? [] }.compactMap { $0["expr"]?.string }
    }

    @Test("Every figure in it is one that a server tells, with the labels that it has, and every figure is in it")
    func figures() async throws {
        let server = try ServingSupport.server()
        _ = try await server.post("/v1/completions", #"{"prompt": "Once", "max_tokens": 1}"#)
        let page = try await server.reply(to: ServerRequest(method: "GET", path: "/metrics")).collectText()
        let told = Set(page.matches(of: /(?m)^# TYPE (\S+)/).map { String($0.output.1) })
        var shown: Set<String> = []
        for match in expressions.joined(separator: "\n").matches(of: /(leap_\w+?)(_bucket)?\{([^}]*)\}/) {
            let name = String(match.output.1)
            shown.insert(name)
            let labels = Set(match.output.3.matches(of: /(\w+)=~/).map { String($0.output.1) })
            if let path = Self.ofProgram[name] {
                #expect(try Self.text(path).contains(name), "\(name)")
                #expect(labels == ["instance"] && (match.output.2 != nil) == name.hasSuffix("_seconds"), "\(name)")
            } else {
                #expect(told.contains(name), "\(name)")
                let hasModel = page.contains("\n\(name){model=")
                #expect(labels == (hasModel ? ["instance", "model"] : ["instance"]), "\(name)")
            }
        }
        #expect(shown == told.union(Self.ofProgram.keys))
    }

    @Test("It is what Grafana imports: panels with places and targets, and the source of data as a variable")
    func shape() throws {
        let variables = dashboard["templating"]?["list"]?.array ?? []
        #expect(variables.compactMap { $0["name"]?.string } == ["datasource", "instance", "model"])
        #expect(variables.first?["type"] == "datasource" && variables.first?["query"] == "prometheus")
        #expect(dashboard["title"] == "leap-server" && dashboard["uid"] == "leap-server")
        #expect(dashboard["schemaVersion"]?.integer ?? 0 >= 36)
        let source = JSONValue.object(["type": "prometheus", "uid": "${datasource}"])
        #expect(panels.count > 10 && Set(panels.compactMap { $0["id"]?.integer }).count == panels.count)
        var used: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"])
            let (x, y) = (place["x"]?.integer ?? -1, place["y"]?.integer ?? -1)
            let (width, height) = (place["w"]?.integer ?? 0, place["h"]?.integer ?? 0)
            #expect(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 24)
            for column in x..<x + width {
                for row in y..<y + height {
                    #expect(used.insert([column, row]).inserted, "\(panel["title"] ?? .null)")
                }
            }
            guard panel["type"] != "row" else { continue }
            let targets = panel["targets"]?.array ?? []
            #expect(!targets.isEmpty && panel["datasource"] == source && panel["title"]?.string?.isEmpty == false)
            #expect(Set(targets.compactMap { $0["refId"]?.string }).count == targets.count)
            #expect(targets.allSatisfy { $0["datasource"] == source && $0["expr"]?.string?.isEmpty == false })
        }
    }

    @Test("What is in the expressions is balanced, and rates are those of totals")
    func rates() {
        for expression in expressions {
            var depth = 0
            for character in expression {
                if "({[".contains(character) { depth += 1 }
                if ")}]".contains(character) { depth -= 1 }
                if depth < 0 { break }
            }
            #expect(depth == 0, "\(expression)")
            for match in expression.matches(of: /(rate\()?(leap_\w+)\{[^}]*\}(\[)?/) {
                let isTotal = match.output.2.hasSuffix("_total") || match.output.2.hasSuffix("_bucket")
                #expect(isTotal == (match.output.1 != nil) && isTotal == (match.output.3 != nil), "\(expression)")
            }
        }
    }
}
