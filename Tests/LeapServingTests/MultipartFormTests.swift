import Foundation
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=b0undary"

    private func form(_ body: String, _ type: String = type) throws(APIError) -> MultipartForm {
        try MultipartForm(Array(body.utf8), contentType: type)
    }

    private func part(_ disposition: String, _ content: String, more: String = "") -> String {
        "--b0undary\r\nContent-Disposition: \(disposition)\r\n\(more)\r\n\(content)\r\n"
    }

    @Test("Fields and files are read, whatever is in them")
    func parts() throws {
        let content = "RIFF\r\n--b0undar\r\n--b1\r\r\n\n--"
        let body =
            "what a client writes before\r\n" + part("form-data; name=\"model\"", "demo")
            + part(
                "form-data; filename=\"a \\\"b\\\\;.wav\"; name=file", content, more: "Content-Type: audio/wav\r\n")
            + part("FORM-DATA;name=\"empty\"", "") + "--b0undary--\r\nand after"
        let parts = try form(body).parts
        #expect(parts.map(\.name) == ["model", "file", "empty"])
        #expect(parts.map(\.fileName) == [nil, "a \"b\\;.wav", nil])
        #expect(parts.map { String(decoding: $0.bytes, as: UTF8.self) } == ["demo", content, ""])
    }

    @Test("A form without parts, and a boundary in quotation marks and with spaces behind it")
    func boundaries() throws {
        #expect(try form("--b0undary--").parts.isEmpty)
        let body = "--a b\t \r\ncontent-disposition: form-data; name=x\r\n\r\n1\r\n--a b--"
        #expect(try form(body, "Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"").parts.map(\.name) == ["x"])
    }

    @Test(
        "What is no form is refused by what is wrong",
        arguments: [
            ("--b0undary--", "application/json", "multipart/form-data"), ("--b0undary--", "", "multipart/form-data"),
            ("--b0undary--", "multipart/form-data", "no boundary"),
            ("--b0undary--", "multipart/form-data; boundary=", "no boundary"),
            ("--b0undary--", "multipart/form-data; boundary=\(String(repeating: "b", count: 71))", "no boundary"),
            ("", type, "no parts"), ("--other--", type, "no parts"), ("--b0undary", type, "other text"),
            ("--b0undary\r\n", type, "cut off"), ("--b0undary\r\n\r\n1\r\n--b0undary--", type, "has no name"),
            ("--b0undary\r\nname\r\n\r\n1\r\n--b0undary--", type, "name: value"),
            (
                "--b0undary\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1", type,
                "does not end with the boundary"
            ),
            ("--b0undary\r\nx: \(String(repeating: "y", count: 9000))", type, "more than 8192 bytes"),
            ("--b0undaryand more\r\n", type, "other text"),
            (
                String(repeating: "--b0undary\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n", count: 129)
                    + "--b0undary--", type, "more than 128 parts"
            ),
        ])
    func refused(body: String, type: String, words: String) throws {
        let error = #expect(throws: APIError.self) { try form(body, type) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.status == (words == "multipart/form-data" ? 415 : 400))
    }

    @Test("Damaged forms are read or refused, and nothing else")
    func damaged() throws {
        var numbers = SeededGenerator(seed: 7)
        let body = Array(
            (part("form-data; name=\"model\"", "demo") + part("form-data; name=\"file\"; filename=\"a.wav\"", "RIFF")
                + "--b0undary--\r\n").utf8)
        var (read, refused) = (0, 0)
        for _ in 0..<TestLevel.rounds(3_000, all: 20_000) {
            let damaged = Mutation.apply(to: body, &numbers)
            do {
                let parts = try MultipartForm(damaged, contentType: Self.type).parts
                #expect(parts.reduce(0) { $0 + $1.bytes.count } <= damaged.count)
                read += 1
            } catch {
                #expect([400, 415].contains(error.status) && !error.message.isEmpty)
                refused += 1
            }
        }
        let least = TestLevel.rounds(100, all: 1000)
        #expect(read > least && refused > least)
    }

    @Test("Fields are read by their kind, and what was not read is known")
    func fields() throws {
        let texts = [
            ("a", "text"), ("n", "0.5"), ("t", "true"), ("empty", ""), ("list[]", "x"), ("list[]", "y"), ("twice", "1"),
            ("twice", "2"), ("cut", "1\u{0}x"), ("hexadecimal", "0x1"), ("other", "?"),
        ]
        let body =
            texts.map { part("form-data; name=\"\($0.0)\"", $0.1) }.joined()
            + part("form-data; name=\"file\"; filename=\"x\"", "\u{0}") + "--b0undary--"
        var fields = FormFields(try form(body))
        #expect(try fields.string("a") == "text")
        #expect(try fields.number("n", in: 0...1) == 0.5)
        #expect(try fields.bool("t") == true)
        #expect(try fields.string("empty") == nil && fields.string("nothing") == nil)
        #expect(try fields.list("list") == ["x", "y"])
        #expect(try fields.file("file").map(Array.init) == [0])
        #expect(fields.ignored == ["twice", "cut", "hexadecimal", "other"])
        for read in [
            { _ = try $0.string("twice") }, { _ = try $0.number("a", in: 0...1) }, { _ = try $0.bool("a") },
            { _ = try $0.number("n", in: 1...2) }, { _ = try $0.file("twice") },
            { _ = try $0.number("cut", in: 0...1) },
            { _ = try $0.number("hexadecimal", in: 0...1) },
        ] as [(inout FormFields) throws -> Void] {
            let error = #expect(throws: APIError.self) { try read(&fields) }
            #expect(error?.status == 400 && error?.parameter?.isEmpty == false)
        }
    }

    @Test("A field that is no text is refused by its name")
    func binary() throws {
        let start = "--b0undary\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\n"
        let body = Array(start.utf8) + [0xff, 0xfe] + Array("\r\n--b0undary--".utf8)
        var fields = FormFields(try MultipartForm(body, contentType: Self.type))
        let error = #expect(throws: APIError.self) { try fields.string("model") }
        #expect(error?.parameter == "model")
    }
}
