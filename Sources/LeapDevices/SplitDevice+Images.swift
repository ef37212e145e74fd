import LeapCPU
import LeapCompute
import LeapGGUF
import LeapGPU
import LeapModel

/// Encoders of pictures.
extension SplitDevice {
    /// The most bytes for a picture's keys and values.
    private static let pageByteMax = 512 << 20

    /// Has the GPU take the layers of an encoder of pictures, and says how far it came.
    func makeSplitPass(for encoder: VisionEncoder, _ report: DeviceReport, memory: MemoryPool) -> VisionPass {
        let stack = encoder.tower.stack, all = stack.layers.count
        var offload = VisionPass.Offload(encoder, memory: memory)
        imagePass = nil
        report.change { $0.modelLayers = all }
        let split = GPUSplit(stack, keyValueType: offload.layout.keyValueType, isTower: true)
        do {
            guard split.firstLayer < all else {
                notice(report, split.obstacle ?? "the encoder has no layers")
                return VisionPass(encoder, kernels: cpu.kernels, offload)
            }
            let pass = try GPUPass.prepare(
                GPUPart(
                    role: .imageEncoder, stack: stack, split: split,
                    pageCount: Self.pageCount(encoder, byteCount: offload.layout.pageByteCount)),
                on: try shared(), CPUWeightReader(), &offload.layout, report, onNotice: onNotice)
            (offload.suffix, offload.arithmetic, imagePass) = (pass, pass.arithmetic, pass)
            report.change { use in
                (use.device, use.layers, use.note) = (pass.deviceName, all - split.firstLayer, split.obstacle)
            }
            onNotice(
                "pictures: \(pass.deviceName) runs \(all - split.firstLayer) of the encoder's \(all) layers"
                    + (split.obstacle.map { "; \($0)" } ?? ""))
        } catch {
            notice(report, "\(error)")
        }
        return VisionPass(encoder, kernels: cpu.kernels, offload)
    }

    /// Pages for the patches that an encoder gets at a time, at most.
    private static func pageCount(_ encoder: VisionEncoder, byteCount: Int) -> Int {
        let patches = GGUFProjector(encoder.file.metadata)?.maxPatches ?? 0
        let pages = (patches + StatePage.length - 1) / StatePage.length
        return max(1, min(pages, pageByteMax / byteCount))
    }

    private func notice(_ report: DeviceReport, _ why: String) {
        report.change { $0.note = why }
        onNotice("pictures: no GPU is used: \(why); the CPU runs the encoder")
    }
}
