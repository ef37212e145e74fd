#if !LEAP_APPLE_STUBS && !canImport(Darwin)
    import Foundation
    import LeapBase

    /// The events of Linux: pressure stalls of the machine and of the process's control group, and the group's limit.
    ///
    /// A thread sleeps in poll(2) until the kernel has something to report; there are no timers. What is missing, or
    /// not permitted, is left out.
    struct LinuxPressure: Sendable {
        /// Stalls that make an event: microseconds within a window of two seconds.
        ///
        /// Windows that are multiples of two seconds need no privilege.
        static let triggers: [(event: MemoryEvent, text: String)] = [
            (.warning, "some 150000 2000000"), (.critical, "full 100000 2000000"),
        ]
        /// Parts of the limit that are held when the group's events make a warning, and a critical one.
        private static let shares = (warning: 0.75, critical: 0.9)

        /// The folder that holds `proc` and `sys`, with a slash at its end.
        private let root: String
        private let group: MemoryGroup?

        init(root: String = "/") {
            self.root = root
            group = ControlGroups(root: root).memoryGroup
        }

        /// Returns the event that the memory of a group calls for; nil where there is enough.
        static func event(held: Int64?, limit: Int64) -> MemoryEvent? {
            guard let held, limit > 0 else { return nil }
            let share = Double(held) / Double(limit)
            return share >= shares.critical ? .critical : share >= shares.warning ? .warning : nil
        }

        func events() -> AsyncStream<MemoryEvent> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: MemoryEvent.self, bufferingPolicy: .bufferingNewest(4))
            let watched = openFiles()
            guard !watched.isEmpty, let wake = WakePipe() else {
                for file in watched { close(file.descriptor) }
                continuation.finish()
                return stream
            }
            continuation.onTermination = { _ in wake.wake() }
            let group = group
            Thread.detachNewThread {
                Self.watch(watched, group, wake) { continuation.yield($0) }
                for file in watched { close(file.descriptor) }
                continuation.finish()
            }
            return stream
        }

        // MARK: Files

        /// A file that poll(2) waits for.
        private struct Watched: Sendable {
            let descriptor: CInt
            /// The event that a change stands for; nil where the memory of the group decides.
            let event: MemoryEvent?
        }

        private func openFiles() -> [Watched] {
            var files: [Watched] = []
            for path in [group?.pressurePath, root + "proc/pressure/memory"].compactMap({ $0 }) {
                for (event, text) in Self.triggers {
                    guard let descriptor = Self.trigger(path, text) else { continue }
                    files.append(Watched(descriptor: descriptor, event: event))
                }
            }
            if let group {
                let descriptor = open(group.eventsPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                if descriptor >= 0 {
                    // The kernel reports changes since the latest reading.
                    Self.drain(descriptor)
                    files.append(Watched(descriptor: descriptor, event: nil))
                }
            }
            return files
        }

        /// Registers a trigger; nil where the file is missing or the kernel refuses it.
        private static func trigger(_ path: String, _ text: String) -> CInt? {
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            // The kernel wants the zero at the end too.
            let bytes = Array(text.utf8) + [0]
            guard write(descriptor, bytes, bytes.count) == bytes.count else {
                close(descriptor)
                return nil
            }
            return descriptor
        }

        /// Reads a file of counters; false where its group is gone.
        @discardableResult
        static func drain(_ descriptor: CInt) -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4096)
            return pread(descriptor, &buffer, buffer.count, 0) >= 0
        }

        /// True if poll(2) reports for ever, as it does where a trigger or its group is gone.
        ///
        /// - Parameters:
        ///   - reported: what poll(2) reports.
        ///   - isTrigger: whether the file is one of pressure stalls. A counter reports each change as an error too.
        static func isGone(_ reported: Int16, isTrigger: Bool) -> Bool {
            reported & Int16(POLLPRI) == 0 || isTrigger && reported & Int16(POLLERR) != 0
        }

        // MARK: The thread

        private static func watch(
            _ files: [Watched], _ group: MemoryGroup?, _ wake: WakePipe, _ tell: (MemoryEvent) -> Void
        ) {
            var polled = files.map { pollfd(fd: $0.descriptor, events: Int16(POLLPRI), revents: 0) }
            polled.append(pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0))
            // A group at its limit changes its counters many times a second.
            var nextGroupEvent = ContinuousClock.now
            while true {
                if poll(&polled, nfds_t(polled.count), -1) < 0 {
                    if errno == EINTR { continue }
                    return
                }
                if polled[files.count].revents != 0 { return }
                var found: [MemoryEvent] = []
                for (index, file) in files.enumerated() where polled[index].revents != 0 {
                    // A process that moves to another group leaves one behind that may be removed.
                    if Self.isGone(polled[index].revents, isTrigger: file.event != nil) {
                        polled[index].fd = -1
                        continue
                    }
                    if let event = file.event {
                        found.append(event)
                        continue
                    }
                    guard drain(file.descriptor) else {
                        polled[index].fd = -1
                        continue
                    }
                    let now = ContinuousClock.now
                    guard now >= nextGroupEvent, let group,
                        let level = Self.event(held: group.heldByteCount, limit: group.limit)
                    else { continue }
                    nextGroupEvent = now + .seconds(1)
                    found.append(level)
                }
                if let event = found.first(where: { $0 == .critical }) ?? found.first { tell(event) }
                if polled.dropLast().allSatisfy({ $0.fd < 0 }) { return }
            }
        }
    }

    /// A pipe that ends a thread's sleep in poll(2).
    private final class WakePipe: Sendable {
        let reader: CInt
        private let writer: CInt

        /// Nil where the process has no descriptors left.
        init?() {
            guard let ends = FileSystem.makePipe() else { return nil }
            (reader, writer) = (ends[0], ends[1])
        }

        deinit {
            close(reader)
            close(writer)
        }

        func wake() { _ = write(writer, [UInt8(1)], 1) }
    }
#endif
