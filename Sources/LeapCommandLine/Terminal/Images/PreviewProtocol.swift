import Foundation

/// The protocol by which a terminal is told to show a picture.
enum PreviewProtocol: String, CaseIterable {
    /// The graphics protocol of kitty, which Ghostty speaks too.
    case kitty
    /// The inline images of iTerm2, which WezTerm and mintty show too.
    case iTerm
    /// The six rows at a time that DEC's terminals drew.
    case sixel

    /// The protocol of a terminal, as the environment that it sets tells; nil where none is known.
    init?(_ environment: [String: String]) {
        let (term, program) = (environment["TERM"] ?? "", environment["TERM_PROGRAM"] ?? "")
        // What stands between passes no pictures on, but the variables of the terminal around it.
        let isInside =
            environment["TMUX"] != nil || environment["STY"] != nil || term.hasPrefix("screen")
            || term.hasPrefix("tmux")
        guard !term.isEmpty, term != "dumb", !isInside else { return nil }
        if environment["KITTY_WINDOW_ID"] != nil || term == "xterm-kitty" || term == "xterm-ghostty"
            || program == "ghostty"
        {
            self = .kitty
        } else if ["iTerm.app", "WezTerm", "mintty"].contains(program) || environment["LC_TERMINAL"] == "iTerm2" {
            self = .iTerm
        } else if term == "foot" || term.hasPrefix("foot-") || term.hasPrefix("mlterm") || term.contains("sixel") {
            self = .sixel
        } else {
            return nil
        }
    }
}
