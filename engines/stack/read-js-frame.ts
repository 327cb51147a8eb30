import type { Frame } from './stack.ts'

const POSITION = /^(.+?):(\d{1,9})(?::(\d{1,9}))?$/

/** A line of V8 (`at pay (https://…/app.js:1:20)`), Firefox or Safari (`pay@https://…/app.js:1:20`). */
export function readJsFrame(text: string): Frame | undefined {
  return text.startsWith('at ') ? readV8(text) : readAtSign(text)
}

function readV8(text: string): Frame | undefined {
  const call = text.slice(3)
  if (call.endsWith(')')) {
    const open = call.lastIndexOf(' (')
    if (open < 0) return undefined
    const name = call.slice(0, open)
    const inside = call.slice(open + 2, -1)
    // A function made by eval: the caller of eval is in the same brackets.
    const evaluated = name.includes(' (eval at ') ? name.slice(0, name.indexOf(' (')) : name
    return frame(text, evaluated, inside)
  }
  const bare = call.startsWith('async ') ? call.slice(6) : call
  return POSITION.test(bare) && !/\s/.test(bare.slice(0, 8)) ? frame(text, '', bare) : undefined
}

function readAtSign(text: string): Frame | undefined {
  const at = text.indexOf('@')
  if (at < 0) return undefined
  const position = text.slice(at + 1)
  if (position === '[native code]') return frame(text, text.slice(0, at), '<anonymous>')
  // Firefox marks evaluated functions with `line 3 > eval`.
  const plain = position.split(' line ', 1)[0] as string
  return !/\s/.test(plain) && POSITION.test(plain) ? frame(text, text.slice(0, at), plain) : undefined
}

function frame(raw: string, call: string, position: string): Frame {
  const match = POSITION.exec(position)
  const module = match ? (match[1] as string) : position
  return {
    raw,
    language: 'js',
    module: module === '<anonymous>' || module === 'native' || module.startsWith('index ') ? '' : module,
    name: functionName(call),
    file: '',
    line: match ? Number(match[2]) : 0,
    column: match?.[3] ? Number(match[3]) : 0,
    address: '',
  }
}

/** `async Object.pay [as onClick]` is the function `Object.pay`; Safari's `global code` and names without meaning are none. */
function functionName(call: string): string {
  const name = call
    .replace(/^(?:async|new) /, '')
    .replace(/ \[as [^\]]*\]$/, '')
    .replace(/\/<$|^\*|\(\)$/g, '')
    .trim()
  return name === '<anonymous>' ||
    name === 'anonymous' ||
    name === 'global code' ||
    name === 'module code' ||
    name === '?'
    ? ''
    : name
}
