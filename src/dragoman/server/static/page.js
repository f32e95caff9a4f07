"use strict";
// The page: asks the server and shows its answers.
(function () {
  const { element, scrolled, heard } = Dragoman;
  const byId = (id) => document.getElementById(id);
  const state = { model: null, models: [], current: 0, forced: [], sentences: [], view: "translate", options: null };

  // Asking. Of several questions of a kind only the newest counts.
  const pending = {};
  let key = sessionStorage.getItem("dragoman-key") ?? "";

  // `tolerate(error)`: whether a refusal is no problem; it is answered with { refused: error } then.
  async function ask(kind, path, body = undefined, method = undefined, tolerate = () => false) {
    if (pending[kind]) pending[kind].abort();
    const abort = pending[kind] = new AbortController();
    const headers = key ? { "X-API-Key": key } : {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer;
    try {
      answer = await fetch(path, { method: method ?? (body === undefined ? "GET" : "POST"), headers,
        body: body === undefined ? undefined : JSON.stringify(body), signal: abort.signal });
    } catch (problem) {
      if (problem.name === "AbortError") return null;
      complain("The server does not answer.");
      return null;
    }
    if (answer.status === 401) {
      byId("key-form").hidden = false;
      byId("key").focus();
      return null;
    }
    const content = answer.status === 204 ? {} : await answer.json().catch(() => ({ error: "The answer cannot be read." }));
    if (abort.signal.aborted) return null;
    if (!answer.ok && tolerate(content.error ?? "")) { complain(""); return { refused: content.error }; }
    if (!answer.ok) { complain(content.error ?? "Something went wrong."); return null; }
    complain("");
    return content;
  }

  // For links, which cannot send headers.
  const withKey = (before) => key ? `${before}api_key=${encodeURIComponent(key)}` : "";

  function complain(text) {
    byId("problem").textContent = text;
    byId("problem").hidden = !text;
  }

  function later(milliseconds, action) {
    let timer = 0;
    return () => { clearTimeout(timer); timer = setTimeout(action, milliseconds); };
  }

  // Tabs.
  const tabs = ["translate", "search", "model"];
  function show(view, focus = false) {
    state.view = view;
    for (const name of tabs) {
      const tab = byId(`tab-${name}`), on = name === view;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      byId(`view-${name}`).hidden = !on;
      if (on && focus) tab.focus();
    }
    history.replaceState(null, "", `#${view}`);
    if (view === "search") { byId("search-sentence").value ||= state.sentences[state.current]?.source ?? firstSentence(); drawSearch(); }
    if (view === "model") showModel();
    if (view === "translate" && state.story) state.story.draw();
  }
  const firstSentence = () => byId("source").value.split("\n")[0];
  for (const name of tabs) byId(`tab-${name}`).addEventListener("click", () => show(name));
  document.querySelector(".tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) show(tabs[(tabs.indexOf(state.view) + step + tabs.length) % tabs.length], true);
  });

  // Translating as one types.
  const source = byId("source"), target = byId("target");
  const LONG = 4000;  // characters; beyond, only the translation is shown
  async function inspect() {
    const text = source.value;
    target.classList.add("stale");
    if (!text.trim()) { target.replaceChildren(); target.classList.remove("stale"); byId("why").hidden = true; byId("pace").textContent = ""; return; }
    const begun = performance.now();
    const kind = state.models.find((one) => one.name === state.model)?.kind;
    const opaque = kind === "hierarchical" || kind === "consensus";
    const memory = state.models.find((one) => one.name === state.model)?.memory ? "fuzzy" : "off";
    if (text.length > LONG || opaque) {
      await plainly(text, memory, begun, opaque ? `${kind === "consensus" ? "what several models agree on is" : "hierarchical models are"} not explained` : "too long to be explained");
      return;
    }
    const answer = await ask("inspect", "inspect", { q: text, model: state.model, nbest: 10, forced: state.forced, memory }, undefined,
      (error) => /\b(words|sentences)\b.*at most/.test(error));
    if (!answer) return;
    if (answer.refused) { await plainly(text, memory, begun, "too long to be explained"); return; }
    byId("pace").textContent = `${Math.round(performance.now() - begun)} ms`;
    state.sentences = answer.sentences;
    state.weights = answer.weights;
    state.current = Math.min(state.current, Math.max(0, answer.sentences.length - 1));
    showTarget(text);
    showWhy();
  }

  // The translation alone.
  async function plainly(text, memory, begun, why) {
    const plain = await ask("inspect", "translate", { q: text, model: state.model, memory });
    if (!plain) return;
    byId("pace").textContent = `${Math.round(performance.now() - begun)} ms · ${why}`;
    byId("why").hidden = true;
    state.sentences = [];
    target.replaceChildren(plain.translatedText);
    target.classList.remove("stale");
  }

  // Sentences become buttons; what stands between them in the source stands between them here.
  function showTarget(text) {
    const parts = [];
    let at = 0;
    state.sentences.forEach((sentence, index) => {
      const found = text.indexOf(sentence.source, at);
      if (found > at) parts.push(text.slice(at, found));
      else if (found < 0 && index) parts.push(" ");
      if (found >= 0) at = found + sentence.source.length;
      const choose = () => { state.current = index; showTarget(text); showWhy(); target.querySelectorAll(".sentence-button")[index].focus(); };
      // No button element: it would not break over lines as text does.
      parts.push(element("span", { role: "button", tabindex: "0", class: "sentence-button", "aria-pressed": String(index === state.current),
        title: "Why this translation?", onclick: choose,
        onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } } }, sentence.target));
    });
    parts.push(text.slice(at));
    target.replaceChildren(...parts);
    target.classList.remove("stale");
  }

  function showWhy() {
    const sentence = state.sentences[state.current];
    byId("why").hidden = !sentence;
    if (!sentence) return;
    state.story = Dragoman.renderStory(byId("story"), sentence, state.weights, {
      force(phrase, text) {
        const [begin, end] = phrase.source_span;
        state.forced = state.forced.filter((one) => one.sentence !== state.current || one.end <= begin || end <= one.begin);
        state.forced.push({ sentence: state.current, begin, end, target: text });
        inspect();
      },
      term(from, to) { byId("term-source").value = from; byId("term-target").value = to; byId("term-target").focus(); },
    });
    Dragoman.renderNbest(byId("nbest"), sentence.nbest);
    byId("matches-section").hidden = !sentence.matches?.length;
    Dragoman.renderMatches(byId("matches"), sentence.matches ?? [], (text) => { typed.set(text); byId("correct-target").focus(); });
    if (document.activeElement !== byId("correct-target")) typed.set("");
    const mine = state.forced.filter((one) => one.sentence === state.current);
    byId("forced").replaceChildren(...mine.map((one) => element("button", { type: "button", title: "Let the model choose again",
      onclick: () => { state.forced = state.forced.filter((other) => other !== one); inspect(); } },
      `${sentence.source_tokens.slice(one.begin, one.end).join(" ")} → ${one.target}  ✕`)));
  }

  const inspectSoon = later(160, inspect);
  source.addEventListener("input", () => { state.forced = []; inspectSoon(); });
  byId("copy").addEventListener("click", async () => {
    await navigator.clipboard?.writeText(target.textContent).catch(() => {});
    byId("copy").textContent = "Copied";
    setTimeout(() => { byId("copy").textContent = "Copy"; }, 1500);
  });

  // Typing a translation oneself.
  const typed = Dragoman.typing(byId("correct-target"), byId("ghost"), async (prefix) => {
    const sentence = state.sentences[state.current];
    if (!sentence) return null;
    const found = await ask("suggest", "suggest", { q: sentence.source, prefix, model: state.model }, undefined, () => true);
    return found?.suggestions?.[0]?.pieces ?? null;
  });

  // Teaching.
  async function teach(kind, from, to) {
    if (!from.trim() || !to.trim()) return;
    const kept = await ask("teach", "corrections", { model: state.model, kind, source: from, target: to });
    if (!kept) return;
    byId("taught").textContent = `Kept: “${kept.source}” is now “${kept.target}”.`;
    state.forced = [];
    await Promise.all([inspect(), showCorrections()]);
  }
  byId("correct").addEventListener("submit", (event) => {
    event.preventDefault();
    const sentence = state.sentences[state.current];
    if (sentence) teach("sentence", sentence.source, byId("correct-target").value);
  });
  byId("term").addEventListener("submit", (event) => {
    event.preventDefault();
    teach("term", byId("term-source").value, byId("term-target").value).then(() => event.target.reset());
  });

  async function showCorrections() {
    const entries = await ask("corrections", `corrections?model=${encodeURIComponent(state.model)}`);
    if (!entries) return;
    for (const format of ["tsv", "tmx"]) byId(`export-${format}`).href = `corrections/export?model=${encodeURIComponent(state.model)}&format=${format}${withKey("&")}`;
    byId("corrections").replaceChildren(entries.length === 0 ? element("p", { class: "faint" }, "None yet.")
      : scrolled("Corrections", element("table", {},
        element("thead", {}, element("tr", {}, ...["Kind", "Source", "Translation", heard("Forget")].map((text) => element("th", { scope: "col" }, text)))),
        element("tbody", {}, ...entries.map((entry) => element("tr", {}, element("td", {}, entry.kind), element("td", {}, entry.source),
          element("td", {}, entry.target), element("td", { class: "number" }, element("button", { type: "button", class: "quiet", "aria-label": `Forget the correction of ${entry.source}`,
            onclick: async () => { if (await ask("forget", `corrections/${entry.id}?model=${encodeURIComponent(state.model)}`, undefined, "DELETE")) { await showCorrections(); inspect(); } } }, "✕"))))))));
  }

  // Looking at searches.
  const sliders = { beam: "beam_limit", beamt: "beam_threshold", ttable: "ttable_limit", ttablet: "ttable_threshold", distortion: "distortion_limit" };
  const OFF = { beamt: 10, ttablet: 10 };  // the right end of a threshold is none at all
  function setSliders(options) {
    for (const [id, name] of Object.entries(sliders)) {
      const slider = byId(`s-${id}`);
      slider.value = options[name] ?? slider.max;
      showValue(id);
    }
  }
  function showValue(id) {
    const value = Number(byId(`s-${id}`).value);
    byId(`o-${id}`).textContent = value === OFF[id] ? "off" : String(value);
  }
  async function drawSearch() {
    const text = byId("search-sentence").value;
    if (!text.trim()) { byId("searches").replaceChildren(element("p", { class: "faint" }, "Type a sentence.")); return; }
    const search = {};
    for (const [id, name] of Object.entries(sliders)) {
      const value = Number(byId(`s-${id}`).value);
      search[name] = value === OFF[id] ? 100 : value;
    }
    const answer = await ask("search", "search", { q: text, model: state.model, search });
    if (answer) Dragoman.renderSearches(byId("searches"), answer);
  }
  const drawSearchSoon = later(120, drawSearch);
  for (const id of Object.keys(sliders)) byId(`s-${id}`).addEventListener("input", () => { showValue(id); drawSearchSoon(); });
  byId("search-sentence").addEventListener("input", drawSearchSoon);

  async function showModel() {
    const model = await ask("model", `models/${encodeURIComponent(state.model)}`);
    if (model) Dragoman.renderModel(byId("model-view"), model, `models/${encodeURIComponent(state.model)}/report${withKey("?")}`);
  }

  // Models.
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  function languageName(code) { try { return names.of(code); } catch { return code; } }
  async function useModel(name) {
    state.model = name;
    state.forced = [];
    const model = state.models.find((one) => one.name === name);
    const called = (code) => code === "und" ? "" : ` (${languageName(code)})`;
    byId("source-label").textContent = `Text to translate${called(model.source)}`;
    byId("target-label").textContent = `Translation${called(model.target)}`;
    source.lang = model.source;
    target.lang = model.target;
    const described = await ask("describe", `models/${encodeURIComponent(name)}`);
    if (described) setSliders(described.search);
    await Promise.all([inspect(), showCorrections()]);
    if (state.view !== "translate") show(state.view);
  }

  async function start() {
    const models = await ask("models", "models");
    if (!models) return;
    state.models = models;
    const pairs = new Map(models.map((model) => [`${model.source} ${model.target}`, `${languageName(model.source)} → ${languageName(model.target)}`]));
    byId("pair-choice").hidden = pairs.size < 2;
    byId("pair").replaceChildren(...[...pairs].map(([pair, name]) => element("option", { value: pair }, name)));
    offerModels();
    const view = location.hash.slice(1);
    if (tabs.includes(view)) state.view = view;
    await useModel(models[0].name);
    show(state.view);
  }
  // The models of the pair of languages that is chosen.
  function offerModels() {
    const chosen = state.models.filter((model) => byId("pair-choice").hidden || `${model.source} ${model.target}` === byId("pair").value);
    byId("model").replaceChildren(...chosen.map((model) => element("option", { value: model.name }, `${model.name} · ${model.source} → ${model.target}`)));
    byId("model-choice").hidden = !byId("pair-choice").hidden && chosen.length < 2;
  }
  byId("pair").addEventListener("change", () => { offerModels(); useModel(byId("model").value); });
  byId("model").addEventListener("change", () => useModel(byId("model").value));
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    key = byId("key").value;
    sessionStorage.setItem("dragoman-key", key);
    byId("key-form").hidden = true;
    start();
  });

  // Light and dark.
  const root = document.documentElement;
  if (localStorage.getItem("dragoman-theme")) root.dataset.theme = localStorage.getItem("dragoman-theme");
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("dragoman-theme", root.dataset.theme);
  });

  start();
})();
