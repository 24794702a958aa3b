"use strict";
document.documentElement.classList.add("js");
try {
  const theme = localStorage.getItem("wai-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A file opened in a browser that keeps nothing for files: the theme of the system.
}
