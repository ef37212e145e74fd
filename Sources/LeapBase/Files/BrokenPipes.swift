/// Writing to pipes that nobody reads any more.
package enum BrokenPipes {
    /// Sees to it that writing to a closed pipe is an error, and not a signal that ends the program.
    ///
    /// The signal is not ignored, as programs that are started would ignore it too: a recorder would go on when nobody
    /// hears it any more.
    package static func becomeErrors() { signal(SIGPIPE) { _ in } }
}
