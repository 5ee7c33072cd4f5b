
// Comfort only: the page says everything without it. Filters lists, copies commands, walks along the timeline.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("script");
  const said = document.getElementById("said");
  const each = (selector, act, within = document) => within.querySelectorAll(selector).forEach(act);

  // Buttons and words above a list hide what they do not mean. A section opens while it is searched.
  each(".filter", (filter) => {
    const list = document.getElementById(filter.dataset.list);
    const items = [...list.querySelectorAll("[data-kind]")];
    const words = new Map(items.map((item) => {
      const section = item.closest("details");
      const title = section && section.contains(item) && section !== item.firstElementChild ? section.querySelector("summary").textContent : "";
      return [item, (item.textContent + " " + title).toLowerCase()];
    }));
    const sections = [...list.querySelectorAll(":scope > details")];
    const field = filter.querySelector("input");
    const apply = () => {
      const pressed = filter.querySelector("[aria-pressed=true]");
      const kind = pressed ? pressed.dataset.show : "";
      const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const item of items) {
        const fits = (!kind || item.dataset.kind.split(" ").includes(kind)) && wanted.every((word) => words.get(item).includes(word));
        item.hidden = !fits;
        shown += fits;
      }
      const searching = kind !== "" || wanted.length > 0;
      for (const section of sections) {
        section.hidden = !section.querySelector("[data-kind]:not([hidden])");
        if (searching !== "found" in section.dataset) {
          if (searching) { section.dataset.found = section.open ? "open" : ""; }
          else { section.open = section.dataset.found === "open"; delete section.dataset.found; }
        }
        if (searching) section.open = shown <= 60 || section.dataset.found === "open";
      }
      said.textContent = searching ? `${shown} of ${items.length} shown` : "";
    };
    each("button", (button) => button.addEventListener("click", () => {
      const was = button.getAttribute("aria-pressed") === "true";
      each("button", (one) => one.setAttribute("aria-pressed", "false"), filter);
      button.setAttribute("aria-pressed", String(!was));
      apply();
    }), filter);
    field.addEventListener("input", apply);
  });

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  };
  each(".copy", (button) => button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("code");
    const done = await copy(code.textContent);
    if (!done) getSelection().selectAllChildren(code);
    button.textContent = done ? "Copied" : "Selected";
    said.textContent = button.textContent;
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }));

  // The timeline: what a mark stands for is shown below the picture; arrow keys go to the next one.
  const card = document.getElementById("commit");
  const lanes = [...document.querySelectorAll(".lane")].map((lane) => [...lane.querySelectorAll(".mark")]).filter((marks) => marks.length);
  const x = (mark) => parseFloat(mark.querySelector("circle").getAttribute("cx"));
  const show = (mark) => {
    const row = document.getElementById(mark.getAttribute("href").slice(1));
    const table = document.createElement("table");
    const copied = row.cloneNode(true);
    copied.removeAttribute("id");
    table.append(document.createElement("tbody"));
    table.tBodies[0].append(copied);
    table.className = "changes";
    table.setAttribute("aria-label", row.closest("table").caption.textContent);
    card.replaceChildren(table);
    each(".mark.now", (one) => one.classList.remove("now"));
    mark.classList.add("now");
  };
  lanes.forEach((marks, lane) => marks.forEach((mark, at) => {
    mark.addEventListener("mouseenter", () => show(mark));
    mark.addEventListener("focus", () => show(mark));
    mark.addEventListener("keydown", (event) => {
      const nearest = (other) => other && other.reduce((a, b) => (Math.abs(x(b) - x(mark)) < Math.abs(x(a) - x(mark)) ? b : a));
      const next = { ArrowRight: marks[at + 1], ArrowLeft: marks[at - 1], ArrowDown: nearest(lanes[lane + 1]), ArrowUp: nearest(lanes[lane - 1]), Home: marks[0], End: marks[marks.length - 1] }[event.key];
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
  }));
  // One stop for each lane; the arrows do the rest.
  lanes.forEach((marks) => marks.slice(1).forEach((mark) => mark.setAttribute("tabindex", "-1")));
})();
