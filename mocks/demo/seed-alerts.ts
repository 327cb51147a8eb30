import { alertRules, saveAlertRule } from '#contracts/http/alerts.ts'
import { type Rule, type RuleInput, RuleInputSchema } from '#domain/alerts.ts'
import type { Api } from './api-client.ts'
import type { DemoLanguage, DemoName } from './demo-language.ts'

const RULE: Omit<RuleInput, 'name'> = {
  measure: 'attacks',
  filters: [],
  by: null,
  window: '5m',
  condition: { kind: 'threshold', op: 'at_least', value: 100 },
  severity: 'high',
  cooldown_minutes: 15,
  enabled: true,
  channels: [],
}

/** Rules that the fleet's attacks meet: hooked phones in one province (live-fleet.ts, isSpike), the hook wave, the emulator farm, and whatever else lifts an application above its usual level. */
const RULES: readonly (Omit<RuleInput, 'name'> & { name: DemoName })[] = [
  {
    ...RULE,
    name: { zh: 'Hook 框架按省', en: 'Hook frameworks by province' },
    filters: [{ field: 'risk', op: 'is', values: ['hook'] }],
    by: 'province',
    window: '1m',
    condition: { kind: 'threshold', op: 'at_least', value: 20 },
    severity: 'critical',
  },
  {
    ...RULE,
    name: { zh: '模拟器聚集', en: 'Emulators in one city' },
    filters: [{ field: 'risk', op: 'is', values: ['emulator', 'automation'] }],
    by: 'city',
    condition: { kind: 'threshold', op: 'at_least', value: 120 },
  },
  {
    ...RULE,
    name: { zh: '应用攻击突增', en: 'Attacks on an application above usual' },
    by: 'app',
    window: '15m',
    condition: { kind: 'change', direction: 'rise', factor: 2, minimum: 200 },
    severity: 'medium',
    cooldown_minutes: 60,
    // Half a past makes everything look unusual: enabled once it is there whole.
    enabled: false,
  },
]

/** Makes the rules that are not there yet; what somebody changed or deleted in a running demo is left alone. */
export async function seedAlerts(api: Api, appids: readonly string[], language: DemoLanguage): Promise<void> {
  const found = (await api.get(alertRules.path))['data'] as { name: string }[]
  if (found.length > 0) return
  // Named, so that everyone who may see the demo's applications sees their alerts.
  const apps = { field: 'app' as const, op: 'is' as const, values: [...appids] }
  for (const rule of RULES)
    await api.post(saveAlertRule.path, {
      rule: { ...rule, name: rule.name[language], filters: [apps, ...rule.filters] } satisfies RuleInput,
    })
}

/** Enables the demo's rules against the usual level; not those that somebody changed since they were made. */
export async function enableUsualRules(api: Api): Promise<void> {
  const found = (await api.get(alertRules.path))['data'] as Rule[]
  for (const rule of found) {
    if (rule.enabled || rule.version > 1 || rule.condition.kind !== 'change') continue
    if (!RULES.some(({ name }) => Object.values(name).includes(rule.name))) continue
    const input = RuleInputSchema.parse(
      Object.fromEntries(Object.keys(RuleInputSchema.shape).map((key) => [key, rule[key as keyof RuleInput]])),
    )
    await api.post(saveAlertRule.path, { id: rule.id, version: rule.version, rule: { ...input, enabled: true } })
  }
}
