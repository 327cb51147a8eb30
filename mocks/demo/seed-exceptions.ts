import { gzipSync } from 'node:zlib'
import { setExceptionTriage, symbolFiles, uploadSymbols } from '#contracts/http/exceptions.ts'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { failureGroup } from '#engines/stack/failure-group.ts'
import { DEFECTS } from '../device-fleet/defects.ts'
import { type AppProfile, versionAt } from '../device-fleet/demo-apps.ts'
import { detailOf, drift } from '../device-fleet/failures.ts'
import { isObfuscated, mappingText } from '../device-fleet/obfuscated-builds.ts'
import { makeRng } from '../device-fleet/random.ts'
import type { Api } from './api-client.ts'

const DAY_MS = 86_400_000
/** Versions that came out lately have their mapping; of older ones it was lost. */
const MAPPED_DAYS = 45

/** Uploads the mappings of the shrunk versions and resolves the defect that the newest version brings back. Done once. */
export async function seedExceptions(
  api: Api,
  appid: string,
  app: AppProfile,
  analyst: string,
  now: number,
): Promise<void> {
  if (app.platform !== 'android') return
  const there = (await api.get(`${symbolFiles.path}?appid=${appid}`))['data'] as { version: string }[]
  const versions = [...new Set(Array.from({ length: MAPPED_DAYS }, (_, day) => versionAt(app, now - day * DAY_MS, 0)))]
  const shrunk = versions.filter((version) => isObfuscated(app, version))
  for (const version of shrunk) {
    if (there.some((one) => one.version === version)) continue
    const content = gzipSync(mappingText(app, version, drift(version))).toString('base64')
    const upload = `demo-${version.replaceAll('.', '-')}-mapping`
    await api.post(uploadSymbols.path, { appid, version, kind: 'r8', upload, part: 0, last: true, content })
  }
  if (shrunk.length === 0 || there.length > 0) return
  const defect = DEFECTS.find((one) => one.regressed)
  const plain = versions.find((version) => !isObfuscated(app, version))
  if (!defect || !plain) return
  const detail = detailOf(makeRng('furnish'), defect, app, plain, now, true)
  const origin = { app: Number(appid), type: EVENT_TYPES[defect.kind].code, version: plain, packageName: '' }
  const [newest, before] = versions
  const change = {
    appid,
    group: failureGroup(detail, origin),
    state: 'resolved',
    resolved_version: before ?? newest ?? null,
    ignored_until: null,
    assignee: analyst,
  }
  await api.post(setExceptionTriage.path, { changes: [change] })
}
