/// How the page looks, in light and dark, on wide and narrow screens, and on paper.
enum PageStyle {
    package static let text = """
        :root {
          color-scheme: light dark;
          --back: #fcfcfa; --panel: #ffffff; --text: #1d2024; --faint: #62676e; --line: #e1e3e0; --track: #eef0ed;
          --good: #1a7f4b; --bad: #b3261e; --bad-back: #fdeeec;
          --created: #2f9e6b; --updated: #3b76c4; --unchanged: #b4bac2; --skipped: #d9dcd8; --duplicate: #d9c58a;
          --conflict: #d99a1f; --rejected: #cf4035; --drift: #8b6bb8;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #15171a; --panel: #1c1f23; --text: #e4e6e8; --faint: #9aa1a9; --line: #30353b; --track: #262a2f;
            --good: #5cc795; --bad: #ff8a80; --bad-back: #3a1f1d;
            --created: #45b584; --updated: #5e95dd; --unchanged: #626a74; --skipped: #3f454c; --duplicate: #8f8256;
            --conflict: #d9a53f; --rejected: #e8695f; --drift: #a98bd4;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--back); color: var(--text);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
          font-variant-numeric: tabular-nums;
        }
        main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; }
        h1 { font-size: 2rem; line-height: 1.15; margin: 0; letter-spacing: -0.01em; overflow-wrap: anywhere; }
        h2 { font-size: 1.15rem; margin: 0 0 1rem; }
        h3 { font-size: 1rem; margin: 0 0 .4rem; display: flex; gap: 1rem; justify-content: space-between; }
        h4 { font-size: .875rem; font-weight: 500; margin: 0 0 .3rem; }
        h3, h4 { overflow-wrap: anywhere; }
        p { margin: 0; }
        section { margin-top: 2.75rem; }
        .tool { color: var(--faint); font-size: .8125rem; letter-spacing: .08em; text-transform: uppercase; }
        .outcome { font-size: 1.15rem; font-weight: 600; margin: .4rem 0 .75rem; }
        .outcome::before { content: "✓"; margin-right: .5rem; }
        .outcome.bad::before { content: "✕"; }
        .outcome.good { color: var(--good); }
        .outcome.bad { color: var(--bad); }
        .facts { color: var(--faint); font-size: .9375rem; display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; }
        .path, .digest, pre, code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        .path { font-size: .8125rem; overflow-wrap: anywhere; }
        .inner, .note, .digest { color: var(--faint); }
        .note { font-size: .875rem; margin-top: .5rem; }
        .attention {
          margin-top: 1.75rem; padding: .9rem 1.1rem; background: var(--bad-back); border-left: 4px solid var(--bad);
          border-radius: 4px; overflow-wrap: anywhere;
        }
        .attention p + p { margin-top: .5rem; }
        article { padding: 1rem 0 1.25rem; border-top: 1px solid var(--line); }
        .number { font-weight: 400; color: var(--faint); white-space: nowrap; }
        .bar { display: flex; height: .875rem; background: var(--track); border-radius: 3px; overflow: hidden; }
        .bar i { min-width: 12px; border-right: 1px solid var(--back); }
        .bar i:last-child { border-right: 0; }
        .legend { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; list-style: none; margin: .4rem 0 0; padding: 0; }
        .legend { font-size: .875rem; color: var(--faint); }
        .legend b { color: var(--text); font-weight: 600; }
        .legend i, .kinds i, .note i {
          display: inline-block; width: .6rem; height: .6rem; border-radius: 2px; margin-right: .4rem;
        }
        .relationship { margin: 1rem 0 0 1.25rem; }
        .relationship .bar { height: .4rem; }
        i.created, i.resolved { background: var(--created); }
        i.updated { background: var(--updated); }
        i.unchanged, i.null { background: var(--unchanged); }
        i.skipped { background: var(--skipped); }
        i.duplicate { background: var(--duplicate); }
        i.conflict, i.unresolved { background: var(--conflict); }
        i.edited { background: var(--updated); }
        i.rejected, i.reject { background: var(--rejected); }
        i.drift, i.check { background: var(--drift); }
        .trend rect { fill: var(--drift); }
        i.unmatched { background: var(--bad); }
        .plots { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; }
        figure { margin: 0; min-width: 0; }
        figcaption { display: flex; justify-content: space-between; gap: 1rem; font-size: .875rem; margin-bottom: .4rem; }
        figcaption b { font-weight: 600; }
        figcaption span, .axis { color: var(--faint); }
        svg { display: block; width: 100%; height: 7.5rem; border-bottom: 1px solid var(--line); overflow: visible; }
        polyline { fill: none; stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
        polygon { opacity: .16; }
        .speed polyline { stroke: var(--updated); }
        .speed polygon { fill: var(--updated); }
        .memory polyline { stroke: var(--drift); }
        .memory polygon { fill: var(--drift); }
        rect.waiting { fill: var(--track); }
        i.waiting { background: var(--track); border: 1px solid var(--line); }
        .axis, time { white-space: nowrap; }
        .axis { display: flex; justify-content: space-between; gap: 1rem; font-size: .8125rem; margin-top: .3rem; }
        .kinds { list-style: none; margin: 0 0 1rem; padding: 0; }
        table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
        th, td { text-align: left; vertical-align: top; padding: .6rem 1rem .6rem 0; border-bottom: 1px solid var(--line); }
        th:last-child, td:last-child { padding-right: 0; }
        th { font-size: .8125rem; font-weight: 600; color: var(--faint); }
        th button { all: unset; cursor: pointer; }
        th button:hover { color: var(--text); }
        th button:focus-visible { outline: 2px solid var(--updated); outline-offset: 2px; border-radius: 2px; }
        th button::after { content: " ↕"; opacity: .5; }
        th[aria-sort="ascending"] button::after { content: " ↑"; opacity: 1; }
        th[aria-sort="descending"] button::after { content: " ↓"; opacity: 1; }
        td:nth-child(1) { width: 8.5rem; }
        td:nth-child(2) { width: 36%; }
        td { overflow-wrap: anywhere; }
        .kind { font-size: .8125rem; font-weight: 600; white-space: nowrap; }
        .kind::before {
          content: ""; display: inline-block; width: .6rem; height: .6rem; border-radius: 2px; margin-right: .4rem;
        }
        .kind.reject::before { background: var(--rejected); }
        .kind.unresolved::before, .kind.conflict::before { background: var(--conflict); }
        .kind.duplicate::before { background: var(--duplicate); }
        .kind.drift::before, .kind.check::before { background: var(--drift); }
        .kind.unmatched::before { background: var(--bad); }
        .new {
          margin-left: .4rem; padding: 0 .35rem; border-radius: 4px; background: var(--bad-back); color: var(--bad);
          font-size: .75rem; font-weight: 600;
        }
        details { margin-top: .35rem; }
        summary { cursor: pointer; color: var(--faint); font-size: .875rem; }
        pre {
          margin: .4rem 0 0; padding: .7rem .8rem; background: var(--track); border-radius: 4px; font-size: .8125rem;
          white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow-y: auto;
        }
        .drawing { overflow-x: auto; padding-bottom: .5rem; }
        svg.trend { width: auto; height: 1.5rem; border: 0; margin: .4rem 0; }
        .drawing svg { width: auto; height: auto; max-width: none; border: 0; }
        .sources { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: .75rem 1.5rem; }
        .sources { font-size: .9375rem; }
        dt { font-weight: 600; overflow-wrap: anywhere; }
        dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
        .digest { font-size: .75rem; }
        footer { margin-top: 3rem; color: var(--faint); font-size: .8125rem; }
        @media (max-width: 40rem) {
          main { padding: 1.5rem 1rem 2rem; }
          h1 { font-size: 1.6rem; }
          .plots { grid-template-columns: 1fr; }
          .relationship { margin-left: .75rem; }
          thead { display: flex; gap: 1.25rem; border-bottom: 1px solid var(--line); }
          thead tr { display: contents; }
          th { border: 0; padding: .4rem 0; }
          table, tbody, tr, td { display: block; width: auto; }
          tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
          td, td:nth-child(1), td:nth-child(2) { border: 0; padding: .1rem 0; width: auto; }
          .sources { grid-template-columns: 1fr; gap: .25rem; }
          dd { margin-bottom: .75rem; }
        }
        @media print {
          main { max-width: none; padding: 0; }
          article, figure, tr { break-inside: avoid; }
          .bar i, .legend i, .kind::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """
}
