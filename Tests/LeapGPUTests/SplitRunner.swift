import Foundation
import LeapBase
import LeapCPU
import LeapCompute
import LeapDemoModel
import LeapDevices
import LeapGGUF
import LeapGPU
import LeapModel
import LeapTestSupport
import LeapTokenizer

/// A model whose last layers a GPU computes, one call after the other.
final class SplitRunner {
    let model: Model
    let executor: any Executor
    let device: SplitDevice
    /// The device's report of its use.
    let report = DeviceReport()
    /// The notices that would go to a log.
    let notices = Locked<[String]>([])
    private let contextSize: Int

    static func fixture(_ name: String) throws -> Model {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Model.load(path: folder.appending(path: "Fixtures/\(name).gguf").path)
    }

    /// A fixture whose attention has biases behind its output matrices too.
    static func withOutputBiases(_ name: String) throws -> Model {
        let file = try fixture(name).file
        var writer = GGUFWriter(copyingMetadataOf: file)
        var random = SeededGenerator(seed: 9)
        for tensor in file.tensors {
            try writer.add(tensor)
            guard tensor.name.hasSuffix("attn_output.weight"), let rows = tensor.shape.last else { continue }
            try writer.add(
                tensor: tensor.name.replacing(".weight", with: ".bias"), shape: [rows],
                floats: (0..<rows).map { _ in Float.random(in: -0.5...0.5, using: &random) })
        }
        return try Model.load(file: try writer.file())
    }

    static func demo() throws -> Model { try Model.load(path: LeapDemoModel.url.path) }

    /// - Parameters:
    ///   - layerCount: how many of the last layers the GPU computes.
    ///   - readLayerCount: how many of the first layers stay with the processor.
    ///   - open: opens the GPU.
    init(
        _ model: Model, layerCount: Int, keyValueType: KeyValueType = .f16, contextSize: Int = 1024,
        readLayerCount: Int = 0, open: @escaping () throws(GPUError) -> any GPUDevice
    ) throws {
        self.model = model
        self.contextSize = contextSize
        device = SplitDevice(
            try CPUDevice(threads: 1), model: model, layerCount: layerCount, readLayerCount: readLayerCount,
            report: report, open: open,
            onNotice: { [notices] notice in notices.withLock { $0.append(notice) } })
        executor = try device.makeExecutor(
            for: model, keyValueType: keyValueType, contextSize: contextSize, memory: MemoryPool())
    }

    convenience init(_ model: Model, layerCount: Int, keyValueType: KeyValueType = .f16) throws {
        try self.init(
            model, layerCount: layerCount, keyValueType: keyValueType,
            open: { () throws(GPUError) in try TestGPU.shared() })
    }

    func makeSequence() -> SequenceState { executor.makeSequence(limit: contextSize) }

    /// Logits of all positions of some tokens, computed in pieces.
    func logits(_ tokens: [TokenID], chunk: Int = .max, in sequence: SequenceState? = nil) throws -> [Float] {
        let sequence = sequence ?? makeSequence()
        var logits: [Float] = []
        var start = 0
        while start < tokens.count {
            let end = start + min(chunk, tokens.count - start)
            let rows = try executor.run(
                [BatchSegment(sequence: sequence, tokens: tokens[start..<end], wanted: .all)], shouldContinue: { true })
            for part in rows ?? [] { logits += part.values }
            start = end
        }
        return logits
    }

    /// The most likely continuation of a prompt.
    func reply(_ prompt: [TokenID], count: Int, in sequence: SequenceState? = nil) throws -> [TokenID] {
        let sequence = sequence ?? makeSequence()
        var (tokens, next): ([TokenID], [TokenID]) = ([], prompt)
        for _ in 0..<count {
            let rows = try executor.run(
                [BatchSegment(sequence: sequence, tokens: next[...], wanted: .last)], shouldContinue: { true })
            let token = Self.largest(rows?.first.map { Array($0.values) } ?? [])
            tokens.append(token)
            next = [token]
        }
        return tokens
    }

    /// The index of the largest number.
    static func largest(_ row: some Collection<Float>) -> TokenID {
        TokenID(row.enumerated().max { $0.element < $1.element }?.offset ?? 0)
    }

    /// Tokens of no meaning.
    static func tokens(_ model: Model, count: Int, seed: UInt64 = 1) -> [TokenID] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<TokenID(model.vocabularySize), using: &random) }
    }
}
