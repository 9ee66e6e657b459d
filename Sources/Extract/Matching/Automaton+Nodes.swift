import SluiceRecords

// What a node is, and what is to be done at it.
extension Automaton {
    func actions(at item: Item) -> [Action] {
        guard item.track >= 0 else { return [] }
        let track = tracks[item.track]
        guard case .slot(let ordinal, let index, let slot, let isOutside) = track.goal else { return [] }
        func action(_ kind: Action.Kind) -> Action {
            Action(kind: kind, isOutside: isOutside, ordinal: Int32(ordinal), slot: Int32(index))
        }
        var found: [Action] = []
        if slot.many && item.position == track.definiteCount && !item.isBelow {
            found.append(action(.listBegin))
        }
        if slot.many && track.wantsElements(at: item.position) { found.append(action(.listWithin)) }
        if item.position == track.steps.count {
            switch (slot.path.isKey, slot.json, slot.many) {
            case _ where slot.isPlace: found.append(action(.listPlace))
            case (true, _, false): found.append(action(.key))
            case (true, _, true): found.append(action(.listKey))
            case (false, true, false): found.append(action(.json))
            case (false, true, true): found.append(action(.listJSON))
            case (false, false, false): found.append(action(.value))
            case (false, false, true): found.append(action(.listValue))
            }
        }
        return found
    }

    func template(of set: PlaceSet) -> Int32 {
        let members = Members(ancestors: roles(at: set), entities: entities(at: set.items))
        guard !members.entities.isEmpty || !members.ancestors.isEmpty else { return -1 }
        if let known = templates.number(of: members) { return Int32(known) }
        var starts: [Item] = []
        for (ordinal, role) in members.ancestors.enumerated() { starts += slots(of: role, ordinal) }
        for (ordinal, entity) in members.entities.enumerated() {
            starts += slots(of: entity, members.ancestors.count + ordinal)
        }
        return add(Template(members: members, state: state(of: starts)))
    }

    private func add(_ template: Template) -> Int32 {
        let members = template.ancestors.map { Int32($0.ancestor) } + template.entities.map { Int32($0) }
        tables.templateMembers.ensure(tables.memberCount + members.count)
        for (index, member) in members.enumerated() { tables.templateMembers[tables.memberCount + index] = member }
        let number = templates.add(template, as: template.members)
        tables.templates.ensure(templates.count)
        tables.templates[number] = TemplateInfo(
            state: template.state, memberStart: Int32(tables.memberCount),
            ancestorCount: Int32(template.ancestors.count), entityCount: Int32(template.entities.count))
        tables.memberCount += members.count
        return Int32(number)
    }

    /// The paths of records that end at a node.
    private func paths(at set: [Item]) -> [RecordPath] {
        set.compactMap { item in
            guard item.track >= 0, step(of: item) == nil else { return nil }
            guard case .record(let entity, let number) = tracks[item.track].goal else { return nil }
            return RecordPath(entity: entity, number: number)
        }
    }

    func end(of set: [Item]) -> Int32 {
        let paths = paths(at: set)
        guard !paths.isEmpty else { return -1 }
        return Int32(ends.number(of: paths) ?? ends.add(paths, as: paths))
    }

    /// The entities of which a node is a record.
    private func entities(at set: [Item]) -> [Int] { Set(paths(at: set).map(\.entity)).sorted() }

    /// What ancestors a node is, or may turn out to be.
    private func roles(at set: PlaceSet) -> [Role] {
        if ancestors.isEmpty { return [] }
        let taken = searches[set.search].taken.merging(taken(by: set.items), uniquingKeysWith: max)
        return taken.keys.sorted().map { Role(ancestor: $0, taken: taken[$0] ?? 0) }
    }

    /// How many steps have led to the node of some items, by the ancestors that it is, or may turn out to be.
    func taken(by items: [Item]) -> [Int: Int] {
        var taken: [Int: Int] = [:]
        for item in items where item.track >= 0 && !ancestors.isEmpty {
            guard case .record(let entity, let number) = tracks[item.track].goal else { continue }
            for index in ancestorsOf[entity] ?? [] {
                let ancestor = ancestors[index]
                // A node below one to which steps led is no end of a beginning.
                if item.isBelow, case .beginning = ancestor.place { continue }
                let steps = ancestor.taken(at: item.position, of: tracks[item.track], records: number)
                if let steps { taken[index] = max(taken[index] ?? 0, steps) }
            }
        }
        return taken
    }

    /// The places where the slots of a record begin.
    private func slots(of entity: Int, _ ordinal: Int) -> [Item] {
        model.entities[entity].slots.enumerated().compactMap { index, slot in
            guard slot.path.root == .record && slot.path.parents == 0 else { return nil }
            return add(slot.path, .slot(ordinal: ordinal, slot: index, slot, isOutside: false))
        }
    }

    /// The places where the slots begin that are filled from an ancestor. They are known by their number there.
    private func slots(of role: Role, _ ordinal: Int) -> [Item] {
        let ancestor = ancestors[role.ancestor]
        return ancestor.slots.enumerated().flatMap { index, slot in
            var slot = model.entities[ancestor.entity].slots[slot]
            slot.path.steps.removeFirst(role.taken)
            let goal = Track.Goal.slot(ordinal: ordinal, slot: index, slot, isOutside: true)
            // The other path starts at the same node, see `Slot.otherPath`.
            return [add(slot.path, goal)] + (slot.otherPath.map { [add($0, goal)] } ?? [])
        }
    }
}
