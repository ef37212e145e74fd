import Testing

@testable import LeapGPU

/// The length of submissions by forecasts and measured times.
struct PacingTests {
    private func pacer(_ kind: GPUProperties.Kind = .integrated, seconds: Double? = 0.05) -> Pacer {
        Pacer(CountingDevice(kind: kind, submissionSeconds: seconds).properties)
    }

    @Test("A forecast is the sum of what operations, those of matrix units and bytes take")
    func forecast() {
        let pacing = Pacing(.integrated, limit: 0.05)
        let parts = [GPUWork(flops: 1e9), GPUWork(tileFlops: 1e9), GPUWork(bytes: 1e9)]
        let seconds = parts.map(pacing.seconds)
        #expect(seconds == [1e9 / pacing.flops, 1e9 / pacing.tileFlops, 1e9 / pacing.bytes])
        #expect(abs(pacing.seconds(parts.reduce(GPUWork(), +)) - seconds.reduce(0, +)) < 1e-12)
        let fast = Pacing(.discrete, limit: nil)
        #expect(fast.limit == .infinity && fast.seconds(parts[0]) < seconds[0])
    }

    @Test("Products count two operations for each weight and vector, and each weight's bytes once")
    func products() {
        let one = GPUWork.product(rows: 100, columns: 64, rowByteCount: 36, vectors: 1)
        #expect(one == GPUWork(flops: 12_800, bytes: 3600 + 4 * 164))
        let many = GPUWork.product(rows: 100, columns: 64, rowByteCount: 36, vectors: 512, usesMatrixUnits: true)
        #expect(many == GPUWork(tileFlops: 512 * 12_800, bytes: 3600 + 4 * 512 * 164))
        // Two entries of four experts read the matrices of two.
        let experts = GPUWork.experts(rows: 100, columns: 64, rowByteCount: 36, entries: 2, experts: 4)
        #expect(experts == GPUWork(flops: 25_600, bytes: 7200 + 8 * 164))
        let most = GPUWork.experts(rows: 100, columns: 64, rowByteCount: 36, entries: 9, experts: 4)
        #expect(most.bytes == 4 * 3600 + 36 * 164)
    }

    @Test("Times far from the forecast correct the rate that matters; others change nothing")
    func corrections() {
        let pacer = pacer(), before = pacer.pacing
        let work = GPUWork(flops: 2e9), forecast = before.seconds(work)
        pacer.note(work, seconds: forecast * 1.2)
        #expect(pacer.pacing == before && pacer.generation == 0)
        pacer.note(work, seconds: forecast * 4)
        #expect(pacer.pacing.flops == before.flops / 4 && pacer.pacing.bytes == before.bytes && pacer.generation == 1)
        #expect(abs(pacer.pacing.seconds(work) - forecast * 4) < 1e-9)
        // One time that is off, as of pages that come from disk, does not count in full.
        pacer.note(GPUWork(bytes: 1e9), seconds: 1e3)
        #expect(pacer.pacing.bytes == before.bytes / 8)
        pacer.note(work, seconds: pacer.pacing.seconds(work) / 4)
        #expect(abs(pacer.pacing.flops - before.flops) < 1 && pacer.generation == 3)
    }

    @Test("The first times that tell anything calibrate; short ones tell nothing")
    func calibration() {
        let pacer = pacer(), work = GPUWork(flops: 2e9)
        #expect(pacer.isCalibrating)
        for _ in 0..<10 { pacer.note(GPUWork(flops: 1e6), seconds: 1e-3) }
        pacer.note(work, seconds: 0)
        #expect(pacer.isCalibrating && pacer.generation == 0)
        for _ in 0..<3 { pacer.note(work, seconds: pacer.pacing.seconds(work)) }
        #expect(pacer.isCalibrating)
        pacer.note(work, seconds: pacer.pacing.seconds(work))
        #expect(!pacer.isCalibrating && pacer.generation == 0)
        let software = self.pacer(.processor, seconds: nil)
        software.note(work, seconds: 10)
        #expect(!software.isCalibrating && software.generation == 0)
    }

    @Test("After a watchdog's end, submissions are half as long as the longest one, and as the limit")
    func halving() {
        let pacer = pacer(), rate = pacer.pacing.flops
        func work(_ seconds: Double) -> GPUWork { GPUWork(flops: seconds * rate) }
        // One run of a kernel may be longer than the limit.
        pacer.halve(after: [work(0.01), work(0.2), work(0.03)])
        #expect(pacer.pacing.limit == 0.025 && pacer.generation == 1)
        pacer.halve(after: [work(0.01), work(0.005)])
        #expect(abs(pacer.pacing.limit - 0.005) < 1e-12 && pacer.generation == 2)
        // Where there was no limit there is one from then on.
        let software = self.pacer(.processor, seconds: nil)
        software.halve(after: [work(0.01)])
        #expect(abs(software.pacing.limit - 0.005) < 1e-12 && software.isCalibrating)
    }

    @Test("Rows are cut into parts that take at most the limit, of whole steps, and at least one step")
    func parts() {
        let pacing = Pacing(.integrated, limit: 0.05)
        func work(_ seconds: Double) -> GPUWork { GPUWork(flops: seconds * pacing.flops) }
        #expect(pacing.parts(of: 3..<515, step: 8, work(0.04)) == [3..<515])
        let halves = pacing.parts(of: 3..<515, step: 8, work(0.11))
        #expect(halves == [3..<235, 235..<467, 467..<515])
        let steps = pacing.parts(of: 0..<20, step: 8, work(1000))
        #expect(steps == [0..<8, 8..<16, 16..<20])
        #expect(pacing.parts(of: 0..<8, step: 8, work(1000)) == [0..<8])
        #expect(Pacing(.processor, limit: nil).parts(of: 0..<512, step: 8, work(1000)) == [0..<512])
    }
}
