import { judgedOwner } from './owner/judged-owner.ts'
import type { DomainResult } from './result/scan-result.ts'
import { pieceHit } from './rules/pieces.ts'
import type { RuleContext } from './rules/rule-context.ts'

const MOST_DOMAINS = 5000
/** Names of documents and namespaces that no code connects to. */
const NO_CONNECTION =
  /^(?:schemas\.android\.com|www\.w3\.org|xmlpull\.org|ns\.adobe\.com|www\.apache\.org|xml\.org|java\.sun\.com|schemas\.(?:microsoft|xmlsoap|openxmlformats)\.\w+|json-schema\.org)$/

/** Hosts that addresses in the package name, each with the first location; own code before SDKs. */
export function findDomains(context: RuleContext): readonly DomainResult[] {
  const found = new Map<string, DomainResult>()
  for (const piece of context.texts.pieces)
    for (const match of piece.text.matchAll(
      /\b(https?|wss?|ftp|mqtt|rtmp):\/\/([a-z0-9](?:[a-z0-9-]{0,62}\.){1,10}[a-z]{2,24}|(?:\d{1,3}\.){3}\d{1,3})(?![\w.-])/gi,
    )) {
      const host = match[2]!.toLowerCase()
      if (NO_CONNECTION.test(host)) continue
      const cleartext = !/^(?:https|wss)$/i.test(match[1]!)
      const before = found.get(host)
      if (before && (before.owner === null || before.owner === undefined)) {
        if (cleartext && !before.cleartext) found.set(host, { ...before, cleartext })
        continue
      }
      const { location, owner } = pieceHit(context, piece, host, { zh: '', en: '' })
      const whose = judgedOwner(context, location, owner)
      if (before && whose !== null) {
        if (cleartext && !before.cleartext) found.set(host, { ...before, cleartext })
        continue
      }
      if (found.size < MOST_DOMAINS || before)
        found.set(host, { host, cleartext: cleartext || (before?.cleartext ?? false), owner: whose, place: location })
    }
  return [...found.values()].sort((a, b) => (a.host < b.host ? -1 : 1))
}
