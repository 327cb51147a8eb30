import type { PlistFile } from '../../ipa/ipa-facts.ts'
import type { NativeCall } from '../../macho/arm64-calls.ts'
import { type PlistNode, plistAt } from '../../plist/plist-node.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import type { Hit } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import type { IosContext, IosText } from './ios-context.ts'

const OWN = { kind: 'own', sdk: null } as const

const leveled = (level: FindingLevel | undefined) => (level ? { level } : {})

/** Of a value in a property list. */
export function plistHit(
  { entry, node }: PlistFile,
  path: readonly (string | number)[],
  key: string,
  detail: Text,
  level?: FindingLevel,
): Hit {
  const found: PlistNode | undefined = plistAt(node, ...path)
  return {
    location: { entry, offset: found?.offset ?? -1, path: path.join('.') },
    owner: OWN,
    key,
    detail,
    ...leveled(level),
  }
}

/** A hit of the whole application, located at its Info.plist. */
export const appHit = ({ app }: IosContext, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: { entry: app.executable ?? app.info.entry, offset: -1 },
  owner: OWN,
  key,
  detail,
  ...leveled(level),
})

/** Of a location in a binary. */
export const binaryHit = (code: BinaryCode, offset: number, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: { entry: code.entry, offset },
  owner: code.owner,
  key,
  detail,
  ...leveled(level),
})

/** Of an imported symbol; undefined where the binary does not import it. */
export function importHit(code: BinaryCode, symbol: string, detail: Text, level?: FindingLevel): Hit | undefined {
  const found = code.imports.get(symbol)
  return found && binaryHit(code, found.offset, symbol, detail, level)
}

/** Of a call, with the method that it is in. */
export function callHit(code: BinaryCode, call: NativeCall, key: string, detail: Text, level?: FindingLevel): Hit {
  const method = code.methodOf(call)
  return {
    location: {
      entry: code.entry,
      offset: call.offset,
      ...(method && { class: method.owner, method: `${method.isStatic ? '+' : '-'}${method.selector}` }),
    },
    owner: code.owner,
    key,
    detail,
    ...leveled(level),
  }
}

export const textHit = (found: IosText, key: string, detail: Text, level?: FindingLevel): Hit => ({
  location: { entry: found.entry, offset: found.offset, ...(found.path && { path: found.path }) },
  ...(found.owner && { owner: found.owner }),
  key,
  detail,
  ...leveled(level),
})
