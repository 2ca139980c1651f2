"use strict";
// One question at a time, the likeliest wrong first. Everything works with the keyboard alone.

const $ = (id) => document.getElementById(id);
const NAMES = {
  establishment: "Merchant", date: "Date", total: "Total", subTotal: "Subtotal", tax: "Tax", taxes: "Tax",
  tip: "Tip", rounding: "Rounding", cash: "Cash", change: "Change", serviceCharges: "Service charge",
  discounts: "Discount", currency: "Currency", expenseType: "Type of expense", address: "Address",
};
// The names that amounts have in equations, and the fields whose values they are.
const TERMS = {
  total: ["total"], subTotal: ["subtotal", "net"], taxes: ["tax", "total_tax", "unnamed"], tip: ["tip"],
  serviceCharges: ["service"], discounts: ["discount"], rounding: ["rounding"], cash: ["cash", "tendered"],
  change: ["change", "returned"],
};
let state = { questions: [], answered: 0, expected: 1 };
const receipts = {};
let later = new Set();
let history = [];
let question = null;

const bare = (field) => field.split("[")[0];
const named = (field) => {
  const entry = /\[(\d+)\]/.exec(field);
  return (NAMES[bare(field)] || field) + (entry ? ` ${Number(entry[1]) + 1}` : "");
};
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

function element(tag, text, style) {
  const node = document.createElement(tag);
  node.textContent = text;
  if (style) node.className = style;
  return node;
}

// What the program answers; null, with the reason on the page, when it refuses or has ended.
async function request(path, options) {
  try {
    const response = await fetch(path, options);
    if (response.ok) return await response.json();
    $("error").textContent = await response.text();
  } catch {
    $("error").textContent = "The program has stopped. Your answers are saved; start receipt-engine review again.";
  }
  return null;
}

async function load() {
  const found = await request("/api/state");
  if (!found) return;
  state = found;
  next();
}

function next() {
  const waiting = state.questions.filter((q) => !later.has(q.id));
  if (!waiting.length && state.questions.length) later = new Set();
  show((waiting.length ? waiting : state.questions)[0] || null);
}

async function show(next) {
  question = next;
  if (next && !receipts[next.row]) {
    const found = await request(`/api/receipt?row=${next.row}`);
    if (question !== next || !found) return;
    receipts[next.row] = found;
  }
  const all = state.answered + state.questions.length;
  $("progress").textContent = `${state.questions.length} of ${all} left; about `
    + `${percent(state.expected)} of all merchants, dates and totals should be right now`;
  $("bar").firstElementChild.style.width = percent(all ? state.answered / all : 1);
  $("work").hidden = !next;
  $("done").hidden = Boolean(next);
  if (!next) return;
  const receipt = receipts[next.row];
  $("crop").src = next.id === undefined ? `/picture?row=${next.row}` : `/crop?question=${next.id}`;
  $("whole").href = `/picture?row=${next.row}`;
  $("why").href = `/why?row=${next.row}`;
  const which = receipt.receipts > 1 ? `, page ${receipt.page}, receipt ${receipt.receipt}` : "";
  $("file").textContent = receipt.file + which;
  $("text").textContent = receipt.error || next.text;
  $("field").textContent = named(next.field);
  $("chance").hidden = next.id === undefined;
  $("chance").textContent = next.value === null ? "nothing was found" : `${percent(next.chance, 0)} likely wrong`;
  $("chance").className = `badge ${next.chance > 0.3 ? "weak" : next.chance > 0.1 ? "fair" : "sure"}`;
  $("error").textContent = "";
  $("others").replaceChildren(...next.others.map((other, at) => {
    const button = element("button", other);
    button.type = "button";
    button.append(element("kbd", `Alt ${at + 1}`));
    button.addEventListener("click", () => { $("value").value = other; recheck(); $("value").focus(); });
    return button;
  }));
  $("value").value = next.value || "";
  $("value").inputMode = bare(next.field) in TERMS ? "decimal" : "text";
  $("fields").replaceChildren(...Object.keys(receipt.fields).flatMap((field) => {
    const place = element("dd", "", field === next.field ? "asked" : "");
    const button = element("button", current(receipt, field) ?? "none");
    button.type = "button";
    button.addEventListener("click", () => ask(next.row, field));
    place.append(button);
    return [element("dt", named(field)), place];
  }));
  recheck();
  $("value").focus();
  $("value").select();
}

