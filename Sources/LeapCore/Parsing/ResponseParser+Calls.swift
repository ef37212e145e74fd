extension ResponseParser {
    mutating func beginCall() {
        mode = .call
        leading = []
        scanned = 0
        doubtfulEnd = nil
        doubts = 0
    }

    /// A call up to its end mark.
    mutating func stepCall() -> Bool {
        guard let end = callEnd.isEmpty ? nil : pending.firstIndex(of: callEnd, from: scanned) else {
            scanned = max(scanned, pending.count - callEnd.count + 1)
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
        fail(at: nil, .incompleteFunctionCall, reason)
    }

    private func parse(_ body: String) -> Result<[LeapFunctionCall], FunctionCallSyntaxError> {
        guard let parser = configuration.functionCallParser else { return .success([]) }
        do {
            return .success(try parser.parse(body, functions: configuration.functions))
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
            report(.invalidFunctionCall, "the call of '\(call.name)' does not fit: \(issue)", text: call.description)
        }
    }

    /// Lets what stands before `end` (or all there is) be text, and says why.
    private mutating func fail(at end: Int?, _ kind: GenerationIssue.Kind, _ reason: String) {
        let body = Array(pending[..<(end ?? pending.count)])
        pending.removeFirst(end.map { $0 + callEnd.count } ?? pending.count)
        var raw = callStart + body
        if end != nil { raw += callEnd }
        beginText(.afterCall)
        write(text: body[...], isEnd: true)
        report(kind, "a function call is not readable: \(reason)", text: String(decoding: raw, as: UTF8.self))
    }

    private mutating func report(_ kind: GenerationIssue.Kind, _ message: String, text: String) {
        let issue = GenerationIssue(kind: kind, message: message, text: text)
        issues.append(issue)
        events.append(.issue(issue))
    }
}
