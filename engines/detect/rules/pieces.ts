import { descriptorOf, locationOfCode } from '../evidence/locations.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import type { TextPiece } from './package-texts.ts'
import type { Hit } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

/** A find in a piece of text: in code its location is where the code loads it, own code before a library's. */
export function pieceHit(context: RuleContext, piece: TextPiece, key: string, detail: Text, level?: FindingLevel): Hit {
  const rest = { key, detail, ...(level && { level }) }
  const locations = piece.constant?.locations ?? []
  const codeLocation = locations.find(({ method }) => context.ownerOf(method.owner).kind !== 'sdk') ?? locations[0]
  if (codeLocation) return { location: locationOfCode(codeLocation), codeLocation, ...rest }
  const field = piece.constant?.fields[0]
  if (field) {
    const descriptor = field.slice(0, field.indexOf('->'))
    const name = descriptor.slice(1, -1).replaceAll('/', '.')
    return {
      location: { entry: piece.entry, offset: piece.offset, path: field, class: name },
      owner: context.ownerOf(descriptorOf(name)),
      ...rest,
    }
  }
  return { location: { entry: piece.entry, offset: piece.offset, ...(piece.name && { path: piece.name }) }, ...rest }
}

/** Whose a piece is; resources and files are the application's. */
export function pieceOwner(context: RuleContext, piece: TextPiece): 'own' | 'sdk' {
  if (!piece.constant) return 'own'
  const classes = [
    ...piece.constant.locations.map(({ method }) => method.owner),
    ...piece.constant.fields.map((field) => field.slice(0, field.indexOf('->'))),
  ]
  return classes.length === 0 || classes.some((descriptor) => context.ownerOf(descriptor).kind !== 'sdk')
    ? 'own'
    : 'sdk'
}
