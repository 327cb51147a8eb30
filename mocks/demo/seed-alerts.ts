import { alertRules, saveAlertRule } from '#contracts/http/alerts.ts'
import type { RuleInput } from '#domain/alerts.ts'
import type { Api } from './api-client.ts'

const RULE: RuleInput = {
  name: '',
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
const RULES: readonly RuleInput[] = [
  {
    ...RULE,
    name: 'Hook 框架按省',
    filters: [{ field: 'risk', op: 'is', values: ['hook'] }],
    by: 'province',
    window: '1m',
    condition: { kind: 'threshold', op: 'at_least', value: 20 },
    severity: 'critical',
  },
  {
    ...RULE,
    name: '模拟器聚集',
    filters: [{ field: 'risk', op: 'is', values: ['emulator', 'automation'] }],
    by: 'city',
    condition: { kind: 'threshold', op: 'at_least', value: 120 },
  },
  {
    ...RULE,
    name: '应用攻击突增',
    by: 'app',
    window: '15m',
    condition: { kind: 'change', direction: 'rise', factor: 2, minimum: 200 },
    severity: 'medium',
    cooldown_minutes: 60,
  },
]

/** Makes the rules that are not there yet; what somebody changed or deleted in a running demo is left alone. */
export async function seedAlerts(api: Api, appids: readonly string[]): Promise<void> {
  const found = (await api.get(alertRules.path))['data'] as { name: string }[]
  if (found.length > 0) return
  // Named, so that everyone who may see the demo's applications sees their alerts.
  const apps = { field: 'app' as const, op: 'is' as const, values: [...appids] }
  for (const rule of RULES)
    await api.post(saveAlertRule.path, { rule: { ...rule, filters: [apps, ...rule.filters] } satisfies RuleInput })
}
