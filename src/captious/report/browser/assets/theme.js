// Light and dark: as the system has it, unless it was chosen here.

const THEMES = ["system", "light", "dark"];
const THEME_KEY = "captious-theme";

class Theme {
  constructor(changed) {
    this.changed = changed;
    this.chosen = THEMES.includes(readStored(THEME_KEY)) ? readStored(THEME_KEY) : "system";
    this.node = button("", () => this.next(), { class: "theme" });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.changed());
    this.apply();
  }

  next() {
    this.chosen = THEMES[(THEMES.indexOf(this.chosen) + 1) % THEMES.length];
    try {
      localStorage.setItem(THEME_KEY, this.chosen);
    } catch {
      // Files have no memory in some browsers: then the choice is this page's alone.
    }
    this.apply();
    this.changed();
  }

  apply() {
    document.documentElement.dataset.theme = this.chosen;
    this.node.textContent = { system: "\u25d0 auto", light: "\u25cb light", dark: "\u25cf dark" }[this.chosen];
    this.node.setAttribute("aria-label", `Colours: ${this.chosen}. Change them`);
  }
}

function readStored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
