import LeapSDK

// The code of Memory.md, compiled and not run.

func memoryFollow(_ runner: any ModelRunner) {
    runner.follow(MemoryPolicy())
}

func memoryPolicy(_ runner: any ModelRunner) {
    var policy = MemoryPolicy()
    policy.warning.insert(.cachedPrompts)
    policy.background = Set(MemoryPart.allCases)
    policy.stateFolder = nil
    runner.follow(policy) { event, given in
        print(event.rawValue, given.byteCount, given)
    }
}

func memoryByHand(_ runner: any ModelRunner) async {
    let given = await runner.giveBackMemory([.scratch, .idleConversations])
    print(given.bytes[.idleConversations] ?? 0)
}
