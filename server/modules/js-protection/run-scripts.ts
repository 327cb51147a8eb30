import { createContext, Script } from 'node:vm'
import { functionNodes } from '#engines/jsguard/list-functions.ts'
import { PLAIN_NAMES, plainScript } from '#engines/jsguard/plain-script.ts'
import { parseScript } from '#engines/jsguard/read-script.ts'
import type { RunOrder, ScriptMessage } from './script-messages.ts'

/** The trial run: how long the original and its protected forms take for the same work, and whether they do the same. */

export type RunResult = Extract<ScriptMessage, { run: unknown }>['run']

/** A round runs every form once, so that what disturbs the machine disturbs all. */
const MOST_ROUNDS = 200
const FEWEST_ROUNDS = 5
const BUDGET_MS = 4000
/** One piece of work may take so long; code that waits for ever is not timed. */
const PIECE_MS = 1500
/** Below this a run says more about the clock than about the code. */
const SHORTEST_MS = 0.2
const MOST_CALLS = 2048
const MOST_FUNCTIONS = 60

/** What a browser would offer: one value that is whatever is asked of it. Made inside, so that nothing of this process is in reach. */
const BEFORE = `(function () {
  "use strict";
  var none = function () {};
  var unknown = new Proxy(function () {}, {
    get: function (target, key) {
      if (key === Symbol.toPrimitive) return function () { return "" };
      if (key === Symbol.iterator) return function () { return { next: function () { return { done: true, value: undefined } } } };
      if (key === "then" || key === "prototype" || typeof key === "symbol") return key === "prototype" ? target.prototype : undefined;
      if (key === "length" || key === "nodeType") return 0;
      if (key === "parentNode" || key === "nextSibling" || key === "firstChild" || key === "parentElement") return null;
      return unknown;
    },
    set: function () { return true }, has: function () { return true }, deleteProperty: function () { return true },
    apply: function () { return unknown }, construct: function () { return unknown }, defineProperty: function () { return true }
  });
  var g = globalThis;
  // The same chance and the same time for every form.
  var seed = 42;
  Math.random = function () { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648 };
  Date.now = function () { return 1700000000000 };
  var RealDate = Date;
  g.Date = new Proxy(RealDate, {
    construct: function (target, given, made) { return Reflect.construct(target, given.length ? given : [1700000000000], made) },
    apply: function () { return new RealDate(1700000000000).toString() }
  });
  g.${PLAIN_NAMES.unknown} = unknown;
  g.${PLAIN_NAMES.exports} = {};
  g.window = g; g.self = g; g.global = g; g.top = g; g.parent = g;
  "document navigator location history screen localStorage sessionStorage indexedDB crypto performance process Buffer wx uni plus my tt swan cordova App Page Component getApp getCurrentPages XMLHttpRequest WebSocket Worker Image Audio FormData Blob File FileReader URL URLSearchParams Headers Request Response AbortController MutationObserver IntersectionObserver ResizeObserver CustomEvent Event EventTarget HTMLElement Element Node TextEncoder TextDecoder matchMedia getComputedStyle structuredClone"
    .split(" ").forEach(function (name) { if (!(name in g)) g[name] = unknown });
  "setTimeout setInterval setImmediate clearTimeout clearInterval requestAnimationFrame cancelAnimationFrame queueMicrotask addEventListener removeEventListener dispatchEvent alert fetch atob btoa"
    .split(" ").forEach(function (name) { if (!(name in g)) g[name] = function () { return unknown } });
  g.console = new Proxy({}, { get: function () { return none } });
  g.module = { exports: {} }; g.exports = g.module.exports; g.require = function () { return unknown };
  g.__aw_before = new Set(Object.getOwnPropertyNames(g).concat(["__aw_before"]));
})();`

/**
 * Where the original has functions: what it exports, its own functions at the top level (`names`) and what it hangs on the global object,
 * as expressions. Every form is asked for the same ones; helpers of the obfuscator are not called.
 */
const FIND = (names: readonly string[]) => `(function () {
  var found = [], seen = new Set();
  var take = function (path, value, depth) {
    if (value === ${PLAIN_NAMES.unknown} || value === null || found.length >= ${MOST_FUNCTIONS}) return;
    if (typeof value === "function" && !seen.has(value)) found.push(path);
    if ((typeof value !== "object" && typeof value !== "function") || depth >= 2 || seen.has(value)) return;
    seen.add(value);
    Object.keys(value).slice(0, 80).forEach(function (key) { try { take(path + "[" + JSON.stringify(key) + "]", value[key], depth + 1) } catch (error) {} });
  };
  take("module.exports", module.exports, 0);
  take(${JSON.stringify(PLAIN_NAMES.exports)}, ${PLAIN_NAMES.exports}, 0);
  ${names.map((name) => `try { if (typeof ${name} !== "undefined") take(${JSON.stringify(name)}, ${name}, 1) } catch (error) {}`).join('\n')}
  Object.getOwnPropertyNames(globalThis).forEach(function (key) { if (!__aw_before.has(key)) { try { take("globalThis[" + JSON.stringify(key) + "]", globalThis[key], 1) } catch (error) {} } });
  return JSON.stringify(found);
})();`

