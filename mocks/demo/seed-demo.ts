import {
  type Application,
  applicationList,
  createApplication,
  setApplicationMembers,
  setApplicationSite,
} from '#contracts/http/applications.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { type Site, saveSite, siteList } from '#contracts/http/sites.ts'
import { createDisplayToken, displayTokens } from '#contracts/http/tokens.ts'
import { type AppProfile, DEMO_APPS } from '../device-fleet/demo-apps.ts'
import type { Api } from './api-client.ts'
import type { DemoState } from './demo-files.ts'
import type { DemoLanguage } from './demo-language.ts'
import { seedAlerts } from './seed-alerts.ts'
import { seedBaselines } from './seed-baselines.ts'
import { seedExceptions } from './seed-exceptions.ts'
import { seedPolicies } from './seed-policies.ts'

const KEY_NAMES = {
  fleet: { zh: '模拟设备', en: 'Device fleet' },
  history: { zh: '历史导入', en: 'History import' },
}
const WALL_NAME = { zh: '演示大屏', en: 'Demo wall' }

/** Own sites of the demo, and which application's arcs end where; the last application has none. */
const SITES = [
  { name: '上海 生产中心', name_en: 'Shanghai production', longitude: 121.47, latitude: 31.23 },
  { name: '成都 灾备中心', name_en: 'Chengdu recovery', longitude: 104.07, latitude: 30.67 },
] as const
const SITE_OF_APP = [0, 0, 1, undefined] as const

/**
 * Makes what the demo needs through the public API: applications, sites, keys, a display token. What an earlier start made and the
 * product still has is kept.
 */
export async function seedDemo(
  api: Api,
  analyst: string,
  earlier: DemoState | undefined,
  language: DemoLanguage,
): Promise<DemoState> {
  const sites = await makeSites(api)
  const existing = new Set(((await api.get(applicationList.path))['object_list'] as Application[]).map((app) => app.id))
  const apps: DemoState['apps'] = []
  for (const [index, profile] of DEMO_APPS.entries()) {
    const kept = earlier?.apps[index]
    if (kept && existing.has(kept.appid)) apps.push(kept)
    else apps.push(await makeApplication(api, profile, analyst, sites[SITE_OF_APP[index] ?? -1], language))
    await seedExceptions(api, (apps.at(-1) as DemoState['apps'][number]).appid, profile, analyst, Date.now()).catch(
      (error: Error) => console.log(`Demo: no symbols, ${error.message}`),
    )
    await seedBaselines(api, (apps.at(-1) as DemoState['apps'][number]).appid, profile, Date.now())
  }
  // A data folder of an earlier version has a token that may not deploy.
  if (apps[0])
    await seedPolicies(api, apps[0].appid, language).catch((error: Error) =>
      console.log(`Demo: no policy, ${error.message}`),
    )
  await seedAlerts(
    api,
    apps.map(({ appid }) => appid),
    language,
  ).catch((error: Error) => console.log(`Demo: no alert rules, ${error.message}`))
  return { apps, displayToken: await makeDisplayToken(api, earlier?.displayToken, language) }
}

async function makeSites(api: Api): Promise<string[]> {
  const found = (await api.get(siteList.path))['data'] as Site[]
  const ids: string[] = []
  for (const site of SITES) {
    const same = found.find((one) => one.name === site.name)
    ids.push(same?.id ?? ((await api.post(saveSite.path, site))['data'] as Site).id)
  }
  return ids
}

async function makeApplication(
  api: Api,
  profile: AppProfile,
  analyst: string,
  site: string | undefined,
  language: DemoLanguage,
): Promise<DemoState['apps'][number]> {
  const name = profile.name[language]
  const made = await api.post(createApplication.path, { name, mimetype_list: [profile.platform === 'ios' ? 2 : 1] })
  const appid = (made['object_list'] as Application[])[0]?.id
  if (!appid) throw new Error(`no application came of ${name}`)
  if (site) await api.post(setApplicationSite.path, { appid, site })
  await api.post(setApplicationMembers.path, { appid, usernames: [analyst] })
  const key = async (kind: 'server' | 'enrolment', title: string, scopes: string[]) =>
    (await api.post(createIngestKey.path, { appid, kind, name: title, scopes }))['key'] as string
  return {
    appid,
    name,
    platform: profile.platform === 'ios' ? 'ios' : 'android',
    key: await key('server', KEY_NAMES.fleet[language], ['events']),
    importKey: await key('server', KEY_NAMES.history[language], ['import']),
    enrolmentKey: await key('enrolment', KEY_NAMES.fleet[language], ['events']),
  }
}

async function makeDisplayToken(api: Api, earlier: string | undefined, language: DemoLanguage): Promise<string> {
  const tokens = (await api.get(displayTokens.path))['data'] as { hint: string; revoked_at: number | null }[]
  if (earlier && tokens.some((one) => one.revoked_at === null && earlier.startsWith(one.hint))) return earlier
  return (await api.post(createDisplayToken.path, { name: WALL_NAME[language], views: [] }))['token'] as string
}
