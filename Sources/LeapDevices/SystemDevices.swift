import LeapCPU
package import LeapCompute
import LeapGPU
package import LeapModel

/// The devices of this machine: its processor, and a GPU of the system beside it where one is asked for.
package struct SystemDevices: DeviceMaker {
    package init() {}

    package var recommendedThreads: Int { ThreadAdvisor.recommended }

    package func makeDevice(for request: DeviceRequest) throws(EngineError) -> any Device {
        let cpu = try CPUDevice(threads: request.threads, precision: request.precision)
        let reports = [request.gpuReport, request.audioDecoderReport, request.imageEncoderReport]
        guard reports.contains(where: { $0 != nil }) else { return cpu }
        let choice = request.gpuDevice
        return SplitDevice(
            cpu, model: request.model, layerCount: request.gpuLayers, readLayerCount: request.readLayerCount,
            report: request.gpuReport ?? DeviceReport(),
            speech: request.audioDecoderReport.map {
                SplitDevice.Speech(generationCount: request.generationCount, report: $0)
            }, pictures: request.imageEncoderReport,
            open: { () throws(GPUError) in try SystemGPUs.open(choice) }, onNotice: request.onNotice)
    }
}
