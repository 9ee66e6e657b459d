import SluiceRecords

/// What the reader of a source looks for, state by state: for who wants to know why a path takes nothing.
///
/// States are made when a feed first needs them; here, all are that names and indices of the paths lead to, up to a
/// limit.
package func describeAutomaton(_ model: Model, source: Int) -> String {
    AutomatonDescription(model, source: source).text
}

private struct AutomatonDescription {
    private static let limit = 500

    private let model: Model
    private let automaton: Automaton
    private let indices: [Int]
    /// In the order in which they were met, each with the template in which it was.
    private var met: [(state: Int32, template: Int32)] = []
    private var known: Set<Int32> = [Automaton.dead]
    private(set) var text = ""

    init(_ model: Model, source: Int) {
        self.model = model
        automaton = Automaton(model: model, source: source)
        let entities = model.entities.filter { $0.sources.contains(source) }
        let paths = entities.flatMap { $0.records + $0.slots.map(\.path) }
        let named = paths.flatMap(\.steps).compactMap { step in
            if case .index(let index) = step { index } else { nil }
        }
        indices = Set(named).sorted()
        meet(automaton.root, in: -1)
        var at = 0
        while at < met.count, at < AutomatonDescription.limit {
            describe(met[at].state, in: met[at].template)
            at += 1
        }
        if at < met.count { text += "  … and \(met.count - at) more\n" }
    }

    private mutating func meet(_ state: Int32, in template: Int32) {
        if known.insert(state).inserted { met.append((state, template)) }
    }

    private mutating func describe(_ state: Int32, in template: Int32) {
        let info = automaton.tables.infos[Int(state)]
        let roles = (state == automaton.root ? ["the feed"] : []) + values(info, in: template) + records(info)
        text += "  state \(state)\(roles.isEmpty ? "" : ": " + roles.joined(separator: ", "))\n"
        if info.template >= 0 { meet(automaton.templates[Int(info.template)].state, in: info.template) }
        for (name, next) in steps(from: state) where next != Automaton.dead {
            text += "    \(name) -> \(next)\n"
            meet(next, in: template)
        }
    }

    /// Where members and elements lead: those that paths name, and all others.
    private func steps(from state: Int32) -> [(name: String, next: Int32)] {
        guard automaton.tables.infos[Int(state)].continues || state == automaton.root else { return [] }
        let element = automaton.next(state, index: .max)
        if state == automaton.root { return [("a value", element)] }
        let other = automaton.next(state, symbol: SymbolTable.other)
        let names = automaton.symbols.names.map { (name: String(decoding: $0.key, as: UTF8.self), symbol: $0.value) }
        let members = names.sorted { $0.symbol < $1.symbol }.map { ($0.name, automaton.next(state, symbol: $0.symbol)) }
        let elements = indices.map { ("[\($0)]", automaton.next(state, index: $0)) }
        return members.filter { $0.1 != other } + [("any other member", other)]
            + elements.filter { $0.1 != element } + [("any other element", element)]
    }

    /// The slots that a value in a state fills.
    private func values(_ info: StateInfo, in template: Int32) -> [String] {
        (0..<Int(info.actionCount)).map { offset in
            let action = automaton.tables.actions[Int(info.actionStart) + offset]
            guard template >= 0 else { return "slot \(action.slot)" }
            let members = automaton.templates[Int(template)].members
            let row = Int(action.ordinal)
            let around = members.ancestors.count
            if row < around {
                // Ancestors count their own slots.
                let ancestor = automaton.ancestors[members.ancestors[row].ancestor]
                return "\(name(ancestor.entity)) slot \(ancestor.slots[Int(action.slot)]) (\(action.kind), around)"
            }
            return "\(name(members.entities[row - around])) slot \(action.slot) (\(action.kind))"
        }
    }

    private func name(_ entity: Int) -> String { model.entities[entity].name }

    /// The records that a node in a state is.
    private func records(_ info: StateInfo) -> [String] {
        guard info.template >= 0 else { return [] }
        let template = automaton.templates[Int(info.template)]
        let around = template.ancestors.map { "around \(name(automaton.ancestors[$0.ancestor].entity))" }
        let names = template.entities.map { "a record of \(name($0))" }
        return around + names + ["its values from state \(template.state)"]
    }
}
