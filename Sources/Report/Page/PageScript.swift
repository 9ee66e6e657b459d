/// What the page does beyond being read: its table of findings can be sorted.
enum PageScript {
    /// Its digest, which the page permits: nothing else on it can ever run.
    static let digest = "sha256-4KZeCd8sCPLa/vDYbXrzm4CaA+s1B3UlEUC9DAZeYTE="

    package static let text = """
        "use strict";
        for (const table of document.querySelectorAll("table.findings")) {
          table.querySelectorAll("th").forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = head.textContent;
            head.replaceChildren(button);
            button.addEventListener("click", () => {
              const up = head.getAttribute("aria-sort") !== "ascending";
              table.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
              head.setAttribute("aria-sort", up ? "ascending" : "descending");
              const key = row => row.cells[column].dataset.sort ?? row.cells[column].textContent;
              const rows = [...table.tBodies[0].rows];
              rows.sort((a, b) => (up ? 1 : -1) * key(a).localeCompare(key(b), "en", { numeric: true }));
              table.tBodies[0].append(...rows);
            });
          });
        }
        """
}
