import type { MarkupElement } from './markup-tree.ts'

interface Test {
  readonly name?: string
  readonly id?: string
  readonly classes: readonly string[]
  readonly attributes: readonly {
    readonly name: string
    readonly operator: '' | '=' | '^=' | '$=' | '*='
    readonly value: string
  }[]
  readonly nth?: number
}

interface Step {
  readonly child: boolean
  readonly test: Test
}

/** A selector that was read: the alternatives of a list, each with its steps from outside to inside. */
export type Selector = readonly (readonly Step[])[]

const MOST_STEPS = 12
const PART =
  /^(?:(\*|[a-zA-Z][\w-]*)|#([\w-]+)|\.([\w-]+)|\[([\w:-]+)(?:([*^$]?=)(?:"([^"]*)"|'([^']*)'|([^\]"']*)))?\]|:nth-child\((\d{1,4})\))/

/** A part of CSS Selectors: names, `#id`, `.class`, `[attribute]` with `=`, `^=`, `$=`, `*=`, `:nth-child(n)`, descendants, `>` and lists. Undefined if it is no selector. */
export function parseSelector(text: string): Selector | undefined {
  if (text.length > 300) return undefined
  const alternatives = text.split(',').map((one) => parseSteps(one.trim()))
  return alternatives.every((one) => one !== undefined) ? alternatives : undefined
}

function parseSteps(text: string): Step[] | undefined {
  const steps: Step[] = []
  let rest = text
  let child = false
  while (rest) {
    if (steps.length >= MOST_STEPS) return undefined
    const read = parseTest(rest)
    if (!read) return undefined
    steps.push({ child, test: read.test })
    const between = /^(\s*>\s*|\s+)/.exec(read.rest)
    if (!between) {
      if (read.rest) return undefined
      break
    }
    child = between[0].includes('>')
    rest = read.rest.slice(between[0].length)
    if (!rest) return undefined
  }
  return steps.length ? steps : undefined
}

function parseTest(text: string): { test: Test; rest: string } | undefined {
  let name: string | undefined
  let id: string | undefined
  let nth: number | undefined
  const classes: string[] = []
  const attributes: Test['attributes'][number][] = []
  let rest = text
  for (let match = PART.exec(rest); match; match = PART.exec(rest)) {
    const [whole, type, hash, className, attribute, operator, quoted, single, bare, position] = match
    if (type !== undefined) {
      // A name comes first.
      if (rest !== text) break
      if (type !== '*') name = type
    } else if (hash !== undefined) id = hash
    else if (className !== undefined) classes.push(className)
    else if (attribute !== undefined)
      attributes.push({
        name: attribute,
        operator: (operator ?? '') as Test['attributes'][number]['operator'],
        value: quoted ?? single ?? bare ?? '',
      })
    else nth = Number(position)
    rest = rest.slice(whole.length)
  }
  if (rest === text) return undefined
  return { test: { ...(name && { name }), ...(id && { id }), classes, attributes, ...(nth && { nth }) }, rest }
}

/**
 * Elements inside of `root` that the selector fits, in the order of the document, at most `limit`. Each element is looked at once for each
 * step, however deep it is: pages come from anyone.
 */
export function selectAll(root: MarkupElement, selector: Selector, limit: number): MarkupElement[] {
  const found: MarkupElement[] = []
  /** Bit `at` of a number: the steps up to `at` fit, the last of them an element above (of `above`), or the parent (of `parent`). */
  const walk = (element: MarkupElement, above: readonly number[], parent: readonly number[]) => {
    let position = 0
    for (const child of element.children) {
      if (found.length >= limit) return
      if (typeof child === 'string') continue
      position++
      const fitting = selector.map((steps, of) => fittingSteps(child, position, steps, above[of]!, parent[of]!))
      if (selector.some((steps, of) => fitting[of]! & (1 << (steps.length - 1)))) found.push(child)
      walk(
        child,
        fitting.map((bits, of) => bits | above[of]!),
        fitting,
      )
    }
  }
  const none = selector.map(() => 0)
  walk(root, none, none)
  return found
}

/** The steps that end in this element, as bits. @param position of the element among its siblings, from 1 */
function fittingSteps(
  element: MarkupElement,
  position: number,
  steps: readonly Step[],
  above: number,
  parent: number,
): number {
  let bits = 0
  for (const [at, { child, test }] of steps.entries()) {
    const reached = at === 0 || (child ? parent : above) & (1 << (at - 1))
    if (reached && passes(element, position, test)) bits |= 1 << at
  }
  return bits
}

function passes(element: MarkupElement, position: number, { name, id, classes, attributes, nth }: Test): boolean {
  if (name && element.name !== name) return false
  if (nth && position !== nth) return false
  if (id && element.attributes.get('id') !== id) return false
  if (classes.length) {
    const own = (element.attributes.get('class') ?? '').split(/\s+/)
    if (!classes.every((one) => own.includes(one))) return false
  }
  return attributes.every(({ name: key, operator, value }) => {
    const own = element.attributes.get(key)
    if (own === undefined) return false
    if (operator === '=') return own === value
    if (operator === '^=') return value !== '' && own.startsWith(value)
    if (operator === '$=') return value !== '' && own.endsWith(value)
    if (operator === '*=') return value !== '' && own.includes(value)
    return true
  })
}
