import { defineTexts } from '../../../../shared/i18n/texts.ts'

export const alertWallTexts = defineTexts('wall-alerts', {
  alerts: { zh: '告警', en: 'Alerts' },
  unacknowledged: { zh: '{{count}} 条未确认', en: '{{count}} not acknowledged' },
  kind: { zh: '{{level}}告警', en: '{{level}} alert' },
  over: { zh: '已恢复', en: 'over' },
  rule: { zh: '规则：{{text}}', en: 'Rule: {{text}}' },
  lasts: { zh: '持续 {{time}}', en: 'for {{time}}' },
  since: { zh: '自 {{time}}', en: 'since {{time}}' },
  acknowledge: { zh: '确认', en: 'Acknowledge' },
  stay: { zh: '停留', en: 'Stay' },
  staying: { zh: '停留中', en: 'Staying' },
  returns: { zh: '{{seconds}} s 后返回', en: 'returns in {{seconds}} s' },
  closes: { zh: '{{seconds}} s 后收起', en: 'closes in {{seconds}} s' },
  leave: { zh: '返回', en: 'Return' },
  thisAlert: { zh: '本次告警 +{{total}}', en: 'this alert +{{total}}' },
  sound: { zh: '告警声音', en: 'Alert sound' },
  sound_off: { zh: '关', en: 'off' },
  sound_critical: { zh: '仅严重', en: 'critical only' },
  sound_all: { zh: '严重与高危', en: 'critical and high' },
  blocked: { zh: '浏览器阻止了声音，请点一下喇叭', en: 'The browser blocks sound: press the speaker' },
})
