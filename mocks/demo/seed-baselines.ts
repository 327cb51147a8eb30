import { type Baseline, baselines, saveBaseline } from '#contracts/http/baselines.ts'
import {
  type AppProfile,
  dexOf,
  lastVersions,
  madeUpSigner,
  officialChannels,
  signerOf,
} from '../device-fleet/demo-apps.ts'
import type { Api } from './api-client.ts'
import { BANK_RELEASE, bankDexHash } from './bank/bank-build.ts'
import { BANK_ID } from './bank/bank-signer.ts'

/** Releases of so many days have a baseline: what most phones run, and the one that somebody signed again. */
const DAYS = 240

/** Baselines of the last releases of an application; those that stand already are left alone. The bank's release becomes one when its package is pushed. */
export async function seedBaselines(api: Api, appid: string, app: AppProfile, now: number): Promise<void> {
  const known = (await api.get(`${baselines.path}?appid=${appid}`))['data'] as Baseline[]
  for (const version of new Set(lastVersions(app, now, Math.ceil(DAYS / app.cadence)))) {
    const found = known.find((one) => one.version === version)
    if (found) await acceptSigner(api, found, app)
    else if (app.package !== BANK_ID || version !== BANK_RELEASE)
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

/** A data folder of an earlier version has baselines, and events, with a signer that no package has; the fleet reports the real one now. */
async function acceptSigner(api: Api, baseline: Baseline, app: AppProfile): Promise<void> {
  const [former, signer] = [madeUpSigner(app), signerOf(app)]
  if (former === signer || baseline.signers.join() !== former) return
  const { id, rev, appid, version, package_name, channels, note } = baseline
  const hashes = bankDexHash(version) === undefined ? baseline.hashes : {}
  const signers = [signer, former]
  await api.post(saveBaseline.path, { id, rev, appid, version, package_name, signers, hashes, channels, note })
}
