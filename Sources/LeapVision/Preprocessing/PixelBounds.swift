/// The size to which a picture is brought that stays whole: its proportions, multiples of a unit, and not too few or
/// too many pixels (transformers, `smart_resize`).
struct PixelBounds {
    /// The number of pixels of which both sides are multiples.
    let unit: Int
    let smallest: Int
    let largest: Int
    /// True if sides that are rounded to nothing are taken for one unit before pixels are counted.
    let countsSlivers: Bool

    func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let floor = countsSlivers ? unit : 0
        let rounded = (width: max(floor, multiple(of: width)), height: max(floor, multiple(of: height)))
        let area = Double(height) * Double(width)
        if rounded.width * rounded.height > largest {
            let ratio = (area / Double(largest)).squareRoot()
            func reduced(_ side: Int) -> Int {
                max(unit, Int((Double(side) / ratio / Double(unit)).rounded(.down)) * unit)
            }
            return (reduced(width), reduced(height))
        }
        if rounded.width * rounded.height < smallest {
            let ratio = (Double(smallest) / area).squareRoot()
            func enlarged(_ side: Int) -> Int { Int((Double(side) * ratio / Double(unit)).rounded(.up)) * unit }
            return (enlarged(width), enlarged(height))
        }
        return rounded
    }

    /// The nearest multiple of the unit; halves go to the even one.
    func multiple(of side: Int) -> Int {
        Int((Double(side) / Double(unit)).rounded(.toNearestOrEven)) * unit
    }
}
