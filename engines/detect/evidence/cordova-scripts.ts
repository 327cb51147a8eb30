import { type AnyNode, parse } from 'acorn'
import { childrenOf, isFunction, visit } from '../../jsguard/read-script.ts'

/** Larger scripts of plug-ins count as such that run by themselves. */
const MOST_SCRIPT_BYTES = 256 * 1024

/** Markup that brings scripts and pages from elsewhere, or more pages. Each part ends at the next bracket, so that its cost is linear. */
const BRINGS_PAGES =
  /<(?:script|object|embed)\b[^<>]*\s(?:src|data)\s*=[\s"']*(?:(?:https?:)?[\\/]{2}|data:|blob:)|<base\b[^<>]*\shref\s*=[\s"']*(?:https?:)?[\\/]{2}|<i?frame\b|<scr["'`]|\bsrcdoc\b|rel\s*=\s*["']?import\b|http-equiv\s*=\s*["']?refresh/i

/** Code that is not there to be read: of other pages, put together, or under names that are put together. */
const HIDES_CODE =
  /\bcreateElement\s*\(\s*(?:["'](?:script|iframe|frame|object|embed|base)["']|[^\s"'])|\bimport\s*\(|\bimportScripts\b|\bnew\s+(?:Shared)?Worker\b|\bserviceWorker\b|\beval\s*\(|[=,(]\s*eval\b|\bFunction\s*\(|\bset(?:Timeout|Interval)\s*\(\s*["'`]|\bexecScript\b|\bconstructor\s*\.\s*constructor\b|\bcreateContextualFragment\b|\bdocument\s*\.\s*write|\b(?:navigator|window|self|globalThis|top|parent|cordova|plugins)\s*\[|\bReflect\b|\bwith\s*\(|\[\s*(?:["'][^"'\n]{0,80}["']\s*\+|atob\b|String\b)|\\u(?:00[4-7]|\{)/

/** A page that takes the place of this one, where its address is no constant of the package. */
const LEAVES =
  /\blocation\s*(?:\.\s*href\s*)?=(?!=)(?!\s*["'](?![a-z][\w+.-]*:|[\\/]{2}))|\blocation\s*\.\s*(?:assign|replace)\s*\((?!\s*["'](?![a-z][\w+.-]*:|[\\/]{2}))/i

/** Links, forms and windows that open what is elsewhere. */
const LINKS =
  /\b(?:href|action)\s*=[\s"']*(?:https?:)?[\\/]{2}|\.\s*(?:href|action)\s*=(?!=)(?!\s*["'](?![a-z][\w+.-]*:|[\\/]{2}))|\bopen\s*\(/i

/** What speaks to the Android code of plug-ins without their objects. */
const SPEAKS = /cordova\/exec|\bcordova\s*\.\s*exec\b|_cordovaNative|\bprompt\s*\(/i

/** May a page or script call what is not seen in it? */
export const isUnreadable = (content: string): boolean =>
  BRINGS_PAGES.test(content) || HIDES_CODE.test(content) || LEAVES.test(content)

/** Does it lead to pages on servers? */
export const hasLinks = (content: string): boolean => LINKS.test(content)

/** Does it speak to Android code by itself? */
export const speaksToPlugins = (content: string): boolean => SPEAKS.test(content)

/**
 * Is it the script that Cordova itself puts beside the pages, and nothing more? It begins and ends as Cordova's build writes it (one function
 * that is called at once), and defines modules of Cordova alone.
 */
export function isCordovaItself(content: string): boolean {
  if (!content.startsWith('// Platform: ') || !content.trimEnd().endsWith("require('cordova/init');\n\n})();"))
    return false
  const defined = [...content.matchAll(/^define\("([^"\n]{1,200})"/gm)].map(([, name]) => name!)
  return defined.includes('cordova/exec') && defined.every((name) => /^cordova(?:\/|$)/.test(name))
}

/** Words of a text as JavaScript writes names. */
export function* wordsOf(content: string): Generator<string> {
  for (const [word] of content.matchAll(/[\w$]+/g)) yield word
}

/** Waits for Cordova or for the time to come, and then acts. */
const WAITS = /\.\s*subscribe\s*\(|deviceready|onCordovaReady|setTimeout|setInterval|addEventListener/i
/** Calls that only make an object or bring in a module. */
const MAKES =
  /^(?:(?:cordova\.)?require|Object\.(?:create|defineProperty|defineProperties|freeze|keys|assign)|(?:\w+\.)?extend)$/

/**
 * May a script of a plug-in ask its Android code as soon as it is loaded, without a call of a page? So does one that waits for an event, or
 * whose code outside of functions calls what is not known to be harmless. What cannot be parsed may do so.
 */
export function runsByItself(content: string): boolean {
  if (content.length > MOST_SCRIPT_BYTES || WAITS.test(content)) return true
  try {
    return actsOnLoad(parse(content, { ecmaVersion: 'latest', sourceType: 'script' }))
  } catch {
    // No script that can be read: it may do anything.
    return true
  }
}

function actsOnLoad(root: AnyNode): boolean {
  const functions = functionsOf(root)
  const entered = new Set<AnyNode>()
  const open = [root]
  /** Its code runs when it is called, here at once. */
  const enter = (called: AnyNode) => {
    if (entered.has(called)) return
    entered.add(called)
    open.push(...childrenOf(called))
  }
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'TaggedTemplateExpression' || node.type === 'ImportExpression') return true
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const name = nameOf(node.callee)
      const known = isFunction(node.callee) ? [node.callee] : name === undefined ? undefined : functions.get(name)
      if (known) known.forEach(enter)
      else if (name === 'cordova.define' || name === 'define') node.arguments.filter(isFunction).forEach(enter)
      else if (name === undefined || !MAKES.test(name)) return true
    }
    for (const child of childrenOf(node)) if (!isFunction(child)) open.push(child)
  }
  return false
}

const MOST_PARTS = 4

/** `a.b.c`; undefined for anything else. */
function nameOf(node: AnyNode): string | undefined {
  const parts: string[] = []
  let at = node
  while (at.type === 'MemberExpression' && parts.length < MOST_PARTS) {
    if (at.computed || at.property.type !== 'Identifier') return undefined
    parts.unshift(at.property.name)
    at = at.object
  }
  return at.type === 'Identifier' ? [at.name, ...parts].join('.') : undefined
}

/** Functions by the names that declarations and variables give them; names that something else may have are left out. */
function functionsOf(root: AnyNode): ReadonlyMap<string, readonly AnyNode[]> {
  const found = new Map<string, AnyNode[]>()
  const others = new Set<string>()
  const add = (id: AnyNode | null | undefined, made: AnyNode | null | undefined) => {
    if (id?.type !== 'Identifier' || !made) return
    if (!isFunction(made)) others.add(id.name)
    else if (!found.get(id.name)?.push(made)) found.set(id.name, [made])
  }
  visit(root, (seen) => {
    const node = seen as AnyNode
    if (node.type === 'FunctionDeclaration') add(node.id, node)
    if (node.type === 'VariableDeclarator') add(node.id, node.init)
    if (node.type === 'AssignmentExpression') add(node.left, node.right)
  })
  for (const name of others) found.delete(name)
  return found
}
