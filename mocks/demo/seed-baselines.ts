import { baselines, saveBaseline } from '#contracts/http/baselines.ts'
import { type AppProfile, dexOf, lastVersions, officialChannels, signerOf } from '../device-fleet/demo-apps.ts'
import type { Api } from './api-client.ts'

/** Releases of so many days have a baseline: what most phones run, and the one that somebody signed again. */
const DAYS = 240

/** Baselines of the last releases of an application; those that stand already are left alone. */
export async function seedBaselines(api: Api, appid: string, app: AppProfile, now: number): Promise<void> {
  const known = (await api.get(`${baselines.path}?appid=${appid}`))['data'] as { version: string }[]
  for (const version of new Set(lastVersions(app, now, Math.ceil(DAYS / app.cadence)))) {
    if (known.some((one) => one.version === version)) continue
    await api.post(saveBaseline.path, {
      appid,
      version,
      package_name: app.package,
      signers: [signerOf(app)],
      hashes: app.platform === 'android' ? { 'classes.dex': dexOf(app, version) } : {},
      channels: officialChannels(app.platform),
      note: '',
    })
  }
}
