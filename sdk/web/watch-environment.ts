import type { Client } from './client.ts'
import { base64 } from './signing.ts'

export type EnvironmentOptions = {
  /** Origins that may frame this page; any other one is an overlay. */
  frames?: readonly string[]
  /** Origins besides the page's own that scripts may come from. Absent: added scripts are not judged. */
  scripts?: readonly string[]
  /** Natives that the app replaces itself, such as 'fetch'. */
  patched?: readonly string[]
  /** Own files and what they must be: path to `sha256-…`, as in an integrity attribute. */
  files?: Readonly<Record<string, string>>
}
type Listen = (target: EventTarget, type: string, work: (event: never) => void, capture?: boolean) => void

/** Drivers leave these behind. */
const DRIVERS =
  /^(__(playwright|pw_|puppeteer|webdriver|selenium|driver|fxdriver)|_phantom|callPhantom|_selenium|domAutomation|cdc_|\$[cw]dc_)/

/** Automation, framing, foreign scripts, changed files and replaced natives as risks; developer tools and policy breaches as `web` events. */
export function watchEnvironment(client: Client, options: EnvironmentOptions, listen: Listen): () => void {
  findAutomation(client)
  findFraming(client, options.frames ?? [])
  void checkFiles(client, options.files ?? {})
  const checkAgain = () => {
    findPatched(client, options.patched ?? [])
    findTools(client)
  }
  checkAgain()
  const timer = setInterval(checkAgain, 5000)

  listen(document, 'securitypolicyviolation', (event: SecurityPolicyViolationEvent) => {
    client.event('web', { kind: 'csp', directive: event.effectiveDirective, blocked: event.blockedURI.slice(0, 200) })
  })
  listen(
    window,
    'error',
    ({ target }: Event) => {
      // A script or style with an integrity attribute that did not load was changed, or is gone.
      if (target instanceof Element && target.hasAttribute('integrity'))
        client.risk('integrity', { kind: 'sri', file: sourceOf(target) })
    },
    true,
  )
  const { scripts } = options
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const one of node.matches('script,iframe') ? [node] : node.querySelectorAll('script,iframe'))
            if (scripts && isForeign(one, scripts))
              client.risk('injection', { tag: one.localName, source: sourceOf(one) })
  })
  if (scripts) observer.observe(document, { childList: true, subtree: true })
  return () => {
    clearInterval(timer)
    observer.disconnect()
  }
}

function sourceOf(element: Element): string {
  const url = element.getAttribute('src') ?? element.getAttribute('href')
  return url === null ? '' : (new URL(url, location.href).href.split('?')[0] as string).slice(0, 200)
}

function isForeign(element: Element, allowed: readonly string[]): boolean {
  if (!element.getAttribute('src')) return false
  const { origin } = new URL(sourceOf(element))
  return origin !== location.origin && !allowed.includes(origin)
}

function findAutomation(client: Client): void {
  const names = [...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(document)]
  const found = names.filter((name) => DRIVERS.test(name)).slice(0, 5)
  if (navigator.webdriver || found.length > 0)
    client.risk('automation', { webdriver: navigator.webdriver === true, globals: found })
}

function findFraming(client: Client, allowed: readonly string[]): void {
  if (window.top === window) return
  const ancestors = [...(location.ancestorOrigins ?? [])]
  const others = ancestors.length > 0 ? ancestors : [document.referrer && new URL(document.referrer).origin]
  const foreign = others.filter((one) => one !== location.origin && !allowed.includes(one))
  if (foreign.length > 0) client.risk('overlay', { kind: 'framed', by: foreign.slice(0, 5) })
}

function findPatched(client: Client, allowed: readonly string[]): void {
  const source = Function.prototype.toString
  const natives: Record<string, unknown> = {
    fetch: window.fetch,
    open: XMLHttpRequest.prototype.open,
    send: XMLHttpRequest.prototype.send,
    parse: JSON.parse,
    sign: crypto.subtle?.sign,
    listen: EventTarget.prototype.addEventListener,
    append: Node.prototype.appendChild,
    cookie: Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')?.get,
    source,
  }
  const found = Object.keys(natives).filter((name) => {
    const native = natives[name]
    if (typeof native !== 'function' || allowed.includes(name)) return false
    // A native function says so in its source and is not a bound function.
    return !/\{\s*\[native code\]\s*\}\s*$/.test(source.call(native)) || native.name.startsWith('bound ')
  })
  if (found.length > 0) client.risk('integrity', { kind: 'patched', natives: found })
}

let toolsOpen = false
/** Docked developer tools take room from the page; a guess that is reported as such. */
function findTools(client: Client): void {
  const width = outerWidth - innerWidth * devicePixelRatio
  const height = outerHeight - innerHeight * devicePixelRatio
  const open = devicePixelRatio === 1 && (width > 200 || height > 250)
  if (open && !toolsOpen) client.event('web', { kind: 'devtools', guess: true, width, height })
  toolsOpen = open
}

async function checkFiles(client: Client, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, expected] of Object.entries(files)) {
    try {
      const answer = await fetch(path, { cache: 'force-cache', credentials: 'same-origin' })
      if (!answer.ok) continue
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await answer.arrayBuffer()))
      const found = `sha256-${base64(digest)}`
      if (found !== expected) client.risk('integrity', { kind: 'file', file: path, expected, found })
    } catch {
      // offline: not known, so not said
    }
  }
}
