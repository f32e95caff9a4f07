"use strict";
// The OpenAPI description for people; nothing is loaded from elsewhere.
(async function () {
  const { element, scrolled } = Dragoman;
  const api = await (await fetch("openapi.json")).json();
  const resolve = (schema) => schema?.$ref ? api.components.schemas[schema.$ref.split("/").pop()] : schema;
  const nameOf = (schema) => {
    if (!schema) return "";
    if (schema.$ref) return schema.$ref.split("/").pop();
    if (schema.anyOf) return schema.anyOf.map(nameOf).join(" or ");
    if (schema.type === "array") return `list of ${nameOf(schema.items)}`;
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    return schema.type ?? "anything";
  };
  const range = (schema) => ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"]
    .filter((name) => schema[name] !== undefined).map((name) => `${name} ${schema[name]}`).join(", ");
  function fields(schema) {
    const whole = resolve(schema);
    if (!whole?.properties) return element("p", { class: "faint" }, nameOf(schema));
    return scrolled("Fields", element("table", {},
      element("thead", {}, element("tr", {}, ...["Field", "Type", "Default", "Meaning"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...Object.entries(whole.properties).map(([name, field]) => element("tr", {},
        element("td", {}, element("code", {}, name), whole.required?.includes(name) ? " *" : ""), element("td", {}, nameOf(field)),
        element("td", {}, field.default === undefined ? "" : JSON.stringify(field.default)),
        element("td", { class: "faint" }, [field.description, range(field)].filter(Boolean).join(" · ")))))));
  }
  // Something to send: what must be there, with words for people.
  const EXAMPLES = { q: "Where is the station?", prefix: "", kind: "term", source: "station", target: "gare" };
  function example(schema) {
    const whole = resolve(schema), found = {};
    for (const name of ["q", ...(whole?.required ?? [])]) if (whole?.properties?.[name]) found[name] = EXAMPLES[name] ?? "";
    return JSON.stringify(found, null, 1);
  }
  // A form that asks the server and shows what it says. What changes something says so itself.
  function tryIt(verb, path, body) {
    const field = body ? element("textarea", { rows: 4, "aria-label": `Body of ${verb.toUpperCase()} ${path}`, spellcheck: "false" }) : null;
    if (field) field.value = example(body);
    const answer = element("pre", { hidden: true, tabindex: "0", role: "region", "aria-label": `Answer of ${path}`, "aria-live": "polite" });
    const send = async (event) => {
      event.preventDefault();
      const key = sessionStorage.getItem("dragoman-key"), headers = key ? { "X-API-Key": key } : {};
      if (field) headers["Content-Type"] = "application/json";
      answer.hidden = false;
      try {
        const found = await fetch(path.slice(1), { method: verb.toUpperCase(), headers, body: field?.value });
        const text = await found.text();
        let told = text;
        try { told = JSON.stringify(JSON.parse(text), null, 1); } catch { /* no JSON */ }
        answer.textContent = `${found.status}\n${told}`;
      } catch { answer.textContent = "The server does not answer."; }
    };
    return element("details", {}, element("summary", {}, "Try it"),
      element("form", { class: "try", onsubmit: send }, field, element("button", { type: "submit" }, "Send"), answer));
  }
  const triable = (verb, path, body) => !path.includes("{") && (verb === "get" || body?.["application/json"]);
  const parts = [];
  for (const [path, operations] of Object.entries(api.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const body = operation.requestBody?.content;
      const answer = operation.responses["200"]?.content?.["application/json"]?.schema;
      parts.push(element("section", { class: "endpoint" },
        element("h2", {}, element("span", { class: "verb" }, verb.toUpperCase()), path),
        element("p", {}, operation.description ?? operation.summary ?? ""),
        (operation.parameters ?? []).length ? element("p", { class: "faint" }, "Parameters: " + operation.parameters.map((one) => one.name).join(", ")) : null,
        body ? element("div", {}, element("h3", {}, `Body (${Object.keys(body).join(" or ")})`), fields(Object.values(body)[0].schema)) : null,
        answer ? element("details", {}, element("summary", {}, `Answer: ${nameOf(answer)}`), fields(answer.type === "array" ? answer.items : answer)) : null,
        triable(verb, path, body) ? tryIt(verb, path, body?.["application/json"]?.schema) : null,
        element("p", { class: "faint" }, "Refusals: " + Object.entries(operation.responses).filter(([status]) => status >= "400")
          .map(([status, one]) => `${status} ${one.description}`).join(" "))));
    }
  }
  document.getElementById("api").replaceChildren(
    element("p", {}, api.info.summary ?? ""),
    element("pre", { tabindex: "0", role: "group", "aria-label": "Example" }, `curl ${location.origin}/translate -H 'Content-Type: application/json' \\\n  -d '{"q": "Where is the station?", "alternatives": 2}'`), ...parts);
})();
