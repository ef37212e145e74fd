import Foundation
import LeapBase
import LeapChat
import LeapEngine
import LeapJSON
import LeapModel

extension BackendSource {
    /// Writes the conversation to a file; see ``Conversation/save(to:)``.
    func save(_ conversation: SourcedConversation, to url: URL) async throws -> Int {
        let path = try Self.path(of: url)
        // A turn that was stopped may still have the engine busy.
        await conversation.work()?.value
        let (history, kept) = try conversation.withRecord { record in
            let kept = keptState
            return (SavedHistory(record, leftOut: kept.leftOut, suspension: kept.suspension), kept)
        }
        var snapshot: SequenceSnapshot?
        // Where the model cannot be loaded again, the history is saved without the state.
        let use = try? await model.backend.use()
        defer { withExtendedLifetime(use) {} }
        let format = model.isUnloaded ? nil : model.backend.sequenceFormat
        if format != nil, let session = kept.session {
            do {
                snapshot = try await session.snapshot()
            } catch let error as EngineError where error.code == .busy {
                throw GenerationFailure.busy
            } catch let error as EngineError where error.code == .unloaded {
                snapshot = nil
            }
        }
        let state = snapshot
        try await WorkQueue.loading.run {
            var object = try history.json().object ?? [:]
            if let format {
                object["instruction_set"] = .string(format.instructionSet)
                object["kv_cache_type"] = .string(format.keyValueType)
            }
            try ConversationFile.write(
                JSONWriter.bytes(.object(object)), kept: kept.tokens, state, format, to: path)
        }
        return state?.tokens.count ?? 0
    }

    static func path(of url: URL) throws -> String {
        guard url.isFileURL else {
            throw LeapSerializationException("\(url.absoluteString) is not a file URL")
        }
        return url.path
    }

    /// Reads a conversation from a file.
    static func restore(from url: URL, _ runner: LiquidInferenceEngineRunner) async throws -> RestoredConversation {
        let path = try path(of: url)
        let use = try? await runner.backend.use()
        defer { withExtendedLifetime(use) {} }
        let format = runner.isUnloaded ? nil : runner.backend.sequenceFormat
        let (file, history, tokens, reading) = try await WorkQueue.loading.run {
            let file = try ConversationFile(path)
            let history: SavedHistory
            do {
                history = try SavedHistory(json: file.history)
            } catch {
                throw LeapSerializationException(
                    "\(path) is damaged: \(error); restore an earlier copy", cause: error)
            }
            let tokens = file.origin.model == format?.model ? file.tokens() : nil
            let missing = runner.isUnloaded ? "the model was unloaded" : "another process computes with this model"
            return (file, history, tokens, Self.state(in: file, tokens, format, otherwise: missing))
        }
        var kept = KeptState()
        kept.leftOut = history.leftOut
        kept.tokens = tokens?.kept ?? []
        kept.suspension = history.suspension.flatMap { $0.isPossible(in: kept.tokens) ? $0 : nil }
        var reason = reading.reason
        if let snapshot = reading.snapshot {
            do {
                let session = runner.backend.makeSession()
                try await session.restore(snapshot)
                kept.session = session
            } catch {
                reason = "there is no memory for it: \(error)"
            }
        }
        if let reason {
            LeapLog.logger.notice("\(runner.modelId): the state in \(path) is recomputed: \(reason)")
        }
        return RestoredConversation(
            conversation: SourcedConversation(
                source: BackendSource(runner, kept: kept), record: ConversationRecord(history)),
            stateTokens: kept.session == nil ? 0 : file.stateTokenCount, recomputationReason: reason)
    }

    /// The state in a file, or why it is of no use.
    static func state(
        in file: ConversationFile, _ tokens: ConversationFile.Tokens?, _ format: SequenceFormat?,
        otherwise missing: String = "the model was unloaded"
    ) -> (snapshot: SequenceSnapshot?, reason: String?) {
        guard file.hasState else { return (nil, nil) }
        guard let format else { return (nil, missing) }
        guard file.origin.model == format.model else { return (nil, "it belongs to another model") }
        guard file.origin.state == format.identity else {
            let object = file.history.object
            for (name, here) in [
                ("instruction_set", format.instructionSet), ("kv_cache_type", format.keyValueType),
            ] {
                guard let there = object?[name]?.string, there != here else { continue }
                return (
                    nil, "it was computed with \(name) \(ShownText.of(there, limit: 40)), but this model uses \(here)"
                )
            }
            return (nil, "it was computed with other options")
        }
        guard let tokens else { return (nil, "its tokens are damaged") }
        guard tokens.state.count <= format.contextSize else {
            return (nil, "it has \(tokens.state.count) tokens, but the context holds \(format.contextSize)")
        }
        do throws(SequenceFormat.Failure) {
            return (try file.state(of: tokens, format), nil)
        } catch {
            return (nil, error.message)
        }
    }
}
