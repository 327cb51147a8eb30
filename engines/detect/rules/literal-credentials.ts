import type { CallSite } from '../../dex/program.ts'
import { callsTo, isOwn, stringArgument } from './code.ts'
import { isCredentialName } from './credential-names.ts'
import { codeHit } from './hits.ts'
import { entropy, masked } from './mask.ts'
import { pieceHit } from './pieces.ts'
import { type CodeContext, type Hit, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

const MAKES_CREDENTIALS = /cred|login|passw|secret|account/i
/** Words, identifiers, addresses and sentences, which are not secrets. */
const NAMES_SOMETHING =
  /^(?:[A-Za-z]+[:：*.…?!]*|[a-z]+(?:[.:_-][a-z]+)+|[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:[A-Z][a-z]+)+)$|\s|^(?:https?|content|file):|^[@%]|[{}<>]|^\d+$/
/** A variable that begins as one long word: a pass phrase, where constants with such a value are keys of a store. */
const LONG_WORD = /^[a-z]{12,64}$/
const PLACEHOLDER = /(.)\1{4,}|example|sample|placeholder|your[_-]?|change[_-]?me|x{4,}|\*{3,}/i

/** A key of Google's services is an item of its own. */
const OTHER_ITEM = /^AIza[\w-]{35}$/
/** What a user reads is written in any script, what a program sends in ASCII. */
const ASCII = /^[\x21-\x7e]{6,128}$/

const isCredential = (value: string): boolean =>
  ASCII.test(value) &&
  !OTHER_ITEM.test(value) &&
  entropy(value) >= 2.5 &&
  !NAMES_SOMETHING.test(value) &&
  !PLACEHOLDER.test(value)

/**
 * Credentials that own code writes as texts: fields with such a name, and pairs that a method puts into a map where name or value says what
 * they are. MASWE-0005, CWE-798.
 */
export function literalCredentials(context: CodeContext): Hit[] {
  return [...inFields(context), ...inMaps(context)]
}

function inFields(context: CodeContext): Hit[] {
  const { program } = context
  const hits: Hit[] = []
  for (const found of program.classes()) {
    const { descriptor, entry, offset } = found
    if (context.ownerOf(descriptor).kind === 'sdk') continue
    const named = found.fields.filter((field) => isCredentialName(field.name))
    for (const field of named) {
      const [value, ...others] = field.type === 'Ljava/lang/String;' ? program.fieldValues(field.reference) : []
      if (value?.kind !== 'string' || others.length > 0) continue
      if (!isCredential(value.value) && !(field.constant === undefined && LONG_WORD.test(value.value))) continue
      const hidden = masked(value.value)
      hits.push({
        location: { entry, offset, class: descriptor.slice(1, -1).replaceAll('/', '.'), path: field.reference },
        owner: context.ownerOf(descriptor),
        key: `field ${field.name} ${hidden}`,
        detail: text(`字段 ${field.name} 中写有 ${hidden}`, `field ${field.name} holds ${hidden}`),
      })
    }
  }
  return hits
}

const PUTS = [
  'Ljava/util/HashMap;->put(',
  'Ljava/util/Map;->put(',
  'Ljava/util/Hashtable;->put(',
  'Ljava/util/LinkedHashMap;->put(',
]

function inMaps(context: CodeContext): Hit[] {
  return callsTo(context, ...PUTS).flatMap((call): Hit[] => {
    if (!isOwn(context, call)) return []
    const name = stringArgument(context.program, call, 1)
    const value = stringArgument(context.program, call, 2)
    if (name === undefined || value === undefined || !isCredential(value)) return []
    if (!isCredentialName(name) && !namedForCredentials(call)) return []
    const hidden = masked(value)
    const key = name.slice(0, 40)
    const detail = text(`映射中 ${key} 的值写为 ${hidden}`, `a map holds ${hidden} for ${key}`)
    return [{ ...codeHit(call, `map ${name} ${hidden}`, detail), secret: value }]
  })
}

const namedForCredentials = ({ method }: CallSite): boolean => MAKES_CREDENTIALS.test(method.name)

/** String resources that are named like a credential and hold one. */
export function credentialResources(context: RuleContext): Hit[] {
  return context.texts.pieces.flatMap((piece): Hit[] => {
    const [type, name = ''] = piece.source === 'resource' ? (piece.name ?? '').split('/') : []
    if (type !== 'string' || !isCredentialName(name) || !isCredential(piece.text)) return []
    const hidden = masked(piece.text)
    return [
      pieceHit(
        context,
        piece,
        `resource ${name} ${hidden}`,
        text(`资源 ${name} 中写有 ${hidden}`, `resource ${name} holds ${hidden}`),
      ),
    ]
  })
}
