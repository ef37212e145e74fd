import ArgumentParser
import FoundationEssentials
import LeapCommandLine
import LeapCompute
import LeapCore
import LeapEngine
import LeapMeasurement

/// Measures what `leap bench` is asked for.
extension BenchCommand {
    func measure() async throws {
        if let image {
            let report = try await ImageBenchmark.run(
                model, size: image, threads: threads, nGpuLayers: gpu?.count, repetitions: repetitions, useMmap: !noMmap
            )
            Terminal.writeLine(json ? try report.jsonLine() : report.text)
            return
        }
        var options = EngineBenchmark.Options()
        options.prompt = prompt
        options.generate = generate
        options.threads = threads
        options.repetitions = repetitions
        options.depth = depth
        options.sequences = sequences
        options.keyValueType = kv
        options.precision = precision
        options.useMmap = !noMmap
        let gpuLayers = Int(gpu?.count ?? 0)
        options.gpuLayers = gpuLayers
        if profile {
            let report = try EngineBenchmark.profile(path: await model.url().path, options: options)
            Terminal.writeLine(json ? try ProfileJSON(report).jsonLine() : ProfileTable.text(report, options))
            return
        }
        if speculation {
            let reports = try await SpeculationBenchmark.run(
                path: await model.url().path, draft: draftModel?.files().modelPath, draftLayers: draftLayers,
                prompt: prompt,
                generate: min(generate, prompt),
                threads: threads, gpuLayers: gpuLayers,
                repetitions: repetitions)
            for report in reports { Terminal.writeLine(json ? try SpeculationLine(report).jsonLine() : text(report)) }
            return
        }
        if interference {
            let reports = try await InterferenceBenchmark.run(
                path: await model.url().path, prompt: prompt, generate: max(2, generate), threads: threads,
                gpuLayers: gpuLayers, repetitions: repetitions)
            for report in reports { Terminal.writeLine(json ? try InterferenceLine(report).jsonLine() : text(report)) }
            return
        }
        let report = try EngineBenchmark.run(path: await model.url().path, options: options)
        if json {
            Terminal.writeLine(try Line(report).jsonLine())
        } else {
            Terminal.writeLine(text(report))
        }
    }

    private func text(_ report: EngineBenchmark.Report) -> String {
        func row(_ name: String, _ value: Double, _ unit: String) -> String {
            "\(name.padded(to: 22))\(String.rounded(value).leftPadded(to: 12)) \(unit)"
        }
        let mebibyte = 1_048_576.0
        var kernels: String?
        if let use = report.gpu, !use.kernels.isEmpty {
            let unit = "ms to compile and compare \(use.kernels.count)"
            kernels = row("gpu kernels", use.kernelTime.seconds * 1000, unit)
        }
        return [
            row("load", report.loadMilliseconds, "ms"),
            row("load to first token", report.firstTokenMilliseconds, "ms"),
            row("prefill \(prompt)", report.prefillTokensPerSecond, "tokens/s"),
            row("decode \(generate)" + (depth > 0 ? " at \(depth)" : ""), report.decodeTokensPerSecond, "tokens/s"),
            report.sequencesTokensPerSecond.map { row("\(sequences) sequences", $0, "tokens/s") },
            row("peak resident", Double(report.peakResidentBytes) / mebibyte, "MiB"),
            row("private", Double(report.privateResidentBytes) / mebibyte, "MiB"),
            row("threads", Double(report.threads), ""),
            report.gpu.map { "\("gpu".padded(to: 22))\($0)" },
            kernels,
        ].compactMap { $0 }.joined(separator: "\n")
    }

    private func text(_ report: SpeculationBenchmark.Report) -> String {
        "\(report.workload.rawValue.padded(to: 12))\(String.rounded(report.plain).leftPadded(to: 10)) tokens/s,"
            + " with proposals \(String.rounded(report.proposed).leftPadded(to: 10)) tokens/s,"
            + " \(String.rounded(report.proposed / report.plain)) times; \(report.accepted) of \(report.drafted) right"
            + (report.acceptedByPosition.isEmpty ? "" : ", by position \(shares(report))")
    }

    private func shares(_ report: SpeculationBenchmark.Report) -> String {
        zip(report.acceptedByPosition, report.draftedByPosition).map { "\($0)/\($1)" }.joined(separator: " ")
    }

    private func text(_ report: InterferenceBenchmark.Report) -> String {
        func gaps(_ gaps: InterferenceBenchmark.Gaps) -> String {
            "\(String.rounded(gaps.median)) ms (p99 \(String.rounded(gaps.percentile99)), longest \(String.rounded(gaps.longest)), \(gaps.count) tokens)"
        }
        return "next token \(gaps(report.alone)), beside a prompt \(gaps(report.beside)); "
            + "prompt \(String.rounded(report.promptAlone)) tokens/s, beside a generation \(String.rounded(report.promptBeside)) tokens/s"
    }

    private struct InterferenceLine: Encodable {
        let alone_p50_ms: Double
        let alone_p99_ms: Double
        let beside_p50_ms: Double
        let beside_p99_ms: Double
        let beside_longest_ms: Double
        let prompt_alone_tokens_per_second: Double
        let prompt_beside_tokens_per_second: Double

        init(_ report: InterferenceBenchmark.Report) {
            alone_p50_ms = report.alone.median
            alone_p99_ms = report.alone.percentile99
            beside_p50_ms = report.beside.median
            beside_p99_ms = report.beside.percentile99
            beside_longest_ms = report.beside.longest
            prompt_alone_tokens_per_second = report.promptAlone
            prompt_beside_tokens_per_second = report.promptBeside
        }
    }

    private struct SpeculationLine: Encodable {
        let workload: String
        let plain_tps: Double
        let proposed_tps: Double
        let accepted: Int
        let drafted: Int
        let accepted_by_position: [Int]
        let drafted_by_position: [Int]

        init(_ report: SpeculationBenchmark.Report) {
            workload = report.workload.rawValue
            plain_tps = report.plain
            proposed_tps = report.proposed
            accepted = report.accepted
            drafted = report.drafted
            accepted_by_position = report.acceptedByPosition
            drafted_by_position = report.draftedByPosition
        }
    }

    private struct Line: Encodable {
        let load_ms: Double
        let first_token_ms: Double
        let prefill_tps: Double
        let decode_tps: Double
        let sequences_tps: Double?
        let peak_rss_bytes: Int
        let private_rss_bytes: Int
        let threads: Int
        let gpu_device: String?
        let gpu_layers: Int?
        let gpu_note: String?
        let gpu_kernels: [String]?
        let gpu_kernels_ms: Double?

        init(_ report: EngineBenchmark.Report) {
            load_ms = report.loadMilliseconds
            first_token_ms = report.firstTokenMilliseconds
            prefill_tps = report.prefillTokensPerSecond
            decode_tps = report.decodeTokensPerSecond
            sequences_tps = report.sequencesTokensPerSecond
            peak_rss_bytes = report.peakResidentBytes
            private_rss_bytes = report.privateResidentBytes
            threads = report.threads
            gpu_device = report.gpu?.device
            gpu_layers = report.gpu?.layers
            gpu_note = report.gpu.flatMap { $0.failure ?? $0.note }
            gpu_kernels = report.gpu?.kernels.sorted()
            gpu_kernels_ms = report.gpu.map { $0.kernelTime.seconds * 1000 }
        }
    }
}
