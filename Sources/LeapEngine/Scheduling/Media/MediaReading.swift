import LeapCompute
import LeapModel

/// Has the pictures and sounds of prompts read and encoded before a step computes their positions.
final class MediaReading: ReclaimableMemory {
    let kind = MemoryKind.encoders
    private(set) var reader: PromptEncoder?
    private let whenRead: @Sendable (_ session: UInt64) -> Void

    /// - Parameters:
    ///   - encoder: what reads pictures, sounds or speech; nil where nothing does.
    ///   - whenRead: called on another thread when something that a session waited for was read.
    init(_ encoder: PromptEncoder?, whenRead: @escaping @Sendable (_ session: UInt64) -> Void) {
        reader = encoder
        self.whenRead = whenRead
    }

    /// The encoders of images and audio.
    var encoders: [any MediaEncoder] { reader?.encoders ?? [] }

    /// Returns the parts of a step whose pictures and sounds were read.
    ///
    /// Those of the others are read from then on, and their generations wait; one that cannot be read ends its
    /// generation.
    func read(_ work: [BatchPart]) -> [BatchPart] {
        guard let reader else { return work }
        return work.filter { isRead($0, reader) }
    }

    private func isRead(_ part: BatchPart, _ reader: PromptEncoder) -> Bool {
        let (generation, start) = (part.generation, part.segment.sequence.count)
        guard let media = generation.media else { return true }
        let (id, whenRead) = (generation.session.id, whenRead)
        do throws(EngineError) {
            // Another generation of the session may have begun meanwhile: it looks again at what it waits for.
            let isThere = try media.begin(start..<start + part.segment.count, reader) { whenRead(id) }
            guard !isThere else { return true }
            generation.abandon()
            generation.waitsForMedia = true
        } catch {
            generation.abandon()
            generation.finish(.failed(error))
        }
        return false
    }

    /// Returns the parts of a step whose pictures and sounds are encoded; one that cannot be ends its generation.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func encode(_ work: [BatchPart], _ shouldStop: () -> Bool) throws(EngineError) -> [BatchPart] {
        guard let reader else { return work }
        var ready: [BatchPart] = []
        for part in work {
            guard let media = part.generation.media else {
                ready.append(part)
                continue
            }
            let start = part.generation.state.count
            let result = Result {
                try media.prepare(start..<start + part.segment.count, reader) {
                    !shouldStop() && !part.generation.task.isCancelled
                }
            }
            switch result {
            case .success(true): ready.append(part)
            case .success(false): part.generation.abandon()
            case .failure(let error as EngineError) where error.code == .outOfMemory: throw error
            case .failure(let error): part.generation.finish(.failed(error))
            }
        }
        return ready
    }

    /// Gives up the kept vectors and the encoder's scratch memory.
    func reclaim(rows: Int) -> Bool {
        guard let reader, reader.holdsMemory else { return false }
        reader.releaseMemory()
        return true
    }

    /// Lets go of the encoders.
    func unload() { reader = nil }
}
