import Dispatch
import LeapBase
import LeapUi

/// The keys of `leap voice`, read on a queue of their own.
final class VoiceKeys: Sendable {
    /// A command that a key stands for.
    enum Command: Equatable, Sendable {
        case intent(VoiceAssistantIntent)
        case toggleHandsFree
        case leave
    }

    static let hint = "[space] speak, send or interrupt  [h] hands-free  [esc] cancel  [r] forget  [q] quit"

    private let end = OneWaySwitch()
    /// The commands in order; ends with the input.
    let commands: AsyncStream<Command>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Command.self)
        commands = stream
        KeyboardMode.set(.editing)
        DispatchQueue(label: "leap.voice.keys").async { [end] in
            let keyboard = Keyboard()
            var decoder = KeyDecoder()
            while !end.isSet {
                let keys: [Key]
                switch keyboard.next(within: decoder.isUndecided ? 50 : 200) {
                case .bytes(let bytes): keys = decoder.decode(bytes)
                case .quiet: keys = decoder.isUndecided ? decoder.decide() : []
                case .redraw: keys = []
                case .ended: return continuation.finish()
                }
                for command in keys.flatMap(Self.commands) { continuation.yield(command) }
            }
            continuation.finish()
        }
    }

    deinit {
        end.set()
        KeyboardMode.restore()
    }

    /// Returns the commands that a key stands for.
    static func commands(of key: Key) -> [Command] {
        switch key {
        case .enter: [.intent(.toggle)]
        case .cancel: [.intent(.cancel)]
        case .interrupt, .endOfInput: [.leave]
        case .text(let text):
            text.compactMap { character -> Command? in
                switch character {
                case " ": .intent(.toggle)
                case "h", "H": .toggleHandsFree
                case "r", "R": .intent(.reset)
                case "q", "Q": .leave
                default: nil
                }
            }
        default: []
        }
    }
}
