import Foundation
import LeapBase
import LeapGGUF
import LeapHTTP

extension ModelStore {
    /// Answers whether a model fits, from the headers of its files: a few megabytes at most, whatever the model's size.
    package func fit(
        _ reference: ModelReference, contextSize: Int?, gpuLayers: Int = 0, decodesAudioOnGPU: Bool = false
    ) async throws -> ModelFit {
        if let model = try installed(reference) {
            return try await fit(
                files: model.files.map { model.folder + "/" + $0.name }, name: reference.shown,
                contextSize: contextSize, gpuLayers: gpuLayers, decodesAudioOnGPU: decodesAudioOnGPU)
        }
        var fit = empty(reference.shown, contextSize)
        var gpu = GPUFit(layers: gpuLayers, decodesAudio: decodesAudioOnGPU)
        let plan = try await resolver.plan(reference)
        let folder = folder(of: reference)
        for (index, file) in plan.allFiles.enumerated() {
            let description = try await fetcher.describe(file)
            guard let size = description.size else {
                throw DownloadError(
                    .protocolViolation, "\(file.origin.shown): the server does not say how long the file is.",
                    url: file.origin)
            }
            fit.downloadBytes += size
            fit.bytesOnDisk += existing(file, description, in: folder)
            guard file.name.lowercased().hasSuffix(".gguf") else {
                fit.weightBytes += size
                continue
            }
            let header = try await HeaderReader.header(size: size, file.origin.shown) { range in
                try await bytes(file, description, range)
            }
            try Self.add(header, isModel: index == 0, asked: contextSize, to: &fit, &gpu)
        }
        return fit
    }

    /// The same from files that are there, without a request; the first is the model.
    package func fit(
        files: [String], name: String, contextSize: Int?, gpuLayers: Int = 0, decodesAudioOnGPU: Bool = false
    ) async throws -> ModelFit {
        var fit = empty(name, contextSize)
        var gpu = GPUFit(layers: gpuLayers, decodesAudio: decodesAudioOnGPU)
        for (index, path) in files.enumerated() {
            guard let size = FileSystem.size(of: path) else {
                throw DownloadError(.notAModel, "\(path): there is no such regular file.", path: path)
            }
            fit.downloadBytes += size
            fit.bytesOnDisk += size
            guard index == 0 || path.lowercased().hasSuffix(".gguf") else {
                fit.weightBytes += size
                continue
            }
            let reader = try PartialFile(reading: path)
            let header = try await HeaderReader.header(size: size, path) { try reader.bytes($0) }
            try Self.add(header, isModel: index == 0, asked: contextSize, to: &fit, &gpu)
        }
        return fit
    }

    /// Adds what the contents of a file take.
    private static func add(
        _ header: GGUFHeader, isModel: Bool, asked contextSize: Int?, to fit: inout ModelFit, _ gpu: inout GPUFit
    ) throws {
        fit.weightBytes += weightBytes(header)
        fit.pictureBytes += pictureBytes(header)
        fit.soundBytes += soundBytes(header)
        fit.speechBytes += speechBytes(header)
        if isModel { try addModel(header, asked: contextSize, to: &fit) }
        try gpu.add(header)
        fit.gpuBytes = gpu.bytes(keyValueBytes: fit.keyValueBytes)
    }

    /// Returns a fit with the facts about this machine, before anything is known of the model.
    private func empty(_ name: String, _ contextSize: Int?) -> ModelFit {
        var fit = ModelFit(
            name: name, architecture: "", contextSize: contextSize ?? 0, downloadBytes: 0, bytesOnDisk: 0,
            weightBytes: 0, keyValueBytes: 0)
        fit.physicalMemory = MachineMemory.physical
        fit.availableMemory = MachineMemory.available
        fit.availableDisk = FileSystem.availableSpace(at: configuration.folder)
        return fit
    }

    /// Bytes of all tensors: no more than the file has, as no two of them overlap.
    private static func weightBytes(_ header: GGUFHeader) -> Int64 {
        header.tensors.reduce(0) { $0 + Int64(clamping: $1.byteCount) }
    }

    /// Memory for pictures, where the file is a projector for them.
    static func pictureBytes(_ header: GGUFHeader) -> Int64 {
        guard let projector = GGUFProjector(header.metadata), projector.hasVision else { return 0 }
        return Int64(clamping: projector.encodingBytes + KeptMedia.maxVectorBytes + KeptMedia.maxInputBytes)
    }

    /// Memory for sounds, where the file is an encoder for them.
    static func soundBytes(_ header: GGUFHeader) -> Int64 {
        // Sounds of other kinds are not read.
        guard let bytes = GGUFProjector(header.metadata)?.audioEncodingBytes, bytes > 0 else { return 0 }
        return Int64(clamping: bytes + KeptMedia.maxVectorBytes + KeptMedia.maxInputBytes)
    }

