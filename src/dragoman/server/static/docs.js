"use strict";
// The OpenAPI description for people; nothing is loaded from elsewhere.
(async function () {
  const { element } = Dragoman;
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
    return element("div", { class: "scroll" }, element("table", {},
      element("thead", {}, element("tr", {}, ...["Field", "Type", "Default", ""].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...Object.entries(whole.properties).map(([name, field]) => element("tr", {},
        element("td", {}, element("code", {}, name), whole.required?.includes(name) ? " *" : ""), element("td", {}, nameOf(field)),
        element("td", {}, field.default === undefined ? "" : JSON.stringify(field.default)),
        element("td", { class: "faint" }, [field.description, range(field)].filter(Boolean).join(" · ")))))));
  }
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
        element("p", { class: "faint" }, "Refusals: " + Object.entries(operation.responses).filter(([status]) => status >= "400")
          .map(([status, one]) => `${status} ${one.description}`).join(" "))));
    }
  }
  document.getElementById("api").replaceChildren(
    element("p", {}, api.info.summary ?? ""),
    element("pre", {}, `curl ${location.origin}/translate -H 'Content-Type: application/json' \\\n  -d '{"q": "Where is the station?", "alternatives": 2}'`), ...parts);
})();
