import Foundation
import LeapBase
import LeapCPU
import LeapCommandLine
import LeapCore
import LeapEngine
import LeapGGUF
import LeapMeasurement
import LeapModel
import LeapSDK
import LeapVision

/// Measures a model over a picture: encoding it, and the time to the first token of two questions about it.
enum ImageBenchmark {
    /// The results of a measurement; of several runs the median.
    struct Report: Encodable {
        let width: Int
        let height: Int
        /// Parts that the picture is encoded in: tiles, and the whole.
        let parts: Int
        /// Vectors of all parts.
        let tokens: Int
        /// Resizing, cutting and encoding all parts.
        let encode_ms: Double
        let encode_part_ms: Double
        let encode_tps: Double
        /// The time from asking to the first token, the picture's file unread.
        let first_question_ms: Double
        /// The same for another question about it.
        let second_question_ms: Double
        /// Tokens of the prompt that are computed for each.
        let first_question_tokens: Int
        let second_question_tokens: Int
        let peak_rss_bytes: Int
        let private_rss_bytes: Int
        let threads: Int
    }

    static func run(
        _ model: ModelArgument, size: ImageSize, threads: Int?, nGpuLayers: UInt32?, repetitions: Int,
        useMmap: Bool
    ) async throws -> Report {
        let url = try await model.url()
        let options = LiquidInferenceEngineOptions(
            bundlePath: url.path, cacheOptions: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true),
            cpuThreads: threads.map { UInt32(clamping: $0) }, nGpuLayers: nGpuLayers, useMmap: useMmap)
        guard let runner = try await Leap.load(url: url, options: options) as? LiquidInferenceEngineRunner else {
            throw CommandError("--image: the model is not run by this process")
        }
        if let problem = runner.readableParts.imageProblem { throw CommandError("--image: \(problem)") }
        guard let path = runner.files.multimodalProjectorPath else {
            throw CommandError("--image: the model has no projector")
        }
        let encoder = try VisionEncoder(file: try GGUFFile.open(path: path, useMmap: useMmap))
        let kernels = try Kernels(threads: threads ?? ThreadAdvisor.recommended)
        let tiling = try ImageOptions().tiling(encoder.tiling)
        let layout = tiling.layout(width: size.width, height: size.height)
        let encoding = try (0..<repetitions).map { try encode(picture(size, $0), layout, tiling, encoder, kernels) }
        // The first answer also waits for memory that the next ones find there.
        _ = try await questions(runner, size, index: repetitions)
        var (first, second): ([Double], [Double]) = ([], [])
        var tokens = [0, 0]
        for index in 0..<repetitions {
            let answers = try await questions(runner, size, index: repetitions + 1 + index)
            first.append(answers[0].seconds)
            second.append(answers[1].seconds)
            tokens = answers.map(\.computedTokens)
        }
        let memory = ProcessMemory.current()
        await runner.unload()
        let milliseconds = median(encoding) * 1000
        let parts = layout.tokensOfParts.count
        return Report(
            width: size.width, height: size.height, parts: parts, tokens: layout.tokenCount, encode_ms: milliseconds,
            encode_part_ms: milliseconds / Double(parts), encode_tps: Double(layout.tokenCount) / milliseconds * 1000,
            first_question_ms: median(first) * 1000, second_question_ms: median(second) * 1000,
            first_question_tokens: tokens[0], second_question_tokens: tokens[1],
            peak_rss_bytes: memory.peakResident, private_rss_bytes: memory.privateResident, threads: kernels.threads)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// A picture of its own for each run, so that none is known from the one before.
    private static func picture(_ size: ImageSize, _ index: Int) -> RGBImage {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { bytes += pixel(x, y, index) }
        }
        return RGBImage(width: size.width, height: size.height, bytes: bytes)
    }

    private static func pixel(_ x: Int, _ y: Int, _ index: Int) -> [UInt8] {
        [UInt8((x + 17 * index) & 255), UInt8((y &* 3) & 255), UInt8((x ^ y) & 255)]
    }

    /// Seconds of resizing, cutting and encoding.
    private static func encode(
        _ image: RGBImage, _ layout: ImageLayout, _ tiling: ImageTiling, _ encoder: VisionEncoder,
        _ kernels: Kernels
    ) throws -> Double {
        let pass = VisionPass(encoder, kernels: kernels)
        let start = ContinuousClock.now
        for part in layout.parts(of: image) {
            let size = tiling.patchSize
            _ = try pass.encode(
                ImagePatches(
                    rows: part.height / size, columns: part.width / size, values: part.patchValues(patchSize: size)))
        }
        return seconds(since: start)
    }

    /// Asks about a new picture, and again.
    private static func questions(
        _ runner: LiquidInferenceEngineRunner, _ size: ImageSize, index: Int
    ) async throws -> [(seconds: Double, computedTokens: Int)] {
        let file = PNGWriter.bytes(width: size.width, height: size.height) { pixel($0, $1, index) }
        let conversation = runner.createConversation()
        let options = GenerationOptions()
        options.maxTokens = 1
        var answers: [(Double, Int)] = []
        for content in [[.image(Data(file)), .text("What is it?")], [.text("What colour is it?")]]
            as [[ChatMessageContent]]
        {
            let start = ContinuousClock.now
            var computed = 0
            for try await response in conversation.generateResponse(
                message: ChatMessage(role: .user, content: content), generationOptions: options
            ).throwing {
                if case .complete(let completion) = response {
                    computed = Int(completion.stats?.computedPromptTokens ?? 0)
                }
            }
            answers.append((seconds(since: start), computed))
        }
        return answers
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        let duration = (ContinuousClock.now - start).components
        return Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
    }
}

extension ImageBenchmark.Report {
    /// The figures as lines for a terminal.
    var text: String {
        func row(_ name: String, _ value: Double, _ unit: String) -> String {
            "\(name.padded(to: 22))\(String.rounded(value).leftPadded(to: 12)) \(unit)"
        }
        let mebibyte = 1_048_576.0
        return [
            row("picture", Double(tokens), "tokens in \(parts) part\(parts == 1 ? "" : "s")"),
            row("encode", encode_ms, "ms"),
            row("encode a part", encode_part_ms, "ms"),
            row("encode", encode_tps, "tokens/s"),
            row("first question", first_question_ms, "ms to the first token, \(first_question_tokens) tokens computed"),
            row(
                "second question", second_question_ms,
                "ms to the first token, \(second_question_tokens) tokens computed"),
            row("peak resident", Double(peak_rss_bytes) / mebibyte, "MiB"),
            row("private", Double(private_rss_bytes) / mebibyte, "MiB"),
            row("threads", Double(threads), ""),
        ].joined(separator: "\n")
    }
}
