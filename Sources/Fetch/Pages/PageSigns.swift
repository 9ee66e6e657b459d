import SluiceExtract
import SluiceRecords

/// What an answer says of further pages, as its members come by: those of the objects at its top, and of lists of
/// links. Of a list that begins with an object and goes on with a list, that object is at the top.
struct PageSigns {
    /// Objects in objects, so deep.
    private static let mostLevels = 3

    /// An object or a list that is open.
    private struct Level {
        enum Kind { case object, links, link, top }

        var kind: Kind
        /// What leads to it; nil: it is the outermost.
        var step: Path.Step?
        /// Its name, as it is compared.
        var name = ""
        /// Of a list: the index of the element.
        var element = 0
        // What its members say together.
        var roles: NextPageNames.Roles = []
        var page: UInt64?
        var pages: (path: Path, count: UInt64)?
        var count: UnaskedPages?
        var range: UnaskedPages?
        var hasEndOfRange = false
        var rest: Path?
        var hasReset = false
        var isNext = false
        var target: Path?
    }

    /// The path of the first member that leads to a next page, or says that there is one.
    private(set) var way: (path: Path, certainty: UnaskedPages.Certainty)?
    /// The first number of all records; and the first that is one if the answer speaks of pages.
    private var count: UnaskedPages?
    private var total: UnaskedPages?
    /// The first that may lead to a next page; and the first that does if the answer speaks of pages.
    private var likely: Path?
    private var incomplete: Path?
    private var roles: NextPageNames.Roles = []
    /// Whether the answer says that this is the last page.
    private var saysEnd = false
    /// Whether nothing more is looked for.
    private var isOver = false
    private var levels: [Level] = []
    /// That of the next value.
    private var name = ""

    /// Whether what comes is of no interest.
    var isSettled: Bool { isOver || way != nil && !isOfList }

    /// Whether the answer is a list, of which it is not known yet whether it begins with what is about pages.
    private var isOfList: Bool { levels.first?.kind == .top }

    /// What the answer says of further pages; nil: nothing.
    var unasked: UnaskedPages? {
        if isOfList { return nil }
        if let way { return UnaskedPages(place: way.path.description, certainty: way.certainty) }
        if let count = count ?? (roles.contains(.measure) ? total : nil) { return count }
        let speaksOfPages = !roles.isDisjoint(with: [.measure, .lastRecord, .bookmark])
        guard !saysEnd, let path = likely ?? (speaksOfPages ? incomplete : nil) else { return nil }
        return UnaskedPages(place: path.description, certainty: .likely)
    }

    // MARK: What comes

    /// Enters an object; false: nothing is looked for in it.
    mutating func beginObject() -> Bool {
        if isOver { return false }
        guard let outer = levels.last else {
            levels.append(Level(kind: .object))
            return true
        }
        switch outer.kind {
        case .object:
            guard levels.lazy.filter({ $0.kind == .object }).count < PageSigns.mostLevels else { return false }
            levels.append(Level(kind: .object, step: .name(name), name: NextPageNames.plain(name)))
        case .links: levels.append(Level(kind: .link, step: .index(outer.element)))
        case .link: return false
        case .top:
            guard outer.element == 0 else { return giveUp() }
            levels.append(Level(kind: .object, step: .index(0)))
        }
        return true
    }

    /// Enters a list; false: nothing is looked for in it.
    mutating func beginList() -> Bool {
        if isOver { return false }
        guard let outer = levels.last else {
            levels.append(Level(kind: .top))
            return true
        }
        switch outer.kind {
        case .object:
            guard NextPageNames.links.containsExactly(NextPageNames.plain(name)) else { return false }
            levels.append(Level(kind: .links, step: .name(name)))
            return true
        case .links, .link: return false
        case .top:
            guard outer.element == 1 else { return giveUp() }
            levels = []
            isOver = true
            return false
        }
    }

    /// The answer is a list of other things.
    @discardableResult
    private mutating func giveUp() -> Bool {
        self = PageSigns()
        isOver = true
        return false
    }

    /// Goes on to the next member or element. Whether a name comes then.
    mutating func goOn() -> Bool {
        guard let last = levels.indices.last else { return false }
        levels[last].element += 1
        return levels[last].kind == .object || levels[last].kind == .link
    }

    /// Leaves an object or a list.
    mutating func end() {
        guard let level = levels.popLast() else { return }
        switch level.kind {
        case .top: giveUp()
        case .links: break
        case .link: if level.isNext, let target = level.target { keep(target, .ofList) }
        case .object:
            if let pages = level.pages, let page = level.page, page < pages.count { keep(pages.path, .ofList) }
            if !level.roles.isDisjoint(with: .offset), !level.roles.isDisjoint(with: .limit) {
                count = count ?? level.count
            }
            if level.hasEndOfRange { count = count ?? level.range }
            if !level.hasReset { likely = likely ?? level.rest }
        }
    }

    /// The name of the next value.
    mutating func key(_ text: String) {
        name = text
        guard let level = levels.last, level.kind == .object, level.name.isIdentical(to: NextPageNames.lastKey) else {
            return
        }
        keep(Path(root: .feed, steps: levels.compactMap(\.step)), .named)
    }