/** Calls functions with fixed arguments and says what they gave. Of errors only the kind: their texts quote names. */
const CALLS = (paths: readonly string[], times: number) => `(function () {
  var inputs = [[3, 7, 2], ["Abc-12 x", "b", 1], [[3, 1, 2], 1, [4]], [{ a: 1, b: "x", c: [1, 2] }, "a", { d: 4 }], []];
  var results = [];
  var show = function (value, depth) {
    if (value === ${PLAIN_NAMES.unknown}) return "?";
    if (typeof value === "function") return "function";
    if (typeof value !== "object" || value === null) return typeof value + ":" + String(value);
    if (value instanceof Error) return "error:" + value.constructor.name;
    if (depth > 3) return "...";
    try { return (Array.isArray(value) ? "[" : "{") + Object.keys(value).slice(0, 30).map(function (key) { return key + "=" + show(value[key], depth + 1) }).join() } catch (error) { return "odd" }
  };
  var copy = function (value) { return typeof value === "object" ? JSON.parse(JSON.stringify(value)) : value };
  [${paths.map((path) => `function () { return ${path} }`).join()}].forEach(function (get, number) {
    var call = null;
    try { call = get() } catch (error) {}
    inputs.forEach(function (input, at) {
      var result = "gone";
      for (var turn = 0; typeof call === "function" && turn < ${times}; turn++) {
        try { result = call.apply(undefined, input.map(copy)) } catch (error) { result = error instanceof Error ? error : new Error("thrown") }
      }
      results.push((number + "#" + at + " " + show(result, 0)).slice(0, 2000).replace(/\\n/g, " "));
    });
  });
  return results.join("\\n");
})();`

type Form = { name: string; script: Script }

/** Runs the forms of one script against each other. */
export function runScripts(order: RunOrder, now: () => number): RunResult {
  const untimed = (why: RunResult['untimed']): RunResult => ({ runs: 0, untimed: why, trials: {} })
  const forms: Form[] = []
  for (const [name, code] of Object.entries({ original: order.original, ...order.protected })) {
    const plain = plainScript(code, order.name)
    if (plain === undefined) return untimed('await')
    forms.push({ name, script: new Script(plain, { filename: `${name}.js` }) })
  }
  const [original] = forms as [Form, ...Form[]]
  let times = 1
  let calls: Script
  try {
    const paths = JSON.parse(
      run(original, new Script(FIND(namesAtTop(order.original, order.name))), now).result,
    ) as string[]
    calls = new Script(CALLS(paths, times))
    // As often as it takes for a run to be longer than the clock is coarse.
    for (let { took } = run(original, calls, now); took < 2 && times < MOST_CALLS; ) {
      times *= 4
      calls = new Script(CALLS(paths, times))
      took = run(original, calls, now).took
    }
  } catch (error) {
    return untimed(isTimeout(error) ? 'time' : 'browser')
  }
  const taken = new Map<string, number[]>(forms.map(({ name }) => [name, []]))
  const results = new Map<string, string[]>()
  const broken = new Set<string>()
  const until = now() + BUDGET_MS
  let rounds = 0
  for (; rounds < MOST_ROUNDS && (now() < until || rounds < 1); rounds++)
    // Who goes first changes: each round leaves something behind for the next to clean up.
    for (const form of [...forms.slice(rounds % forms.length), ...forms.slice(0, rounds % forms.length)]) {
      if (broken.has(form.name)) continue
      try {
        const { took, result } = run(form, calls, now)
        taken.get(form.name)!.push(took)
        results.set(form.name, result.split('\n'))
      } catch {
        // The code under trial failed or took too long: the result says so for this form.
        broken.add(form.name)
      }
    }
  const base = median(taken.get('original')!)
  if (broken.has('original')) return untimed('error')
  const expected = results.get('original')!
  const isTimed = base >= SHORTEST_MS && rounds >= FEWEST_ROUNDS
  const trials = Object.fromEntries(
    forms.slice(1).map(({ name }) => {
      const got = results.get(name) ?? []
      return [
        name,
        {
          slowdown: isTimed && !broken.has(name) ? median(taken.get(name)!) / base : null,
          same: broken.has(name) ? 0 : expected.filter((line, at) => got[at] === line).length,
          calls: expected[0] === '' ? 0 : expected.length,
        },
      ]
    }),
  )
  return { runs: rounds, untimed: isTimed ? '' : rounds < FEWEST_ROUNDS ? 'time' : 'short', trials }
}

/** Loads a form in a fresh world, then runs `after` in it; the time of both. */
function run({ script }: Form, after: Script, now: () => number): { took: number; result: string } {
  // An object without a prototype: nothing of this process can be reached through it.
  const world = createContext(Object.create(null) as object)
  beforeScript.runInContext(world, { timeout: PIECE_MS })
  const begun = now()
  script.runInContext(world, { timeout: PIECE_MS })
  const result: unknown = after.runInContext(world, { timeout: PIECE_MS })
  return { took: now() - begun, result: String(result) }
}

const beforeScript = new Script(BEFORE)

/** Functions that a script declares at its top level: protection keeps their names. */
function namesAtTop(text: string, name: string): string[] {
  const { program, sourceType } = parseScript(text, name)
  if (sourceType === 'module') return [] // they are seen through its exports
  const nodes = new Set<unknown>(functionNodes(program))
  return (
    program.body as {
      type: string
      id?: { name: string } | null
      declarations?: { id: { name?: string }; init?: unknown }[]
    }[]
  )
    .flatMap((one) =>
      one.type === 'FunctionDeclaration' || one.type === 'ClassDeclaration'
        ? [one.id?.name ?? '']
        : (one.declarations ?? []).filter(({ init }) => nodes.has(init)).map(({ id }) => id.name ?? ''),
    )
    .filter((one) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(one))
    .slice(0, 60)
}

function isTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
