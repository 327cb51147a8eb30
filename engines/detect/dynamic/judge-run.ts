import type { DynamicResult, Leak } from '../result/dynamic-result.ts'
import type { FindingLevel, Location, Text } from '../result/scan-result.ts'
import { type Hit, text } from '../rules/rule.ts'
import { knownUse, USE_ITEMS } from './known-uses.ts'

/** What a judgement rests on; one that was not seen makes it impossible. */
export type Source = 'uses' | 'tcp' | 'log' | 'private_files' | 'external_files' | 'places' | 'activities'

export const SOURCE_NAMES: Readonly<Record<Source, Text>> = {
  uses: text('系统的使用记录（appops）', 'what the system keeps account of (appops)'),
  tcp: text('网络连接表', 'the table of connections'),
  log: text('系统日志', 'the log'),
  private_files: text('应用私有文件（应用不可调试）', 'private files (the application is not debuggable)'),
  external_files: text('共享存储', 'shared storage'),
  places: text('地址归属数据', 'data on where addresses are'),
  activities: text('导出界面的启动', 'opening of exported activities'),
}

export interface RunJudge {
  readonly needs: readonly Source[]
  readonly judge: (seen: DynamicResult) => Hit[]
}

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(1)
const evidenceLocation = (entry: string, path: string, snippet: readonly string[] = []): Location => ({
  entry: `phone/${entry}`,
  offset: -1,
  path,
  ...(snippet.length > 0 && { snippet }),
})

const leakHit = (leak: Leak): Hit => ({
  location: evidenceLocation(leak.source === 'log' ? 'log' : 'files', leak.where, [leak.line]),
  key: `${leak.kind} ${leak.value}`,
  detail: text(`${leak.name.zh}：${leak.value}`, `${leak.name.en}: ${leak.value}`),
  ...(leak.kind.startsWith('android-secret') || leak.kind === 'password' || leak.kind === 'authorization'
    ? { level: 'middle' as FindingLevel }
    : {}),
})

const leaks = (needs: Source, of: (leak: Leak) => boolean): RunJudge => ({
  needs: [needs],
  judge: (seen) => seen.leaks.filter(of).map(leakHit),
})

/** Items of the catalogue that a run answers. */
export const RUN_JUDGES: Readonly<Record<string, RunJudge>> = {
  'android-log-sensitive': leaks('log', ({ source }) => source === 'log'),
  'android-sharedpref-sensitive': leaks('private_files', ({ area }) => area === 'private'),
  'android-external-storage-sensitive': leaks(
    'external_files',
    ({ area }) => area === 'app_external' || area === 'shared',
  ),
  'android-world-readable-file': {
    needs: ['private_files'],
    judge: ({ files }) =>
      files
        .filter(({ area, mode }) => area === 'private' && (Number.parseInt(mode, 8) & 0o6) !== 0)
        .map(({ path, mode }) => ({
          location: evidenceLocation('files', path),
          key: `mode ${path}`,
          detail: text(`权限 ${mode}：其他应用可读或可写`, `mode ${mode}: other applications may read or write it`),
        })),
  },
  'android-strictmode-debug': {
    needs: ['log'],
    judge: ({ incidents }) =>
      incidents
        .filter(({ kind }) => kind === 'strict_mode')
        .map(({ headline, lines }) => ({
          location: evidenceLocation('log', 'StrictMode', lines.slice(0, 12)),
          key: headline,
          detail: text(`运行时 StrictMode 生效：${headline}`, `StrictMode is on while it runs: ${headline}`),
        })),
  },
  'android-component-local-dos': {
    needs: ['log', 'activities'],
    judge: ({ incidents }) =>
      incidents.flatMap(({ activity, headline, lines }) =>
        activity === null
          ? []
          : [
              {
                location: { ...evidenceLocation('log', activity, lines.slice(0, 20)), class: activity },
                owner: { kind: 'own', sdk: null } as const,
                key: `${activity} ${headline.split(':')[0]}`,
                detail: text(
                  `从外部打开 ${activity}（不带参数）后崩溃：${headline}`,
                  `crashes when ${activity} is opened from outside without extras: ${headline}`,
                ),
              },
            ],
      ),
  },
  'android-webview-like-local-server': {
    needs: ['tcp'],
    judge: ({ listening }) =>
      listening
        .filter(({ protocol }) => protocol === 'tcp')
        .map(({ address, port, loopback }) => ({
          location: evidenceLocation('network', `${address}:${port}`),
          level: (loopback ? 'low' : 'middle') as FindingLevel,
          key: `listen ${loopback ? 'loopback' : 'any'} ${port}`,
          detail: text(
            `监听 TCP ${address}:${port}${loopback ? '，本机其他应用可连接' : '，同一网络内可连接'}`,
            `listens on TCP ${address}:${port}, ${loopback ? 'other applications of the phone' : 'whoever is in the same network'} can connect`,
          ),
        })),
  },
  'android-privacy-overseas-endpoint': {
    needs: ['tcp', 'places'],
    judge: ({ destinations }) =>
      destinations
        .filter(({ where }) => where === 'abroad')
        .map(({ address, port, host, country, first, protocol }) => ({
          location: evidenceLocation('network', `${host ?? address}:${port}`),
          key: host ?? address,
          detail: text(
            `启动后 ${seconds(first)} 秒连接 ${host ? `${host}（${address}）` : address}:${port}/${protocol}，位于 ${country}`,
            `${seconds(first)} s after the start: ${host ? `${host} (${address})` : address}:${port}/${protocol}, in ${country}`,
          ),
        })),
  },
  ...Object.fromEntries(
    USE_ITEMS.map((item) => [
      item,
      {
        needs: ['uses'],
        judge: (seen: DynamicResult) =>
          seen.uses
            .filter(({ op, first }) => first !== null && knownUse(op).item === item)
            .map(({ op, name, first, beforeInput }) => ({
              location: evidenceLocation('uses', op),
              key: op,
              detail: text(
                `启动后 ${seconds(first ?? 0)} 秒：${name.zh}${beforeInput ? '，此时用户尚未操作' : ''}`,
                `${seconds(first ?? 0)} s after the start: ${name.en}${beforeInput ? ', before any input' : ''}`,
              ),
            })),
      } satisfies RunJudge,
    ]),
  ),
}
