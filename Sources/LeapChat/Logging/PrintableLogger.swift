import LeapBase
import Logging

/// A logger whose lines hold no control characters, whatever file, server, template or model their words come from.
///
/// Handlers write lines as they are, mostly to a terminal.
package struct PrintableLogger: Sendable {
    private let logger: Logger

    package init(label: String) { logger = Logger(label: label) }

    package func debug(
        _ message: @autoclosure () -> String, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        logger.debug("\(PrintableOutput.of(message()))", file: file, function: function, line: line)
    }

    package func notice(
        _ message: @autoclosure () -> String, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        logger.notice("\(PrintableOutput.of(message()))", file: file, function: function, line: line)
    }

    package func warning(
        _ message: @autoclosure () -> String, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        logger.warning("\(PrintableOutput.of(message()))", file: file, function: function, line: line)
    }

    package func error(
        _ message: @autoclosure () -> String, file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        logger.error("\(PrintableOutput.of(message()))", file: file, function: function, line: line)
    }
}
