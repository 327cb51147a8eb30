import { z } from 'zod'
import type { PermissionItem } from '../permissions.ts'
import { endpoint } from './endpoint.ts'

/** The search of the command palette: what the server finds. Pages and settings are found by the browser itself. */

type KindEntry = { zh: string; en: string; items: readonly PermissionItem[]; inEventStore?: true }

/** Kinds in the order of the list; one of `items` is needed, none where every account may look (applications obey the scope). */
// biome-ignore format: one line a kind
export const SEARCH_KINDS = {
  application: { zh: '应用', en: 'Applications', items: [] },
  package: { zh: '安装包', en: 'Packages', items: ['asset.read'] },
  copy: { zh: '渠道副本', en: 'Copies in markets', items: ['monitor.view'] },
  device: { zh: '设备', en: 'Devices', items: ['events.read'], inEventStore: true },
  user: { zh: '应用用户', en: 'App users', items: ['events.read'], inEventStore: true },
  event: { zh: '事件', en: 'Events', items: ['events.read'], inEventStore: true },
  finding: { zh: '检测问题', en: 'Findings', items: ['detect.view'] },
  rule: { zh: '规则', en: 'Rules', items: ['detect.view', 'rule.edit', 'events.read'] },
  vulnerability: { zh: '漏洞', en: 'Vulnerabilities', items: [] },
  article: { zh: '知识', en: 'Knowledge', items: [] },
  case: { zh: '案件', en: 'Cases', items: ['events.read'] },
  account: { zh: '账号', en: 'Accounts', items: ['user.manage'] },
} as const satisfies Record<string, KindEntry>
export type SearchKind = keyof typeof SEARCH_KINDS
export const SEARCH_KIND_NAMES = Object.keys(SEARCH_KINDS) as SearchKind[]

/** Whether an account with these authorities may search this kind. */
export function maySearch(kind: SearchKind, auth: readonly string[]): boolean {
  const items: readonly PermissionItem[] = SEARCH_KINDS[kind].items
  return items.length === 0 || items.some((item) => auth.includes(item))
}

/** What the preview of a hit lists. */
export const SEARCH_FACTS = {
  application: { zh: '应用', en: 'Application' },
  platform: { zh: '平台', en: 'Platform' },
  owner: { zh: '负责人', en: 'Owner' },
  package: { zh: '包名', en: 'Package' },
  version: { zh: '版本', en: 'Version' },
  sha256: { zh: 'SHA-256', en: 'SHA-256' },
  verdict: { zh: '判定', en: 'Verdict' },
  certificate: { zh: '签名证书', en: 'Certificate' },
  level: { zh: '等级', en: 'Level' },
  rule: { zh: '规则', en: 'Rule' },
  category: { zh: '类别', en: 'Category' },
  component: { zh: '组件', en: 'Component' },
  role: { zh: '角色', en: 'Role' },
  state: { zh: '状态', en: 'State' },
  entries: { zh: '条目', en: 'Entries' },
  device: { zh: '设备', en: 'Device' },
  uuid: { zh: 'UUID', en: 'UUID' },
} as const
export type SearchFact = keyof typeof SEARCH_FACTS

export const MOST_HITS = 20

const TextSchema = z.object({ zh: z.string(), en: z.string() })
const HitSchema = z.object({
  kind: z.enum(SEARCH_KIND_NAMES as [SearchKind, ...SearchKind[]]),
  /** Unique within its kind. */
  id: z.string(),
  title: TextSchema,
  note: TextSchema,
  /** Key of a level, or ''. */
  level: z.string(),
  /** Numbers of the applications that it belongs to; empty where it belongs to none. */
  apps: z.array(z.string()),
  /** Path of its page. */
  to: z.string(),
  /** What 'copy' copies: the id by which others know it. */
  copy: z.string(),
  /** The whole search text is its id or name. */
  exact: z.boolean(),
  /** Epoch ms of its last change or first appearance; null if unknown. */
  at: z.number().nullable(),
  facts: z.array(
    z.object({ name: z.enum(Object.keys(SEARCH_FACTS) as [SearchFact, ...SearchFact[]]), value: TextSchema }),
  ),
})
export type SearchHit = z.infer<typeof HitSchema>

export const search = endpoint({
  method: 'GET',
  path: '/api/search/',
  summary:
    'Applications, packages, copies in markets, devices, users, events, findings, rules, vulnerabilities, articles, cases and accounts by name or id, within permissions and scope; a kind that does not answer in time is named and delays no other',
  access: 'session',
  query: z.object({
    text: z.string().trim().min(1).max(128),
    /** Kinds joined by commas; '' for all that the caller may search. */
    kinds: z
      .string()
      .max(200)
      .regex(/^[a-z,]*$/)
      .default(''),
    /** Hits of one kind. */
    limit: z.coerce.number().int().min(1).max(MOST_HITS).default(5),
  }),
  response: z.object({
    /** Kinds with hits, in the order of SEARCH_KINDS. */
    data: z.array(
      z.object({
        kind: HitSchema.shape.kind,
        hits: z.array(HitSchema),
        /** There are more than `limit`. */
        more: z.boolean(),
      }),
    ),
    /** Kinds that did not answer: in time, or because their store is away. */
    unanswered: z.array(z.object({ kind: HitSchema.shape.kind, reason: z.enum(['slow', 'away']) })),
    milliseconds: z.number(),
  }),
})
