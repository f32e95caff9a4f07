"use strict";
// A field in which a translation is typed: what may come next stands behind it in grey.
// Tab takes a word of it, Enter all, Escape puts it away until the next letter.
(function () {
  // suggest(typed) promises pieces of text, one for each word, or null.
  Dragoman.typing = function (field, ghost, suggest) {
    let pieces = [], asked = 0;

    function show(found) {
      pieces = found;
      const rest = pieces.join("");
      const typed = document.createElement("span");
      typed.className = "typed";
      typed.textContent = field.value;
      ghost.replaceChildren(typed, rest);
      field.dataset.suggestion = rest;
      ghost.scrollTop = field.scrollTop;
      grow();
    }

    // As high as both texts need; what is behind must lie where the field's own text does.
    function grow() {
      field.style.height = "auto";
      field.style.height = `${Math.max(field.scrollHeight, ghost.scrollHeight) + 2}px`;
    }

    async function ask() {
      const mine = ++asked, typed = field.value;
      if (field.selectionStart !== typed.length) { show([]); return; }
      const found = await suggest(typed);
      if (mine === asked && field.value === typed) show(found ?? []);
    }

    function take(text, left) {
      field.value += text;
      field.setSelectionRange(field.value.length, field.value.length);
      show(left);
      ask();
    }

    field.addEventListener("input", () => { show([]); ask(); });
    field.addEventListener("scroll", () => { ghost.scrollTop = field.scrollTop; });
    field.addEventListener("keydown", (event) => {
      if (!pieces.length || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      if (event.key === "Tab") { event.preventDefault(); take(pieces[0], pieces.slice(1)); }
      else if (event.key === "Enter") { event.preventDefault(); take(pieces.join(""), []); }
      else if (event.key === "Escape") { event.preventDefault(); asked++; show([]); }
    });
    return {
      // Begin anew, with this text.
      set(text) { field.value = text; show([]); if (!text) ask(); },
      ask,
    };
  };
})();
