// Small conveniences; every page is readable without them. Nothing here asks the network.
"use strict";

(() => {
  const root = document.documentElement;
  root.classList.add("js");

  // Search summaries are fetched page by page, which a browser refuses for files on disk.
  if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  }

  const loadScript = (address) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`cannot load ${address}`));
      document.head.append(script);
    });

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.style.position = "fixed";
      area.style.opacity = "0";
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) throw new Error("the browser does not allow copying");
    }
  };

  // Whole files come as scripts (sources/raw/….js), because a page on disk may not read files.
  const files = new Map();
  window.coalesceFile = (name, text) => files.set(name, text);

  const say = (button, text) => {
    const label = button.dataset.label ?? button.textContent;
    button.dataset.label = label;
    button.textContent = text;
    setTimeout(() => (button.textContent = label), 1600);
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.(".copy-file");
    if (!button) return;
    try {
      if (!files.has(button.dataset.file)) await loadScript(button.dataset.script);
      await copy(files.get(button.dataset.file));
      say(button, "copied");
    } catch {
      say(button, "not copied");
    }
  });

  // Charts: the drawing in the page is replaced by Vega's on request.
  const specifications = new Map();
  window.coalesceChart = (id, specification) => specifications.set(id, specification);
  const here = document.currentScript?.src ?? "";

  // Vega-Lite tells the console of each default that it takes; nobody who reads a page can use that.
  const quietly = async (work) => {
    const warn = console.warn;
    console.warn = () => {};
    try {
      return await work();
    } finally {
      console.warn = warn;
    }
  };

  // Colours in a specification are those of the light theme; the current theme's are put in.
  const coloured = (specification) => {
    const colours = specification.usermeta?.colours ?? {};
    let text = JSON.stringify(specification);
    const style = getComputedStyle(document.body);
    for (const [light, variable] of Object.entries(colours)) {
      const now = style.getPropertyValue(variable).trim();
      if (now) text = text.replaceAll(new RegExp(light, "gi"), now);
    }
    return JSON.parse(text);
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.(".chart-interactive");
    if (!button) return;
    const figure = document.getElementById(button.dataset.chart);
    const drawing = figure.querySelector(".chart-drawing");
    button.disabled = true;
    try {
      if (!window.vegaEmbed) await loadScript(new URL("vega.js", here).href);
      if (!specifications.has(figure.id)) await loadScript(button.dataset.script);
      const place = document.createElement("div");
      const chart = coloured(specifications.get(figure.id));
      const options = { actions: false, renderer: "svg" };
      await quietly(() => window.vegaEmbed(place, chart, options));
      drawing.replaceChildren(place);
      figure.classList.add("interactive");
      button.remove();
    } catch (problem) {
      console.error(problem);
      say(button, "not possible here");
      button.disabled = false;
    }
  });

  // Guesses stay in this browser.
  const memory = {
    get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
    set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* private mode */ } },
  };

  // The origin of a number, for those who reach it by keyboard or by touch. (A mouse shows the title.)
  const showOrigins = () => {
    const tip = document.createElement("div");
    tip.className = "tip origin-tip";
    tip.id = "origin-tip";
    tip.setAttribute("role", "tooltip");
    document.body.append(tip);
    let number = null;
    const place = () => {
      if (!number) return;
      const at = number.getBoundingClientRect();
      const left = Math.min(at.left, root.clientWidth - tip.offsetWidth - 12);
      const above = at.top - tip.offsetHeight - 8;
      tip.style.left = `${Math.max(left, 12)}px`;
      tip.style.top = `${above > 0 ? above : at.bottom + 8}px`;
    };
    document.addEventListener("focusin", (event) => {
      number = event.target.closest?.("[data-key][title]") ?? null;
      tip.classList.toggle("shown", number !== null);
      if (!number) return;
      document.body.classList.remove("tips-off");
      tip.textContent = number.title;
      number.setAttribute("aria-describedby", tip.id);
      place();
    });
    document.addEventListener("focusout", () => {
      number = null;
      tip.classList.remove("shown");
    });
    addEventListener("scroll", place, { passive: true });
  };

  // The troubleshooting page: what holds every word of the field stays.
  const filterTroubles = (field) => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const entries = [...document.querySelectorAll(".trouble, .goes-wrong, table.error-numbers tbody tr")];
    const fits = (entry) => words.every((word) => entry.textContent.toLowerCase().includes(word));
    for (const entry of entries) entry.hidden = !fits(entry);
    for (const section of document.querySelectorAll("article section section")) {
      const own = entries.filter((entry) => section.contains(entry));
      section.hidden = words.length > 0 && !own.some((entry) => !entry.hidden);
    }
    const left = entries.filter((entry) => !entry.hidden).length;
    const count = field.parentElement.querySelector(".trouble-count");
    count.textContent = words.length > 0 ? `${left} of ${entries.length} entries` : "";
  };

  const start = () => {
    showOrigins();
    for (const field of document.querySelectorAll("input.trouble-filter"))
      field.addEventListener("input", () => filterTroubles(field));
    for (const field of document.querySelectorAll("input[data-guess]")) {
      const key = `coalesce-guess:${field.dataset.guess}`;
      field.value = memory.get(key) ?? "";
      field.addEventListener("input", () => memory.set(key, field.value));
    }
    // A tooltip that would leave the window is moved to the left.
    for (const term of document.querySelectorAll(".term-first")) {
      const tip = term.querySelector(".tip");
      const link = term.querySelector("a");
      if (!tip || !link) continue;
      link.setAttribute("aria-describedby", tip.id);
      const place = () => {
        tip.style.left = "0";
        const over = tip.getBoundingClientRect().right + 12 - root.clientWidth;
        if (over > 0) tip.style.left = `${-over}px`;
      };
      term.addEventListener("mouseenter", place);
      term.addEventListener("focusin", place);
      term.addEventListener("mouseleave", () => document.body.classList.remove("tips-off"));
      term.addEventListener("focusin", () => document.body.classList.remove("tips-off"));
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") document.body.classList.add("tips-off");
    });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
