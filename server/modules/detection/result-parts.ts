import {
  resultComponents,
  resultContent,
  resultDomains,
  resultDynamic,
  resultLibraries,
  resultPermissions,
  resultPrivacy,
  resultSdks,
} from '#contracts/http/detection/result.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import type { Caller, Mount } from '../../http/module.ts'

type Page = { search: string; offset: number; limit: number }

/** The lists of a result, each searched and paged alike. */
export function mountParts(mount: Mount, open: (caller: Caller, id: string) => Promise<ScanResult>): void {
  mount(resultPermissions, async ({ query, caller }) => {
    const { permissions } = await open(caller, query.id)
    const { state } = query
    const found = permissions.filter(
      (one) => state === '' || (state === 'excessive' ? one.excessive === true : one.state === state),
    )
    const excessive = permissions.filter((one) => one.excessive === true).length
    return {
      ...page(found, query, (one) => `${one.name}\n${one.title.zh}\n${one.title.en}\n${one.group}`),
      states: { ...tally(permissions, (one) => one.state), excessive },
    }
  })

  mount(resultComponents, async ({ query, caller }) => {
    const { components } = await open(caller, query.id)
    const found = components.filter((one) => query.exported === '' || one.exported === (query.exported === 'yes'))
    return page(found, query, (one) => `${one.kind}\n${one.name}\n${one.permission ?? ''}\n${one.owner ?? ''}`)
  })

  mount(resultSdks, async ({ query, caller }) => {
    const { sdks } = await open(caller, query.id)
    const found = sdks.toSorted((a, b) => Number(a.state === 'present') - Number(b.state === 'present'))
    return page(found, query, (one) => `${one.id}\n${one.name.zh}\n${one.name.en}\n${one.vendor}\n${one.category}`)
  })

  mount(resultDomains, async ({ query, caller }) => {
    const { domains } = await open(caller, query.id)
    const found = domains.filter((one) => query.cleartext === '' || one.cleartext === (query.cleartext === 'yes'))
    return page(found, query, (one) => `${one.host}\n${one.owner ?? ''}`)
  })

  mount(resultPrivacy, async ({ query, caller }) => {
    const { privacy } = await open(caller, query.id)
    const found = privacy.filter(
      (one) =>
        (query.verdict === '' || one.verdict === query.verdict) && (query.source === '' || one.source === query.source),
    )
    return {
      ...page(found, query, (one) => `${one.id}\n${one.name.zh}\n${one.name.en}\n${one.clause}`),
      verdicts: tally(privacy, (one) => one.verdict),
      sources: [...new Set(privacy.map((one) => one.source))],
    }
  })

  mount(resultContent, async ({ query, caller }) => {
    const { content } = await open(caller, query.id)
    return page(content, query, (one) => `${one.kind}\n${one.group}\n${one.value}\n${one.place.entry}`)
  })

  mount(resultLibraries, async ({ query, caller }) => {
    const { libraries } = await open(caller, query.id)
    return page(libraries, query, (one) => `${one.entry}\n${one.abi}`)
  })

  mount(resultDynamic, async ({ query, caller }) => ({ data: (await open(caller, query.id)).dynamic ?? null }))
}

function page<T>(rows: readonly T[], { search, offset, limit }: Page, textOf: (row: T) => string) {
  const words = search.toLowerCase()
  const found = words === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(words))
  return { data: found.slice(offset, offset + limit), total: found.length }
}

function tally<T>(rows: readonly T[], keyOf: (row: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[keyOf(row)] = (counts[keyOf(row)] ?? 0) + 1
  return counts
}
