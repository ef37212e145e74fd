import LeapBase
import LeapCore

/// `GET /metrics`: counters and gauges in Prometheus' text format (version 0.0.4).
struct MetricsPage: Sendable {
    let pool: ModelPool
    let requests: RequestCounter
    /// The keys whose use is told; nil where there are none.
    let keys: KeyRing?
    /// The figures of the HTTP server.
    let more: @Sendable () -> String

    /// - Throws: ``APIError`` where the request's key is for some models only.
    func reply(to request: ServerRequest) async throws -> ServerReply {
        try request.checkAllModels()
        let (loaded, runners) = await pool.state
        var page = ""
        func describe(_ name: String) {
            page += "# TYPE \(name) \(name.hasSuffix("_total") ? "counter" : "gauge")\n"
        }
        let counts = requests.counts
        describe("leap_http_requests_total")
        for (key, count) in counts.ended.sorted(by: { ($0.key.path, $0.key.status) < ($1.key.path, $1.key.status) }) {
            page += "leap_http_requests_total{path=\"\(key.path)\",status=\"\(key.status)\"} \(count)\n"
        }
        describe("leap_http_requests_active")
        page += "leap_http_requests_active \(counts.active)\n"
        describe("leap_models_loaded")
        page += "leap_models_loaded \(loaded.count)\n"
        let metrics = runners.map(\.statistics.metrics)
        for name in Set(metrics.flatMap(\.keys)).sorted() {
            describe(name)
            for (model, values) in zip(loaded, metrics) {
                if let value = values[name] { page += "\(name){model=\"\(Self.label(model))\"} \(value)\n" }
            }
        }
        let places: [(name: String, counts: KeyPath<ModelStatistics, [Int]>)] = [
            ("leap_tokens_drafted_by_position_total", \.draftedTokensByPosition),
            ("leap_tokens_accepted_by_position_total", \.acceptedTokensByPosition),
        ]
        for (name, counts) in places {
            let samples = zip(loaded, runners).flatMap { model, runner in
                runner.statistics[keyPath: counts].enumerated().map { index, count in
                    "\(name){model=\"\(Self.label(model))\",position=\"\(index + 1)\"} \(count)\n"
                }
            }
            if !samples.isEmpty { describe(name) }
            page += samples.joined()
        }
        let gpus: [(name: String, use: KeyPath<ModelStatistics, GPUStatistics?>)] = [
            ("leap_gpu_info", \.gpu), ("leap_audio_decoder_gpu_info", \.audioDecoderGPU),
            ("leap_image_encoder_gpu_info", \.imageEncoderGPU),
        ]
        for (name, use) in gpus {
            let devices = zip(loaded, runners).compactMap { model, runner in
                runner.statistics[keyPath: use]?.device.map { (model: model, device: $0) }
            }
            if !devices.isEmpty { describe(name) }
            for (model, device) in devices {
                page += "\(name){model=\"\(Self.label(model))\",device=\"\(Self.label(device))\"} 1\n"
            }
        }
        page += Self.figures(of: keys?.holders ?? [])
        page += more()
        return .text(page, type: "text/plain; version=0.0.4; charset=utf-8")
    }

    /// The figures of keys by the names of their holders, which have no characters that a label must not have.
    private static func figures(of holders: [KeyHolder]) -> String {
        guard !holders.isEmpty else { return "" }
        let counts = holders.map { (key: "key=\"\($0.name)\"", counts: $0.counts) }
        var page = "# TYPE leap_key_requests_total counter\n"
        for (key, counts) in counts { page += "leap_key_requests_total{\(key)} \(counts.requests)\n" }
        page += "# TYPE leap_key_requests_refused_total counter\n"
        for (key, counts) in counts {
            for limit in KeyHolder.Limit.allCases {
                let count = counts.refused[limit] ?? 0
                page += "leap_key_requests_refused_total{\(key),limit=\"\(limit.rawValue)\"} \(count)\n"
            }
        }
        page += "# TYPE leap_key_tokens_total counter\n"
        for (key, counts) in counts { page += "leap_key_tokens_total{\(key)} \(counts.tokens)\n" }
        return page
    }

    private static func label(_ text: String) -> String {
        text.map { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : $0.isNewline ? " " : String($0) }.joined()
    }
}

/// A counter of requests by path and status.
final class RequestCounter: Sendable {
    struct Key: Hashable {
        let path: String
        let status: Int
    }

    private let state = Locked<(active: Int, ended: [Key: Int])>((0, [:]))

    var counts: (active: Int, ended: [Key: Int]) { state.withLock { $0 } }

    /// A request, which counts as active until this value is released.
    final class Request: Sendable {
        private let counter: RequestCounter

        fileprivate init(_ counter: RequestCounter) { self.counter = counter }

        /// Counts the request by the status of its answer.
        ///
        /// - Parameter path: one of the paths that are answered, or "other": paths from outside would grow the page
        ///   without bound.
        func answered(_ path: String, status: Int) {
            counter.state.withLock { $0.ended[Key(path: path, status: status), default: 0] += 1 }
        }

        deinit { counter.state.withLock { $0.active -= 1 } }
    }

    func begin() -> Request {
        state.withLock { $0.active += 1 }
        return Request(self)
    }
}
