/// How the page of runs looks, beyond what all pages have.
enum RunsStyle {
    package static let text = """
        .small { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1.5rem 2rem; }
        .small svg { height: 4rem; }
        .small a:focus-visible .column { fill: var(--line); outline: none; }
        .small a:hover .column { fill: var(--track); }
        rect.column { fill: transparent; }
        rect.value { fill: var(--updated); }
        rect.value.odd { fill: var(--conflict); }
        rect.value.failed { fill: var(--rejected); }
        .wide { overflow-x: auto; }
        table.runs { display: table; }
        .runs thead { display: table-header-group; }
        .runs tbody { display: table-row-group; }
        .runs tr, .runs thead tr { display: table-row; }
        .runs tr > * {
          display: table-cell; width: auto !important; text-align: right; white-space: nowrap;
          padding: .4rem .8rem .4rem 0 !important; border-bottom: 1px solid var(--line) !important;
        }
        .runs th[scope="row"] { text-align: left; }
        .runs .left { text-align: left; }
        .runs tr.note td:last-child { text-align: left; white-space: normal; color: var(--faint); }
        .runs tr.bad th, .runs tr.bad td.status { color: var(--bad); }
        .runs tr.unusual th { color: var(--conflict); }
        .runs tr:target > * { background: var(--track); }
        """
}
