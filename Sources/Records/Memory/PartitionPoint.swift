extension Range<Int> {
    /// The first number that meets a condition which all after it meet as well, by bisection; the upper bound, where
    /// none does.
    @inlinable
    @inline(__always)
    package func partitionPoint(where meets: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if meets(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
