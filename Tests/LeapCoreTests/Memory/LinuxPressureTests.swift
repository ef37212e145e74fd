#if os(Linux)
    import Foundation
    import LeapTestTraits
    import Testing

    @testable import LeapCore

    /// Events of machines that are made of files, and of this one.
    @Suite(.inTurns)
    struct LinuxPressureTests {
        @Test("What a group holds of its limit makes a warning, or a critical one; pages of files alone make none")
        func shares() {
            for (held, expected) in [
                (0, nil), (749, nil), (750, .warning), (899, .warning), (900, .critical), (2_000, .critical),
            ] as [(Int64, MemoryEvent?)] {
                #expect(LinuxPressure.event(held: held, limit: 1_000) == expected)
            }
            #expect(LinuxPressure.event(held: nil, limit: 1_000) == nil)
            #expect(LinuxPressure.event(held: 5, limit: 0) == nil)
        }

        @Test("A source that is gone is left alone, and does not wake the thread for ever; changes are reported")
        func gone() {
            let (change, error) = (Int16(POLLPRI), Int16(POLLERR))
            #expect(!LinuxPressure.isGone(change, isTrigger: true))
            #expect(!LinuxPressure.isGone(change | error, isTrigger: false))
            #expect(LinuxPressure.isGone(change | error, isTrigger: true))
            for isTrigger in [true, false] { #expect(LinuxPressure.isGone(error, isTrigger: isTrigger)) }
            #expect(!LinuxPressure.drain(-1))
        }

        @Test("A machine that tells nothing about memory has no events, and no error")
        func nothing() async throws {
            let folder = try TemporaryFolder()
            var count = 0
            for await _ in LinuxPressure(root: folder.url.path + "/").events() { count += 1 }
            #expect(count == 0)
        }

        @Test("The triggers are written as the kernel takes them, and the watch ends with its consumer")
        func triggers() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.write("proc/pressure/memory", Data(count: 40))
            let group = "sys/fs/cgroup/"
            _ = try folder.write("proc/self/cgroup", Data("0::/\n".utf8))
            _ = try folder.write(group + "memory.max", Data("1000\n".utf8))
            _ = try folder.write(group + "memory.stat", Data("anon 999\n".utf8))
            _ = try folder.write(group + "memory.events", Data("high 0\nmax 1\n".utf8))
            let task = Task { [root = folder.url.path + "/"] in
                var count = 0
                for await _ in LinuxPressure(root: root).events() { count += 1 }
                return count
            }
            task.cancel()
            // Files of this kind report nothing; without the end the thread would sleep for ever.
            let count = await task.value
            #expect(count == 0)
            // Each trigger is written to a descriptor of its own, so the second one lies over the first.
            let written = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(written.starts(with: Data("full 100000 2000000\0".utf8)))
        }

        @Test("This machine's source can be followed and left")
        func thisMachine() async {
            let task = Task {
                for await _ in SystemMemoryPressure().events() {}
                return true
            }
            task.cancel()
            let ended = await task.value
            #expect(ended)
        }
    }
#endif
