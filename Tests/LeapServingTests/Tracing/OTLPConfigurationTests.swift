import FoundationEssentials
import LeapBase
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct OTLPConfigurationTests {
    private static func read(_ option: String?, _ environment: [String: String] = [:]) throws -> OTLPConfiguration? {
        try OTLPConfiguration(option: option, environment: environment)
    }

    private static func address(_ option: String?, _ environment: [String: String] = [:]) throws -> String? {
        try read(option, environment)?.url.absoluteString
    }

    @Test("The collector is that of the option, else of the variable for spans, else of the one for all")
    func addresses() throws {
        let all = "OTEL_EXPORTER_OTLP_ENDPOINT", own = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
        #expect(try Self.address(nil) == nil)
        #expect(try Self.address(nil, [all: "", own: " "]) == nil)
        #expect(try Self.address("http://a:4318") == "http://a:4318/v1/traces")
        #expect(try Self.address("http://a:4318/") == "http://a:4318/v1/traces")
        #expect(try Self.address("https://a/base") == "https://a/base/v1/traces")
        #expect(try Self.address("http://a/v1/traces") == "http://a/v1/traces")
        #expect(try Self.address(nil, [all: "http://b"]) == "http://b/v1/traces")
        #expect(try Self.address(nil, [all: "http://b", own: "http://c/x"]) == "http://c/x")
        #expect(try Self.address("http://a", [all: "http://b", own: "http://c/x"]) == "http://a/v1/traces")
        for off in [["OTEL_SDK_DISABLED": "true"], ["OTEL_TRACES_EXPORTER": "none"]] {
            #expect(try Self.address(nil, off.merging([all: "http://b"]) { $1 }) == nil)
            #expect(try Self.address("http://a", off) != nil)
        }
    }

    @Test("The environment says what spans say of the server, and what requests have")
    func pairs() throws {
        func resource(_ environment: [String: String]) throws -> [String: String] {
            let pairs = try #require(try Self.read("http://a", environment)).resource
            return Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { _, _ in "twice" })
        }
        let plain = try resource([:])
        #expect(plain["service.name"] == "leap-server" && plain["service.instance.id"]?.isEmpty == false)
        let named = try resource([
            "OTEL_RESOURCE_ATTRIBUTES": "service.name=a, deployment.environment = test%2C1,,service.version=9",
            "OTEL_SERVICE_NAME": "b",
        ])
        #expect(named["service.name"] == "b" && named["deployment.environment"] == "test,1")
        #expect(named["service.version"] == "9" && !named.values.contains("twice"))
        let headers = try Self.read(
            "http://a",
            ["OTEL_EXPORTER_OTLP_HEADERS": "api-key=k%3D1,x=1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "X=2"])?.headers
        #expect(headers?.map(\.name) == ["api-key", "X"] && headers?.map(\.value) == ["k=1", "2"])
    }

    @Test(
        "What has no meaning is told by its name, keys of services are not shown",
        arguments: [
            ("ftp://a", [:], "--otlp"), ("a:4318", [:], "--otlp"), ("", [:], "--otlp"),
            (nil, ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://"], "OTEL_EXPORTER_OTLP_ENDPOINT"),
            ("http://a", ["OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"], "OTEL_EXPORTER_OTLP_PROTOCOL"),
            ("http://a", ["OTEL_EXPORTER_OTLP_HEADERS": "secret"], "OTEL_EXPORTER_OTLP_HEADERS"),
            ("http://a", ["OTEL_EXPORTER_OTLP_HEADERS": "a=secret%0D%0Ab"], "OTEL_EXPORTER_OTLP_HEADERS"),
            ("http://a", ["OTEL_RESOURCE_ATTRIBUTES": "a=secret%"], "OTEL_RESOURCE_ATTRIBUTES"),
        ] as [(String?, [String: String], String)])
    func problems(option: String?, environment: [String: String], name: String) throws {
        let problem = #expect(throws: CommandError.self) { try Self.read(option, environment) }
        #expect(problem?.description.contains(name) == true && problem?.description.contains("secret") == false)
    }
}
