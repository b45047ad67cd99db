// The reader's choice of light or dark, as the other pages keep it.
"use strict";
(() => {
  let theme = null;
  try { theme = localStorage.getItem("theme"); } catch { /* private mode */ }
  if (theme === "light" || theme === "dark") document.documentElement.classList.add(theme);
  document.addEventListener("DOMContentLoaded", () => {
    document.body.dataset.theme = theme ?? "auto";
  });
})();
