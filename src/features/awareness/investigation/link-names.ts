import { type LinkNode, type Links, parseBuildKey } from '#domain/trail.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { traceTexts } from './trace-texts.ts'

/** Addresses that may not be shown in full have a number after their network (investigation-module.ts). */
export function isShownInFull({ kind, key }: Pick<LinkNode, 'kind' | 'key'>): boolean {
  return kind !== 'address' || !key.includes('#')
}

/** Names of nodes. A build names its signer where another build of the application has a different one. */
export function useLinkName(links: Links | undefined): (node: Pick<LinkNode, 'kind' | 'key'>) => string {
  const t = useTexts(traceTexts)
  const nameOf = useNameOf()
  const signers = new Map<string, Set<string>>()
  for (const node of links?.nodes ?? []) {
    const build = node.kind === 'build' ? parseBuildKey(node.key) : null
    if (build) signers.set(build.app, (signers.get(build.app) ?? new Set()).add(build.signer))
  }
  return ({ kind, key }) => {
    if (kind === 'device' || kind === 'user') return shortHash(kind, key)
    if (kind === 'address') return key.replace(/#\d+$/, '')
    const build = parseBuildKey(key)
    if (!build) return key
    const name = signers.size > 1 ? `${build.version} ${nameOf('app', build.app)}` : build.version || t('build')
    if ((signers.get(build.app)?.size ?? 0) < 2) return name
    return `${name} ${build.signer ? build.signer.slice(0, 6) : t('unknownSigner')}`
  }
}
