import ArgumentParser
import Foundation
import LeapCommandLine
import LeapCore
import LeapEngine
import LeapSDK
import LeapServing

/// Answers what `leap batch` is asked for.
extension BatchCommand {
    func answer() async throws {
        let catalog = try ModelCatalog.serving(models) { try EmbeddedModels.url(named: $0)?.path }
        let pool = ModelPool(catalog: catalog, configuration: poolConfiguration)
        // A model that does not load is an error of the command, not of every line.
        if !models.isEmpty { _ = try await pool.lease(nil) }
        var configuration = BatchRun.Configuration()
        configuration.parallel = parallel
        configuration.model = ignoreModel ? catalog.defaultName : nil
        let batch = BatchRun(
            server: Server(pool: pool, access: AccessRules(), hasPage: false, allowsPulls: false),
            configuration: configuration)
        let display = LineProgress()
        let task = Task { try await batch.run(input: input, output: output) { display.show($0) } }
        let interrupts = Interrupts { task.cancel() }
        let progress = try await task.value
        withExtendedLifetime(interrupts) {}
        display.end(progress, isInterrupted: task.isCancelled)
        await pool.close()
        if task.isCancelled { throw ExitCode(130) }
    }

    private var poolConfiguration: ModelPool.Configuration {
        var configuration = ModelPool.Configuration()
        configuration.keepAlive = nil
        configuration.cpuThreads = threads.map { UInt32($0) }
        configuration.contextSize = context.map { UInt32($0) }
        configuration.cache =
            cache.map { .enabled(path: $0) } ?? LiquidCacheOptions(path: "", enabled: true, diskDisabled: true)
        // Every line at work is computed in one batch, and replies that a line asks for beside its first wait. Nobody
        // reads along.
        configuration.extras.maxActiveGenerations = max(32, parallel)
        configuration.extras.maxQueuedGenerations = parallel * 64
        configuration.extras.schedule = .throughput
        return configuration
    }
}
