/* The question for the server's token: asked when a request was refused for want of one. */

import { el } from "./dom.js";

/* -> promise of the text that was given, or null. */
export function askForToken(wrong) {
  return new Promise((resolve) => {
    const field = el("input", { id: "token-field", type: "password", autocomplete: "off", spellcheck: "false", required: true });
    const form = el("form", { class: "stack" },
      el("h2", { id: "token-heading" }, "This server asks for its token"),
      wrong && el("p", { class: "notice bad" }, "The token that this page had was not accepted."),
      el("p", {}, "Looking is free for everybody; to play or to change something you need the token. ",
        "It was printed where the server was started, at the end of an address such as ",
        el("code", {}, "http://…/#token=…"), ". Opening that address does the same as typing the token here."),
      el("label", { class: "field", for: "token-field" }, "Token", field),
      el("p", { class: "row" },
        el("button", { type: "submit", class: "button primary" }, "Use this token"),
        el("button", { type: "button", class: "button", on: { click: () => finish(null) } }, "Not now")));
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "token-heading" }, form);

    function finish(value) {
      dialog.close();
      dialog.remove();
      resolve(value);
    }

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      finish(field.value.trim().replace(/^.*#token=/, "") || null);
    });
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      finish(null);
    });
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}
