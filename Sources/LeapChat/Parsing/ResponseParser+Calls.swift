extension ResponseParser {
    /// Begins a call.
    ///
    /// - Parameter start: its mark; empty for a bare one, which may turn out to be text.
    mutating func beginCall(after start: [UInt8]) {
        mode = .call
        callStart = start
        awaitedCall = nil
        extent = style?.makeExtent(isMarked: !start.isEmpty)
        if !start.isEmpty { leading = [] }
        scanned = 0
        doubtfulEnd = nil
        doubts = 0
    }

    /// A call up to its end.
    mutating func stepCall() -> Bool {
        guard let extent else { return stepToEndMark() }
        return step(extent)
    }

    private mutating func step(_ extent: any CallExtent) -> Bool {
        var extent = extent
        while scanned < pending.count {
            let progress = extent.consume(pending[scanned])
            scanned += 1
            switch progress {
            case .goesOn where scanned <= Self.maximumCallLength: continue
            case .goesOn: fail(at: scanned, .malformedFunctionCall, "longer than \(Self.maximumCallLength) bytes")
            case .fails: fail(at: scanned - 1, .malformedFunctionCall, "this is not how a call begins")
            case .ends:
                switch parse(String(decoding: pending[..<scanned], as: UTF8.self)) {
                case .success(let calls):
                    deliver(calls)
                    pending.removeFirst(scanned)
                    beginText(.afterCall)
                case .failure(let error): fail(at: scanned, .malformedFunctionCall, error.description)
                }
            }
            return true
        }
        self.extent = extent
        return false
    }

    private mutating func stepToEndMark() -> Bool {
        let callEndIndex = callEnd.isEmpty ? nil : pending.firstIndex(of: callEnd, from: scanned)
        if takesCall, let cut = firstMessageEnd(before: callEndIndex ?? .max) {
            endCallMessage(at: cut.index, cut.mark)
            return true
        }
        guard let end = callEndIndex else {
            let longest = takesCall ? max(callEnd.count, messageEnds.map(\.count).max() ?? 0) : callEnd.count
            scanned = max(scanned, pending.count - longest + 1)
            guard pending.count > Self.maximumCallLength else { return false }
            fail(at: doubtfulEnd, .malformedFunctionCall, "longer than \(Self.maximumCallLength) bytes")
            return true
        }
        let body = String(decoding: pending[..<end], as: UTF8.self)
        switch parse(body) {
        case .success(let calls):
            deliver(calls)
            pending.removeFirst(end + callEnd.count)
            beginText(.afterCall)
        case .failure(let error):
            if error.isIncomplete, doubts < 32 {
                // The mark may be part of a string; the next one may be the real one.
                doubtfulEnd = doubtfulEnd ?? end
                doubts += 1
                scanned = end + callEnd.count
            } else {
                fail(at: doubtfulEnd ?? end, .malformedFunctionCall, error.description)
            }
        }
        return true
    }

    /// The first mark behind what was looked at that ends a message.
    private func firstMessageEnd(before limit: Int) -> (index: Int, mark: [UInt8])? {
        var found: (index: Int, mark: [UInt8])?
        for mark in messageEnds {
            guard let index = pending.firstIndex(of: mark, from: scanned), index < found?.index ?? limit else {
                continue
            }
            found = (index, mark)
        }
        return found
    }

    /// The message ends before its call does, or the mark is part of a string.
    private mutating func endCallMessage(at index: Int, _ mark: [UInt8]) {
        switch parse(String(decoding: pending[..<index], as: UTF8.self)) {
        case .success(let calls):
            deliver(calls)
            pending.removeFirst(index)
            beginText(.afterCall)
        case .failure(let error) where error.isIncomplete && doubts < 32:
            doubts += 1
            scanned = index + mark.count
        case .failure(let error):
            let rest = Array(pending[index...])
            pending.removeLast(rest.count)
            fail(at: nil, .malformedFunctionCall, error.description)
            pending = rest
        }
    }

    /// The reply is over inside of a call.
    mutating func finishCall(_ ending: Ending) {
        if let doubtfulEnd {
            fail(at: doubtfulEnd, .malformedFunctionCall, "the call does not end")
            let rest = pending
            write(text: rest[...], isEnd: true)
            return
        }
        pending.removeLast(pending.suffixLength(thatBegins: callEnd))
        if ending == .natural {
            // Some models end their turn without the end mark.
            if case .success(let calls) = parse(String(decoding: pending, as: UTF8.self)) { return deliver(calls) }
        }
        let reason = ending == .cutOff ? "the reply was cut off inside of it" : "the reply ended inside of it"
        let body = pending
        fail(at: nil, .incompleteFunctionCall, reason)
        guard callStart.isEmpty else { return }
        while !isStopped, step() {}
        if !isStopped { write(text: pending[...], isEnd: true) }
        report(.incompleteFunctionCall, "an apparent function call does not end: \(reason)", text: body)
    }

    private func parse(_ body: String) -> Result<[LeapFunctionCall], FunctionCallSyntaxError> {
        guard let parser = configuration.functionCallParser else { return .success([]) }
        do {
            let calls = try parser.parse(body, functions: configuration.functions)
            // Without a mark only a known name tells a call from any other object.
            let names = Set(configuration.functions.map(\.name))
            guard !callStart.isEmpty || calls.allSatisfy({ names.contains($0.name) }) else {
                return .failure(FunctionCallSyntaxError(reason: "no function of this name"))
            }
            return .success(calls)
        } catch let error as FunctionCallSyntaxError {
            return .failure(error)
        } catch {
            return .failure(FunctionCallSyntaxError(reason: String(describing: error)))
        }
    }

    /// Passes calls on, marked where they do not fit their function.
    private mutating func deliver(_ calls: [LeapFunctionCall]) {
        guard !calls.isEmpty else { return }
        let checked = calls.map { call in
            call.with(issue: call.issue ?? FunctionCallValidation.issue(with: call, in: configuration.functions))
        }
        self.calls.append(contentsOf: checked)
        events.append(.calls(checked))
        for call in checked {
            guard let issue = call.issue else { continue }
            report(
                .invalidFunctionCall, "the call of '\(call.name)' does not match the function: \(issue)",
                text: call.description)
        }
    }

    /// Lets what stands before `end` (or all there is) be text, and says why.
    private mutating func fail(at end: Int?, _ kind: GenerationIssue.Kind, _ reason: String) {
        let body = Array(pending[..<(end ?? pending.count)])
        if callStart.isEmpty {
            // It was text all along, and is read again as text.
            mode = .text
            isBareCallRejected = true
            return
        }
        pending.removeFirst(end.map { $0 + callEnd.count } ?? pending.count)
        var raw = callStart + body
        if end != nil { raw += callEnd }
        beginText(.afterCall)
        write(text: body[...], isEnd: true)
        report(kind, "a function call cannot be read: \(reason)", text: raw)
    }

    private mutating func report(_ kind: GenerationIssue.Kind, _ message: String, text bytes: [UInt8]) {
        report(kind, message, text: String(decoding: bytes, as: UTF8.self))
    }

    mutating func report(_ kind: GenerationIssue.Kind, _ message: String, text: String) {
        let issue = GenerationIssue(kind: kind, message: message, text: text)
        issues.append(issue)
        events.append(.issue(issue))
    }
}