    mutating func text(_ text: String) {
        guard let level = levels.last else { return }
        let name = NextPageNames.plain(name)
        switch level.kind {
        case .top: giveUp()
        case .links: break
        case .link: link(name, text)
        case .object:
            note(name)
            if text.isEmpty { return }
            if NextPageNames.leadsOn(name, in: level.name, text) {
                keep(here, .named)
            } else if leadsOn(name, level.name) {
                keep(here, .ofList)
            } else if NextPageNames.isBookmark(name, in: level.name), !["nil", "null"].containsExactly(text) {
                likely = likely ?? here
            }
        }
    }

    /// Takes `true`, `false`, `null` or a number.
    mutating func word(_ word: [UInt8]) {
        guard let level = levels.last else { return }
        guard level.kind == .object else {
            if level.kind == .top { giveUp() }
            return
        }
        let name = NextPageNames.plain(name)
        note(name)
        if word.elementsEqual("null".utf8) {
            if NextPageNames.roles(of: name).contains(.address) { saysEnd = true }
        } else if word.elementsEqual("true".utf8) || word.elementsEqual("false".utf8) {
            judge(word.count == 4, name, in: level.name)
        } else if let number = UInt64(String(decoding: word, as: UTF8.self)) {
            judge(number, name, in: level.name)
        }
    }

    // MARK: What it says

    private var here: Path { Path(root: .feed, steps: levels.compactMap(\.step) + [.name(name)]) }

    private mutating func keep(_ path: Path, _ certainty: UnaskedPages.Certainty) {
        if way == nil { way = (path, certainty) }
    }

    /// Notes that a member is there.
    private mutating func note(_ name: String) {
        let own = NextPageNames.roles(of: name)
        if own.contains(.lastRecord) || own.contains(.bookmark) { roles.formUnion(own) }
        if name.isIdentical(to: "reset") { levels[levels.count - 1].hasReset = true }
    }

    private mutating func link(_ name: String, _ text: String) {
        let last = levels.count - 1
        if ["rel", "relation"].containsExactly(name) {
            levels[last].isNext = text.lowercased().isIdentical(to: "next")
        } else if NextPageNames.isTarget(name), NextPageNames.isAddress(text) {
            levels[last].target = here
        }
    }

    /// Whether a text, or a number that is not 0, leads to a next page of a list.
    private func leadsOn(_ name: String, _ parent: String) -> Bool {
        let isAtTop = levels.count == 2 && levels[0].kind == .object
        return NextPageNames.roles(of: name).contains(.position) || NextPageNames.isNext(name, in: parent)
            || isAtTop && NextPageNames.continues(name, in: parent)
    }

    private mutating func judge(_ isSo: Bool, _ name: String, in parent: String) {
        if NextPageNames.saysMore(name) {
            if isSo { keep(here, NextPageNames.isTruncated(name) ? .ofList : .named) } else { saysEnd = true }
        } else if NextPageNames.roles(of: name).contains(.last) {
            if isSo { saysEnd = true } else { keep(here, .named) }
        } else if NextPageNames.saysComplete(name) {
            if isSo { saysEnd = true } else { incomplete = incomplete ?? here }
        } else if isSo, NextPageNames.isNext(name, in: parent) {
            keep(here, .ofList)
        } else if isSo, name.isIdentical(to: "more") {
            likely = likely ?? here
        }
    }

    private mutating func judge(_ number: UInt64, _ name: String, in parent: String) {
        let (own, last) = (NextPageNames.roles(of: name), levels.count - 1)
        roles.formUnion(own)
        levels[last].roles.formUnion(own)
        if own.contains(.page) { levels[last].page = number }
        if ["from", "to"].containsExactly(name) { levels[last].hasEndOfRange = true }
        if number > 0, own.contains(.cursor) || leadsOn(name, parent) || NextPageNames.isRest(name, in: parent) {
            keep(here, .ofList)
        }
        if number > 0, NextPageNames.mayBeRest(name, in: parent) { levels[last].rest = levels[last].rest ?? here }
        if number < 2 { return }
        let counted = UnaskedPages(place: here.description, total: number)
        if NextPageNames.isPageCount(name, in: parent) {
            keep(here, .named)
        } else if name.isIdentical(to: "pages") {
            levels[last].pages = (here, number)
        } else if NextPageNames.isRecordCount(name, in: parent) || isTotalValue(name, parent) {
            count = count ?? counted
        } else if NextPageNames.isTotal(name) {
            total = total ?? counted
        } else if name.isIdentical(to: "count") {
            levels[last].count = levels[last].count ?? counted
        } else if name.isIdentical(to: "of") {
            levels[last].range = levels[last].range ?? counted
        }
    }

    /// Whether a member has the number of all records as Elasticsearch says it.
    private func isTotalValue(_ name: String, _ parent: String) -> Bool {
        name.isIdentical(to: "value") && NextPageNames.isTotal(parent)
            && levels.dropLast().last?.name.isIdentical(to: "hits") == true
    }
}
