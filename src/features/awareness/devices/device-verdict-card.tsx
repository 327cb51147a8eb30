import { DEVICE_VERDICTS } from '#domain/device-score.ts'
import { DEVICE_VERDICT_ICONS } from '#src/shared/devices/device-verdict-words.tsx'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { deviceTexts } from './device-texts.ts'
import type { DeviceAnswer } from './use-device.ts'

/** Who judged the device, when and why, newest first. */
export function DeviceVerdictCard({ answer }: { answer: DeviceAnswer }) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const { verdicts, history } = answer
  const current = [...new Set(verdicts.flatMap(({ verdict }) => (verdict ? [DEVICE_VERDICTS[verdict][language]] : [])))]
  return (
    <section aria-label={t('record')} className="flex min-w-0 flex-col px-5 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-14 font-semibold">{t('record')}</h2>
        <span data-testid="verdict-now" className="text-12 text-muted">
          {t('now', { verdict: current.join(language === 'zh' ? '、' : ', ') || t('noVerdict') })}
        </span>
      </div>
      {history.length === 0 ? (
        <p className="mt-2 text-12 text-muted">{t('noRecord')}</p>
      ) : (
        <ol className="mt-1.5 max-h-52 overflow-auto text-13">
          {history.map((entry, index) => (
            <li key={entry.id} className="relative flex gap-3 pb-2.5">
              {index < history.length - 1 && (
                <span aria-hidden className="absolute top-5 bottom-0 left-[7px] w-px bg-line" />
              )}
              <span className="mt-0.5 flex-none text-muted">
                <Icon of={DEVICE_VERDICT_ICONS[entry.verdict ?? 'none']} size={16} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <b className="font-semibold">
                    {entry.verdict ? DEVICE_VERDICTS[entry.verdict][language] : t('takenBack')}
                  </b>
                  <span className="text-clip-line text-muted">{entry.by}</span>
                  <span className="ml-auto text-12 text-muted">
                    {formatDateTime(entry.at, zone, 'minute', answer.now)}
                  </span>
                </span>
                <span className="block text-12 break-words text-muted">
                  {[nameOf('app', entry.appid), entry.note].filter(Boolean).join(language === 'zh' ? '：' : ': ')}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
