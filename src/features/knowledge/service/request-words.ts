import type { ServiceRequest } from '#contracts/http/service.ts'
import { SERVICE_STATES } from '#domain/service-requests.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { serviceTexts } from './service-texts.ts'

export type ServiceText = Translate<keyof (typeof serviceTexts)['entries']>

export const requestName = (id: string) => `SV-${id}`

/** The state as the reader should take it: what waits for the reader says so. */
export function stateWord(one: Pick<ServiceRequest, 'state' | 'own'>, t: ServiceText, language: Language): string {
  if (one.own && one.state === 'waiting') return t('waitingOwn')
  if (one.own && one.state === 'solved') return t('solvedOwn')
  return SERVICE_STATES[one.state][language]
}
