"use strict";
// Documents: sent whole, and fetched when they are translated.
(function () {
  const byId = (id) => document.getElementById(id);
  const form = byId("file-form"), said = byId("file-said");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = byId("file").files[0];
    if (!file) { said.textContent = "Choose a file first."; return; }
    const body = new FormData();
    body.append("model", byId("model").value);
    body.append("file", file);
    const key = sessionStorage.getItem("dragoman-key");
    said.textContent = `Translating ${file.name} …`;
    byId("file-send").disabled = true;
    try {
      const answer = await fetch("translate_file", { method: "POST", body, headers: key ? { "X-API-Key": key } : {} });
      const content = await answer.json();
      if (!answer.ok) { said.textContent = content.error; return; }
      const link = Dragoman.element("a", { href: new URL(content.translatedFileUrl).pathname, download: file.name }, file.name);
      said.replaceChildren("Translated: ", link);
      link.click();
    } catch {
      said.textContent = "The server does not answer.";
    } finally {
      byId("file-send").disabled = false;
    }
  });
})();
