/* The choice of colours, kept in localStorage: "light", "dark", or nothing for what the
   system prefers. This script runs before the first paint, so that nothing flashes. */
"use strict";

try {
  const theme = localStorage.getItem("tafl-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  /* Storage is closed to us: the system decides. */
}
