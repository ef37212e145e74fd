import LeapChat
import LeapCore
import LeapJSON

/// A conversation over one connection, by the events of OpenAI's Realtime API.
///
/// Events of the client are handled one after the other; pieces of a reply come in between.
actor RealtimeSession {
    /// Begins to note what a message of the client asks the model for.
    typealias Note = @Sendable (ModelOperation) -> RequestRecord?

    /// The reply that is being written.
    private struct Active {
        var response: RealtimeResponse
        let isInConversation: Bool
        let record: RequestRecord?
        /// The note that is made when it ends.
        var parts = ReplyParts()
        var task: Task<Void, Never>?
    }

    private let model: RealtimeModel
    private let outbox: RealtimeOutbox
    /// The maximum duration of a reply; nil for no limit.
    private let limit: Duration?
    /// The holder that replies are counted for; nil for none.
    private let holder: KeyHolder?
    private let note: Note
    private let id = Identifier.make("sess_")
    private var settings = RealtimeSettings()
    private var conversation = RealtimeConversation()
    private var input: RealtimeInput
    private var active: Active?
    private var transcriptions: [String: Task<Void, Never>] = [:]
    /// The items whose sounds are transcribed while they come: true once they are committed.
    private var live: [String: Bool] = [:]
    /// True if the server is shutting down.
    private var isEnding = false

    init(
        model: RealtimeModel, outbox: RealtimeOutbox, limit: Duration?, holder: KeyHolder? = nil,
        note: @escaping Note = { _ in nil }
    ) {
        self.holder = holder
        self.model = model
        self.outbox = outbox
        self.limit = limit
        self.note = note
        settings.audio.languages = model.languages
        input = RealtimeInput(settings.audio.turns, listen: { try model.listen() })
    }

    // MARK: The connection

    func begin() { emit("session.created", ["session": description]) }

    /// Handles a message of the client.
    func receive(_ bytes: [UInt8]) async {
        guard !outbox.isClosed else { return }
        do {
            let event = try await LongWork.run(on: bytes.count) { try RealtimeEvent(bytes) }
            do {
                try await handle(event)
            } catch {
                fail(APIError(error), event: event.id)
            }
        } catch {
            fail(APIError(error), event: nil)
        }
    }

    /// Handles a message that is no text.
    func receivedBinary() {
        fail(.invalid("binary messages are not read: send events as text", code: "invalid_event"), event: nil)
    }

    /// Ends the session and its reply, as the client is gone.
    func end() {
        active?.task?.cancel()
        active = nil
        for task in transcriptions.values { task.cancel() }
        transcriptions = [:]
        live = [:]
        input.clear()
    }

    /// Ends the session when the reply that is being written, if any, is whole.
    func endSoon() {
        isEnding = true
        if active == nil { outbox.close(1001, "the server is shutting down") }
    }

    private func emit(_ type: String, _ members: JSONObject) { outbox.send(Self.bytes(type, members)) }

    private func emit(_ events: [RealtimeResponse.Event]) {
        for event in events { emit(event.type, event.members) }
    }

    private func fail(_ error: APIError, event: String?) { outbox.send(Self.error(error, event: event)) }

    private static func bytes(_ type: String, _ members: JSONObject) -> [UInt8] {
        var event: JSONObject = ["type": .string(type), "event_id": .string(Identifier.make("event_"))]
        for (key, value) in members.members { event[key] = value }
        return JSONWriter.bytes(.object(event))
    }

    /// The event that tells of an error, and of the client's event that caused it.
    static func error(_ error: APIError, event: String?) -> [UInt8] {
        var object = error.json["error"]?.object ?? [:]
        object["event_id"] = event.map { .string($0) } ?? .null
        return bytes("error", ["error": .object(object)])
    }

    private var description: JSONValue {
        var object: JSONObject = [
            "id": .string(id), "object": "realtime.session", "type": "realtime", "model": .string(model.id),
        ]
        for (key, value) in settings.members.members { object[key] = value }
        return .object(object)
    }

    // MARK: Events

    private func handle(_ event: RealtimeEvent) async throws {
        switch event.type {
        case "session.update": try update(event)
        case "input_audio_buffer.append": try await append(event.samples)
        case "input_audio_buffer.commit":
            let (item, content) = try input.commit()
            try commit(item, content)
        case "input_audio_buffer.clear":
            input.clear()
            dropLive()
            emit("input_audio_buffer.cleared", [:])
        case "conversation.item.create": try create(event)
        case "conversation.item.retrieve":
            emit("conversation.item.retrieved", ["item": try conversation.item(itemID(event)).json])
        case "conversation.item.delete":
            let item = try itemID(event)
            try conversation.remove(item)
            transcriptions[item]?.cancel()
            emit("conversation.item.deleted", ["item_id": .string(item)])
        case "conversation.item.truncate": try truncate(event)
        case "response.create": try respond(to: event)
        case "response.cancel": try cancel(event)
        default:
            throw APIError.invalid(
                "there is no event '\(HeaderText.safe(event.type))'", "type", code: "unknown_event")
        }
    }

    private func itemID(_ event: RealtimeEvent) throws(APIError) -> String {
        var fields = RequestFields(event.fields)
        guard let id = try fields.string("item_id") else { throw .invalid("'item_id' is missing", "item_id") }
        return id
    }

    private func update(_ event: RealtimeEvent) throws {
        guard let object = event.fields["session"]?.object else {
            throw APIError.invalid("'session' is missing; expected an object", "session")
        }
        let ignored = try settings.update(object, in: "session", model: model.id)
        input.set(settings.audio.turns)
        input.transcribes = settings.audio.transcription != nil
        dropLive()
        emit("session.updated", Self.warning(of: ignored, in: ["session": description]))
    }

    /// Returns the members of an event with one that names what has no effect; there is no header for it here.
    private static func warning(of ignored: [String], in members: JSONObject) -> JSONObject {
        var members = members
        if let note = WithoutEffect.note(on: ignored) { members["warning"] = .string(note) }
        return members
    }

    // MARK: Sound

    private func append(_ samples: [Float]) async throws {
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(RealtimeInput.pieceLength))
            rest = rest.dropFirst(piece.count)
            let changes: [RealtimeInput.Change]
            do {
                changes = try input.append(piece)
            } catch {
                dropLive()
                throw error
            }
            for (item, transcription) in input.takeBegun() { follow(transcription, item) }
            for change in changes { try take(change) }
            // Others are served between the pieces of a long sound.
            if !rest.isEmpty { await Task.yield() }
        }
    }

    private func take(_ change: RealtimeInput.Change) throws {
        switch change {
        case .started(let item, let milliseconds):
            emit(
                "input_audio_buffer.speech_started",
                ["audio_start_ms": .integer(Int64(milliseconds)), "item_id": .string(item)])
            if settings.audio.turns?.interruptsResponse == true { end(.cancelled(reason: "turn_detected")) }
        case .ended(let item, let milliseconds, let content):
            emit(
                "input_audio_buffer.speech_stopped",
                ["audio_end_ms": .integer(Int64(milliseconds)), "item_id": .string(item)])
            try commit(item, content)
            if settings.audio.turns?.createsResponse == true, active == nil {
                try respond(settings, to: conversation.items, isInConversation: true, metadata: nil)
            }
        }
    }

    private func commit(_ id: String, _ content: ChatMessageContent) throws {
        let item = RealtimeItem(id: id, ChatMessage(role: .user, content: [content]))
        let previous = try conversation.add(item)
        emit(
            "input_audio_buffer.committed",
            ["previous_item_id": previous.map { .string($0) } ?? .null, "item_id": .string(id)])
        tell(item, behind: previous)
        if live[id] != nil { live[id] = true } else { writeDown(item) }
    }

    private func tell(_ item: RealtimeItem, behind previous: String?) {
        for type in ["conversation.item.added", "conversation.item.done"] {
            emit(type, ["previous_item_id": previous.map { .string($0) } ?? .null, "item": item.json])
        }
    }

    // MARK: Items

    private func create(_ event: RealtimeEvent) throws {
        var fields = RequestFields(event.fields)
        guard let value = fields.value("item") else { throw APIError.invalid("'item' is missing", "item") }
        let item = try readable(value, "item")
        let previous = try conversation.add(item, behind: fields.string("previous_item_id"))
        tell(item, behind: previous)
    }

    /// Reads an item of the client's, and checks that the model reads its parts.
    private func readable(_ value: JSONValue, _ place: String) throws -> RealtimeItem {
        let item = try RealtimeItem(value, place)
        try model.lease.check([item.message], at: [item.partsPlace(place)])
        return item
    }

    private func truncate(_ event: RealtimeEvent) throws {
        let item = try itemID(event)
        var fields = RequestFields(event.fields)
        guard let end = try fields.integer("audio_end_ms", in: 0...Int(Int32.max)) else {
            throw APIError.invalid("'audio_end_ms' is missing; expected milliseconds", "audio_end_ms")
        }
        let index = try fields.integer("content_index", in: 0...0) ?? 0
        try conversation.cut(item, to: end)
        emit(
            "conversation.item.truncated",
            [
                "item_id": .string(item), "content_index": .integer(Int64(index)),
                "audio_end_ms": .integer(Int64(end)),
            ])
    }

    // MARK: Replies

    private func respond(to event: RealtimeEvent) throws {
        var fields = RequestFields(event.fields)
        var asked = try fields.object("response") ?? [:]
        var inner = RequestFields(asked)
        let metadata = try inner.object("metadata")
        let conversation = try inner.string("conversation") ?? "auto"
        guard ["auto", "none"].contains(conversation) else {
            throw APIError.invalid(
                "'response.conversation' is '\(HeaderText.safe(conversation))'; expected auto or none",
                "response.conversation")
        }
        var items = self.conversation.items
        if let given = try inner.array("input") {
            items = try given.enumerated().map { index, value in
                let place = "response.input[\(index)]"
                if value["type"] == "item_reference", let id = value["id"]?.string {
                    return try self.conversation.item(id)
                }
                return try readable(value, place)
            }
        }
        for name in ["metadata", "conversation", "input"] { asked[name] = nil }
        var settings = settings
        let ignored = try settings.update(asked, in: "response", model: model.id)
        try respond(
            settings, to: items, isInConversation: conversation == "auto", metadata: metadata, ignored: ignored)
    }

    private func respond(
        _ settings: RealtimeSettings, to items: [RealtimeItem], isInConversation: Bool, metadata: JSONObject?,
        ignored: [String] = []
    ) throws {
        guard active == nil else {
            throw APIError.invalid(
                "a response is being written: cancel it first, or wait for response.done",
                code: "conversation_already_has_active_response")
        }
        guard !isEnding else {
            throw APIError.failed(503, "the server is shutting down")
        }
        guard let order = settings.order(to: items, ignored: ignored) else {
            throw APIError.invalid("there is nothing to respond to: create an item first", "response")
        }
        // Each reply counts as a request; what is said is written down while there are tokens left.
        try holder?.admit()
        let response = RealtimeResponse(
            settings, metadata: metadata, isInConversation: isInConversation, previous: conversation.items.last?.id)
        let record = begin(.chat)
        record?.answer(id: response.id)
        active = Active(response: response, isInConversation: isInConversation, record: record)
        emit(response.begin().map { ($0.type, Self.warning(of: order.ignored, in: $0.members)) })
        let merged = begin(order, record)
        active?.task = Task {
            do {
                while let (_, piece) = try await merged.next() { add(piece, to: response.id) }
                finish(response.id, .whole)
            } catch {
                finish(response.id, .failed(APIError(error)))
            }
        }
    }

    private func add(_ piece: MessagePiece, to id: String) {
        guard let events = active?.response.id == id ? active?.response.add(piece) : nil else { return }
        if active?.record != nil { active?.parts.add(piece) }
        emit(events)
    }

    private func finish(_ id: String, _ ending: RealtimeResponse.Ending) {
        if active?.response.id == id { end(ending) }
    }

    /// Ends the reply that is being written, if there is one.
    private func end(_ ending: RealtimeResponse.Ending) {
        guard let ended = active else { return }
        active = nil
        ended.task?.cancel()
        var response = ended.response
        let events = response.end(ending)
        if case .failed(let error) = ending {
            ended.record?.end(with: .failure(error))
        } else {
            ended.record?.end(with: .success(ended.parts), isCancelled: ended.parts.completion == nil)
        }
        if ended.isInConversation {
            for item in response.items {
                do { _ = try conversation.add(item) } catch { fail(error, event: nil) }
            }
        }
        emit(events)
        if isEnding { outbox.close(1001, "the server is shutting down") }
    }

    private func begin(_ operation: ModelOperation) -> RequestRecord? {
        let record = note(operation)
        record?.take(model: model.id)
        return record
    }

    /// Begins the reply of an order, which ends at the limit at the latest.
    private func begin(_ order: ReplyOrder, _ record: RequestRecord?) -> MergedReplies {
        let reply = model.reply(order, record?.reply(order.options[0]))
        return MergedReplies([reply], until: limit.map { Deadline(in: $0) })
    }

    private func cancel(_ event: RealtimeEvent) throws {
        var fields = RequestFields(event.fields)
        let id = try fields.string("response_id")
        guard let active, id == nil || id == active.response.id else {
            throw APIError.invalid(
                "no response is being written\(id.map { " that is '\(HeaderText.safe($0))'" } ?? "")", "response_id",
                code: "response_cancel_not_active")
        }
        end(.cancelled(reason: "client_cancelled"))
    }

    // MARK: What is said, as text

    /// The maximum number of sounds that are written down at a time.
    private static let maxTranscriptions = 8

    private func writeDown(_ item: RealtimeItem) {
        guard let language = settings.audio.transcription else { return }
        let prompt = model.transcriptionPrompt(in: language)
        do { try holder?.checkTokens() } catch { return told(item.id, .failure(error)) }
        guard transcriptions.count < Self.maxTranscriptions else {
            return told(item.id, .failure(.busy("\(Self.maxTranscriptions) sounds are already being transcribed")))
        }
        let order = ReplyOrder(
            messages: [ChatMessage(role: .system, textContent: prompt), item.message],
            options: [GenerationOptions(temperature: 0)], isStream: true)
        let record = begin(.transcription)
        let merged = begin(order, record)
        transcriptions[item.id] = Task {
            do {
                var parts = ReplyParts()
                while let (_, piece) = try await merged.next() {
                    parts.add(piece)
                    if case .chunk(let text) = piece { understood(item.id, text) }
                }
                record?.end(with: .success(parts), isCancelled: parts.completion == nil)
                told(item.id, .success(parts))
            } catch {
                record?.end(with: .failure(APIError(error)))
                told(item.id, .failure(APIError(error)))
            }
        }
    }

    /// True if sounds may still be written down.
    private var hasTokens: Bool { holder.map { (try? $0.checkTokens()) != nil } ?? true }

    /// Tells the text of a sound while it comes.
    private func follow(_ transcription: LiveTranscription, _ item: String) {
        guard transcriptions.count < Self.maxTranscriptions, hasTokens else { return transcription.cancel() }
        live[item] = false
        let record = begin(.transcription)
        transcriptions[item] = Task {
            var parts = ReplyParts()
            do {
                for try await text in transcription.text {
                    parts.add(.chunk(text))
                    understood(item, text)
                }
                let isWhole = live[item] == true && !Task.isCancelled
                let completion = transcription.completion(parts.text)
                if isWhole { parts.add(.complete(completion)) } else { record?.giveUp(completion.stats) }
                record?.end(with: .success(parts), isCancelled: !isWhole)
                endLive(item, .success(parts))
            } catch {
                record?.giveUp(transcription.completion(parts.text).stats)
                record?.end(with: .failure(APIError(error)))
                endLive(item, .failure(APIError(error)))
            }
        }
    }

    /// Drops the transcripts of sounds that were forgotten before they became items.
    private func dropLive() {
        for (item, isCommitted) in live where !isCommitted && item != input.currentItem {
            transcriptions.removeValue(forKey: item)?.cancel()
            live[item] = nil
        }
    }

    /// Tells the transcript of an item; of one that was not committed, its sound is transcribed when that comes.
    private func endLive(_ item: String, _ result: Result<ReplyParts, APIError>) {
        if live.removeValue(forKey: item) == true { told(item, result) } else { transcriptions[item] = nil }
    }

    private func understood(_ item: String, _ delta: String) {
        guard transcriptions[item]?.isCancelled == false else { return }
        emit(
            "conversation.item.input_audio_transcription.delta",
            ["item_id": .string(item), "content_index": .integer(0), "delta": .string(delta)])
    }

    private func told(_ item: String, _ result: Result<ReplyParts, APIError>) {
        let task = transcriptions.removeValue(forKey: item)
        guard task?.isCancelled != true else { return }
        var members: JSONObject = ["item_id": .string(item), "content_index": .integer(0)]
        switch result {
        case .success(let parts):
            conversation.understood(item, parts.text)
            members["transcript"] = .string(parts.text)
            members["usage"] = parts.transcriptUsage
            emit("conversation.item.input_audio_transcription.completed", members)
        case .failure(let error):
            members["error"] = error.json["error"]
            emit("conversation.item.input_audio_transcription.failed", members)
        }
    }
}