    /// Memory for speech, where the file is a decoder of it.
    static func speechBytes(_ header: GGUFHeader) -> Int64 {
        Int64(clamping: GGUFSpeechDecoder(header.tensors.lazy.map { ($0.name, $0.shape) })?.speakingBytes ?? 0)
    }

    private func bytes(_ file: RemoteFile, _ description: RemoteDescription, _ range: Range<Int64>) async throws
        -> [UInt8]
    {
        guard !range.isEmpty else { return [] }
        let collected = CollectedBody(maxBytes: range.count)
        var failure = 0
        while true {
            let count = range.count
            do {
                let answer = try await fetcher.get(
                    file.origin, range: description.acceptsRanges ? .init(range: range, validator: nil) : nil,
                    head: { answer in
                        // A server may give parts of some requests and all of the file for others.
                        let isWhole = answer.head.status == 200
                        collected.restart(maxBytes: isWhole ? Int(clamping: range.upperBound) : count)
                        return isWhole || answer.head.status == 206
                    },
                    body: { bytes in
                        collected.keep(bytes)
                        return !collected.isFull
                    })
                try StatusFailure.check(answer, asked: file.origin, hasToken: configuration.token != nil)
                guard collected.isFull else {
                    throw DownloadError(
                        .network, "\(file.origin.shown): the header arrived incomplete.", url: file.origin)
                }
                return Array(collected.bytes.suffix(count))
            } catch {
                failure += 1
                try await fetcher.pause(after: error, failure: failure, policy: configuration.retry)
            }
        }
    }

    /// Memory for keys and values, as the engine lays them out: 16 bits per number, pages of 64 positions.
    static func addModel(_ header: GGUFHeader, asked: Int?, to fit: inout ModelFit) throws {
        let metadata = header.metadata
        let architecture = try metadata.string("general.architecture") ?? ""
        fit.architecture = architecture
        func number(_ key: String) throws -> Int? {
            try metadata.int("\(architecture).\(key)").map { Int(clamping: $0) }
        }
        let trained = try number("context_length")
        fit.trainedContextSize = trained
        fit.contextSize = asked ?? min(trained ?? 4096, 8192)
        let positions = (Double(max(0, fit.contextSize)) / 64).rounded(.up) * 64
        let bytes = positions * (try keyValueNumbers(metadata, architecture)) * 2
        fit.keyValueBytes = min(Int64(exactly: bytes.rounded()) ?? .max, .max / 4)
    }

    /// Numbers that all layers keep of a position.
    private static func keyValueNumbers(_ metadata: GGUFMetadata, _ architecture: String) throws -> Double {
        func number(_ key: String) throws -> Double? {
            try metadata.int("\(architecture).attention.\(key)").map { Double(max(0, $0)) }
        }
        let layers = Int(clamping: max(0, min(try metadata.int("\(architecture).block_count") ?? 0, 4096)))
        let heads = max(1, try number("head_count") ?? 1)
        let width = try metadata.int("\(architecture).embedding_length").map { Double(max(0, $0)) } ?? 0
        let key = try number("key_length") ?? (width / heads).rounded(.down)
        let value = try number("value_length") ?? key
        // Heads of layers with a window may be of another length.
        let sliding = (try number("key_length_swa") ?? key) + (try number("value_length_swa") ?? value)
        var slides: [Bool] = []
        if case .array(let flags)? = metadata["\(architecture).attention.sliding_window_pattern"] {
            slides = flags.bools ?? []
        }
        // The last layers of some read keys and values of earlier ones; there are files with their number as a float.
        let readers = try metadata.float("\(architecture).attention.shared_kv_layers").flatMap { Int(exactly: $0) } ?? 0
        let keepers = layers - min(max(0, readers), layers)
        // One number for all layers, or one for each: layers that are convolutions have none.
        let name = "\(architecture).attention.head_count_kv"
        var perLayer: [Int64]?
        if case .array = metadata[name] { perLayer = try metadata.ints(name) }
        let all = perLayer == nil ? try number("head_count_kv") ?? heads : 0
        return (0..<min(keepers, perLayer?.count ?? keepers)).reduce(0) { sum, layer in
            let count = perLayer.map { Double(max(0, $0[layer])) } ?? all
            return sum + min(count, 4096) * (layer < slides.count && slides[layer] ? sliding : key + value)
        }
    }
}

extension ModelStore {
    /// Bytes of all files of a model, as its servers say.
    package func downloadSize(_ reference: ModelReference) async throws -> Int64 {
        var total: Int64 = 0
        for file in try await resolver.plan(reference).allFiles {
            guard let size = try await fetcher.describe(file).size else {
                throw DownloadError(
                    .protocolViolation, "\(file.origin.shown): the server does not say how long the file is.",
                    url: file.origin)
            }
            total += size
        }
        return total
    }
}
