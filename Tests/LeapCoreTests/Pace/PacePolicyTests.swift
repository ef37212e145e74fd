import Foundation
import LeapBase
import LeapDemoModel
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCore

/// The pace that policies choose, and what statistics tell of it.
@Suite(.inTurns)
struct PacePolicyTests {
    private func pace(
        _ state: ThermalState = .nominal, saving: Bool = false, quota: Double? = nil, threads: Int = 6
    ) -> Pace {
        StandardPacePolicy().pace(
            under: DeviceConditions(thermalState: state, isLowPowerModeEnabled: saving, processorQuota: quota),
            threads: threads)
    }

    @Test("The standard policy slows down with heat, saves energy, and respects a quota")
    func standard() {
        #expect(pace() == Pace(threads: 6) && pace(.fair) == Pace(threads: 6))
        #expect(pace(.serious) == Pace(threads: 3, dutyCycle: 0.75))
        #expect(pace(.critical) == Pace(threads: 1, dutyCycle: 0.5))
        #expect(pace(saving: true) == Pace(threads: 3) && pace(saving: true, threads: 1) == Pace(threads: 1))
        #expect(pace(.serious, saving: true) == pace(.serious))
        #expect(pace(quota: 2.5) == Pace(threads: 3) && pace(quota: 0.2) == Pace(threads: 1))
        #expect(pace(quota: 64) == Pace(threads: 6))
        #expect(pace(.critical, quota: 4) == pace(.critical))
        #expect(
            FullPacePolicy().pace(under: DeviceConditions(thermalState: .critical), threads: 6) == Pace(threads: 6))
    }

    #if os(Linux)
        @Test(
            "Linux tells a quota by control groups, and saving by the firmware's profile or the processors' preference",
            arguments: [
                ([:], DeviceConditions()),
                (["sys/firmware/acpi/platform_profile": "balanced"], DeviceConditions()),
                (
                    ["sys/firmware/acpi/platform_profile": "low-power"],
                    DeviceConditions(isLowPowerModeEnabled: true)
                ),
                (["sys/firmware/acpi/platform_profile": "quiet"], DeviceConditions(isLowPowerModeEnabled: true)),
                (
                    ["sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference": "power"],
                    DeviceConditions(isLowPowerModeEnabled: true)
                ),
                (
                    ["sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference": "balance_power"],
                    DeviceConditions()
                ),
                (
                    ["proc/self/cgroup": "0::/app", "sys/fs/cgroup/app/cpu.max": "150000 100000"],
                    DeviceConditions(processorQuota: 1.5)
                ),
            ] as [([String: String], DeviceConditions)])
        func linux(files: [String: String], expected: DeviceConditions) throws {
            let folder = try TemporaryFolder()
            for (path, text) in files {
                let file = folder.url.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data((text + "\n").utf8).write(to: file)
            }
            #expect(SystemConditions(root: folder.url.path + "/").conditions == expected)
        }
    #endif

    /// Conditions that the test writes.
    private final class ScriptedConditions: ConditionSource {
        let state = Locked(DeviceConditions())

        var conditions: DeviceConditions { state.withLock { $0 } }
    }

    /// A policy of an app.
    private struct OneThread: PacePolicy {
        func pace(under conditions: DeviceConditions, threads: Int) -> Pace { Pace(threads: 1) }
    }

    @Test("A policy sees the conditions of its source, and the engine gets both")
    func decisions() {
        let source = ScriptedConditions()
        source.state.withLock { $0 = DeviceConditions(thermalState: .serious, processorQuota: 7) }
        let pace = PolicyPace(StandardPacePolicy(), source: source).pace(of: 4)
        #expect(pace.threads == 2 && pace.dutyCycle == 0.75)
        #expect(pace.conditions.thermalState == "serious" && pace.conditions.processorQuota == 7)
        var statistics = EngineStatistics()
        statistics.pace = PaceReport(pace: pace, pausedSeconds: 1.25)
        let told = ModelStatistics(statistics)
        #expect(told.pace?.conditions == source.conditions && told.pace?.pace == Pace(threads: 2, dutyCycle: 0.75))
        #expect(told.pace?.report == statistics.pace)
        #expect(told.metrics["leap_pace_threads"] == 2 && told.metrics["leap_pace_duty_cycle_percent"] == 75)
        #expect(told.metrics["leap_pace_pause_milliseconds_total"] == 1250)
    }

    @Test("An app replaces the policy, which changes the pace and no text")
    func replaced() async throws {
        let options = GenerationOptions(temperature: 0.8, rngSeed: 5, maxTokens: 8)
        func reply(_ policy: (any PacePolicy)?) async throws -> (text: String, threads: Int?) {
            let runner = try await Leap.load(
                url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 2))
            #expect(runner.statistics.pace == nil)
            if let policy { try runner.setPacePolicy(policy) }
            let reply = try await runner.createConversation().generateResponse(
                userTextMessage: "Tell me a story.", generationOptions: options
            ).collect()
            return (reply.text, runner.statistics.pace?.pace.threads)
        }
        let full = try await reply(FullPacePolicy())
        let slow = try await reply(OneThread())
        #expect(full.threads == 2 && slow.threads == 1 && full.text == slow.text && !full.text.isEmpty)
        let standard = try await reply(nil)
        #expect(standard.threads != nil, "A loaded model has the standard policy.")
    }

    @Test("A model that is loaded again has its policy again, or the one that was set meanwhile")
    func reloaded() async throws {
        let runner = try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 2))
        try runner.setPacePolicy(OneThread())
        for (policy, threads) in [(nil, 1), (FullPacePolicy(), 2)] as [((any PacePolicy)?, Int)] {
            let given = await runner.giveBackMemory([.model], stateFolder: nil)
            #expect(given.isModelReleased)
            if let policy { try runner.setPacePolicy(policy) }
            let conversation = runner.createConversation()
            _ = try await conversation.generateResponse(
                userTextMessage: "Hello", generationOptions: GenerationOptions(temperature: 0, maxTokens: 2)
            ).collect()
            await (conversation as? SourcedConversation)?.whenIdle()
            #expect(runner.statistics.pace?.pace.threads == threads)
        }
    }

    @Test("The pauses of an engine that was unloaded count on, and its pace is told until the next pass")
    func totals() {
        var earlier = EngineStatistics()
        earlier.pace = PaceReport(pace: ComputePace(threads: 2), pausedSeconds: 1.5)
        var statistics = EngineStatistics()
        statistics.addTotals(of: earlier)
        #expect(statistics.pace == earlier.pace)
        statistics.pace = PaceReport(pace: ComputePace(threads: 1), pausedSeconds: 0.25)
        statistics.addTotals(of: earlier)
        statistics.addTotals(of: EngineStatistics())
        #expect(statistics.pace == PaceReport(pace: ComputePace(threads: 1), pausedSeconds: 1.75))
    }
}
