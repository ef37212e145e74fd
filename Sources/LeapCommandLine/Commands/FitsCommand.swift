import ArgumentParser
import Foundation
import LeapModelDownloader
import LeapTransfers

/// `leap fits MODEL`: whether a model fits on this machine, before it is fetched.
struct FitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fits",
        abstract: "Tell whether a model fits on this machine, without fetching it.",
        discussion:
            "Only the header of the file is read, a few megabytes at most. Ends with status 1 if the model does not fit."
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Option(parsing: .unconditional, help: "Tokens of context, 1 or more (default: the model's own, at most 8192).")
    var context: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    private struct Line: Encodable {
        var name, architecture: String
        var contextSize: Int
        var downloadBytes, bytesOnDisk, weightBytes, keyValueBytes, pictureBytes, soundBytes, speechBytes: Int64
        var physicalMemory, availableMemory, availableDisk: Int64?
        var fits: Bool
    }

    func validate() throws { try CountRange.context.check(context, "--context") }

    private func fit() async throws -> ModelFit {
        switch try model.place() {
        case .model(let reference): return try await ModelNames.store.fit(reference, contextSize: context)
        case .file:
            let files = try await model.files().withCompanions()
            let paths = [files.modelPath, files.multimodalProjectorPath, files.audioDecoderPath].compactMap { $0 }
            return try await ModelNames.store.fit(files: paths, name: model.text, contextSize: context)
        }
    }

    func run() async throws {
        let fit = try await fit()
        if json {
            let line = Line(
                name: fit.name, architecture: fit.architecture, contextSize: fit.contextSize,
                downloadBytes: fit.downloadBytes,
                bytesOnDisk: fit.bytesOnDisk, weightBytes: fit.weightBytes, keyValueBytes: fit.keyValueBytes,
                pictureBytes: fit.pictureBytes, soundBytes: fit.soundBytes, speechBytes: fit.speechBytes,
                physicalMemory: fit.physicalMemory, availableMemory: fit.availableMemory,
                availableDisk: fit.availableDisk,
                fits: fit.fits)
            Terminal.writeLine(try line.jsonLine())
        } else {
            func row(_ label: String, _ value: String) { Terminal.writeText("\(label.padded(to: 14))\(value)") }
            func amount(_ bytes: Int64?) -> String { bytes.map { ByteText.of($0) } ?? "unknown" }
            row("model", "\(fit.name) (\(fit.architecture))")
            row(
                "download",
                "\(ByteText.of(fit.downloadBytes))\(fit.bytesOnDisk > 0 ? ", \(ByteText.of(fit.bytesOnDisk)) of it here" : "")"
            )
            row("disk free", amount(fit.availableDisk))
            row("weights", ByteText.of(fit.weightBytes))
            row("KV cache", "\(ByteText.of(fit.keyValueBytes)) for \(fit.contextSize) tokens")
            if fit.pictureBytes > 0 { row("pictures", "\(ByteText.of(fit.pictureBytes)) at most") }
            if fit.soundBytes > 0 { row("sound", "\(ByteText.of(fit.soundBytes)) at most, a minute at a time") }
            if fit.speechBytes > 0 { row("speech", "\(ByteText.of(fit.speechBytes)) at most, a minute at a time") }
            row(
                "memory",
                "\(ByteText.of(fit.memoryBytes)) of \(amount(fit.physicalMemory)) (\(amount(fit.availableMemory)) free)"
            )
            row(
                "fits",
                fit.fits ? "yes" : fit.fitsMemory == false ? "no: too little memory" : "no: too little disk space")
        }
        if !fit.fits { throw ExitCode(1) }
    }
}
