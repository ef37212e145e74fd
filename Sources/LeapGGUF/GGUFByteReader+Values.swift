extension GGUFByteReader {
    /// Reads the id of a value type.
    mutating func readValueType(_ what: @autoclosure () -> String) throws -> GGUFValueType {
        let position = offset
        let id = try read(UInt32.self, what())
        guard let type = GGUFValueType(rawValue: id) else {
            throw malformed("\(what()) has the unknown value type \(id); types are 0 to 12.", at: position)
        }
        return type
    }

    /// Moves past a value and validates all of it.
    ///
    /// - Parameter depth: how many arrays it is in.
    mutating func skipValue(_ type: GGUFValueType, depth: Int = 0, _ what: @autoclosure () -> String) throws {
        switch type {
        case .string:
            _ = try readString(what())
        case .array:
            _ = try skipArray(depth: depth + 1, recordsOffsets: false, what())
        case .bool:
            let position = try take(1, what())
            try requireBool(position..<position + 1, what())
        default:
            _ = try take(UInt64(type.fixedByteCount ?? 0), what())
        }
    }

    /// Moves past an array, from its element type on, and validates all of it.
    ///
    /// - Returns: for arrays of strings or arrays when `recordsOffsets`, where each element begins, counted from the
    ///   first one, and where the last one ends; else nil.
    mutating func skipArray(
        depth: Int, recordsOffsets: Bool, _ what: @autoclosure () -> String
    ) throws -> [UInt32]? {
        guard depth <= GGUFLimits.arrayDepth else {
            throw tooLarge("\(what()) nests arrays deeper than \(GGUFLimits.arrayDepth).")
        }
        let elementType = try readValueType(what())
        let count = try read(UInt64.self, what())
        return try skipElements(elementType, count: count, depth: depth, recordsOffsets: recordsOffsets, what())
    }

    /// Moves past the elements of an array and validates them; see ``skipArray(depth:recordsOffsets:_:)``.
    mutating func skipElements(
        _ type: GGUFValueType, count: UInt64, depth: Int, recordsOffsets: Bool, _ what: @autoclosure () -> String
    ) throws -> [UInt32]? {
        // Checked against the file before anything is allocated: each element takes so many bytes at least.
        let (minimum, overflow) = count.multipliedReportingOverflow(by: UInt64(type.minimumByteCount))
        guard !overflow, minimum <= UInt64(fileSize - offset) else {
            throw truncated(overflow ? .max : minimum, what())
        }
        // The same as taking that many bytes: not in memory yet, or more than a header may have.
        var probe = self
        _ = try probe.take(minimum, what())
        switch type {
        case .string:
            return try skipStrings(Int(count), recordsOffsets: recordsOffsets, what())
        case .array:
            let start = offset
            var offsets: [UInt32] = []
            if recordsOffsets { offsets.reserveCapacity(Int(count) + 1) }
            for _ in 0..<Int(count) {
                if recordsOffsets { offsets.append(UInt32(truncatingIfNeeded: offset - start)) }
                _ = try skipArray(depth: depth + 1, recordsOffsets: false, what())
            }
            guard recordsOffsets else { return nil }
            offsets.append(UInt32(offset - start))
            return offsets
        case .bool:
            let position = try take(minimum, what())
            try requireBool(position..<offset, what())
            return nil
        default:
            _ = try take(minimum, what())
            return nil
        }
    }

    /// Moves past `count` strings: the loop that a vocabulary of 150,000 tokens goes through.
    private mutating func skipStrings(
        _ count: Int, recordsOffsets: Bool, _ what: @autoclosure () -> String
    ) throws -> [UInt32]? {
        let start = offset
        var position = offset
        let end = min(available, GGUFLimits.headerByteCount)
        // Stops at a string that is not all there; no errors are made within the loop.
        func advance(record: (Int, Int) -> Void) -> Bool {
            for index in 0..<count {
                record(index, position)
                guard end - position >= 8 else { return false }
                let length = UInt64(littleEndian: (base + position).loadUnaligned(as: UInt64.self))
                guard length <= UInt64(end - position - 8) else { return false }
                position += 8 + Int(length)
            }
            record(count, position)
            return true
        }
        var complete = false
        var offsets: [UInt32]?
        if recordsOffsets {
            offsets = [UInt32](unsafeUninitializedCapacity: count + 1) { buffer, initialized in
                let table = buffer
                complete = advance { table[$0] = UInt32(truncatingIfNeeded: $1 - start) }
                initialized = complete ? count + 1 : 0
            }
        } else {
            complete = advance { _, _ in }
        }
        offset = position
        guard complete else {
            // Read the failing one again, for its error.
            _ = try readString(what())
            return nil
        }
        return offsets
    }

    private func requireBool(_ range: Range<Int>, _ what: @autoclosure () -> String) throws {
        for position in range {
            let byte = (base + position).load(as: UInt8.self)
            guard byte <= 1 else {
                throw malformed("\(what()) holds the byte \(byte) as a bool; 0 and 1 are allowed.", at: position)
            }
        }
    }
}
