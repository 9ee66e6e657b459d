import SluiceRecords

/// Cells of a row of which some are lists, side by side: what they are at one place of the lists after the other. A
/// cell that is no list is the same at each.
struct ListsBeside {
    /// What the cells are at the place at hand; before the first `advance`, the lists themselves.
    private(set) var cells: [Cell]
    /// The lists among the cells, with their next elements.
    private var lists: [(index: Int, next: Int)]

    init(_ cells: [Cell]) {
        self.cells = cells
        lists = cells.indices.filter { cells[$0].kind == .list }.map { ($0, cells[$0].head) }
    }

    /// Goes on to the next place.
    mutating func advance(_ batch: RecordBatch) {
        for place in lists.indices {
            let element = batch.elements[lists[place].next]
            cells[lists[place].index] = element.cell
            lists[place].next = Int(element.next)
        }
    }
}
