import { EVENT_TYPES, PLATFORMS } from '#domain/vocabulary.ts'
import { failureGroup } from '#engines/stack/failure-group.ts'

const { crash, exception, risk, web } = EVENT_TYPES
const WEB_KIND = /^[\w.:-]{1,32}$/

/** Crash, ANR or exception. */
export function isFailure(type: number): boolean {
  return type >= crash.code && type <= exception.code
}

/** What the event is grouped by: fingerprint of a failure, kind of a web event or of a risk that a page saw, '' for everything else. */
export function groupOf(
  type: number,
  platform: number,
  detail: unknown,
  app: number,
  version: string,
  packageName: unknown,
): string {
  const ofPage = type === risk.code && platform === PLATFORMS.web.code
  if ((type < crash.code && !ofPage) || detail === undefined || detail === null) return ''
  if (isFailure(type))
    return failureGroup(detail, { app, type, version, packageName: typeof packageName === 'string' ? packageName : '' })
  if (type !== web.code && !ofPage) return ''
  const { kind } = detail as { kind?: unknown }
  return typeof kind === 'string' && WEB_KIND.test(kind) ? kind : ''
}
