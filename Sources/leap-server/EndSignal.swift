#if Server
    import Dispatch
    import LeapBase

    /// Waits until the process is told to end.
    enum EndSignal {
        static func wait() async {
            let isTold = OneWaySwitch()
            var sources: [any DispatchSourceSignal] = []
            await withCheckedContinuation { continuation in
                for number in [SIGTERM, SIGINT] {
                    signal(number, SIG_IGN)
                    let source = DispatchSource.makeSignalSource(signal: number)
                    source.setEventHandler {
                        if isTold.set() { continuation.resume() }
                    }
                    source.activate()
                    sources.append(source)
                }
            }
            for source in sources { source.cancel() }
        }
    }
#endif
