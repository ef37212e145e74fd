import LeapTemplate
import Testing

/// `strftime_now`.
struct ClockTests {
    @Test(
        "Dates are formatted as the C library formats them",
        arguments: [
            ("%d %b %Y", "04 Mar 2025"), ("%Y-%m-%d", "2025-03-04"), ("%B %d, %Y", "March 04, 2025"),
            ("%A %-d/%-m %H:%M:%S %p %I", "Tuesday 4/3 15:06:07 PM 03"),
            ("%j %U %W %V %G %u %w", "063 09 09 10 2025 2 2"),
            (
                "%c|%x|%X|%D|%F|%T|%R|%r",
                "Tue Mar  4 15:06:07 2025|03/04/25|15:06:07|03/04/25|2025-03-04|15:06:07|15:06|03:06:07 PM"
            ),
            ("%%|%Q|%n|%t|%z%Z|%f|%e|%k|%l|%P|%C|%y|%s", "%|%Q|\n|\t||000000| 4|15| 3|pm|20|25|1741100767"), ("%", "%"),
            ("%5d|%_d|%^a|%-", "00004| 4|TUE|%-"), ("é%Yé", "é2025é"),
        ])
    func formats(_ format: String, _ expected: String) throws {
        #expect(try Fixtures.render("{{ strftime_now(f) }}", ["f": .string(format)]) == expected)
    }

    @Test("Weeks and weekdays are right around the turn of the year")
    func yearEnds() throws {
        let cases: [(Int, Int, Int, String)] = [
            (2024, 12, 30, "1 365 2025-01 52 53"), (2027, 1, 1, "5 001 2026-53 00 00"),
            (2023, 1, 1, "0 001 2022-52 01 00"),
            (2020, 12, 31, "4 366 2020-53 52 52"), (2000, 2, 29, "2 060 2000-09 09 09"),
        ]
        for (year, month, day, expected) in cases {
            let clock = FixedTemplateClock(TemplateDate(year: year, month: month, day: day))
            let text = try ChatTemplate(source: "{{ strftime_now('%w %j %G-%V %U %W') }}").render([:], clock: clock)
            #expect(text == expected, "\(year)-\(month)-\(day)")
        }
    }

    @Test("The system's clock shows a plausible date")
    func systemClock() {
        let date = SystemTemplateClock().now()
        #expect(date.year >= 2024 && (1...12).contains(date.month) && (1...31).contains(date.day))
        #expect((0...23).contains(date.hour) && (0...999_999).contains(date.microsecond))
    }
}