// What stands in a field now: a person's answer counts, also "there is none".
function current(receipt, field) {
  return field in receipt.answers ? receipt.answers[field] : receipt.fields[field];
}

// A field that nothing was asked about, or that was answered already.
function ask(row, field) {
  const waiting = state.questions.find((q) => q.row === row && q.field === field);
  const receipt = receipts[row];
  const value = current(receipt, field);
  show(waiting || { row, field, value, chance: 0, text: "", others: [] });
}

// The terms as a sum, and what they come to: "12.00 items + 0.99 tax = 12.99 total".
function relation(terms) {
  const [last, value] = terms[terms.length - 1];
  const sum = terms.slice(0, -1).map(([name, part], at) => {
    const sign = part < 0 ? "− " : at ? "+ " : "";
    return `${sign}${Math.abs(part).toFixed(2)} ${name}`;
  });
  return `${sum.join(" ")} = ${(-value).toFixed(2)} ${last}`;
}

// The amount that a person typed, NaN when it is none.
function amount(text) {
  const plain = text.replace(/\s/g, "");
  const point = plain.includes(",") && !plain.includes(".") ? plain.replace(",", ".") : plain.replace(/,/g, "");
  return point === "" ? NaN : Number(point);
}

// Every equation of the receipt with what stands in the fields now.
function recheck() {
  const receipt = receipts[question.row];
  const changes = Object.entries({ ...receipt.answers, [question.field]: $("value").value })
    .filter(([field]) => bare(field) in TERMS)
    .map(([field, now]) => ({ names: TERMS[bare(field)], was: Number(receipt.fields[field]), now: amount(now || "") }))
    .filter((change) => Number.isFinite(change.was) && Number.isFinite(change.now));
  $("equations").replaceChildren(...receipt.equations.filter((e) => e.terms.length > 1).map((equation) => {
    const terms = equation.terms.map(([name, value]) => {
      const change = changes.find((c) => c.names.includes(name.split(" ")[0]) && Math.abs(Math.abs(value) - Math.abs(c.was)) < 1e-9);
      return [name, change ? Math.sign(value || 1) * Math.abs(change.now) : value];
    });
    const residual = terms.reduce((sum, [, value]) => sum + value, 0);
    const same = Math.abs(residual) <= Math.max(0.005, Math.abs(equation.residual) + 1e-9);
    const closes = same && equation.verdict !== "contradicted" || Math.abs(residual) < 0.005;
    const item = element("li", closes ? "adds up" : `off by ${Math.abs(residual).toFixed(2)}`, closes ? "sure" : "weak");
    item.append(element("small", relation(terms)));
    return item;
  }));
  if (!$("equations").children.length) $("equations").append(element("li", "Nothing to add up."));
}

async function answer(value) {
  const asked = question;
  const receipt = await request("/api/answer", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ row: asked.row, field: asked.field, value }),
  });
  if (!receipt) return;
  receipts[asked.row] = receipt;
  state.expected = receipt.expected;
  const left = state.questions.filter((q) => q.row !== asked.row || q.field !== asked.field);
  state.answered += state.questions.length - left.length;
  state.questions = left;
  history.push({ ...asked, value });
  next();
}

function skip() {
  later.add(question.id);
  next();
}

// The last answer again, to be given anew.
function back() {
  const last = history.pop();
  if (!last) return;
  show(last);
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  answer($("value").value.trim() || null);
});
$("none").addEventListener("click", () => answer(null));
$("skip").addEventListener("click", skip);
$("back").addEventListener("click", back);
$("value").addEventListener("input", recheck);
document.addEventListener("keydown", (event) => {
  if (!question) return;
  if (event.key === "Escape") { event.preventDefault(); skip(); }
  if (!event.altKey) return;
  const at = Number(event.key) - 1;
  if (question.others[at] !== undefined) { event.preventDefault(); $("value").value = question.others[at]; recheck(); }
  if (event.key === "n") { event.preventDefault(); answer(null); }
  if (event.key === "b") { event.preventDefault(); back(); }
});
load();
