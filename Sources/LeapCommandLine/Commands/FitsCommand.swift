import ArgumentParser
import Foundation
import LeapDevices
import LeapGPU
import LeapModelDownloader
import LeapTransfers

/// `leap fits MODEL`: whether a model fits on this machine, before it is fetched.
struct FitsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fits",
        abstract: "Check whether a model fits on this machine, without fetching it.",
        discussion:
            "Reads only the header of the file, a few megabytes at most. Exits with status 1 if the model does not fit."
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Option(parsing: .unconditional, help: "Tokens of context, 1 or more (default: the model's own, at most 8192).")
    var context: Int?

    @Option(
        help:
            "Count GPU memory for these layers and for an image encoder: all, or the number of last layers. LEAP_GPU selects the GPU."
    )
    var gpu: GPULayersArgument?

    @Flag(
        name: .customLong("audio-decoder-gpu"),
        help: "Also count the weights of the layers of an audio decoder and of an image encoder on the GPU.")
    var audioDecoderGPU = false

    @Option(
        name: .customLong("iphone"),
        help: ArgumentHelp(
            "Count for an app on an iPhone with this much memory instead: \(FitsCommand.phoneSizes), in gigabytes.",
            valueName: "gb"))
    var phoneGigabytes: Int?

    @Flag(help: "Print one JSON object.")
    var json = false

    private struct Line: Encodable {
        var name, architecture: String
        var contextSize: Int
        var downloadBytes, bytesOnDisk, weightBytes, keyValueBytes, pictureBytes, soundBytes, speechBytes: Int64
        var physicalMemory, availableMemory, availableDisk: Int64?
        var gpuBytes: Int64?
        var gpuMemory: Int64?
        var iPhone: Phone?
        var fits: Bool
    }

    private struct Phone: Encodable {
        var memory: PhoneMemory
        var fits, fitsWithIncreasedLimit: Bool
    }

    private static let phoneSizes = PhoneMemory.known.map { "\($0.gigabytes)" }.joined(separator: ", ")

    private func phone(_ fit: ModelFit) -> Phone? {
        PhoneMemory.known.first { $0.gigabytes == phoneGigabytes }.map { memory in
            Phone(
                memory: memory, fits: fit.fitsPhone(memory, hasIncreasedLimit: false),
                fitsWithIncreasedLimit: fit.fitsPhone(memory, hasIncreasedLimit: true))
        }
    }

    func validate() throws {
        try CountRange.context.check(context, "--context")
        guard let phoneGigabytes, !PhoneMemory.known.contains(where: { $0.gigabytes == phoneGigabytes }) else { return }
        throw ValidationError("--iphone is \(phoneGigabytes): it has to be one of \(Self.phoneSizes) gigabytes")
    }

    private func fit() async throws -> ModelFit {
        switch try model.place() {
        case .model(let reference):
            return try await ModelNames.store.fit(
                reference, contextSize: context, gpuLayers: gpuLayers, decodesAudioOnGPU: audioDecoderGPU)
        case .file:
            let files = try await model.files().withCompanions()
            let paths = [files.modelPath, files.multimodalProjectorPath, files.audioDecoderPath].compactMap { $0 }
            return try await ModelNames.store.fit(
                files: paths, name: model.text, contextSize: context, gpuLayers: gpuLayers,
                decodesAudioOnGPU: audioDecoderGPU)
        }
    }

    private var gpuLayers: Int { Int(gpu?.count ?? 0) }

    /// Returns whether the layers that were asked for fit the GPU's memory; nil if none were.
    private static func fitsGPU(_ fit: ModelFit, _ survey: GPUSurvey?) -> Bool? {
        guard let survey else { return nil }
        return survey.device.map { fit.gpuBytes <= Int64(clamping: $0.memoryByteCount) } ?? false
    }

    func run() async throws {
        let fit = try await fit()
        let survey = gpuLayers > 0 || audioDecoderGPU ? SystemGPUs.survey() : nil, fitsGPU = Self.fitsGPU(fit, survey)
        let phone = phone(fit)
        let fits = phone?.fitsWithIncreasedLimit ?? (fit.fits && fitsGPU != false)
        if json {
            let line = Line(
                name: fit.name, architecture: fit.architecture, contextSize: fit.contextSize,
                downloadBytes: fit.downloadBytes,
                bytesOnDisk: fit.bytesOnDisk, weightBytes: fit.weightBytes, keyValueBytes: fit.keyValueBytes,
                pictureBytes: fit.pictureBytes, soundBytes: fit.soundBytes, speechBytes: fit.speechBytes,
                physicalMemory: fit.physicalMemory, availableMemory: fit.availableMemory,
                availableDisk: fit.availableDisk,
                gpuBytes: survey == nil ? nil : fit.gpuBytes,
                gpuMemory: survey?.device.map { Int64(clamping: $0.memoryByteCount) }, iPhone: phone, fits: fits)
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
            if let survey {
                let device = survey.device.map { "\(amount(Int64(clamping: $0.memoryByteCount))) of \($0.name)" }
                let problem = survey.problem.map { "; no GPU is used: \($0)" } ?? ""
                row("GPU", ByteText.of(fit.gpuBytes) + (device.map { " of the \($0)" } ?? problem))
            }
            if let phone {
                let (limit, increased) = (phone.memory.limitBytes, phone.memory.increasedLimitBytes)
                row("iPhone", "about \(ByteText.of(limit)) of \(phone.memory.gigabytes) GB for an app")
                row("entitlement", "about \(ByteText.of(increased)) with increased-memory-limit")
                row(
                    "fits",
                    phone.fits
                        ? "yes" : fits ? "only with the entitlement" : "no: too little memory for an app")
            } else {
                row("fits", fits ? "yes" : Self.obstacle(fit))
            }
        }
        if !fits { throw ExitCode(1) }
    }

    private static func obstacle(_ fit: ModelFit) -> String {
        if fit.fitsMemory == false { return "no: too little memory" }
        return fit.fitsDisk == false
            ? "no: too little disk space" : "no: not on the GPU; the CPU would compute its layers"
    }
}
